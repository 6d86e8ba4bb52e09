"""A classifier as a service: an HTTP interface and a web page."""

try:
    import fastapi  # noqa: F401
    import uvicorn  # noqa: F401
except ImportError as error:
    raise ImportError("the service needs FastAPI and uvicorn: pip install 'textspace[serve]'") from error

from textspace.service._app import create_app
from textspace.service._limits import Limits
from textspace.service._server import serve

__all__ = ["Limits", "create_app", "serve"]
