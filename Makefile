# make demo    plays the example bots' tournament and prints its table
# make test    runs every check
# make lint    runs those that take no test: style, types, the protocol
# make test-fast  takes less than a minute and finds most mistakes: style, types, unit tests
# make clean   removes what these have made
#
# make released-protocol and make constraints belong to a release: see CONTRIBUTING.md
#
# All need a Python from 3.11 on and set up .venv themselves, with the newest there is; nothing has to be activated.
# Another interpreter: make PYTHON=/path/to/python demo

PYTHON =
# The newest that is supported comes first; `python3` alone may be any.
CANDIDATES = $(or $(PYTHON),python3.14 python3.13 python3.12 python3.11 python3)
FITS = -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
INSTALL = .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable

# Makes .venv unless there is one that works.
define VENV
@{ .venv/bin/python $(FITS) && .venv/bin/python -m pip --version >/dev/null; } 2>/dev/null || { \
	for python in $(CANDIDATES); do \
		if $$python $(FITS) 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "no Python 3.11 or newer with the module venv among: $(CANDIDATES)" >&2; \
		echo "install one (Debian and Ubuntu: also python3-venv), or say where it is: make PYTHON=/path/to/python" >&2; \
		exit 1; \
	fi; \
	echo "setting up .venv with $$($$found --version)"; \
	$$found -m venv --clear .venv; \
}
endef

PYTEST = .venv/bin/python -m pytest -q -n auto
KINDS = unit process languages docs

# What bots of the last release rely on.
RELEASED = proto/released.yaml

.PHONY: demo test tests test-fast $(KINDS:%=test-%) lint generated clean released-protocol constraints

demo: .venv/installed
	rm -rf arena-out/demo
	.venv/bin/arena tournament run example_bots/demo.toml --out arena-out/demo

lint: .venv/installed-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/buf lint proto
	.venv/bin/buf breaking proto --against $(RELEASED)
	.venv/bin/python proto/regenerate.py --check

# That the generated code is what its tools make, which get an environment of their own. CI does this with the lint, which
# knows the code by its digests alone.
generated: .venv/installed-dev
	.venv/bin/python proto/regenerate.py --verify

test: lint tests

# All tests, of every kind.
tests: .venv/installed-dev
	$(PYTEST)

# The unit tests, with fewer examples of each property, and without those that take longest: simulations and random games.
SLOW = agrees_with_the_reference or test_confidence or test_events or test_example_bots or test_large_stores \
	or test_late_entry or test_same_table or test_views
test-fast: .venv/installed-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/python -m pytest -q -n logical -m unit -k 'not ($(SLOW))' --hypothesis-profile fast

# The tests of one kind, by its mark: make test-unit, for one.
$(KINDS:%=test-%): test-%: .venv/installed-dev
	$(PYTEST) -m $*

clean:
	rm -rf .venv arena-out build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

# With source info left out, since comments and line numbers break nobody.
released-protocol: .venv/installed-dev
	{ \
		echo "# The protocol of the last release, with which buf compares every change: nothing may be taken away from it."; \
		echo "# Made by: make released-protocol"; \
		.venv/bin/buf build proto --exclude-source-info --output -#format=yaml; \
	} > $(RELEASED)

# Two sets of versions that CI installs: the newest that users get, and the oldest that pyproject.toml allows. Each is made
# in an environment of its own, with the oldest Python that is supported, since libraries leave out old Pythons sooner
# than new ones.
constraints:
	mkdir -p build
	: > build/newest.txt
	python3.11 -c "$$OLDEST" > build/oldest.txt
	for set in newest oldest; do \
		python3.11 -m venv --clear build/constraints && \
		build/constraints/bin/python -m pip uninstall --quiet --yes setuptools && \
		PIP_CONSTRAINT=build/$$set.txt build/constraints/bin/python -m pip install \
			--quiet --disable-pip-version-check --editable '.[dev]' && \
		{ \
			echo "# The $$set versions that CI installs. Made with Python 3.11 by: make constraints" && \
			build/constraints/bin/python -m pip freeze \
				--disable-pip-version-check --all --exclude pip --exclude-editable; \
		} > build/$$set.frozen && \
		mv build/$$set.frozen .ci/$$set.txt || exit 1; \
	done
	rm -rf build/constraints build/newest.txt build/oldest.txt

# What users may have, in the oldest versions that are declared. Tools of our own work are as new as ever.
define OLDEST
import re, tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
for line in project["dependencies"] + project["optional-dependencies"]["cluster"]:
    if ">=" in line:
        print(re.sub(">=([^,]+).*", r"==\1", line))
endef
export OLDEST

# Editable: only pyproject.toml decides what is to be installed.
.venv/installed: pyproject.toml
	$(VENV)
	$(INSTALL) .
	@touch $@

.venv/installed-dev: pyproject.toml
	$(VENV)
	$(INSTALL) '.[dev]'
	@touch .venv/installed $@
