# Everything a developer or user needs; each target does its own set-up. Needs Python >= 3.11, make and git.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= runs/bench
STAMP := $(VENV)/.installed

.PHONY: bench test check types lint format verify costs clean

bench: $(STAMP)                        ## the benchmark table of the reference agent, and runs/bench/report.html
	$(BIN)/skillshift run --agent reference --site wordpress --condition src,tgt --out $(OUT)
	$(BIN)/skillshift report $(OUT)

test: $(STAMP)                         ## lint, types and all tests
	$(MAKE) lint types
	$(BIN)/pytest -q -n auto

verify: $(STAMP)                       ## every oracle, idle run and near-miss
	$(BIN)/skillshift verify --site wordpress --browser dom

costs: $(STAMP)                        ## milliseconds a step
	$(BIN)/python benchmarks/step_cost.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMP)                        ## a merged copy of what ships, so it also proves the packages list
	rm -rf build
	$(BIN)/pip install -q --no-deps --no-build-isolation --target build/typing .
	$(BIN)/mypy -p skillshift_gym
	$(BIN)/mypy examples benchmarks

$(STAMP): pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "expected Python >= 3.11, got $$($(PYTHON) --version); set PYTHON=python3.11 or newer"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ] && apt-get update -q && apt-get install -q -y python3-venv \
	    && rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); }
	$(BIN)/pip install -q --upgrade pip "setuptools>=77"
	$(BIN)/pip install -q -e ".[dev]"
	touch $(STAMP)

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
