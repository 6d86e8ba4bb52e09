"""What a package exports: names whose modules are imported late, and estimators that nobody has to name."""

import importlib
import inspect
import pkgutil
import sys


def late(package, modules):
    """Export names whose modules are imported when a name is asked for, so that a start is quick.

    Parameters
    ----------
    package : str
        Name of the package.
    modules : mapping of str to str
        For each of its modules, the names that the package exports, with spaces between them.

    Returns
    -------
    __getattr__ : callable
        What Python asks for a name that the package does not have.
    __all__ : list of str
        All names.
    """
    module_of = {name: module for module, names in modules.items() for name in names.split()}

    def load(name):
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, sorted(module_of, key=_in_order)


def export_estimators(package):
    """Add the estimators of a package's modules to its globals, which are given, and to their ``__all__``.

    Names with an underscore are private, and the estimators of a module ``_base`` only serve others.
    """
    from sklearn.base import BaseEstimator

    names = [each.name for each in pkgutil.iter_modules(package["__path__"]) if each.name != "_base"]
    for module in (importlib.import_module(f"{package['__name__']}.{name}") for name in names):
        for name, each in inspect.getmembers(module, inspect.isclass):
            is_own = issubclass(each, BaseEstimator) and each.__module__ == module.__name__
            if is_own and not name.startswith("_") and name not in package["__all__"]:
                package[name] = each
                package["__all__"].append(name)
    package["__all__"].sort(key=_in_order)


def _in_order(name):
    """Put names in the order of the linter: constants and acronyms, classes, functions."""
    return not name.isupper(), not name[0].isupper(), name
