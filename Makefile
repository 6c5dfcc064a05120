# make run    a conversation at http://127.0.0.1:8080
# make test   the whole suite, real PostgreSQL and a real browser included
# make check  format, vet, staticcheck, generated code fresh
# make bench  what people feel of a turn, against a scripted model
# make screenshots  the pictures of README and docs, from a real conversation
SHELL := /bin/bash
GO ?= go
TOOL := $(GO) tool -modfile=internal/tools/go.mod

# DuckDB is written in C++: it is linked in where a C++ compiler links. The driver of
# Snowflake would unpack a library of its own and load it whenever a program starts
# that has it; minicore_disabled leaves that out.
# Asked when a recipe runs, since preflight may have installed the compiler.
TAGS = $(eval TAGS := -tags minicore_disabled$(shell out=$$(mktemp) && printf 'int main() { return 0; }' | $(CXX) -x c++ - -o "$$out" 2>/dev/null && echo ',duckdb'; rm -f "$$out"))$(TAGS)
SAY_DUCKDB = $(if $(findstring duckdb,$(TAGS)),:,echo "DuckDB is left out: $(CXX) does not link a C++ program. Install g++ and build again to read DuckDB, CSV and Parquet files.")

# Where what every data folder may use is put; quaestor looks in the same place.
ifeq ($(shell id -u),0)
HOME_DIR := /var/lib/quaestor
else
HOME_DIR := $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/quaestor
endif
export QUAESTOR_RUNTIME_DIR ?= $(HOME_DIR)/runtime

# The release that is built: the newest tag, with what came after it, or the commit.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)

# How everything here is compiled, tests and checks too, so that they share a cache.
# No paths of this machine; no debug information: the link drops it, and stack traces need none. No inlining in
# what drivers of warehouses bring and never call (arithmetic on columns, files in S3).
# C at -O1, at which the parser of PostgreSQL is as fast as at -O2.
COMPILE := -trimpath -gcflags=all=-dwarf=false \
  '-gcflags=github.com/apache/arrow-go/v18/arrow/compute/...=-dwarf=false -l' \
  '-gcflags=github.com/aws/...=-dwarf=false -l'
ifeq ($(findstring $(firstword $(COMPILE)),$(GOFLAGS)),)
export GOFLAGS := $(shell $(GO) env GOFLAGS 2>/dev/null) $(COMPILE)
endif
export CGO_CFLAGS ?= -O1
# The compiler collects its garbage less often while there is memory.
FAST := GOGC=400 GOMEMLIMIT=1GiB
# Checks hold all packages at once.
ROOMY := GOGC=400 GOMEMLIMIT=4GiB

.PHONY: run build flags runtime-dir compile provision test test-go test-js test-browser screenshots check generate bench fuzz clean

run:
	@bash internal/tools/preflight.sh run
	@$(MAKE) --no-print-directory -j2 provision compile
	@exec ./bin/quaestor serve

# The network keeps the processors idle the first time: compile what needs no module.
WHILE_MODULES_COME = { $(GO) list $(TAGS) -deps ./cmd/quaestor >/dev/null & \
  $(FAST) $(GO) build net/http html/template database/sql; wait; }

build:
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

test:
	@bash internal/tools/test.sh

test-go:
	@$(SAY_DUCKDB)
	$(GO) test $(TAGS) -race -timeout 20m ./...

test-js:
	"$$(bash internal/tools/node.sh)" --test web/static/*.test.mjs

test-browser: build
	bash web/browser_test/run.sh

screenshots: provision build
	bash web/browser_test/run.sh screenshots.mjs

check:
	@bash internal/tools/preflight.sh build
	@out=$$(git ls-files -co --exclude-standard '*.go' | grep -v -e '_templ\.go$$' -e 'internal/dbsqlc/' | xargs gofmt -l); \
	  if [ -n "$$out" ]; then echo "not gofmt-clean:"; echo "$$out"; exit 1; fi
	$(ROOMY) $(GO) vet $(TAGS) ./...
	$(ROOMY) $(TOOL) staticcheck $(TAGS) ./...
	@$(if $(findstring duckdb,$(TAGS)),$(GO) vet ./research/warehouse/duckdb && $(TOOL) staticcheck ./research/warehouse/duckdb,$(SAY_DUCKDB))
	@bash internal/tools/fresh.sh

generate:
	$(TOOL) sqlc generate
	$(GO) tool templ generate -path web/ui

bench: provision build
	$(GO) run $(TAGS) ./cmd/bench -bin bin/quaestor

# Every fuzz target for FUZZTIME each.
FUZZTIME ?= 20s
fuzz:
	bash internal/tools/fuzz.sh $(FUZZTIME)

flags: # for scripts that compile as make does
	@echo '$(GOFLAGS)'

runtime-dir: # for scripts that are run by hand
	@echo "$(QUAESTOR_RUNTIME_DIR)"

clean:
	rm -rf bin
