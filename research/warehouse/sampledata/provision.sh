#!/usr/bin/env bash
# provision.sh DEST: puts the sample data (15 MB; see LICENCES there) into DEST,
# unless it is there; sample.sha256 says what it is. Without sample data everything
# else works. See npmpack.sh.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../../../internal/npmpack/npmpack.sh
source "$here/../../../internal/npmpack/npmpack.sh"

readonly package='vega-datasets@3.2.1' sums=$here/sample.sha256 kind=sample
readonly fetching='Fetching the sample data (10 MB).'
readonly missing='No sample data' advice='Run make provision again to get it.'

take() {
    local name
    while read -r _ name; do
        cp "$1/data/$name" "$2/$name" 2>/dev/null || return 1
    done <"$sums"
    cp "$here/LICENCES" "$2/LICENCES"
}

provision "$@"
