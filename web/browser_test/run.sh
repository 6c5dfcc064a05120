#!/usr/bin/env bash
# Drives the pages in a real browser. Installs Debian's chromium and the locked
# packages when they are absent; tests that crash a server start their own.
#
#   run.sh                    all tests
#   run.sh FILE [ARGUMENT …]  node with FILE instead, such as one test or screenshots.mjs
set -euo pipefail
cd "$(dirname "$0")"

export QUAESTOR_RUNTIME_DIR=${QUAESTOR_RUNTIME_DIR:-$(make -s --no-print-directory -C ../.. runtime-dir)}
# shellcheck source=../../internal/npmpack/packages.sh
source ../../internal/npmpack/packages.sh
if ! command -v "${CHROMIUM:-/usr/bin/chromium}" >/dev/null; then
  if ! may_install; then
    echo "The browser tests need chromium: sudo apt-get install -y --no-install-recommends chromium, or set CHROMIUM to one." >&2
    exit 1
  fi
  echo "Installing chromium …"
  install_packages chromium
fi
node=$(bash ../../internal/tools/node.sh)

if ! cmp -s package-lock.json node_modules/.locked 2>/dev/null; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/.locked
fi

# Each shard has a server that most of its tests share; those that crash or slow one
# down start their own.
folder=$(mktemp -d "${TMPDIR:-/tmp}/quaestor-browser-XXXXXX")
servers=()
cleanup() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap cleanup EXIT

# start NAME starts a server and sets QUAESTOR_URL to where it answers.
start() {
  local dir=$folder/$1 server
  mkdir "$dir"
  : >"$dir/out" # read below, perhaps before the server is started
  ../../bin/quaestor serve --addr 127.0.0.1:0 --data-dir "$dir/data" >"$dir/out" 2>"$dir/err" &
  server=$!
  servers+=("$server")
  for _ in $(seq 900); do
    QUAESTOR_URL=$(sed -n 's/.*is ready: \(http:[^ ]*\).*/\1/p' "$dir/out")
    [ -n "$QUAESTOR_URL" ] && break
    kill -0 "$server" 2>/dev/null || { cat "$dir/out" "$dir/err" >&2; exit 1; }
    sleep 0.1
  done
  [ -n "$QUAESTOR_URL" ] || { echo "quaestor was not ready after 90 s:" >&2; cat "$dir/err" >&2; exit 1; }
  export QUAESTOR_URL
}

if [ $# -gt 0 ]; then
  start one
  "$node" "$@"
  exit
fi
readonly shards=2
running=()
for shard in $(seq $shards); do
  start "$shard"
  "$node" --test --test-shard="$shard/$shards" --test-concurrency=1 --test-timeout=360000 ./*.test.mjs >"$folder/$shard.tap" 2>&1 &
  running+=($!)
done
status=0
for shard in $(seq $shards); do
  wait "${running[shard - 1]}" || status=1
  cat "$folder/$shard.tap"
done
exit $status
