# make demo    the whole job on the shipped sample           make test   every check and test
# make bench   benchmarks (PART=name for one, SCALE=0.05)   make check  lint, types, imports, documents
# make docs    the documentation as pages (build/docs)
# make soak    sweeps broken in every way, hundreds of times (an hour)
# make clients a TypeScript and a Java client, generated from a running server, take a case to the certidão
#
# Everything is set up in .venv on the first call: Python 3.11 or newer and make are enough.
# PYTHON=/path/to/python chooses another interpreter; ARGS=... goes to the demo or to pytest.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PEERS := $(VENV)/.peers
JOBS ?= 2

.PHONY: help demo test bench peers soak clients check lint types imports documents docs setup clean

help:
	@sed -n 's/^# \{0,1\}//p;/^$$/q' Makefile

setup: $(STAMP)

$(STAMP): requirements/lock.txt pyproject.toml scripts/setup.sh
	@PYTHON='$(PYTHON)' sh scripts/setup.sh $(VENV)

demo: $(STAMP)
	@$(BIN)/posturas demo $(ARGS)

test: check
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup $(ARGS)

bench: $(STAMP) peers
	@$(BIN)/python -m bench $(PART) --scale $(or $(SCALE),1)

# What the benchmark compares with. Without it the parts still run, and name what is missing; pymeeus has no wheel.
peers: $(STAMP)
	@cmp -s requirements/bench.txt $(PEERS) || { $(BIN)/python -m pip --disable-pip-version-check --quiet install \
	  --root-user-action=ignore --no-build-isolation --only-binary :all: --no-binary pymeeus --require-hashes \
	  -r requirements/bench.txt >$(VENV)/peers.log 2>&1 && cp requirements/bench.txt $(PEERS); } || \
	  echo "bench: some packages to compare with cannot be installed (see $(VENV)/peers.log)"

soak: $(STAMP)
	@POSTURAS_SOAK=1 $(BIN)/python -m pytest -q tests/integration/breaking $(ARGS)

clients: $(STAMP)
	@sh clients/run.sh $(BIN)

check: lint types imports documents

lint: $(STAMP)
	@echo "lint (ruff)"; $(BIN)/ruff check --quiet .

types: $(STAMP)
	@echo "types (mypy)"; $(BIN)/mypy --no-error-summary

imports: $(STAMP)
	@echo "imports (layers)"; $(BIN)/lint-imports --no-logo >$(VENV)/imports.log || { cat $(VENV)/imports.log; exit 1; }

documents: $(STAMP)
	@echo "documents"; $(BIN)/python scripts/check_changelog.py && $(BIN)/python scripts/check_links.py
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs $(VENV)/docs

# docs/ as pages to browse, in build/docs.
docs: $(STAMP)
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs && echo "build/docs/index.html"

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
