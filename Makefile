# One environment for everything: it is made once, and again when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# The tests start hundreds of processes from this checkout, which are not to compile its modules each time.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: all demo test test-slow test-all lint audit generate verify coverage docs vscode release try-release bench clean

all: test

# With the newest pip: from 25.2 on, the script that it writes for `hipify-py` does not import `re` at every start.
$(VENV)/bin/python:
	$(PYTHON) -m venv --upgrade-deps $(VENV)

$(VENV)/.run-stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/.dev-stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $@ $(VENV)/.run-stamp

$(VENV)/.docs-stamp: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -e '.[docs]'
	touch $@

demo: $(VENV)/.run-stamp
	rm -rf build/demo
	$(BIN)/python -m hipify_py convert corpus --output build/demo --rocm newest --fail-on never --quiet
	@echo "# One of the programs, before and after:"
	$(BIN)/python -m hipify_py convert corpus/histogram --diff --rocm newest --fail-on never --quiet
	@echo "# All of them:"
	$(BIN)/python -m hipify_py report corpus --rocm newest
	@echo "# The translated programs are in build/demo, the originals in corpus."

# `test` is what a change to the translator can break, in minutes; `test-slow` are the tests that compile, start many
# processes or draw examples; `test-all` adds those that measure, kill and install (SLOW and NIGHTLY in
# tests/conftest.py).
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadgroup

test: $(VENV)/.dev-stamp
	$(PYTEST) -m "not slow and not compiler"

test-slow: $(VENV)/.dev-stamp
	$(PYTEST) -m "(slow or compiler) and not nightly"

test-all: $(VENV)/.dev-stamp
	$(PYTEST)

lint: $(VENV)/.dev-stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Our own code for what is dangerous, and the packages that it leans on for known vulnerabilities.
audit: $(VENV)/.dev-stamp
	$(BIN)/bandit --quiet --recursive --configfile pyproject.toml hipify_py
	$(BIN)/python tools/audit.py

# All files that are generated from others, but for those that need fetched headers (see docs/maintaining-tables.md).
generate: $(VENV)/.dev-stamp
	$(BIN)/python tools/generate.py

# The mapping tables against the headers of both sides, fetched from the package index (see docs/maintaining-tables.md).
verify: $(VENV)/.dev-stamp
	$(BIN)/python -m tools.tables fetch --headers build/headers
	$(BIN)/python -m tools.tables verify --headers build/headers
	$(BIN)/python -m tools.tables declarations --headers build/headers --check
	$(BIN)/python -m tools.tables to-cuda --headers build/headers --check
	$(BIN)/python tools/generate.py --check

# The pages that say what each table covers (only their summary is committed).
coverage: $(VENV)/.run-stamp
	$(BIN)/python -m tools.tables coverage

# The site of docs/ in build/site; a warning fails it.
docs: $(VENV)/.docs-stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# The extension for VS Code in build/hipify-py.vsix; its tests hold a conversation with the language server.
vscode: $(VENV)/.dev-stamp
	cd integrations/vscode && npm ci --no-audit --no-fund
	cd integrations/vscode && npm run check
	cd integrations/vscode && HIPIFY_PY_TEST_PYTHON=$(abspath $(BIN)/python) PYTHONPATH=$(CURDIR) npm test
	cd integrations/vscode && npm run package
	mkdir -p build && cp integrations/vscode/out/hipify-py.vsix build/

# `make release VERSION=0.2.0`, and what it does without releasing anything (see docs/releasing.md).
release: $(VENV)/.dev-stamp
	$(BIN)/python tools/release.py $(VERSION)

try-release: $(VENV)/.dev-stamp
	$(BIN)/python tools/release.py --try

# The table of benchmarks/README.md; the trees that it is made with are fetched at the first run.
bench: $(VENV)/.dev-stamp
	$(BIN)/python benchmarks/table.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
