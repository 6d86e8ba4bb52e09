"""The application: routes, and the page."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from fastapi.security import HTTPBearer
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException

from textspace._version import __version__
from textspace.service import _schemas as schemas
from textspace.service._answers import refused_text, write
from textspace.service._corrections import Corrections, CorrectionsFullError
from textspace.service._errors import invalid, refuse
from textspace.service._gate import STATIC, Gate
from textspace.service._limits import Limits
from textspace.service._metrics import CONTENT_TYPE, Metrics
from textspace.service._served import Served

_log = logging.getLogger(__name__)
_FILES = Path(__file__).parent / "static"
_LONGEST_LABEL = 200  # characters of a new class
_SHORT = 64_000  # bytes of a body that is parsed at once
_LONG = 3_000  # characters of a text whose explanation waits for other long ones


def create_app(model, *, token=None, limits=None, corrections=None, hosts=None, embeddings=None, verify=None):
    """Make the application that serves a classifier.

    Parameters
    ----------
    model : TextClassifier or path
        Fitted, or its file, which is loaded again when it changes.
    token : str, default=None
        What clients must show, as ``Authorization: Bearer TOKEN``. Without one, whoever reaches the service
        may use it.
    limits : Limits, default=None
        What is too much; see :class:`Limits` for the default.
    corrections : path, default=None
        File (.jsonl) to which corrections are added; without one they are refused.
    hosts : collection of str, default=None
        Names by which the service may be addressed; any by default.
    embeddings : path, default=None
        Folder of the embedding, or its name, for the file of a model that was trained with one.
    verify : path, default=None
        Public key (PEM, ed25519) that must have signed the file, each time that it is loaded.

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
    saved = None
    if corrections is not None:
        saved = Corrections(corrections, limits.correction_bytes, limits.corrections_bytes)
    metrics = Metrics()
    # what is long does not keep the short ones waiting; more threads would share the same processor
    quick = ThreadPoolExecutor(1, thread_name_prefix="textspace-quick")
    slow = ThreadPoolExecutor(1, thread_name_prefix="textspace-slow")
    explainer = ThreadPoolExecutor(1, thread_name_prefix="textspace-explanations")
    writer = ThreadPoolExecutor(1, thread_name_prefix="textspace-corrections")  # it waits for the disk

    async def in_thread(work, *arguments, pool=slow):
        return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)

    served = Served(model, embeddings, verify, partial(in_thread, pool=quick), in_thread)

    @asynccontextmanager
    async def lifespan(_):
        watching = asyncio.create_task(served.watch())
        yield
        watching.cancel()

    app = FastAPI(
        title="textspace",
        version=__version__,
        description="Labels, probabilities and explanations of texts.",
        docs_url=None,  # FastAPI's own page of the interface takes its scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # it would send clients to whatever host they name
        responses={"4XX": {"model": schemas.Refusal}, "5XX": {"model": schemas.Refusal}},
        # the gate checks the token; this states it in the description
        dependencies=[] if token is None else [Depends(HTTPBearer(auto_error=False))],
        lifespan=lifespan,
    )
    app.state.served = served
    app.add_exception_handler(StarletteHTTPException, refuse)
    app.add_middleware(Gate, limits=limits, metrics=metrics, token=token, hosts=hosts)
    app.mount(STATIC, StaticFiles(directory=_FILES), name="static")

    async def parse(request, kind):
        body = await request.body()
        try:
            if len(body) <= _SHORT:
                return kind.model_validate_json(body)
            return await in_thread(kind.model_validate_json, body)
        except ValidationError as error:
            raise invalid(error) from None

    def answer(written):
        _check_answer(len(written), limits)
        return Response(written, media_type="application/json")

    @app.post("/predict", response_model=schemas.PredictAnswer, openapi_extra=_takes(schemas.PredictRequest))
    async def predict(request: Request):
        """Give the labels and probabilities of texts."""
        call, model = await parse(request, schemas.PredictRequest), served.now
        texts = [call.text] if call.texts is None else call.texts
        refused = _check_texts(texts, limits, many=call.texts is not None)
        _check_answer(model.answers.most_bytes(len(texts), call.top), limits)
        good = [text for place, text in enumerate(texts) if place not in refused]
        predictions = iter(await model.classify(good, call.top, call.min_confidence))
        metrics.texts += len(good)
        written = (refused.get(place) or next(predictions).json for place in range(len(texts)))
        return answer(f'{{"predictions":[{",".join(written)}]}}')

    @app.post("/explain", response_model=schemas.ExplainAnswer, openapi_extra=_takes(schemas.ExplainRequest))
    async def explain(request: Request):
        """Say what each term of a text adds to the score of a class, and which training texts are near."""
        call, model = await parse(request, schemas.ExplainRequest), served.now
        _check_texts([call.text], limits, longest=min(limits.characters, limits.explained_characters))
        if call.label is not None:
            _check_label(call.label, model.answers.classes)
        arguments = (call.text, call.label, call.n_terms, call.n_neighbors)
        threads = explainer if len(call.text) > _LONG else slow
        return answer(await in_thread(model.answers.explain, *arguments, pool=threads))

    @app.post(
        "/corrections",
        response_model=schemas.CorrectionAnswer,
        status_code=201,
        openapi_extra=_takes(schemas.Correction),
    )
    async def correct(request: Request):
        """Save the right label of a text, to train on later."""
        if saved is None:
            raise HTTPException(
                403, "corrections are not saved here: start the service with a file for them (--corrections)."
            )
        call, model = await parse(request, schemas.Correction), served.now
        _check_texts([call.text], limits)
        right = _right_labels(call, model.answers)
        [prediction] = await model.classify([call.text], 1, None)
        try:
            await in_thread(saved.add, call.text, right, prediction.label, pool=writer)
        except CorrectionsFullError as error:
            raise HTTPException(413, str(error)) from None
        except OSError as error:
            _log.error("a correction could not be saved: %s", error)
            raise HTTPException(
                503, "the correction is not saved, as its file cannot be written: the log says why."
            ) from None
        known = model.answers.classes
        is_new = any(label not in known for label in ([right] if isinstance(right, str) else right))
        said = write({"label": right, "predicted": prediction.label, "new": is_new})
        return Response(said, 201, media_type="application/json")

    @app.get("/model", response_model=schemas.ModelAnswer)
    async def describe():
        """Give the model card, the classes and the limits of the service."""
        return answer(await in_thread(served.now.answers.describe, limits, saved is not None))

    @app.get("/live", response_model=schemas.Live)
    async def live():
        """Tell that the process is up."""
        return JSONResponse({"status": "ok"})

    busy_answer = {503: {"model": schemas.Ready, "description": "All places for calls are taken."}}

    @app.get("/ready", response_model=schemas.Ready, responses=busy_answer)
    async def ready():
        """Tell whether there is room for a call, which model answers, and whether its file has a problem."""
        busy = metrics.calls >= limits.calls
        status = {"status": "busy" if busy else "ready", "loaded": served.now.loaded}
        return JSONResponse(status | {"problem": served.problem}, 503 if busy else 200)

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


