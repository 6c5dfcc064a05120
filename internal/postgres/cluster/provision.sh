#!/usr/bin/env bash
# provision.sh DEST: finds a PostgreSQL server (15 or newer) that has pgvector,
# or makes one, and prints its bin folder as the only line on stdout. Progress
# goes to stderr.
#
# provision.sh --present DEST: reports by its exit status whether a server is there
# that has pgvector or can be given it; it changes nothing.
#
# What it makes is a private copy under DEST: the installed server with pgvector
# compiled beside it. PostgreSQL finds share/ and lib/ relative to its own
# binary, so such a copy runs from anywhere. The system's apt settings and lists
# stay as they are. As root it may install packages, and then Debian's own
# "main" cluster is neither created nor started.
set -euo pipefail
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

readonly oldest_major=15
readonly image='pgvector/pgvector:pg17'
work=''      # the temp folder of this run, inside DEST
apt=()       # options that keep apt inside $work
saved_conf='' # what createcluster.conf was before we touched it

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

main() {
    if [ "${1:-}" = --present ]; then
        shift
        present "$@"
        return
    fi
    [ $# -eq 1 ] && [ -n "$1" ] || fail 'usage: provision.sh [--present] DEST'
    case $1 in /*) dest=$1 ;; *) dest=$PWD/$1 ;; esac

    if [ -n "${QUAESTOR_PG_BIN:-}" ]; then
        usable "$QUAESTOR_PG_BIN" || fail "QUAESTOR_PG_BIN is $QUAESTOR_PG_BIN, but that is no PostgreSQL $oldest_major or newer with pgvector. Correct it or unset it."
        printf '%s\n' "$QUAESTOR_PG_BIN"
        return
    fi
    if find_server fresh; then return; fi
    lock
    if find_server fresh; then return; fi
    # A subshell of its own, not a condition: "set -e" has no force in one. When
    # the build fails an older copy may still serve.
    set +e
    (set -e; build >&2)
    local status=$?
    set -e
    clean
    if [ $status -eq 0 ] && find_server fresh; then return; fi
    if find_server any; then
        say 'The private copy could not be renewed; the one that is there is used.'
        return
    fi
    exit 1
}

# ---- finding ---------------------------------------------------------------

present() {
    dest=${1:?}
    if [ -n "${QUAESTOR_PG_BIN:-}" ]; then return; fi # a wrong one is named when it is used
    find_server any >/dev/null || [ -n "$(installed_server)" ]
}

# candidates lists bin folders: private copies first (root's serves everybody),
# then the system's.
candidates() {
    local dir program
    for dir in "$dest"/usr/lib/postgresql/*/bin /var/lib/quaestor/runtime/pgsql/usr/lib/postgresql/*/bin /usr/lib/postgresql/*/bin \
        /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin /usr/pgsql-*/bin; do
        [ -x "$dir/postgres" ] && printf '%s\n' "$dir"
    done
    program=$(command -v postgres || true)
    if [ -n "$program" ]; then dirname "$(readlink -f "$program")"; fi
}

# find_server fresh|any prints the newest usable candidate. With "fresh" a
# private copy that differs from the installed server it was made from is left
# out, so that security updates reach it.
find_server() {
    local dir best='' best_major=0 major
    while read -r dir; do
        major=$(major_of "$dir")
        [ "$major" -gt "$best_major" ] || continue
        usable "$dir" || continue
        if [ "$1" = fresh ] && stale "$dir" "$major"; then continue; fi
        best=$dir best_major=$major
    done < <(candidates)
    [ -n "$best" ] && printf '%s\n' "$best"
}

# usable BIN: initdb and postgres are there, new enough, and pgvector has HNSW.
usable() {
    [ -x "$1/initdb" ] && [ -x "$1/postgres" ] || return 1
    [ "$(major_of "$1")" -ge "$oldest_major" ] || return 1
    local control version
    control=$(share_of "$1")/extension/vector.control
    [ -r "$control" ] || return 1
    version=$(sed -n "s/^default_version *= *'\([0-9.]*\)'.*/\1/p" "$control")
    case $version in '' | 0.[0-4] | 0.[0-4].*) return 1 ;; esac
}

