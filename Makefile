# Each target sets up what it needs: a virtual environment in .venv, made once, remade when a dependency changes.

PYTHON ?= python3
BIN := .venv/bin
DEPENDENCIES := pyproject.toml constraints.txt
CHAPTER := $(if $(CH),--chapter $(CH))

.DEFAULT_GOAL := help
.PHONY: help lab test test-browser notebooks book bench

help:
	@echo "make lab           open the workbook in JupyterLab [JUPYTER=--no-browser]"
	@echo "make test          lint, types, tests and the replay of every notebook"
	@echo "make test-browser  the book and JupyterLab, driven in Chromium (needs chromium, node and npm)"
	@echo "make notebooks     execute and normalise the notebooks [CH=10]"
	@echo "make book          build the static book (needs node)"
	@echo "make bench         measure speeds, as ratios within one run"

lab: .venv/lab.done
	@$(BIN)/course lab -- $(JUPYTER)

test: .venv/all.done
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy
	@$(BIN)/pytest -q -n auto --dist loadfile

test-browser: .venv/all.done tests/browser/node_modules/.done
	@$(BIN)/pytest -q tests/browser -m browser

notebooks: .venv/all.done
	@$(BIN)/course notebooks $(CHAPTER)

book: .venv/all.done
	@$(BIN)/course book

bench: .venv/all.done
	@$(BIN)/pytest -q benchmarks --benchmark-only

# --- set-up -------------------------------------------------------------------------------------------------

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "The workbook needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>/dev/null || echo not there). Try: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@echo "Setting up .venv: some minutes and about a gigabyte, once."
	@$(PYTHON) -m venv .venv

.venv/lab.done: $(DEPENDENCIES) | .venv/bin/python
	@$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	@touch $@

.venv/all.done: $(DEPENDENCIES) | .venv/bin/python
	@$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[book,test]'
	@touch $@ .venv/lab.done

tests/browser/node_modules/.done: tests/browser/package.json
	@command -v npm >/dev/null || { echo "The browser tests need Node.js with npm on PATH." >&2; exit 1; }
	@cd tests/browser && npm install --silent --no-package-lock --no-audit --no-fund
	@touch $@
