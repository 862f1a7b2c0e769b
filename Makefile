# Everything a developer or user needs; each target does its own set-up. Needs Python >= 3.11, make and git.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
OUT ?= runs/bench
SITE ?= all
STAMP := $(VENV)/.installed
export OPENBLAS_NUM_THREADS ?= 1
CHROMIUM := $(VENV)/.chromium

FIND_CHROMIUM := $(BIN)/python -c 'import sys; from skillshift_gym.browsers.chromium_launch import find_chromium; sys.exit(not find_chromium())'

.PHONY: bench test types lint format verify verify-all regret stream tables costs docs clean

bench: $(STAMP)                        ## the reference agent with both backbones in six conditions, and their reports; no browser
	$(BIN)/skillshift run --agent reference --site $(SITE) --condition all --out $(OUT)
	$(BIN)/skillshift run --agent reference --agent-arg backbone=ranker --site $(SITE) --condition all --out $(OUT)-ranker
	$(BIN)/skillshift report $(OUT)
	$(BIN)/skillshift report $(OUT)-ranker
	$(BIN)/skillshift report $(OUT) $(OUT)-ranker

test: $(STAMP) $(CHROMIUM)             ## lint, types and all tests
	$(MAKE) lint types
	$(BIN)/pytest -q -n auto

verify: $(STAMP)                       ## every oracle, idle run and near-miss in six conditions, without a browser
	$(BIN)/skillshift verify --site $(SITE) --browser dom

verify-all: $(STAMP) $(CHROMIUM)       ## the same in both browsers
	$(BIN)/skillshift verify --site $(SITE) --browser dom,chromium

regret: $(STAMP)                       ## how SWOP's regret grows with episodes and drift; tables and charts in runs/regret
	$(BIN)/skillshift regret --out runs/regret

stream: $(STAMP)                       ## SWOP, MPCR and the prior on changing sites; tables and charts in runs/stream
	$(BIN)/skillshift regret --web --out runs/stream

tables: $(STAMP)                       ## learn, run and print the paper's tables; a stopped one goes on
	$(BIN)/skillshift tables --site $(SITE) --out runs/tables

costs: $(STAMP)                        ## milliseconds a step
	$(BIN)/python benchmarks/step_cost.py

docs: $(STAMP)                         ## build/site; the reference pages come from the code
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict --quiet

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

# A distribution package where we may install one, else Playwright's own download; SKILLSHIFT_CHROMIUM names another.
$(CHROMIUM): $(STAMP)
	@if $(FIND_CHROMIUM); then :; \
	elif command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -q && { apt-get install -q -y chromium-headless-shell || apt-get install -q -y chromium; }; \
	else $(BIN)/playwright install chromium; fi
	$(FIND_CHROMIUM)
	touch $(CHROMIUM)

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
