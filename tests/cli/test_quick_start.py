"""A short command loads only what it needs, and answers as any other."""

import os
import subprocess
import sys

CODE = """
import sys
from textspace.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
heavy = '''pandas polars jinja2 numba matplotlib asyncio.events psutil._common unittest narwhals.expr
importlib.metadata._adapters numpy.f2py.f2py2e numpy.polynomial.chebyshev numpy.testing._private
scipy.stats._stats_py scipy.optimize scipy.special._ufuncs scipy.linalg._basic scipy.sparse.linalg._isolve
scipy.sparse.csgraph._laplacian sklearn.metrics sklearn.neighbors sklearn.svm sklearn.preprocessing
textspace.evaluation._evaluation'''
print([name for name in heavy.split() if name in sys.modules])
"""

LATER = """
from textspace.cli._quick_start import start_quickly
start_quickly()
import sklearn.utils.sparsefuncs
from scipy import special, stats
from scipy.linalg import *
import asyncio.events, numpy as np, pandas
from narwhals.stable.v2 import dependencies
from sklearn.utils.fixes import _mode, _sparse_linalg_cg
print(stats.norm.cdf(0), special.expit(0), norm([3, 4]), np.ma.masked, np.polynomial.Polynomial([1])(0))
print(dependencies.is_pandas_dataframe(pandas.DataFrame()), asyncio.run(asyncio.sleep(0, 7)))
print(_sparse_linalg_cg(np.eye(2), np.ones(2))[0], _mode([1, 2, 2]).mode)
"""

BOTH_WAYS = """
import sys
import numpy as np
from textspace.models import load
model = load(sys.argv[1])
texts = ["Wheat and CORN!", "", "Mr. O'Neil paid $3.50 on 2024-05-31 at www.example.org", "größer 猫 C++"]
plain = model.predict_proba(texts), [model.explain(text).to_dict() for text in texts]
assert "numba" not in sys.modules
import numba
compiled = model.predict_proba(texts), [model.explain(text).to_dict() for text in texts]
assert np.array_equal(plain[0], compiled[0])
assert plain[1] == compiled[1]
print("the same")
"""


def run(code, *words):
    command = [sys.executable, "-c", code, *map(str, words)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_short_text_is_answered_without_what_takes_long_to_load(trained, tmp_path):
    (tmp_path / "one.csv").write_text("text\nwheat harvest\n")
    for words in (["predict", trained, tmp_path / "one.csv"], ["explain", trained, "wheat harvest"]):
        *_, loaded = run(CODE, *words)
        assert loaded == "[]"


def test_what_is_left_out_comes_when_it_is_asked_for():
    assert run(LATER) == ["0.5 0.5 5.0 -- 1.0", "True 7", "[1. 1.] [2]"]


def test_plain_python_answers_short_texts_as_compiled_code_does(trained):
    assert run(BOTH_WAYS, trained) == ["the same"]
