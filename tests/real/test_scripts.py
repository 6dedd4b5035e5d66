"""The scripts of a clone on a machine where something is missing, and the packages that they install."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
case "$*" in
  *version_info*) exit {version} ;;
  *ensurepip*) exit {venv} ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *"pip install"*) echo "no network" >&2; exit 1 ;;
esac
"""
PIP_AUDIT = """
import json, sys
lines = open(sys.argv[sys.argv.index("-r") + 1]).read().split()
assert len({line.partition("==")[0] for line in lines}) == len(lines), "it refuses a package twice"
pins = [line.split("==") for line in lines]
answers = @ANSWERS@
print(json.dumps({"dependencies": [{"name": name, "version": v, **answers[name]} for name, v in pins]}))
"""
SOUND = {"vulns": []}


@pytest.fixture
def clone():
    """Return the scripts and the lock files, without a .venv, readable for other users."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        clone = Path(folder) / "clone"
        shutil.copytree(ROOT / "scripts", clone / "scripts", ignore=shutil.ignore_patterns("tools"))
        for lock in ROOT.glob("requirements*.lock"):
            shutil.copy(lock, clone)
        yield clone


def run(clone, version=0, venv=0, as_user=()):
    """Run `play` where every Python is a script that succeeds or fails; `as_user` are the words that run it as
    another user.
    """
    folder = clone / "bin"
    folder.mkdir()
    for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15))):
        (folder / name).write_text(PYTHON.format(version=version, venv=venv))
        (folder / name).chmod(0o755)
    env = {"PATH": f"{folder}:{os.defpath}", "HOME": str(clone)}
    return subprocess.run([*as_user, clone / "scripts" / "play"], env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        (
            {"version": 1},
            "Python 3.11 or newer is needed and none was found; install it (Debian, Ubuntu: apt install",
        ),
        ({"venv": 1}, "Python's venv module is missing; install it (Debian, Ubuntu: apt install python3-venv)"),
        ({}, "could not install the packages that requirements.lock pins; check the network and run this again"),
    ],
    ids=["Python", "venv", "network"],
)
def test_a_script_that_cannot_set_up_says_in_a_sentence_what_is_missing(clone, missing, sentence):
    done = run(clone, **missing)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"boneyard: {sentence}")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_the_environment_of_another_user_is_left_alone(clone):
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("no program")
    for path in (clone, clone / ".venv", python.parent, python):
        path.chmod(0o777)
    done = run(clone, as_user=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"))

    assert done.returncode == 1
    assert f"{clone}/.venv belongs to root and would have to be changed" in done.stderr
    assert python.read_text() == "no program"


def test_the_lock_files_pin_with_hashes_and_name_no_index():
    for lock in ROOT.glob("requirements*.lock"):
        pins = [line for line in lock.read_text().splitlines() if line[0] not in " #"]
        assert pins, lock.name
        assert all("==" in line and line.endswith("\\") for line in pins), lock.name
        assert "://" not in lock.read_text(), lock.name
        assert "index-url" not in lock.read_text(), lock.name
    text = (ROOT / "scripts" / "page" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert "://" not in text
    assert all(package["integrity"].startswith("sha512-") for name, package in packages.items() if name)


@pytest.mark.parametrize(
    ("answers", "status", "sentence"),
    [
        ({"click": SOUND, "numpy": SOUND}, 0, "No known vulnerability in 3 pinned versions."),
        (
            {"click": {"vulns": [{"id": "PYSEC-1", "fix_versions": ["9.9"]}]}, "numpy": SOUND},
            1,
            "click 8.5.1: PYSEC-1, fixed in 9.9 (requirements-bench.lock, requirements.lock)",
        ),
        ({"click": {"skip_reason": "not found"}, "numpy": SOUND}, 3, "1 of 3 versions were not audited"),
        ({}, 3, "the database of vulnerabilities cannot be reached, so nothing was audited."),
    ],
    ids=["sound", "vulnerable", "unknown", "unreachable"],
)
def test_an_audit_passes_only_if_every_version_is_known_to_be_sound(tmp_path, answers, status, sentence):
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "audit.py", tmp_path / "scripts")
    (tmp_path / "pip_audit.py").write_text(PIP_AUDIT.replace("@ANSWERS@", repr(answers)))
    (tmp_path / "requirements.lock").write_text("click==8.5.1 \\\n    --hash=sha256:00\n")
    (tmp_path / "requirements-bench.lock").write_text(
        "click==8.5.1 \\\n    --hash=sha256:00\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:00\n"
        "numpy==2.5.5 ; python_full_version >= '3.12' \\\n    --hash=sha256:00\n"
    )
    env = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, tmp_path / "scripts" / "audit.py"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)

    assert done.returncode == status
    assert sentence in done.stdout + done.stderr
