"""What a package exports without naming it: a module with a new estimator is enough."""

import importlib
import inspect
import pkgutil

from sklearn.base import BaseEstimator


def export_estimators(package):
    """Add the estimators of a package's modules to its globals, which are given, and to their ``__all__``.

    Names with an underscore are private, and the estimators of a module ``_base`` only serve others.
    """
    names = [each.name for each in pkgutil.iter_modules(package["__path__"]) if each.name != "_base"]
    for module in (importlib.import_module(f"{package['__name__']}.{name}") for name in names):
        for name, each in inspect.getmembers(module, inspect.isclass):
            is_own = issubclass(each, BaseEstimator) and each.__module__ == module.__name__
            if is_own and not name.startswith("_") and name not in package["__all__"]:
                package[name] = each
                package["__all__"].append(name)
    # in the order of the linter: constants and acronyms, classes, functions
    package["__all__"].sort(key=lambda name: (not name.isupper(), not name[0].isupper(), name))
