#!/usr/bin/env bash
# node.sh prints the Node.js that tests run on: the one of this machine if it is new
# enough, else a private copy in the runtime folder, which npm fetches. It can be
# sourced for new_node, which prints what is there and fetches nothing.

# new_node prints a Node.js of version 20 or newer, or fails.
new_node() {
    local program version
    for program in node "${QUAESTOR_RUNTIME_DIR:-/nowhere}/node/node"; do
        version=$("$program" --version 2>/dev/null) || continue
        if at_least "${version#v}" 20; then
            command -v "$program"
            return
        fi
    done
    return 1
}

# at_least HAVE WANT compares versions such as 1.26.8.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

if [ "${BASH_SOURCE[0]}" != "$0" ]; then return; fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../npmpack/npmpack.sh
source "$here/../npmpack/npmpack.sh"

case $(uname -m) in
aarch64 | arm64) machine=arm64 ;;
*) machine=x64 ;;
esac
readonly package="node-linux-$machine@22.23.3" sums=$here/node-$machine.sha256 kind=node mode=755 seconds=300
readonly fetching='Fetching Node.js 22 for the tests (50 MB).' missing='No Node.js 20 or newer' status=1
readonly advice='Install Node.js 20 or newer, or npm, which fetches it.'

take() { cp "$1/bin/node" "$2/node"; }

if new_node; then exit; fi
provision "${QUAESTOR_RUNTIME_DIR:?}/node"
new_node
