"""The application: routes, and the page."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fastapi import Depends, FastAPI, HTTPException
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from fastapi.security import HTTPBearer
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException

from textspace._version import __version__
from textspace.service import _schemas as schemas
from textspace.service._answers import Answers
from textspace.service._batches import Batches
from textspace.service._corrections import Corrections
from textspace.service._errors import refuse, refuse_invalid
from textspace.service._gate import STATIC, Gate
from textspace.service._limits import Limits
from textspace.service._metrics import CONTENT_TYPE, Metrics

_FILES = Path(__file__).parent / "static"
_THREADS = 2  # so that a long text does not keep the short ones waiting; more would share the same processor


def create_app(model, *, token=None, limits=None, corrections=None, hosts=None):
    """Make the application that serves a classifier.

    Parameters
    ----------
    model : TextClassifier
        Fitted.
    token : str, default=None
        What clients must show, as ``Authorization: Bearer TOKEN``. Without one, whoever reaches the service
        may use it.
    limits : Limits, default=None
        What is too much; see :class:`Limits` for the default.
    corrections : path, default=None
        File (.jsonl) to which corrections are added; without one they are refused.
    hosts : collection of str, default=None
        Names by which the service may be addressed; any by default.

    Returns
    -------
    FastAPI
        An ASGI application, for uvicorn or another server.

    Examples
    --------
    >>> from fastapi.testclient import TestClient
    >>> from textspace.models import TextClassifier
    >>> from textspace.service import create_app
    >>> texts = ["wheat and corn", "corn harvest", "ships at sea", "sea port", "corn crop", "a ship sank"]
    >>> model = TextClassifier("rlsc").fit(texts, ["grain", "grain", "ship", "ship", "grain", "ship"])
    >>> client = TestClient(create_app(model))
    >>> answer = client.post("/predict", json={"text": "the corn is ripe"}).json()
    >>> answer["predictions"][0]["label"]
    'grain'
    """
    _check_token(token)
    limits = limits or Limits()
    saved = None if corrections is None else Corrections(corrections)
    answers, metrics = Answers(model), Metrics()
    pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="textspace")

    app = FastAPI(
        title="textspace",
        version=__version__,
        description="Labels, probabilities and explanations of texts.",
        docs_url=None,  # FastAPI's own page of the interface takes its scripts from elsewhere
        redoc_url=None,
        responses={"4XX": {"model": schemas.Refusal}, "5XX": {"model": schemas.Refusal}},
        # the gate checks the token; this states it in the description
        dependencies=[] if token is None else [Depends(HTTPBearer(auto_error=False))],
    )
    app.add_exception_handler(StarletteHTTPException, refuse)
    app.add_exception_handler(RequestValidationError, refuse_invalid)
    app.add_middleware(Gate, limits=limits, metrics=metrics, token=token, hosts=hosts)
    app.mount(STATIC, StaticFiles(directory=_FILES), name="static")

    async def in_thread(work, *arguments):
        return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)

    classify = Batches(answers.predict, in_thread, _THREADS)

    @app.post("/predict", response_model=schemas.PredictAnswer)
    async def predict(request: schemas.PredictRequest):
        """Give the labels and probabilities of texts."""
        texts = [request.text] if request.texts is None else request.texts
        _check_texts(texts, limits, many=request.texts is not None)
        predictions = await classify(texts, request.top, request.min_confidence)
        metrics.texts += len(texts)
        return JSONResponse({"predictions": predictions})

    @app.post("/explain", response_model=schemas.ExplainAnswer)
    async def explain(request: schemas.ExplainRequest):
        """Say what each term of a text adds to the score of a class, and which training texts are near."""
        _check_texts([request.text], limits)
        if request.label is not None:
            _check_label(request.label, answers.classes)
        return JSONResponse(
            await in_thread(
                answers.explain, request.text, request.label, request.n_terms, request.n_neighbors
            )
        )

    @app.post("/corrections", response_model=schemas.CorrectionAnswer, status_code=201)
    async def correct(request: schemas.Correction):
        """Save the right label of a text, to train on later."""
        if saved is None:
            raise HTTPException(
                403, "corrections are not saved here: start the service with a file for them (--corrections)."
            )
        _check_texts([request.text], limits)
        _check_label(request.label, answers.classes)
        [prediction] = await classify([request.text], 1, None)
        predicted = prediction["label"]
        await in_thread(lambda: saved.add(request.text, label=request.label, predicted=predicted))
        return JSONResponse({"label": request.label, "predicted": predicted}, 201)

    @app.get("/model", response_model=schemas.ModelAnswer)
    async def describe():
        """Give the model card, the classes and the limits of the service."""
        return JSONResponse(answers.describe(limits, saved is not None))

    @app.get("/health", response_model=schemas.Health)
    async def health():
        """Tell that the service is up."""
        return JSONResponse({"status": "ok"})

    @app.get("/metrics", response_class=PlainTextResponse)
    async def show_metrics():
        """Give counts, times and memory in the text format of Prometheus."""
        return PlainTextResponse(metrics.render(), media_type=CONTENT_TYPE)

    @app.get("/", include_in_schema=False)
    async def page():
        return FileResponse(_FILES / "page.html")

    @app.get("/docs", include_in_schema=False)
    async def docs():
        return FileResponse(_FILES / "docs.html")

    return app


def _check_token(token):
    if token is not None and not (token and token.isascii() and token.isprintable() and " " not in token):
        raise ValueError(
            "the token must be letters, digits and signs of ASCII without spaces: it is sent in a header."
        )


def _check_texts(texts, limits, *, many=False):
    """Raise an HTTPException that names the text if there are too many, or one is empty or too long."""
    if not texts:
        raise HTTPException(422, "'texts' is empty: give at least one text.")
    if len(texts) > limits.texts:
        raise HTTPException(
            413, f"a call may have {limits.texts} texts, not {len(texts)}: send them in several calls."
        )
    for place, text in enumerate(texts):
        name = f"texts[{place}]" if many else "the text"
        if not text.strip():
            raise HTTPException(422, f"{name} is empty: give a text with words, or leave it out.")
        if len(text) > limits.characters:
            raise HTTPException(
                413,
                f"{name} has {len(text)} characters, more than {limits.characters}: shorten or divide it.",
            )


def _check_label(label, classes):
    if label not in classes:
        raise HTTPException(422, f"there is no class {label[:200]!r}: /model lists the classes.")
