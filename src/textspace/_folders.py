"""Where things are kept from one start to the next, by the rules of the platform."""

import os
import sys
from pathlib import Path


def cache_folder():
    """Give textspace's folder among those of the user's caches; it need not exist.

    A RuntimeError says that the user has no home.

    Returns
    -------
    pathlib.Path
        Below $XDG_CACHE_HOME if that is a full path, else where the platform keeps caches.
    """
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):  # the XDG rules leave others out
        return Path(chosen) / "textspace"
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"]) / "textspace" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "textspace"
    return Path.home() / ".cache" / "textspace"
