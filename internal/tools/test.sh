#!/usr/bin/env bash
# test.sh runs the whole suite, on whatever this machine has: all parts run even if
# one fails, and the last line says what was not run. It is called by make test.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

without=$(bash internal/tools/preflight.sh test) || exit 1
make --no-print-directory provision || exit 1

# What could not be fetched is left out too.
for part in encoder sample; do
    [ -d "$QUAESTOR_RUNTIME_DIR/$part" ] || without+=" $part"
done
node=$(bash internal/tools/node.sh) || without+=' javascript browser'
export QUAESTOR_TEST_WITHOUT=$without

lacks() { [[ " $without " == *" $1 "* ]]; }

failed=()
run() { make --no-print-directory "$1" || failed+=("$1"); }
run test-go
lacks javascript || run test-js
lacks browser || run test-browser

# summary says in one line what was not run.
summary() {
    local part line='' words
    declare -A words=([duckdb]='DuckDB (no C++ compiler)' [mariadb]='MariaDB (not installed)' [clickhouse]='ClickHouse (not installed)'
        [encoder]='the text encoder (not fetched)' [sample]='the sample data (not fetched)'
        [speech]='speech of the machine (flite, sox or pocketsphinx not installed)'
        [javascript]='tests of JavaScript (no Node.js 20 or newer)' [browser]='tests in a browser (no Chromium, npm or Node.js)')
    for part in duckdb mariadb clickhouse speech encoder sample javascript browser; do
        if lacks $part; then line+="${line:+, }${words[$part]}"; fi
    done
    echo "Not run: ${line:-nothing}."
}

if [ ${#failed[@]} -gt 0 ]; then echo "Failed: ${failed[*]}."; fi
summary
[ ${#failed[@]} -eq 0 ]
