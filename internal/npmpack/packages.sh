# packages.sh is sourced by scripts that need packages of the system.
#
#   may_install           reports whether packages can be installed here: as root, with apt
#   have_lists            reports whether apt knows any packages
#   available NAME...     prints those of the names that apt can install, each on a
#                         line; all of them while it has no lists to tell from
#   install_packages NAME...   installs them without starting the services they bring

may_install() { [ "$EUID" -eq 0 ] && command -v apt-get >/dev/null; }

have_lists() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; }

available() {
    if ! command -v apt-get >/dev/null; then return; fi
    if ! have_lists; then
        printf '%s\n' "$@"
        return
    fi
    LC_ALL=C apt-cache policy "$@" 2>/dev/null |
        awk '/^[^ ]/ { name = substr($1, 1, length($1) - 1) } $1 == "Candidate:" && $2 != "(none)" { print name }'
}

# install_packages is a subshell, so that its traps are its own. What keeps services
# from starting goes again, also when this is cut off.
install_packages() (
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C
    policy=/usr/sbin/policy-rc.d made='' log=$(mktemp)
    trap 'rm -f "$log"; [ -z "$made" ] || rm -f "$policy"' EXIT
    trap 'exit 1' INT TERM
    if [ ! -e "$policy" ]; then
        made=yes
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
    fi
    # Locks of the caller (descriptor 9) are not for the servers that packages bring.
    apt() { apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 9>&-; }
    if apt install -y --no-install-recommends "$@"; then exit 0; fi
    # Lists that are weeks old name files the archive no longer has.
    apt update || true
    if apt install -y --no-install-recommends "$@"; then exit 0; fi
    tail -n 5 "$log" >&2
    exit 1
)
