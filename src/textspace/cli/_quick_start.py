"""A quick start: what scikit-learn loads with itself is loaded only where a command needs it.

scikit-learn imports ``scipy.stats`` and pandas for a line each that few commands reach, and they take half of
the time of a short one.
"""

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

_DEFERRED = "scipy.stats"


def start_quickly():
    """Put something in the place of ``scipy.stats`` and pandas until they are asked for."""
    if _DEFERRED not in sys.modules and "sklearn" not in sys.modules:
        sys.modules[_DEFERRED] = _deferred(_DEFERRED)
        sys.meta_path.insert(0, _NoPandas())


def _deferred(name):
    """Give a module that loads the true one when something of it is asked for."""
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    module.__path__ = []

    def load(attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(importlib.import_module(name), attribute)

    module.__getattr__ = load
    return module


class _NoPandas:
    """Tells scikit-learn's module of fixes, and nobody else, that there is no pandas."""

    def find_spec(self, name, path=None, target=None):
        """Raise for pandas where that module asks for it; leave all others to the other finders."""
        if name == "pandas":
            frame = sys._getframe(1)
            while frame.f_code.co_filename.startswith("<frozen importlib"):
                frame = frame.f_back
            if frame.f_globals.get("__name__") == "sklearn.utils.fixes":
                raise ModuleNotFoundError("pandas is left out of a quick start", name=name)
        return
