# Cordon. `make help` lists what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
export SWIFT
VENUE ?= venues/office.mvf.zip
PEOPLE ?= 300
DURATION ?= 2h
SEED ?= 7
OUT ?= out/demo
SECONDS_PER_FUZZER ?= 600
RUNS ?= 100
STORE ?= sqlite
HOURS ?= 2
FAULTS ?=
# How many seeds a deliberate bug has to be found within.
SEEDS_OF_BUGS ?= 1000
# About four minutes of one processor, divided among all; a number, so that every machine runs the same seeds.
SEEDS_OF_TORTURE ?= 1000
# Seeds with forms and studies.
SEEDS_OF_COLLECTION ?= 500
# The build of the fault test: release, or debug, which is slower and is there when tests have run.
BUILD_OF_TORTURE ?= release
# Tests that run side by side: two for each core, since half of them wait for a process or a socket.
TESTS_AT_ONCE ?= $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
export TESTS_AT_ONCE
T ?=
SOURCES := Sources Torture Tests Samples Benchmarks Package.swift
FORMATTED := $(wildcard $(SOURCES))
# Files whose comments, messages and sentences scripts/check-words checks.
WORDED := Sources Torture Tests Samples Fuzz Benchmarks scripts Makefile docs README.md ARCHITECTURE.md CONTRIBUTING.md \
  SECURITY.md CHANGELOG.md Python/README.md Python/src Python/tests Packaging

.PHONY: help setup setup-tests setup-spark spark setup-packages demo build track wheel package package-test test test-swift test-pages test-python bench bodies format lint docs check-docs links fuzz torture torture-slice torture-bugs sanitize server kill kill-service api clean

help: ## list the targets
	@echo "make <target>"; echo
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo; echo "make demo VENUE=path PEOPLE=300 DURATION=2h SEED=7 OUT=out/demo runs the demo on any venue."

setup: ## install the system packages that are missing (asks apt only then)
	@scripts/setup

build: setup ## build the cordon executable in release mode
	@scripts/release cordon

track: setup ## build the tracker for a Linux box with gpsd, cordon-track
	@scripts/release cordon-track

wheel: setup-tests ## build the Python package with the cordon executable in it, into out/wheel
	@bin=$$(scripts/release cordon); scripts/wheel "$$bin/cordon"

setup-packages: ## also install the programs that make and check packages
	@scripts/setup --packages

package: setup-packages ## build the Debian packages and the tarball into out/package, with checksums and a bill of materials
	@bin=$$(scripts/release cordon cordon-server cordon-track); scripts/package "$$bin"

package-test: setup-packages ## check packages of the built executables: units, lintian, a clean system, an image; a few minutes
	@bin=$$(scripts/build cordon cordon-server cordon-track); scripts/check-package "$$bin"

demo: setup ## simulate a building with people and phones, and report their contacts
	@bin=$$(scripts/release --quick cordon); "$$bin/cordon" simulate "$(VENUE)" \
	  --people "$(PEOPLE)" --duration "$(DURATION)" --seed "$(SEED)" -o "$(OUT)" --force

setup-tests: ## also install the programs that tests compare ours with
	@scripts/setup --tests

setup-spark: ## also install Java and PySpark (about 400 MB)
	@scripts/setup --spark

spark: setup-spark ## find the contacts of a month of venues on a cluster of this machine: VENUES=50 DAYS=30 PEOPLE=12 DURATION=10m KILLS=0
	@bin=$$(scripts/release cordon); CORDON_EXECUTABLE="$$bin/cordon" .build/python/bin/python scripts/spark \
	  --venues "$(or $(VENUES),50)" --days "$(or $(DAYS),30)" --people "$(if $(filter command line,$(origin PEOPLE)),$(PEOPLE),12)" \
	  --duration "$(if $(filter command line,$(origin DURATION)),$(DURATION),10m)" --kills "$(or $(KILLS),0)"

test: setup-tests ## run every test, or only those of some targets: T=CordonGeometryTests
	@scripts/test $(T)

test-swift: setup-tests ## run every Swift test
	@scripts/test Swift

test-pages: setup-tests ## run the tests of pages in a browser
	@scripts/test Browser

test-python: setup-tests ## run the tests of the Python package
	@scripts/test Python

bodies: setup ## walk ten million steps in release mode; fail when two bodies overlap or one is in a wall
	@bin=$$(Benchmarks/build bench-simulator); "$$bin/bench-simulator" bodies

bench: setup ## run the benchmarks (see Benchmarks/README.md)
	@Benchmarks/run

format: ## format all Swift code in place
	@$(SWIFT) format format --in-place --parallel --recursive $(FORMATTED)

lint: setup-tests ## check formatting, imports, warnings, licences, wording and the patches of deliberate bugs
	@$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	@scripts/check-imports
	@CORDON_BENCHMARKS=1 scripts/build --build-tests >/dev/null
	@scripts/check-sources
	@scripts/check-examples
	@scripts/check-third-party
	@scripts/check-words $(WORDED)
	@Torture/bugs --check

docs: setup ## build the reference documentation into out/docs
	@scripts/docs

check-docs: setup ## check links, anchors and lines of the documents, and run the commands of tutorials and guides
	@bin=$$(scripts/build); scripts/check-docs --bin "$$bin"

links: setup ## fail when cordon links NIO or cryptography
	@bin=$$(scripts/build cordon cordon-track); scripts/check-links "$$bin"

fuzz: setup ## run a fuzzer for each venue reader, SECONDS_PER_FUZZER seconds each
	@Fuzz/run "$(SECONDS_PER_FUZZER)"

torture: setup ## fault-test the whole system: SEED=7 RUNS=100 STORE=sqlite (or memory) HOURS=2 FAULTS=3,17 (only these)
	@bin=$$(scripts/release cordon-torture); "$$bin/cordon-torture" --seed "$(SEED)" --runs "$(RUNS)" --store "$(STORE)" \
	  --hours "$(HOURS)" $(if $(FAULTS),--faults "$(FAULTS)")

torture-slice: setup ## fault-test the seeds 1 to SEEDS_OF_TORTURE and SEEDS_OF_COLLECTION: BUILD_OF_TORTURE=debug (or release)
	@if [ "$(BUILD_OF_TORTURE)" = debug ]; then bin=$$(scripts/build cordon-torture); \
	else bin=$$(scripts/release cordon-torture); fi; \
	  scripts/torture-slice "$$bin/cordon-torture" "$(SEEDS_OF_TORTURE)"; \
	  scripts/torture-slice "$$bin/cordon-torture" "$(SEEDS_OF_COLLECTION)" --collection

torture-bugs: setup ## show that the fault test finds each deliberate bug of Torture/bugs.d: SEEDS_OF_BUGS=1000
	@Torture/bugs "$(SEEDS_OF_BUGS)"

sanitize: setup-tests ## run the tests under the thread and the address sanitizer
	@scripts/sanitize

server: setup ## build the cordon-server executable in release mode
	@scripts/release cordon-server

kill: setup ## kill the server a hundred times under load, and count lost rows
	@bin=$$(scripts/release cordon-server); scripts/kill-server "$$bin/cordon-server" --kills 100

kill-service: setup ## kill two servers a hundred times and their database twenty times under load
	@bin=$$(scripts/release cordon-server); scripts/kill-service "$$bin/cordon-server" --kills 100 --database-kills 20

api: setup ## check the server against its description (needs schemathesis, from PyPI)
	@bin=$$(scripts/release cordon-server); scripts/check-api "$$bin/cordon-server"

clean: ## remove all build products
	@rm -rf .build .build-benchmarks out
