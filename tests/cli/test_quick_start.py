"""A short command loads only what it needs, and answers as any other."""

import os
import subprocess
import sys

CODE = """
import sys
from textspace.cli import main
try:
    main(["predict", sys.argv[1], sys.argv[2]])
except SystemExit:
    pass
heavy = '''pandas polars scipy.stats._stats_py scipy.optimize sklearn.metrics sklearn.neighbors sklearn.svm
sklearn.preprocessing numba matplotlib numpy.f2py.f2py2e textspace.evaluation._evaluation'''
print([name for name in heavy.split() if name in sys.modules])
from scipy import stats
import pandas
print(stats.norm.cdf(0), pandas.Series([1]).sum())
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


def test_predict_loads_no_statistics_and_no_tables_and_both_come_when_asked_for(trained, tmp_path):
    (tmp_path / "one.csv").write_text("text\nwheat harvest\n")
    *_, loaded, later = run(CODE, trained, tmp_path / "one.csv")
    assert loaded == "[]"
    assert later == "0.5 1"


def test_plain_python_answers_short_texts_as_compiled_code_does(trained):
    assert run(BOTH_WAYS, trained) == ["the same"]