def _takes(kind):
    """Describe what a route takes; FastAPI would parse it in the event loop, however long it is."""
    content = {"application/json": {"schema": kind.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}


def _check_token(token):
    if token is not None and not (token and token.isascii() and token.isprintable() and " " not in token):
        raise ValueError(
            "the token must be letters, digits and signs of ASCII without spaces: it is sent in a header."
        )


def _check_texts(texts, limits, *, many=False, longest=None):
    """Raise an HTTPException that names the text if there are too many, or one is empty or too long.

    Of many texts one good one is enough: what is answered for the others is given as JSON, by their places.
    """
    if not texts:
        raise HTTPException(422, "'texts' is empty: give at least one text.")
    if len(texts) > limits.texts:
        raise HTTPException(
            413, f"a call may have {limits.texts} texts, not {len(texts)}: send them in several calls."
        )
    longest = limits.characters if longest is None else longest
    refused = {}
    for place, text in enumerate(texts):
        name = f"texts[{place}]" if many else "the text"
        if not text or text.isspace():
            refused[place] = 422, f"{name} is empty: give a text with words, or leave it out."
        elif len(text) > longest:
            size = f"{name} has {len(text)} characters, more than {longest}"
            refused[place] = 413, f"{size}: shorten or divide it."
    if len(refused) == len(texts):
        raise HTTPException(*refused[0])
    return {place: refused_text(sentence) for place, (_, sentence) in refused.items()}


def _check_answer(size, limits):
    if size > limits.answer_bytes:
        raise HTTPException(
            413,
            f"the answer could have {size} bytes, more than {limits.answer_bytes}: ask for fewer classes "
            "('top') or terms ('n_terms'), or send fewer texts.",
        )


def _check_new_label(label):
    if not label.strip() or len(label) > _LONGEST_LABEL or not label.isprintable():
        raise HTTPException(
            422, f"'label' must be a name of 1 to {_LONGEST_LABEL} characters on one line, known or new."
        )


def _right_labels(call, answers):
    """Give the label of a correction, or its labels, as the model gives them."""
    several = answers.model.several_
    if several != (call.labels is not None):
        raise HTTPException(
            422,
            "the model gives several labels a text: give 'labels', a list."
            if several
            else "the model gives one label a text: give 'label'.",
        )
    for label in call.labels if several else [call.label]:
        _check_new_label(label)
    return list(dict.fromkeys(call.labels)) if several else call.label


def _check_label(label, classes):
    if label not in classes:
        raise HTTPException(422, f"there is no class {label[:200]!r}: /model lists the classes.")
