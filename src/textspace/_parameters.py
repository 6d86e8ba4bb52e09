"""What parameters of estimators may be, declared beside each class and checked by its ``fit``.

An estimator has a dict ``_parameter_constraints``: for each parameter a list of what it may be. Its ``fit``
begins with ``self._validate_params()``. Both are scikit-learn's. A parameter that is none of these raises an
error that names the class, the parameter and what it may be.
"""

from numbers import Integral, Real

from sklearn.utils._param_validation import HasMethods, Interval, RealNotInt, StrOptions

COUNT = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
SHARE = Interval(Real, 0, 1, closed="both")
MULTIPLE = Interval(Real, 1, None, closed="left")
FLOAT_SHARE = Interval(RealNotInt, 0, 1, closed="both")  # beside COUNT: 1 is a count, 1.0 is all
SEED = "random_state"
CLASSIFIER = HasMethods(["fit", "predict"])


def at_least(least):
    """Whole numbers from one on."""
    return Interval(Integral, least, None, closed="left")


def one_of(*names):
    """Names to choose from, which an error lists in this order."""
    return StrOptions(dict.fromkeys(names).keys())  # a set would list them in another order each time
