# Two commands: `make demo` shows everything at work (DATABASE=postgres: on a PostgreSQL of its own), `make test` proves it.
# Everything else is here too: make examples, make interop, make test-browser, make drill, make drill-long, make exercise, make simulate, make explore,
# make bench, make test-long, make lint, make format, make clean.

SHELL := /bin/bash
SWIFT ?= swift
DATABASE ?= sqlite
ENGINE ?= sqlite
DURATION ?= 86400
SEED ?= 1
COUNT ?= 24
CUSTOMERS ?= 20
YEARS ?= 2
SWIFT_FLAGS ?=
BROWSER_TESTS ?=
RECORD ?=
DRILL ?=
EXERCISE ?=
EXAMPLES ?= MonkeyCredits PhotoFilters Newsstand SharedSuite

.PHONY: demo test examples interop test-browser drill drill-long exercise test-long simulate explore bench build lint format clean packages test-packages swift-version

demo: packages $(if $(filter postgres,$(DATABASE)),test-packages) build
	@.build/debug/perennial demo --database $(DATABASE)

test: packages test-packages
	@scripts/progress $(SWIFT) build --build-tests $(SWIFT_FLAGS)
	@scripts/tests $(SWIFT) test --skip-build $(SWIFT_FLAGS)

# The packages of Examples, each by itself with its tests. What they need of the root package is built once, in its folder.
examples: packages
	@set -e; for example in $(EXAMPLES); do \
		echo "Examples/$$example"; \
		place="--package-path Examples/$$example --scratch-path .build"; \
		cp Package.resolved Examples/$$example/ 2> /dev/null || true; \
		scripts/progress $(SWIFT) build --build-tests $$place $(SWIFT_FLAGS); \
		scripts/tests $(SWIFT) test --skip-build $$place $(SWIFT_FLAGS); \
	done

# Apple's own Python library, as it comes from PyPI, against a running store and against a session of StoreKitTest.
interop: packages build
	@[ -n "$(BUILT)" ] || scripts/progress $(SWIFT) build --build-tests $(SWIFT_FLAGS)
	@scripts/packages interop
	@Tests/Interop/run

# The console in Debian's Chromium: RECORD=1 renews the screenshots of docs/images.
test-browser: packages build
	@scripts/packages browser
	@PERENNIAL_RECORD=$(RECORD) Tests/Browser/run $(BROWSER_TESTS)

# Three nodes on a PostgreSQL cluster of two machines, with faults, on this Linux machine as root (docs/drill.md). The short form has three of
# them, the long form all. DRILL='--seed 7' repeats a run; DRILL=--help lists the options.
drill: packages build
	@scripts/packages drill
	@Tests/Drill/run $(DRILL)

drill-long: packages build
	@scripts/packages drill
	@Tests/Drill/run --long $(DRILL)

# A node on SQLite (DATABASE=postgres: three on a PostgreSQL of their own) that is killed again and again while clients buy, and the check of
# what they were told (docs/reference/checker.md). EXERCISE='--seed 7 --kills 200 --for 600' changes the options.
exercise: packages $(if $(filter postgres,$(DATABASE)),test-packages) build
	@.build/debug/perennial exercise --kills 20 --for 60 --database $(DATABASE) $(if $(filter postgres,$(DATABASE)),--nodes 3) \
		--catalog Examples/Magazine/catalog.yaml --history .build/exercise.jsonl $(EXERCISE)
	@.build/debug/perennial check .build/exercise.jsonl

# The same tests, for longer: more kills, more mutated receipts, more seeds.
test-long: packages test-packages
	@scripts/progress $(SWIFT) build --build-tests $(SWIFT_FLAGS)
	@PERENNIAL_LONG=1 scripts/tests $(SWIFT) test --skip-build $(SWIFT_FLAGS)

# Invented customers from COUNT seeds, the same each time; SEED=42 COUNT=1 repeats one (docs/simulation.md).
simulate: packages $(if $(filter postgres,$(DATABASE)),test-packages) build
	@.build/debug/perennial simulate --customers $(CUSTOMERS) --years $(YEARS) --database $(DATABASE) \
		--seed $(SEED) --count $(COUNT)

# The same from new seeds, for DURATION seconds or until it is stopped; seeds are printed.
explore: packages $(if $(filter postgres,$(DATABASE)),test-packages) build
	@.build/debug/perennial simulate --customers $(CUSTOMERS) --years $(YEARS) --database $(DATABASE) --for $(DURATION)

# ENGINE=postgres: a store on PostgreSQL, beside pgbench running the same statements.
bench: packages $(if $(filter postgres,$(ENGINE)),test-packages)
	@scripts/progress $(SWIFT) build -c release --product perennial-bench $(SWIFT_FLAGS)
	@.build/release/perennial-bench --engine $(ENGINE) --json bench.json

# BUILT=1: it was built just now.
build: packages
	@[ -n "$(BUILT)" ] || scripts/progress $(SWIFT) build --product perennial $(SWIFT_FLAGS)

lint:
	@$(SWIFT) format lint --strict --parallel -r Sources Tests Benchmarks Examples Package.swift

format:
	@$(SWIFT) format -i --parallel -r Sources Tests Benchmarks Examples Package.swift

clean:
	@rm -rf .build

# What the build needs of the system: SQLite's and libpq's headers. What the tests need besides: a PostgreSQL server
# to start themselves, and openssl as the judge of our signatures.
packages: swift-version
	@scripts/packages build

test-packages:
	@scripts/packages test

swift-version:
	@command -v $(SWIFT) > /dev/null || { echo "Swift 6.1 or newer is needed: https://www.swift.org/install"; exit 1; }
