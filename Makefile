# The developer's commands; make help lists them.
SHELL := /bin/bash
GO ?= go
TOOL := $(GO) tool -modfile=internal/tools/go.mod
LINT := $(GO) tool -modfile=internal/tools/lint/go.mod golangci-lint

# DuckDB is written in C++, so it is linked in only where a C++ compiler works. This is
# decided when a recipe runs, since preflight may have installed the compiler by then.
# The driver of Snowflake would unpack and load a library of its own at every start of a
# program that contains it; minicore_disabled leaves that out.
TAGS = $(eval TAGS := -tags minicore_disabled$(shell out=$$(mktemp) && printf 'int main() { return 0; }' | $(CXX) -x c++ - -o "$$out" 2>/dev/null && echo ',duckdb'; rm -f "$$out"))$(TAGS)
SAY_DUCKDB = $(if $(findstring duckdb,$(TAGS)),:,echo "DuckDB is left out: $(CXX) does not link a C++ program. Install g++ and build again to read DuckDB, CSV and Parquet files.")

# The folder for what all data folders share; quaestor looks in the same place.
ifeq ($(shell id -u),0)
HOME_DIR := /var/lib/quaestor
else
HOME_DIR := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/quaestor
endif
export QUAESTOR_RUNTIME_DIR ?= $(HOME_DIR)/runtime

# The release that is built: the newest tag and the number of commits since, or the commit.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)

# How everything is compiled, including tests and checks, so that all share one cache:
# without paths of this machine; without debug information, which the link drops and
# stack traces do not need; without inlining in packages that drivers of warehouses
# import and never call (arithmetic on columns, files in S3); and C at -O1, which
# compiles faster and runs the parser of PostgreSQL as fast as -O2.
COMPILE := -trimpath -gcflags=all=-dwarf=false \
  '-gcflags=github.com/apache/arrow-go/v18/arrow/compute/...=-dwarf=false -l' \
  '-gcflags=github.com/aws/...=-dwarf=false -l'
ifeq ($(findstring $(firstword $(COMPILE)),$(GOFLAGS)),)
export GOFLAGS := $(shell $(GO) env GOFLAGS 2>/dev/null) $(COMPILE)
endif
export CGO_CFLAGS ?= -O1
# The compiler collects garbage less often while there is memory.
FAST := GOGC=400 GOMEMLIMIT=1GiB
# Linters hold all packages in memory at once.
ROOMY := GOGC=400 GOMEMLIMIT=4GiB

.PHONY: listening help run dev build flags runtime-dir compile templates provision test test-go test-js test-browser test-race test-long screenshots check generate bench fuzz clean

help: ## print this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

dev: ## like run, but rebuilt and reloaded whenever a source changes
	@bash internal/tools/preflight.sh run
	@$(MAKE) --no-print-directory provision
	@$(GO) run -C internal/tools ./dev "$(CURDIR)"

run: ## serve http://127.0.0.1:8080, with a private PostgreSQL
	@bash internal/tools/preflight.sh run
	@$(MAKE) --no-print-directory -j2 provision compile
	@exec ./bin/quaestor serve

# The first time, the processors would wait for the network: compile packages of the
# standard library while modules are downloaded.
WHILE_MODULES_COME = { $(GO) list $(TAGS) -deps ./cmd/quaestor >/dev/null & \
  $(FAST) $(GO) build net/http html/template database/sql; wait; }

build: ## build bin/quaestor, with its version
	@bash internal/tools/preflight.sh build
	@$(MAKE) --no-print-directory compile

compile:
	@echo "Building quaestor (the first time takes three or four minutes) …"
	@$(SAY_DUCKDB)
	@[ -e bin/quaestor ] || $(WHILE_MODULES_COME)
	@$(FAST) $(GO) build $(TAGS) -ldflags '-s -w -X main.release=$(VERSION)' -o bin/quaestor ./cmd/quaestor

provision:
	@bash internal/postgres/cluster/provision.sh "$(QUAESTOR_RUNTIME_DIR)/pgsql" >/dev/null
	@bash internal/embedding/provision.sh "$(QUAESTOR_RUNTIME_DIR)/encoder"
	@bash research/warehouse/sampledata/provision.sh "$(QUAESTOR_RUNTIME_DIR)/sample"

test: ## run the whole suite, on a real PostgreSQL and in a real browser
	@bash internal/tools/test.sh

# Packages whose goroutines share memory. They are tested with the race detector and the
# others without, so that each package is compiled once; test-race uses it for all.
SHARING := ./chat ./internal/llm ./internal/postgres ./sessions
OTHERS = $(filter-out $(SHARING:./%=quaestor/%),$(shell $(GO) list $(TAGS) ./...))
# Packages with properties that rapid checks on random values, 100 by default.
RANDOM = $(shell grep -rl --include=*_test.go pgregory.net/rapid . | xargs -n1 dirname | sort -u)

