# Cordon. `make help` lists what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SWIFT ?= swift
VENUE ?= venues/office.mvf.zip
PEOPLE ?= 300
DURATION ?= 2h
SEED ?= 7
OUT ?= out/demo
SECONDS_PER_FUZZER ?= 600
SOURCES := Sources Simulator Tests Benchmarks Package.swift
FORMATTED := $(wildcard $(SOURCES))

.PHONY: help setup setup-tests demo build test bench bodies format lint docs fuzz clean

help: ## list the targets
	@echo "make <target>"; echo
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo; echo "make demo VENUE=path PEOPLE=300 DURATION=2h SEED=7 OUT=out/demo runs the demo on any venue."

setup: ## install the system packages that are missing (asks apt only then)
	@scripts/setup

build: setup ## build the cordon executable in release mode
	@$(SWIFT) build -c release --product cordon

demo: build ## simulate a building full of people and phones, and report who met whom
	@"$$($(SWIFT) build -c release --show-bin-path)/cordon" simulate "$(VENUE)" \
	  --people "$(PEOPLE)" --duration "$(DURATION)" --seed "$(SEED)" -o "$(OUT)" --force

setup-tests: ## also install the programs that tests hold ours against
	@scripts/setup --tests

test: setup-tests ## run every test
	@$(SWIFT) test

bodies: setup ## walk ten million steps of people in release mode and fail when two overlap or one is in a wall
	@$(SWIFT) run -c release --package-path Benchmarks bench-simulator bodies

bench: setup ## run the benchmarks (see Benchmarks/README.md)
	@Benchmarks/run

format: ## format all Swift code in place
	@$(SWIFT) format format --in-place --parallel --recursive $(FORMATTED)

lint: setup-tests ## fail on a formatting difference or a compiler warning in our code
	@$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	@$(SWIFT) build --build-tests

docs: setup ## build the reference documentation into out/docs
	@scripts/docs

fuzz: setup ## run a fuzzer for each venue reader, SECONDS_PER_FUZZER seconds each
	@Fuzz/run "$(SECONDS_PER_FUZZER)"

clean: ## remove what was built
	@rm -rf .build Benchmarks/.build out