# stale BIN MAJOR: BIN is a private copy of an installed server that has moved on.
stale() {
    case $1 in "$dest"/*) ;; *) return 1 ;; esac
    local installed=/usr/lib/postgresql/$2/bin
    [ -x "$installed/postgres" ] || return 1
    [ "$("$1/postgres" --version)" != "$("$installed/postgres" --version)" ]
}

# major_of BIN prints the major version, 0 when the server does not run.
major_of() {
    local version
    version=$("$1/postgres" --version 2>/dev/null) || version=''
    version=${version#*\) }
    version=${version%%[!0-9]*}
    printf '%s\n' "${version:-0}"
}

# share_of BIN prints the folder that holds extension/.
share_of() {
    if [ -x "$1/pg_config" ]; then "$1/pg_config" --sharedir; else printf '%s\n' "$1/../share/postgresql"; fi
}

# installed_server prints the newest major among the packaged servers.
installed_server() {
    local dir
    for dir in /usr/lib/postgresql/*/bin; do
        if [ -x "$dir/postgres" ] && [ -x "$dir/initdb" ]; then major_of "$dir"; fi
    done | sort -rn | awk -v oldest="$oldest_major" '$1 >= oldest { print; exit }'
}

# ---- making ----------------------------------------------------------------

# lock waits for another run on the same DEST. The kernel drops the lock when
# the last process of that run is gone, so a killed run blocks nobody.
lock() {
    mkdir -p "$dest" || fail "The folder $dest cannot be made; choose another one with QUAESTOR_RUNTIME_DIR."
    exec 9>"$dest/.lock"
    if command -v flock >/dev/null; then flock 9; fi
    rm -rf "$dest"/.build.*
}

clean() { rm -rf "$dest"/.build.*; }

build() {
    command -v apt-get >/dev/null || other_systems
    trap 'restore_createcluster' EXIT
    work=$(mktemp -d "$dest/.build.XXXXXX")
    chmod 755 "$work"
    read_release
    apt_in_work

    local major
    major=$(installed_server)
    if [ -z "$major" ]; then
        install_server
        major=$(installed_server)
        [ -n "$major" ] || fail "No PostgreSQL $oldest_major or newer came with the packages of $codename. $(compose_hint)"
    fi
    if install_packaged_vector "$major"; then return; fi
    need_compiler
    say "Making a private copy of PostgreSQL $major with pgvector in $dest (about ten seconds)."
    fetch_sources "$major"
    compile_vector "$major"
    copy_server "$major"
    put_in_place "$major"
    say "PostgreSQL $major with pgvector is ready."
}

compose_hint() {
    printf '%s' "Run a server elsewhere (container image $image has pgvector) and set DATABASE_URL."
}

other_systems() {
    if [ "$(uname)" = Darwin ]; then
        fail 'No PostgreSQL with pgvector was found. Run: brew install postgresql@17 pgvector'
    fi
    fail "No PostgreSQL $oldest_major or newer with pgvector was found, and only apt is known here. $(compose_hint)"
}

read_release() {
    codename='' ID=''
    # shellcheck disable=SC1091 # the file is the system's
    . /etc/os-release
    codename=${VERSION_CODENAME:-}
    [ -n "$codename" ] || fail "/etc/os-release names no release. $(compose_hint)"
    # pgvector's source is in Debian from trixie on, and builds on older ones.
    vector_suite=trixie components=main
    if [ "$ID" = ubuntu ]; then vector_suite=$codename components='main universe'; fi
}

# apt_in_work points apt's lists and caches at the temp folder when the system
# has no lists for this release; its sources stay the system's.
apt_in_work() {
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/empty"
    apt=(-qq -o Dpkg::Use-Pty=0 -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=)
    if [ -z "$(index_field REPO_URI)" ]; then refresh_lists; fi
    [ -n "$(index_field REPO_URI)" ] || fail "apt knows no archive for $codename. Check the network and the apt sources."
}

