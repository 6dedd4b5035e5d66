# Sourced by the other scripts: makes .venv and installs what the named lock files pin, once.
# After a first success it needs no network, and costs a few milliseconds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

die() {
    printf 'boneyard: %s\n' "$1" >&2
    exit 1
}

# Prints the first Python of 3.11 or newer on the PATH.
find_python() {
    local candidate
    for candidate in "${BONEYARD_PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
        [ -n "$candidate" ] || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

make_venv() {
    local python
    python=$(find_python) ||
        die "Python 3.11 or newer is needed and none was found; install it (Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python)."
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        die "Python's venv module is missing; install it (Debian, Ubuntu: apt install python3-venv) and run this again."
    printf 'boneyard: setting up once in .venv …\n' >&2
    "$python" -m venv "$venv" 2>/dev/null ||
        die "could not make $venv; is the folder writable and the disk not full?"
}

# Fails where .venv is not this user's: its owner may have a host running on it.
own_venv() {
    [ -e "$venv" ] || return 0
    [ -O "$venv" ] && [ -w "$venv" ] && return 0
    set -- $(ls -ldL "$venv")
    die "$venv belongs to $3 and would have to be changed; run this in a clone of your own."
}

# install_pinned LOCK: installs what a lock file pins; at a terminal, one line counts the packages.
install_pinned() {
    local line count=0 total
    total=$(grep -c '^[^ #-].*==' "$root/$1")
    printf 'boneyard: installing the packages of %s, once …\n' "$1" >&2
    "$venv/bin/python" -m pip install --disable-pip-version-check --no-input \
        --require-hashes -r "$root/$1" 2>&1 | while IFS= read -r line; do
        printf '%s\n' "$line"
        [ -t 2 ] || continue
        case $line in
        Collecting\ * | Requirement\ already\ *)
            count=$((count + 1))
            printf '\rboneyard: %s of %s packages are here' "$count" "$total" >&2
            ;;
        Installing\ *) printf '\rboneyard: %s packages are here; unpacking them …' "$count" >&2 ;;
        esac
    done >"$venv/install.log"
    set -- "${PIPESTATUS[0]}"
    [ ! -t 2 ] || printf '\r\033[K' >&2
    return "$1"
}

# install LOCK: the packages pinned in a lock file are installed in .venv.
install() {
    local stamp
    stamp="$venv/.installed-$1-$(cksum <"$root/$1" | tr ' ' -)"
    [ -e "$stamp" ] && return
    own_venv
    install_pinned "$1" ||
        die "could not install the packages that $1 pins; check the network and run this again (details: $venv/install.log)."
    touch "$stamp"
}

# need LOCK…: the packages pinned in each lock file are installed in .venv, and the translations are compiled.
need() {
    local lock translation
    if ! { [ -x "$venv/bin/python" ] && "$venv/bin/python" -c '' 2>/dev/null; }; then
        own_venv
        rm -rf "$venv" 2>/dev/null || die "$venv does not work and could not be removed; remove it and run this again."
        make_venv
    fi
    for lock in "$@"; do install "$lock"; done
    for translation in "$root"/tui/locale/*/LC_MESSAGES/boneyard.po; do
        [ "${translation%.po}.mo" -nt "$translation" ] && continue
        install requirements-translations.lock
        "$venv/bin/python" "$root/scripts/catalogues.py" 2>/dev/null ||
            die "could not compile the translations; is $root/tui/locale writable and the disk not full?"
        break
    done
}

# need_linux: benchmarks read /proc.
need_linux() {
    [ "$(uname -s)" = Linux ] || die "this benchmark reads /proc, so it needs Linux."
}

# need_postgres: where this machine has no PostgreSQL, the one from PyPI is in .venv, if there is one for it.
need_postgres() {
    local place
    for place in "$(command -v initdb)" /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb; do
        [ -x "$place" ] && return
    done
    (need requirements-postgres.lock) 2>/dev/null || true # otherwise scripts/postgres.py names the missing programs
}

# need_page: the files of the page in the browser are in net/web/vendor. After a first success it needs no npm.
need_page() {
    cmp -s "$root/scripts/page/package-lock.json" "$root/net/web/vendor/.pinned" && return
    printf 'boneyard: fetching the web page with npm, once …\n' >&2
    "$venv/bin/python" "$root/scripts/page/page.py" || exit 1
}

export PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"
