"""What clients send and get, as the interface's description states it."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class PredictRequest(_Request):
    """One text or many."""

    text: Annotated[str | None, Field(description="One text; or give 'texts'.")] = None
    texts: Annotated[
        Annotated[list[str], Field(fail_fast=True)] | None,
        Field(description="Several texts; or give 'text'."),
    ] = None
    top: Annotated[int, Field(ge=1, description="How many classes to list with each text.")] = 3
    min_confidence: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            allow_inf_nan=False,
            description="A label less probable than this is replaced by the nearest category above it that "
            "is probable enough, or by the empty string. Of a model of several labels: those that are more "
            "probable than this are given.",
        ),
    ] = None

    @model_validator(mode="after")
    def _one_of_two(self):
        if (self.text is None) == (self.texts is None):
            raise ValueError("give either 'text', one text, or 'texts', a list of them.")
        return self


class ClassProbability(BaseModel):
    """A class and its probability."""

    label: Annotated[str, Field(description="The class.")]
    probability: Annotated[float, Field(description="Between 0 and 1.")]


class Prediction(BaseModel):
    """What the classifier says about one text."""

    label: Annotated[str, Field(description='The class, or a category above it; "" if none is sure enough.')]
    labels: Annotated[
        list[str] | None,
        Field(description="Of a model of several labels: all that the text has, the most probable first."),
    ] = None
    path: Annotated[list[str], Field(description="Categories from the root of the tree to the label.")]
    probabilities: Annotated[
        list[ClassProbability], Field(description="The most probable classes, highest first.")
    ]
    error: Annotated[
        str, Field(description="Why this text of several cannot be classified; not there if it was.")
    ] = ""


class PredictAnswer(BaseModel):
    """One prediction a text, in the order of the texts."""

    predictions: Annotated[list[Prediction], Field(description="In the order of the texts.")]


class ExplainRequest(_Request):
    """A text whose score for a class is to be explained."""

    text: Annotated[str, Field(description="The text.")]
    label: Annotated[str | None, Field(description="The class; the predicted one if left out.")] = None
    n_terms: Annotated[int, Field(ge=0, le=1000, description="How many terms to list.")] = 30
    n_neighbors: Annotated[int, Field(ge=0, le=50, description="How many training documents to list.")] = 5


class Term(BaseModel):
    """What one term adds to the score."""

    term: Annotated[str, Field(description="A word as it is written, or two of them.")]
    contribution: Annotated[
        float, Field(description="What it adds; negative if it speaks against the class.")
    ]
    spans: Annotated[
        list[tuple[int, int]], Field(description="Where it stands in the text: from and to, in code points.")
    ]


class NearDocument(BaseModel):
    """A training document near the text."""

    similarity: Annotated[float, Field(description="Cosine in the classifier's space.")]
    label: Annotated[str | list[str], Field(description="Its class; a list, where texts have several.")]
    excerpt: Annotated[str, Field(description="The beginning of its text.")]


class ExplainAnswer(BaseModel):
    """The score of a class, split into what each term adds: constant, contributions and rest sum to it."""

    text: Annotated[str, Field(description="The text.")]
    label: Annotated[str, Field(description="The class whose score is explained.")]
    probabilities: Annotated[dict[str, float], Field(description="Of every class, highest first.")]
    score: Annotated[float, Field(description="The class's score; the mean over the classes is 0.")]
    constant: Annotated[float, Field(description="The score of a text without known terms.")]
    terms: Annotated[list[Term], Field(description="The terms that add most, for and against.")]
    rest: Annotated[float, Field(description="What the other terms add.")]
    neighbors: Annotated[list[NearDocument], Field(description="The nearest training documents.")]
    position: Annotated[list[float], Field(description="Coordinates in the classifier's space.")]
    note: Annotated[str, Field(description="Why there are no terms, if the method cannot tell.")]


class Correction(_Request):
    """A text and the label that it should have."""

    text: Annotated[str, Field(description="The text.")]
    label: Annotated[
        str | None, Field(description="A class of the model, or a new one; or give 'labels'.")
    ] = None
    labels: Annotated[
        list[str] | None,
        Field(
            description="Labels, known or new, of a model of several; an empty list says that there is none."
        ),
    ] = None

    @model_validator(mode="after")
    def _one_of_two(self):
        if (self.label is None) == (self.labels is None):
            raise ValueError("give either 'label', the right class, or 'labels', a list of them.")
        return self


class CorrectionAnswer(BaseModel):
    """The correction as it was saved."""

    label: Annotated[str | list[str], Field(description="The right label, or labels.")]
    predicted: Annotated[str | list[str], Field(description="What the classifier had said.")]
    new: Annotated[bool, Field(description="Whether the model does not know a label yet.")]


class ModelAnswer(BaseModel):
    """What is served."""

    card: Annotated[dict[str, Any], Field(description="The model card.")]
    classes: Annotated[list[str], Field(description="All classes, sorted.")]
    several: Annotated[bool, Field(description="Whether a text may have several of them.")]
    paths: Annotated[dict[str, list[str]], Field(description="Categories above and with each class.")]
    corrections: Annotated[bool, Field(description="Whether corrections are saved.")]
    limits: Annotated[dict[str, float], Field(description="What a call may hold, and the time it has.")]
    version: Annotated[str, Field(description="Version of textspace.")]


class Live(BaseModel):
    """A sign of life."""

    status: Annotated[str, Field(description='"ok".')]


class Ready(BaseModel):
    """Whether the service takes calls, and what it serves."""

    status: Annotated[str, Field(description='"ready", or "busy" with status 503.')]
    loaded: Annotated[str, Field(description="When the model was loaded.")]
    problem: Annotated[str, Field(description="Why an older model is served than the file holds, or empty.")]


class Refusal(BaseModel):
    """Why a request was refused."""

    error: Annotated[str, Field(description="A sentence.")]
