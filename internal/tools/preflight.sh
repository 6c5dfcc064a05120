#!/usr/bin/env bash
# preflight.sh build|run|test: looks at what this machine has before anything is
# compiled; where everything is there that takes less than a second.
#
# As root with apt, missing packages are installed without starting their services.
# Otherwise everything missing is named in one line, with the command that installs
# it. What building, running or testing needs ends this with status 1; what can be
# done without is left out.
#
# With "test", the parts that are left out are printed on stdout, in one line:
# javascript browser mariadb clickhouse duckdb speech. What people read goes to stderr.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=../npmpack/packages.sh
source internal/npmpack/packages.sh
# shellcheck source=node.sh
source internal/tools/node.sh

readonly purpose=${1:-}
readonly go=${GO:-go} cc=${CC:-cc} cxx=${CXX:-c++} runtime=${QUAESTOR_RUNTIME_DIR:-}

say() { printf '%s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ]; }

# look fills the lists of what is missing.
look() {
    needed=() optional=() packages=() parts=()
    check_go
    links "$cc" c || need 'a C compiler that links' gcc libc6-dev
    links "$cxx" c++ || miss duckdb 'a C++ compiler that links, for DuckDB' g++
    if [ "$purpose" = build ]; then return; fi
    check_postgres
    check_npm
    if [ "$purpose" = run ]; then return; fi
    has "${CHROMIUM:-/usr/bin/chromium}" || miss browser Chromium chromium
    has mariadbd || miss mariadb MariaDB mariadb-server
    has clickhouse-server || miss clickhouse ClickHouse clickhouse-server
    has flite || miss speech 'flite, which speaks' flite
    has sox || miss speech 'sox, which joins recordings' sox
    has pocketsphinx || has pocketsphinx_continuous || miss speech 'pocketsphinx, which hears' pocketsphinx pocketsphinx-en-us
}

# need WHAT PACKAGE... notes what nothing works without.
need() {
    needed+=("$1")
    shift
    packages+=("$@")
}

# miss PART WHAT PACKAGE... notes what is left out when it stays missing.
miss() {
    parts+=("$1")
    optional+=("$2")
    shift 2
    packages+=("$@")
}

# links COMPILER LANGUAGE reports whether it makes a program.
links() {
    local program status=0
    has "$1" || return 1
    program=$(mktemp)
    printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' | "$1" -x "$2" - -o "$program" 2>/dev/null || status=1
    rm -f "$program"
    return $status
}

# check_go wants the Go of go.mod, or one that fetches it: 1.21 or newer, unless
# GOTOOLCHAIN forbids that.
check_go() {
    local wanted have
    wanted=$(awk '$1 == "go" { print $2; exit }' go.mod)
    if ! has "$go"; then
        needed+=("Go $wanted or newer (from https://go.dev/dl)")
        return
    fi
    have=$(cd / && GOFLAGS='' GOTOOLCHAIN=local "$go" env GOVERSION 2>/dev/null || true)
    have=${have#go}
    have=${have%% *}
    if at_least "$have" "$wanted"; then return; fi
    if at_least "$have" 1.21 && [ "$(cd / && GOFLAGS='' "$go" env GOTOOLCHAIN)" != local ]; then return; fi
    needed+=("Go $wanted or newer (${have:-an older one} is installed; from https://go.dev/dl)")
}

check_postgres() {
    if [ "$purpose" = run ] && [ -n "${DATABASE_URL:-}" ]; then return; fi
    if may_install || bash internal/postgres/cluster/provision.sh --present "$runtime/pgsql"; then return; fi
    need 'PostgreSQL 15 or newer (its server)' postgresql
}

check_npm() {
    if has npm; then return; fi
    if [ "$purpose" = test ]; then
        miss browser 'npm, for the browser tests, the text encoder and the sample data' npm
        new_node >/dev/null || parts+=(javascript)
    elif [ ! -d "$runtime/encoder" ] || [ ! -d "$runtime/sample" ]; then
        if may_install; then return; fi # provisioning does, while the program is compiled
        miss encoder 'npm, for the text encoder and the sample data' npm
    fi
}

# check_modules makes sure that the Go modules are here or can be fetched.
check_modules() {
    if GOFLAGS='' GOPROXY=off "$go" list -deps ./cmd/quaestor >/dev/null 2>&1; then return; fi
    if GOFLAGS='' timeout 60 "$go" mod download github.com/google/uuid >/dev/null 2>&1; then return; fi
    say "The Go modules are not on this machine, and $("$go" env GOPROXY) does not answer. Connect to the network, or set GOPROXY to a module proxy within reach."
    exit 1
}

# install gets what it can and looks again.
install() {
    local wanted
    if [ ${#packages[@]} -eq 0 ] || ! may_install; then return; fi
    if ! have_lists; then
        say 'Reading the package lists.'
        apt-get -qq update >/dev/null 2>&1 || true
    fi
    mapfile -t wanted < <(available "${packages[@]}")
    if [ ${#wanted[@]} -gt 0 ]; then
        say "Installing ${wanted[*]}."
        install_packages "${wanted[@]}" || true
    fi
    look
}

# report says in one line what is missing and how to get it.
report() {
    local line='' here=() name
    if [ ${#needed[@]} -gt 0 ]; then line+="Needed, and missing: $(joined "${needed[@]}"). "; fi
    if [ ${#optional[@]} -gt 0 ]; then line+="Missing, and left out: $(joined "${optional[@]}"). "; fi
    if [ ${#packages[@]} -gt 0 ]; then
        mapfile -t here < <(available "${packages[@]}")
        for name in "${packages[@]}"; do
            [[ " ${here[*]} " == *" $name "* ]] || line+="This system's packages do not have $name. "
        done
    fi
    if [ ${#here[@]} -gt 0 ]; then line+="To install: $(may_install || echo 'sudo ')apt-get install -y --no-install-recommends ${here[*]}"; fi
    if [ -n "$line" ]; then say "${line% }"; fi
    [ ${#needed[@]} -eq 0 ] || exit 1
}

joined() {
    local out=$1 item
    shift
    for item in "$@"; do out+=", $item"; done
    printf '%s' "$out"
}

case $purpose in
build | run | test) ;;
*)
    say 'usage: preflight.sh build|run|test'
    exit 2
    ;;
esac
look
if [[ " ${needed[*]:-}" == *' Go '* ]]; then report; fi # nothing is installed for what cannot be built
install
report
check_modules
if [ "$purpose" = test ]; then printf '%s\n' "${parts[@]:-}" | sort -u | xargs; fi
