# Two commands do everything, set-up included: `make demo` and `make test`.
# PYTHON chooses the interpreter (3.11 or newer) that the virtual environment is made from.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# The generator of the site has an environment of its own: nothing else needs it.
DOCS := .venv-docs
# The folder of recall data that `make bench-recall` measures.
DATA ?= bench/recall
# Where `make hub` answers.
PORT ?= 8377
# How often `make test-random` runs the tests.
N ?= 30

# Without compiled modules every process of a test run would compile its own again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-random check docs reliability bench bench-recall test-hosts test-browser hub hub-test wheel clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(READY) ## Three days of work in a temporary home, with real commands
	@$(BIN)/memdir demo

test: $(READY) ## The default test run, about two minutes on two cores
	@$(BIN)/pytest

test-random: $(READY) ## The default test run N times in random order; a run that fails leaves its output in build/
	@$(BIN)/python scripts/test_random.py $(N)

check: $(READY) ## Lint, types, layers, shape
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/pytest -n 0 tests/contract

docs: $(READY) $(DOCS)/.ready ## The documentation as a site in site/; a broken link fails
	@$(BIN)/python -m scripts.reference
	@$(DOCS)/bin/zensical build --clean --strict
	@! grep -rnE '<(script|link|img|iframe)[^>]*(src|href)="(https?:)?//' site --include='*.html'
	@echo "site/ is built. Look: $(PYTHON) -m http.server --bind 127.0.0.1 --directory site"

reliability: $(READY) ## Every reliability figure in full (SAMPLE=--sample for a seeded sample)
	@$(BIN)/pytest -m 'crowded and not slow' tests/reliability
	@$(BIN)/python -m tests.reliability.full $(SAMPLE)
	@test -n "$(SAMPLE)" || $(BIN)/pytest -m 'hypothesis and not slow' --hypothesis-profile thorough

bench: $(READY) ## Every speed figure, as ratios measured in one run
	@$(BIN)/python bench/run.py

bench-recall: $(READY) ## How well recall ranks the data in DATA, by words alone and by meanings too
	@$(BIN)/python bench/recall/run.py $(DATA)

test-hosts: $(READY) ## memdir in the real Claude Code, offline; says "not run" where it cannot be had
	@PYTEST_DEBUG_TEMPROOT=$${TMPDIR:-/tmp} $(BIN)/pytest -n 0 -m slow -rs tests/hosts  # the host reads rules as a disk lists them

test-browser: $(READY) ## The viewer in a real Chromium; says "not run" where there is none
	@$(BIN)/pytest -n 0 -m slow -rs tests/browser

hub: $(READY) ## A node of the hub on a private PostgreSQL in build/hub, with a space and a token
	@$(BIN)/python -m scripts.hub $(PORT)

hub-test: $(READY) ## The hub on a real PostgreSQL; says "not run" where there is none (FULL=1: with the whole crowd)
	@$(BIN)/pytest -n 2 -m hub -rs tests/hub
	@test -z "$(FULL)" || $(BIN)/python -m tests.hub.crowd

wheel: $(READY) ## Build the wheel and try it in a bare environment
	@$(BIN)/python scripts/try_wheel.py

clean: ## Remove what the other targets made
	rm -rf $(VENV) $(DOCS) site .cache dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) (about a minute, once) …" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(DOCS)/.ready: pyproject.toml constraints.txt
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --group docs
	@touch $@
