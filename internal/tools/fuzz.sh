#!/usr/bin/env bash
# Runs every fuzz target for the time given, one after the other.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
grep -rln '^func Fuzz' --include='*_test.go' . | while read -r file; do
  package=$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "== $package $target"
    go test -tags minicore_disabled "$package" -run '^$' -fuzz "^$target\$" -fuzzminimizetime 1x -fuzztime "${1:-20s}"
  done
done
