# The one door to every task. It needs Python 3.11 to 3.13 with venv, and nothing else.
#   make demo    run the main job on the built-in example
#   make test    run all tests; every formula and error branch must be covered
#   make check   lint, types, import contracts and tests: what a change must pass
#   make docs    the documentation site, into site/; nothing is loaded from the network
#   make bench   the benchmarks: ratios measured in one run

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint check docs bench lock clean

demo: $(READY)
	$(BIN)/epsilometer demo

test: $(READY)
	$(BIN)/pytest --numprocesses=2 --dist=loadfile --cov --cov-report=
	$(BIN)/coverage report --fail-under=100 --include='*/formulas/*,*/leakage/*,*/mechanisms/*,*/neighbors/*,*/attacks/*,*/randomizers/*,*/vocabulary/*,*/errors.py'

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config importlinter.ini

check: lint test

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

bench: $(READY)
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.growth

lock: $(READY)
	$(BIN)/uv pip compile --quiet --universal --no-header --generate-hashes --no-emit-index-url --python-version 3.11 \
		--extra postgres --extra spark --extra synthesis --extra web --group dev --group docs --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV)

$(READY): pyproject.toml requirements.lock requirements-uv.lock
	$(PYTHON) -c 'import sys; assert (3, 11) <= sys.version_info < (3, 14), "Python 3.11 to 3.13 is needed"'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements-uv.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes --requirement requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $(READY)
