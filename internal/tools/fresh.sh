#!/usr/bin/env bash
# Fails when generated code differs from what its sources generate.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
sum() { git ls-files -co --exclude-standard -- '*_templ.go' '*/internal/dbsqlc/*.go' | sort | xargs sha256sum; }
before=$(sum)
make -s generate >/dev/null 2>&1 || { echo "make generate fails" >&2; exit 1; }
if [ "$before" != "$(sum)" ]; then
  echo "generated code was stale and has been made anew: commit it" >&2
  diff <(echo "$before") <(sum) | grep '^[<>]' | awk '{print $3}' | sort -u >&2
  exit 1
fi
