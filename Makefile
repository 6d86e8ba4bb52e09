# Each target does everything it needs on a machine that has python3 (>= 3.11) and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# versions and hashes of all packages first, the builder of ours among them; then ours, which needs no other
LOCKED := $(PIP) --require-hashes --no-deps -r
OURS := $(PIP) --no-deps --no-build-isolation -e .
export PYTHONUTF8 := 1
unexport PYTHONDONTWRITEBYTECODE  # each process of the tests would compile all modules again

.PHONY: demo test quick lint format fuzz soak bench reproduce claims docs constraints clean

demo: $(VENV)/.core
	$(BIN)/textspace demo

test: $(VENV)/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/python -m pytest -n auto --dist worksteal

# the tests for the loop of editing: nothing that is marked as slow (tests/conftest.py says what is)
quick: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" -q tests

lint: $(VENV)/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

format: $(VENV)/.test
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

# input that is forged at random, for an hour; make fuzz SECONDS=600 SEED=7 says otherwise
fuzz: $(VENV)/.test
	$(BIN)/python -m tests.adversary --seconds $(or $(SECONDS),3600) --seed $(or $(SEED),0)

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

# the service for an hour among hostile clients; make soak SECONDS=600 for ten minutes
soak: $(VENV)/.test
	$(BIN)/python -m tests.adversary.soak --seconds $(or $(SECONDS),3600)

reproduce: $(VENV)/.test
	$(BIN)/textspace reproduce --all

# the page of the papers' claims, from the results as they are
claims: $(VENV)/.test
	$(BIN)/python -m experiments.claims

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -q -W -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# the hashes of the wheels of every platform, which pip would not give
LOCK := printf 'editables\nhatchling\n' | build/constraints/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-header --constraint constraints.txt pyproject.toml -
constraints:
	rm -rf build/constraints && $(PYTHON) -m venv build/constraints
	build/constraints/bin/pip install --quiet uv ".[serve,dask,sdp,embed,dev]"
	build/constraints/bin/pip freeze --exclude textspace --exclude uv | grep -v @ > constraints.txt
	$(LOCK) --output-file requirements/core.txt
	$(LOCK) --extra test --output-file requirements/test.txt

clean:
	rm -rf $(VENV) docs/_build build dist

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "textspace needs Python 3.11 or newer; say which one with make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "could not make a virtual environment in $(VENV): install your system's python3-venv package"; exit 1; }

$(VENV)/.core: $(BIN)/python pyproject.toml requirements/core.txt
	$(LOCKED) requirements/core.txt && $(OURS) && touch $@
$(VENV)/.test: $(BIN)/python pyproject.toml requirements/test.txt
	$(LOCKED) requirements/test.txt && $(OURS) && touch $@
$(VENV)/.docs: $(BIN)/python pyproject.toml constraints.txt
	$(PIP) -c constraints.txt -e ".[docs]" && touch $@
