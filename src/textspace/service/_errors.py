"""What is wrong with a request, in a sentence."""

from fastapi import HTTPException
from fastapi.responses import JSONResponse

_SENTENCES = {
    404: "there is nothing at {path}: /docs lists what there is.",
    405: "{path} does not take {method}: /docs says what it takes.",
}


def refusal(status, sentence, headers=None):
    """Answer a request with nothing but a sentence."""
    return JSONResponse({"error": sentence}, status, headers)


async def refuse(request, error):
    """Answer a request for which an HTTPException was raised."""
    path, method = request.url.path, request.method
    sentence = _SENTENCES.get(error.status_code, "").format(path=path, method=method)
    return refusal(error.status_code, sentence or error.detail, error.headers)


def invalid(error):
    """Give the HTTPException for a body that is no JSON, or is not what the route takes."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        what = first["ctx"]["error"]
        half = ", where half of a surrogate pair is no character" if "hex escape" in what else ""
        return HTTPException(400, f"the body is no JSON: {what}{half}.")
    return HTTPException(422, in_words(first))


def in_words(error):
    """Put one of pydantic's errors into a sentence.

    >>> in_words({"type": "string_type", "loc": ("texts", 3), "msg": "Input should be a string"})
    'texts[3]: input should be a string.'
    """
    kind, place = error["type"], error["loc"]
    if not place:
        if kind == "value_error":
            return str(error["ctx"]["error"])
        return 'the body must be a JSON object, such as {"text": "..."}.'
    name = str(place[0]) + "".join(f"[{each}]" for each in place[1:])
    if kind == "missing":
        return f"{name!r} is missing: /docs lists what this call takes."
    if kind == "extra_forbidden":
        return f"{name[:100]!r} is not known: /docs lists what this call takes."
    if kind == "value_error":
        return f"{name} {error['ctx']['error']}"
    return f"{name}: {error['msg'][0].lower()}{error['msg'][1:]}."
