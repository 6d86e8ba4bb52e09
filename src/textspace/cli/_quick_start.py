"""A quick start: what other libraries load with themselves is loaded only where a command needs it.

scikit-learn imports ``scipy.stats`` and pandas, and scipy ``numpy.f2py``, for a line each that few commands
reach. They take half of the time of a short command.
"""

import gc
import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

_DEFERRED = {"numpy.f2py", "scipy.stats"}
_SELDOM = 50_000  # new objects after which cycles are looked for: modules and models make very many, but none


def start_quickly():
    """Put something in the place of these modules until they are asked for."""
    gc.set_threshold(_SELDOM)
    if "sklearn" not in sys.modules:
        sys.meta_path.insert(0, _Deferring())


class _Deferring:
    """Finds modules that load the true ones when something of them is asked for.

    scikit-learn's module of fixes, and nobody else, is told that there is no pandas.
    """

    def find_spec(self, name, path=None, target=None):
        """Find a module that is deferred; leave all others to the other finders."""
        if name == "pandas":
            frame = sys._getframe(1)
            while frame.f_code.co_filename.startswith("<frozen importlib"):
                frame = frame.f_back
            if frame.f_globals.get("__name__") == "sklearn.utils.fixes":
                raise ModuleNotFoundError("pandas is left out of a quick start", name=name)
        return ModuleSpec(name, self, is_package=True) if name in _DEFERRED else None

    def create_module(self, spec):
        """Make the module that stands for another."""
        return _Deferred(spec.name)

    def exec_module(self, module):
        """Do nothing: it is empty."""


class _Deferred(ModuleType):
    """A module that is empty until something of it is asked for."""

    def __getattr__(self, attribute):
        """Load the true module, and give what was asked for."""
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        name = self.__name__
        _DEFERRED.discard(name)
        if sys.modules.get(name) is self:
            del sys.modules[name]
        return getattr(importlib.import_module(name), attribute)