test-go:
	@$(SAY_DUCKDB)
	@status=0; \
	  $(GO) test $(TAGS) -race -timeout 20m $(SHARING) || status=1; \
	  $(GO) test $(TAGS) -timeout 20m $(OTHERS) || status=1; \
	  exit $$status

test-race: ## run the Go tests, all with the race detector (half an hour)
	@$(SAY_DUCKDB)
	$(GO) test $(TAGS) -race -timeout 60m ./...

test-long: ## run the Go tests with many more random cases and kills (an hour)
	@$(SAY_DUCKDB)
	QUAESTOR_TEST_LONG=1 $(GO) test $(TAGS) -timeout 60m ./...
	$(GO) test $(TAGS) -timeout 60m $(RANDOM) -rapid.checks=1000

test-js:
	"$$(bash internal/tools/node.sh)" --test $$(find web -name '*.test.mjs' -not -path '*/browser_test/*')

test-browser: build
	bash web/browser_test/run.sh

screenshots: provision build ## take the pictures of README and docs, from a real conversation
	bash web/browser_test/run.sh screenshots.mjs

check: ## format, golangci-lint, whether generated code is up to date
	@bash internal/tools/preflight.sh build
	@out=$$(git ls-files -co --exclude-standard '*.go' | grep -v -e '_templ\.go$$' -e 'internal/dbsqlc/' | xargs gofmt -l); \
	  if [ -n "$$out" ]; then echo "not gofmt-clean:"; echo "$$out"; exit 1; fi
	$(ROOMY) $(LINT) run $(subst -tags ,--build-tags ,$(TAGS)) ./...
	@$(if $(findstring duckdb,$(TAGS)),$(ROOMY) $(LINT) run ./research/warehouse/duckdb,$(SAY_DUCKDB))
	@bash internal/tools/fresh.sh

generate: ## regenerate the code of queries and pages
	$(TOOL) sqlc generate
	@$(MAKE) --no-print-directory templates

templates:
	$(GO) tool templ generate -path web

LISTENING ?= /tmp/quaestor-listening
listening: provision ## train the reader of messages anew; an hour, needs python3-torch, python3-numpy and libopenblas0
	$(GO) run $(TAGS) ./internal/listening/training -out $(LISTENING)/plain -copies 2
	/usr/bin/python3 internal/listening/training/train.py $(LISTENING)/plain internal/listening/weights.bin
	$(GO) run $(TAGS) ./internal/listening/training/asker -pieces -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" -out $(LISTENING)/pieces
	$(GO) run $(TAGS) ./internal/listening/training/choices -pieces -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" > $(LISTENING)/choices.json
	/usr/bin/python3 internal/listening/training/adapter.py "$(QUAESTOR_RUNTIME_DIR)/encoder" $(LISTENING)/pieces $(LISTENING)/choices.json internal/listening/adapterweights.bin internal/listening/fitweights.bin
	$(GO) run $(TAGS) ./internal/listening/training -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" -out $(LISTENING)/read -copies 1
	/usr/bin/python3 internal/listening/training/train.py $(LISTENING)/read internal/listening/readerweights.bin
	$(GO) run $(TAGS) ./internal/listening/training/asker -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" -out $(LISTENING)/asker
	/usr/bin/python3 internal/listening/training/asker.py $(LISTENING)/asker internal/listening/askerweights.bin 6
	$(GO) run $(TAGS) ./internal/listening/training/fields -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" > $(LISTENING)/fields.json
	/usr/bin/python3 internal/listening/training/fields.py $(LISTENING)/fields.json internal/listening/fieldweights.go
	$(GO) run $(TAGS) ./internal/listening/training/choices -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" > $(LISTENING)/choices.json
	/usr/bin/python3 internal/listening/training/choices.py $(LISTENING)/choices.json internal/listening/choiceweights.go
	gofmt -w internal/listening/fieldweights.go internal/listening/choiceweights.go
	$(GO) run $(TAGS) ./internal/listening/training/questions -encoder "$(QUAESTOR_RUNTIME_DIR)/encoder" > $(LISTENING)/questionkinds.json
	/usr/bin/python3 internal/listening/training/questions.py $(LISTENING)/questionkinds.json internal/listening/questionweights.bin

bench: provision build ## measure what people feel of a turn, against a scripted model
	$(GO) run $(TAGS) ./cmd/bench -bin bin/quaestor

FUZZTIME ?= 20s
fuzz: ## run every fuzz target for FUZZTIME each (20s)
	bash internal/tools/fuzz.sh $(FUZZTIME)

flags: # for scripts that compile as make does
	@printf '%s\n' "$$GOFLAGS"

runtime-dir: # for scripts that are run by hand
	@echo "$(QUAESTOR_RUNTIME_DIR)"

clean: ## remove what was built
	rm -rf bin
