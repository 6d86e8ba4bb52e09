"""A short command loads only what it needs."""

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
heavy = "pandas polars scipy.stats._stats_py sklearn.metrics sklearn.neighbors sklearn.svm matplotlib".split()
print([name for name in heavy if name in sys.modules])
from scipy import stats
import pandas
print(stats.norm.cdf(0), pandas.Series([1]).sum())
"""


def test_predict_loads_no_statistics_and_no_tables_and_both_come_when_asked_for(trained, tmp_path):
    (tmp_path / "one.csv").write_text("text\nwheat harvest\n")
    command = [sys.executable, "-c", CODE, str(trained), str(tmp_path / "one.csv")]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    *_, loaded, later = done.stdout.splitlines()
    assert loaded == "[]"
    assert later == "0.5 1"
