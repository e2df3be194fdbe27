# `make play` and `make test` do all the set-up themselves. `make help` lists the rest.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# The first of these that is Python 3.11 or newer. Another one: make play PYTHON=/where/it/is
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := .venv/bin
CASES := ../shared/cases
CASE_FILES := savage table storytelling infinite adventure
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check

.PHONY: help play setup serve doctor test soak bench fuzz audit lint types contracts cases check format lock clean

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

play: .venv/.installed  ## start the bot in this terminal: no account, no network
	@$(BIN)/rollbook play

setup: .venv/.installed  ## your bot on Telegram or Matrix: asks for what it needs, and checks it
	@$(BIN)/rollbook setup

serve: .venv/.installed  ## start the bot in the chats that were set up
	@$(BIN)/rollbook serve

doctor: .venv/.installed  ## what is wrong, and what to do
	@$(BIN)/rollbook doctor

test: .venv/.installed-dev  ## every test
	$(BIN)/python -m pytest --numprocesses 2

soak: .venv/.installed-dev  ## killed, cut off, filled up, damaged, in many rounds: see tests/soak/README.md
	ROLLBOOK_SOAK=1 $(BIN)/python -m pytest --durations=8 tests/soak

bench: .venv/.installed-dev  ## how fast it is: see tests/bench/README.md
	$(BIN)/python -m tests.bench --keep

# Both need uv (pip install uv), for programs that only they need; neither is part of CI.
fuzz:  ## bend what comes from outside for SECONDS=600: see tests/fuzz/README.md
	uv run --quiet --no-project --python 3.11 --with-requirements requirements-dev.lock --with atheris==3.0.0 \
		python -m tests.fuzz --seconds $(or $(SECONDS),600)

audit: .venv/.installed  ## known vulnerabilities of what is installed, where they can be asked for
	@$(BIN)/python -m tests.house.audit

lint: .venv/.installed-dev  ## style and likely mistakes
	$(BIN)/ruff check .

types: .venv/.installed-dev  ## type check
	$(BIN)/mypy

contracts: .venv/.installed-dev  ## who may import whom
	$(BIN)/lint-imports --no-logo

cases: .venv/.installed  ## the shared cases, where they lie beside this clone
	@if [ -x $(CASES)/run ]; then \
		$(BIN)/python $(CASES)/run --program "$(BIN)/rollbook play" $(CASE_FILES:%=$(CASES)/%.case); \
	else echo "No $(CASES) beside this clone: the shared cases were not played."; fi

check: lint types contracts test cases  ## all of the above, as CI runs it

format: .venv/.installed-dev  ## sort imports and mend what can be mended
	$(BIN)/ruff check --fix .

# Two stamps: to play, the bot's own libraries are enough.
.venv/.installed: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Rollbook needs Python 3.11 or newer, and none was found. Have one? make play PYTHON=/path/to/python3"; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv || \
		{ echo "Python's venv is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Installing what Rollbook needs into .venv …"
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.installed-dev: .venv/.installed requirements-dev.lock
	@echo "Installing what the tests need into .venv …"
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

# Needs uv (pip install uv). One lock serves Python 3.11 and newer on every platform: each release is pinned with the
# hashes of all its files, and no registry is named. Newer versions: make lock UPGRADE=--upgrade
UPGRADE ?=
LOCK := uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-header $(UPGRADE)
lock:  ## pin the dependencies of pyproject.toml again
	$(LOCK) --group build --output-file requirements.lock pyproject.toml
	$(LOCK) --group build --group dev --constraints requirements.lock --output-file requirements-dev.lock pyproject.toml

clean:  ## remove what was installed and cached
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
