"""Run all benchmarks, or those that are named: ``python -m benchmarks lrwmmc lda``."""

import importlib
import os
import sys

BENCHMARKS = (
    "vectorize", "lrwmmc", "neighbors", "lda", "rlsc", "leverage", "tensor", "stm", "classifier", "nearest",
    "service", "start", "many_classes"
)  # fmt: skip

if __name__ == "__main__":
    # one thread for the BLAS of both sides; set before the benchmarks load numpy
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    for name in sys.argv[1:] or BENCHMARKS:
        importlib.import_module(f"benchmarks.{name}").main()
