# packages.sh is sourced by scripts that need packages of the system.
#
#   may_install           reports whether packages can be installed here: as root, with apt
#   have_lists            reports whether apt knows any packages
#   available NAME        reports whether apt knows the package
#   obtainable NAME       is available, or true while apt has no lists to tell from
#   install_packages NAME...   installs them without starting the services they bring

may_install() { [ "$EUID" -eq 0 ] && command -v apt-get >/dev/null; }

have_lists() { [ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -print -quit 2>/dev/null)" ]; }

available() {
    local candidate
    candidate=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')
    [ -n "$candidate" ] && [ "$candidate" != '(none)' ]
}

obtainable() { command -v apt-get >/dev/null && { ! have_lists || available "$1"; }; }

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
