# The README's two commands: `make demo` and `make test`. Each sets up what it needs under .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Pins what was tested; pyproject.toml states the ranges that suit users.
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test bench results clean

demo: $(VENV)/installed
	$(BIN)/hushgraph demo --output demo

test: $(VENV)/installed-for-development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest --numprocesses 2 --quiet

bench: $(VENV)/installed-for-development
	$(BIN)/python benchmarks/run.py --output docs/results/bench.json
	$(BIN)/python benchmarks/report.py

results: $(VENV)/installed-for-development
	$(BIN)/hushgraph demo --output docs/results/demo
	$(BIN)/python benchmarks/accuracy.py --output docs/results/lpgnn-core.csv
	$(BIN)/python benchmarks/report.py

$(VENV)/created:
	$(PYTHON) -m venv $(VENV)
	touch $@

# torch first and alone: a range that another package states must find it satisfied, or the newest build
# comes with gigabytes of CUDA.
$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "Installing hushgraph and what it needs into $(VENV) (a few minutes the first time) …"
	$(INSTALL) torch
	$(INSTALL) --editable '.[all]'
	touch $@

$(VENV)/installed-for-development: $(VENV)/installed
	@echo "Installing the development tools …"
	$(INSTALL) --requirement requirements-dev.txt
	touch $@

clean:
	rm -rf $(VENV) demo