refresh_lists() {
    say 'Reading the package lists.'
    apt+=(-o "Dir::State::lists=$work/lists")
    # One foreign source that does not answer must not stop us: what counts is
    # whether the release's own index arrived, and that is checked after.
    apt-get "${apt[@]}" update >/dev/null || true
}

# index_field NAME prints that field of the archive this release comes from.
index_field() {
    apt-get "${apt[@]}" indextargets --format "\$($1)" "Codename: $codename" 'Component: main' 'Created-By: Packages' 2>/dev/null |
        awk 'NR == 1'
}

# packages PATTERN prints the known package names that match it, newest major first.
packages() {
    apt-cache "${apt[@]}" pkgnames postgresql- | grep -E "$1" | sort -t- -k2,2rn || true
}

install_server() {
    local name
    name=$(packages '^postgresql-(1[5-9]|[2-9][0-9])-pgvector$' | head -n 1)
    [ -n "$name" ] || name=$(packages '^postgresql-(1[5-9]|[2-9][0-9])$' | head -n 1)
    [ -n "$name" ] || fail "The packages of $codename hold no PostgreSQL $oldest_major or newer. $(compose_hint)"
    if [ "$(id -u)" -ne 0 ]; then
        fail "No PostgreSQL server is installed. Run: sudo apt-get install -y --no-install-recommends $name gcc make libc6-dev"
    fi
    say "Installing $name."
    without_main_cluster
    install_packages "$name"
    restore_createcluster
}

# install_packaged_vector MAJOR installs pgvector as a package where the release
# has one and we may; it reports whether it did.
install_packaged_vector() {
    [ "$(id -u)" -eq 0 ] || return 1
    [ ! -r "/usr/share/postgresql/$1/extension/vector.control" ] || return 0
    [ -n "$(packages "^postgresql-$1-pgvector\$")" ] || return 1
    say "Installing postgresql-$1-pgvector."
    install_packages "postgresql-$1-pgvector"
}

need_compiler() {
    if command -v gcc >/dev/null && command -v make >/dev/null && [ -e /usr/include/stdio.h ]; then return; fi
    if [ "$(id -u)" -ne 0 ]; then
        fail 'Building pgvector needs a C compiler and make. Run: sudo apt-get install -y --no-install-recommends gcc make libc6-dev'
    fi
    say 'Installing gcc and make.'
    install_packages gcc make libc6-dev
}

# install_packages NAME... installs, once more with new lists if the first try
# fails: lists that are weeks old name files the archive no longer has.
install_packages() {
    if apt-get "${apt[@]}" install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$@" >"$work/install.log" 2>&1; then return; fi
    refresh_lists
    if apt-get "${apt[@]}" install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$@" >"$work/install.log" 2>&1; then return; fi
    tail -n 5 "$work/install.log" >&2
    fail "The packages $* could not be installed."
}

# without_main_cluster keeps the server package from making and starting a
# cluster of its own; restore_createcluster undoes it.
without_main_cluster() {
    local conf=/etc/postgresql-common/createcluster.conf
    mkdir -p "${conf%/*}"
    saved_conf=absent
    if [ -e "$conf" ]; then
        cp -p "$conf" "$work/createcluster.conf"
        saved_conf=$work/createcluster.conf
    fi
    printf '\ncreate_main_cluster = false\n' >>"$conf"
    export UCF_FORCE_CONFFOLD=1
}

restore_createcluster() {
    local conf=/etc/postgresql-common/createcluster.conf shipped=/usr/share/postgresql-common/createcluster.conf
    case $saved_conf in
        '') return ;;
        absent) if [ -e "$shipped" ]; then cp "$shipped" "$conf"; else rm -f "$conf"; fi ;;
        *) cp -p "$saved_conf" "$conf" ;;
    esac
    saved_conf=''
}

