# Everything runs in .venv, which the first target makes. `make help` explains the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CLAIMCHECK := $(BIN)/claimcheck

.DEFAULT_GOAL := help
.PHONY: help install demo lessons test check lint types own docs golden bench clean

help:  ## show this help
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP)  ## make .venv and install claimcheck with its development tools

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

demo: $(STAMP)  ## bring the vendors and verify the course against real source code
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

lessons: $(STAMP)  ## make the pages of the lessons in build/lessons
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/lessons.sh

test: $(STAMP)  ## run the test suite on all cores
	$(BIN)/python -m pytest -n auto

check: lint types own docs  ## lint, types, claimcheck on its own course, generated documentation

lint: $(STAMP)  ## ruff
	$(BIN)/ruff check src tests scripts bench
	$(BIN)/ruff format --check src tests scripts bench

types: $(STAMP)  ## mypy --strict
	$(BIN)/mypy

own: $(STAMP)  ## verify the course with what is here of its vendors
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/own.sh

docs: $(STAMP)  ## say whether the generated documentation is up to date
	$(BIN)/python scripts/generate_docs.py --check

golden: $(STAMP)  ## accept what the golden tests and the generated documentation print now; look at the diff
	CLAIMCHECK_ACCEPT=1 $(BIN)/python -m pytest -n auto tests
	$(BIN)/python scripts/generate_docs.py

# What `make bench` writes, and which repositories' files it changes for the rows of other languages: all of REPOS.
FIGURES := build/bench
bench: $(STAMP)  ## print figures and ratios, and write JSON; PAIRS=FILE REPOS=FOLDER adds the region benchmark
	@mkdir -p $(FIGURES)
	$(BIN)/python bench/run.py --json $(FIGURES)/commands.json
	-$(CLAIMCHECK) vendor fetch vllm release/0.32.0
	$(BIN)/python bench/course.py --json $(FIGURES)/course.json
	$(BIN)/python bench/between_releases.py --json $(FIGURES)/between-releases.json
	$(BIN)/python bench/mutations.py --repo vendor/vllm.git@refs/release/0.33.0 --language python --language cpp \
	  --json $(FIGURES)/mutations.json
	@if [ -n "$(REPOS)" ]; then $(BIN)/python bench/mutations.py --repos "$(REPOS)" --count 6000 \
	  --json $(FIGURES)/mutations-languages.json; fi
	@if [ -n "$(PAIRS)" ]; then $(BIN)/python bench/regions.py --pairs "$(PAIRS)" --repos "$(REPOS)" \
	  --json $(FIGURES)/regions.json; fi

clean:  ## remove .venv and caches; vendor/ stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
