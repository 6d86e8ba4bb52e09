"""A quick start: what other libraries load with themselves is loaded only where a command needs it.

scikit-learn and scipy import these modules for a line each that few commands reach. They take two thirds of
the time of a short command.
"""

import atexit
import gc
import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_DEFERRED = {
    "asyncio",
    "importlib.metadata",
    "narwhals",
    "narwhals.stable",
    "narwhals.stable.v2",
    "numpy.f2py",
    "numpy.ma",
    "numpy.polynomial",
    "numpy.testing",
    "psutil",
    "scipy.linalg",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "scipy.special",
    "scipy.stats",
}
_FIXES = "sklearn.utils.fixes"
# Modules that take functions of them, to be called if at all.
_CALL_LATER = {
    _FIXES,
    "sklearn.utils.sparsefuncs",
    "joblib.externals.loky.process_executor",
    "pydantic.plugin._loader",
}
_ASKED_FOR = {"__all__", "__version__"}  # what else has two underscores, Python asks of any module
_SELDOM = 200_000  # new objects after which cycles are looked for: modules and models make many, but none


def start_quickly():
    """Put something in the place of these modules until they are asked for."""
    gc.set_threshold(_SELDOM)
    atexit.register(gc.freeze)  # in the end the system takes memory back sooner than cycles are found
    if "sklearn" not in sys.modules:
        sys.meta_path.insert(0, _Deferring())


class _Deferring:
    """Finds modules that load the true ones when something of them is asked for.

    scikit-learn's module of fixes, and nobody else, is told that there is no pandas.
    """

    def find_spec(self, name, path=None, target=None):
        """Find a module that is deferred; leave all others to the other finders."""
        if name == "pandas" and _asker() == _FIXES:
            raise ModuleNotFoundError("pandas is left out of a quick start", name=name)
        if name in _DEFERRED and ("." in name or PathFinder.find_spec(name)):  # which may not be installed
            return ModuleSpec(name, self, is_package=True)
        parent = sys.modules.get(name.rpartition(".")[0])
        if isinstance(parent, _Deferred):  # which has no modules, but the true one has
            _true(parent)
            return importlib.util.find_spec(name)
        return None

    def create_module(self, spec):
        """Make the module that stands for another."""
        return _Deferred(spec.name)

    def exec_module(self, module):
        """Do nothing: it is empty."""


class _Deferred(ModuleType):
    """A module that is empty until something of it is asked for, or called."""

    def __getattr__(self, attribute):
        """Load the true module, and give what was asked for."""
        if attribute.startswith("__") and attribute not in _ASKED_FOR:
            raise AttributeError(attribute)
        if _asker() in _CALL_LATER:
            return lambda *words, **options: getattr(_true(self), attribute)(*words, **options)
        return getattr(_true(self), attribute)


def _true(module):
    """Load the module that a deferred one stands for, and those around it."""
    parts = module.__name__.split(".")
    for name in (".".join(parts[: end + 1]) for end in range(len(parts))):
        _DEFERRED.discard(name)
        if isinstance(sys.modules.get(name), _Deferred):
            del sys.modules[name]
    return importlib.import_module(module.__name__)


def _asker():
    """Name the module that imports something, or asks for something of a module."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame.f_globals.get("__name__")