# fetch_sources MAJOR downloads the server headers and pgvector's source. The
# archive's address and keyring come from apt, its lists live in the temp folder.
fetch_sources() {
    local uri keyring sources
    uri=$(index_field REPO_URI)
    keyring=$(index_field SIGNED_BY)
    case $keyring in
        /*) ;;
        *) keyring=/usr/share/keyrings/$ID-archive-keyring.gpg ;;
    esac
    {
        printf 'deb [signed-by=%s] %s %s %s\n' "$keyring" "$uri" "$codename" "$components"
        printf 'deb-src [signed-by=%s] %s %s %s\n' "$keyring" "$uri" "$vector_suite" "$components"
    } >"$work/sources.list"
    mkdir -p "$work/sources/partial" "$work/download"
    sources=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o "Dir::Etc::sourceparts=$work/empty"
        -o "Dir::State::lists=$work/sources" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=)
    cd "$work/download"
    # As a plain user apt says it cannot remove a file it never made; that line
    # would only worry people, so the log is shown when something is missing.
    apt-get "${sources[@]}" update >"$work/fetch.log" 2>&1 || true
    apt-get "${sources[@]}" download "postgresql-server-dev-$1" >>"$work/fetch.log" 2>&1 || true
    apt-get "${sources[@]}" source --download-only pgvector >>"$work/fetch.log" 2>&1 || true
    if ! ls "postgresql-server-dev-$1"_*.deb pgvector_*.orig.tar.* >/dev/null 2>&1; then
        tail -n 5 "$work/fetch.log" >&2
        fail 'The PostgreSQL headers and the source of pgvector could not be downloaded. Check the network, then try again.'
    fi
}

# compile_vector MAJOR builds vector.so. OPTFLAGS= drops -march=native: the copy
# may end on another machine than the one that built it.
compile_vector() {
    mkdir -p "$work/src"
    dpkg-deb -x "$work/download/postgresql-server-dev-$1"_*.deb "$work/dev"
    tar -x --strip-components=1 -C "$work/src" -f "$(ls "$work"/download/pgvector_*.orig.tar.* | awk '!/\.asc$/ { print; exit }')"
    if ! make -s -C "$work/src" -j2 "PG_CONFIG=/usr/lib/postgresql/$1/bin/pg_config" with_llvm=no OPTFLAGS= \
        "includedir_server=$work/dev/usr/include/postgresql/$1/server" >"$work/make.log" 2>&1; then
        tail -n 20 "$work/make.log" >&2
        fail 'pgvector could not be compiled.'
    fi
}

# copy_server MAJOR assembles the copy in $work/copy.
copy_server() {
    local from=/usr/lib/postgresql/$1 lib=$work/copy/usr/lib/postgresql/$1 share=$work/copy/usr/share/postgresql
    mkdir -p "$lib/lib" "$share"
    cp -a "$from/bin" "$lib/"
    (cd "$from/lib" && find . -mindepth 1 -maxdepth 1 ! -name bitcode ! -name pgxs ! -name 'llvmjit*' -exec cp -a {} "$lib/lib/" \;)
    cp -aL "/usr/share/postgresql/$1" "$share/"
    cp "$work/src/vector.so" "$lib/lib/"
    cp "$work/src/vector.control" "$work"/src/sql/vector--*.sql "$share/$1/extension/"
    "$lib/bin/postgres" --version >/dev/null || fail 'The private copy does not run.'
}

# put_in_place MAJOR moves the copy into DEST, share/ first: a server is found by
# its bin folder, so it is never found before the rest is there.
put_in_place() {
    local part
    mkdir -p "$dest/usr/lib/postgresql" "$dest/usr/share/postgresql"
    for part in lib share; do
        if [ -e "$dest/usr/$part/postgresql/$1" ]; then mv "$dest/usr/$part/postgresql/$1" "$work/old-$part"; fi
    done
    for part in share lib; do
        mv "$work/copy/usr/$part/postgresql/$1" "$dest/usr/$part/postgresql/$1"
    done
}

main "$@"
