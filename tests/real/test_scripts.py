"""The two commands on machines where something is missing: one clear sentence that says what to do."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

FAKE = """#!/bin/sh
case "$*" in
  *version_info*) exit {version} ;;
  *ensurepip*) exit {venv} ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *"pip install"*) echo "no network" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def clone(tmp_path):
    """The verbs and the lock files, without a .venv."""
    shutil.copytree(ROOT / "scripts", tmp_path / "clone" / "scripts")
    for lock in ROOT.glob("requirements*.lock"):
        shutil.copy(lock, tmp_path / "clone")
    return tmp_path / "clone"


def run(clone, verb="play", version=0, venv=0):
    """Run a verb where every Python is a fake one."""
    bin_ = clone / "bin"
    bin_.mkdir(exist_ok=True)
    for name in ("python3", *(f"python3.{n}" for n in range(11, 15))):
        (bin_ / name).write_text(FAKE.format(version=version, venv=venv))
        (bin_ / name).chmod(0o755)
    env = {"PATH": f"{bin_}:{os.defpath}", "HOME": str(clone)}
    return subprocess.run([clone / "scripts" / verb], env=env, capture_output=True, text=True, timeout=60)


def test_without_a_new_python_it_says_which_is_needed_and_how_to_get_it(clone):
    done = run(clone, version=1)

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "apt install python3" in done.stderr


def test_without_the_venv_module_it_says_what_to_install(clone):
    done = run(clone, venv=1)

    assert done.returncode == 1
    assert "apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["play", "test"])
def test_a_failed_download_says_so_and_the_next_try_starts_where_it_was(clone, verb):
    for _ in range(2):
        done = run(clone, verb)

        assert done.returncode == 1
        assert "could not install the packages that requirements.lock pins; check the network" in done.stderr
        assert "Traceback" not in done.stderr
    assert "no network" in (clone / ".venv" / "install.log").read_text()


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("requirements*.lock")))
def test_a_lock_file_pins_with_hashes_and_names_no_index_and_no_host(lock):
    text = (ROOT / lock).read_text()

    assert "--hash=sha256:" in text
    assert "://" not in text
    assert "index-url" not in text
    for line in text.splitlines():
        assert line.startswith(" ") or "==" in line, line


def test_a_second_start_is_quick_and_needs_no_network(tmp_path):
    """The set-up leaves a mark for each lock file, and looks at nothing else."""
    env = os.environ | {
        "HOME": str(tmp_path),
        "https_proxy": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
    }
    done = subprocess.run(
        [ROOT / "scripts" / "play", "--version"], env=env, capture_output=True, text=True, timeout=60
    )

    assert done.stdout.startswith("boneyard, version ")
    assert done.stderr == ""
