"""The two commands on machines where something is missing: one clear sentence that says what to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.ptys import Player

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
    shutil.copytree(ROOT / "scripts", tmp_path / "clone" / "scripts", ignore=shutil.ignore_patterns("tools"))
    for lock in ROOT.glob("requirements*.lock"):
        shutil.copy(lock, tmp_path / "clone")
    return tmp_path / "clone"


def run(clone, verb="play", version=0, venv=0, as_user=()):
    """Run a verb where every Python is a fake one, as a user as which these words run a command."""
    bin_ = clone / "bin"
    bin_.mkdir(exist_ok=True)
    for name in ("python3", *(f"python3.{n}" for n in range(11, 15))):
        (bin_ / name).write_text(FAKE.format(version=version, venv=venv))
        (bin_ / name).chmod(0o755)
    env = {"PATH": f"{bin_}:{os.defpath}", "HOME": str(clone)}
    return subprocess.run([*as_user, clone / "scripts" / verb], env=env, capture_output=True, text=True, timeout=60)


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


def test_an_audit_that_cannot_be_set_up_has_found_nothing(clone):
    done = run(clone, "audit")

    assert done.returncode == 3
    assert "could not install the packages" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
@pytest.mark.parametrize("works", [True, False], ids=["of other packages", "broken"])
@pytest.mark.parametrize("may_write", [True, False], ids=["where they may write", "where they may not"])
def test_the_environment_of_another_user_is_left_alone(clone, works, may_write):
    with TemporaryDirectory() as folder:  # others may not come into that of pytest
        left_alone(shutil.copytree(clone, Path(folder) / "clone"), works, may_write)


def left_alone(clone, works, may_write):
    bin_ = clone / ".venv" / "bin"
    bin_.mkdir(parents=True)
    (bin_ / "python").write_text("#!/bin/sh\n" if works else "no program")
    (bin_ / "python").chmod(0o755)
    for folder in (clone.parent, clone, clone / ".venv", bin_):
        folder.chmod(0o777 if may_write else 0o755)
    done = run(clone, as_user=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"))

    assert done.returncode == 1
    said = f"boneyard: {clone}/.venv belongs to root and would have to be changed; run this in a clone of your own."
    assert done.stderr == f"{said}\n"
    assert (bin_ / "python").exists()


def test_a_broken_environment_of_ones_own_is_made_again(clone):
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").write_text("no program")
    done = run(clone)

    assert "setting up once in .venv" in done.stderr
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


PIP_AUDIT = """
import json, sys
lines = open(sys.argv[sys.argv.index("-r") + 1]).read().split()
assert len({line.partition("==")[0] for line in lines}) == len(lines), "it refuses a package twice"
answers = []
for name, version in (line.split("==") for line in lines):
    known = [{"id": "PYSEC-1", "fix_versions": ["9.9"]}] if (name, version) in @FOUND@ else []
    answers.append({"name": name, "version": version, "vulns": known} if name not in @UNKNOWN@ else
                   {"name": name, "skip_reason": "not found"})
if @REACHED@:
    print(json.dumps({"dependencies": answers}))
else:
    sys.exit("Traceback: no connection")
"""


def audit(tmp_path, found=(), unknown=(), reached=True):
    """Audit some locks, with a pip-audit that says what it is told to."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "audited.py", tmp_path / "scripts")
    (tmp_path / "pip_audit").mkdir()
    (tmp_path / "pip_audit" / "__init__.py").touch()
    code = PIP_AUDIT.replace("@FOUND@", repr(found)).replace("@UNKNOWN@", repr(unknown))
    (tmp_path / "pip_audit" / "__main__.py").write_text(code.replace("@REACHED@", repr(reached)))
    (tmp_path / "requirements.lock").write_text("click==8.5.1 \\\n    --hash=sha256:00\n")
    (tmp_path / "requirements-bench.lock").write_text(
        "click==8.5.1 \\\n    --hash=sha256:00\n"
        "numpy==2.4.6 ; python_full_version < '3.12' \\\n    --hash=sha256:00\n"
        "numpy==2.5.5 ; python_full_version >= '3.12' \\\n    --hash=sha256:00\n"
    )
    env = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, tmp_path / "scripts" / "audited.py"], env=env, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


def test_an_audit_of_locks_without_known_vulnerabilities_says_how_much_it_asked(tmp_path):
    assert audit(tmp_path) == (0, "No known vulnerability in 3 pinned versions.\n", "")


def test_an_audit_names_package_version_advisory_and_lock_also_of_what_another_python_gets(tmp_path):
    status, out, err = audit(tmp_path, found=[("click", "8.5.1"), ("numpy", "2.5.5")])

    assert (status, err) == (1, "")
    assert out.splitlines() == [
        "click 8.5.1: PYSEC-1, fixed in 9.9 (requirements-bench.lock, requirements.lock)",
        "numpy 2.5.5: PYSEC-1, fixed in 9.9 (requirements-bench.lock)",
    ]


def test_an_audit_that_reaches_nobody_says_so_and_does_not_pass(tmp_path):
    assert audit(tmp_path, reached=False) == (
        3,
        "",
        "boneyard: the database of vulnerabilities cannot be reached, so nothing was audited.\n",
    )


def test_a_package_that_the_database_does_not_know_is_not_taken_for_sound(tmp_path):
    status, out, err = audit(tmp_path, unknown=["click"])

    assert (status, out) == (3, "No known vulnerability in 2 pinned versions.\n")
    assert "1 of 3 versions were not audited, as the database does not know them: click 8.5.1." in err


def test_the_lock_file_of_the_page_pins_with_hashes_and_names_no_host():
    text = (ROOT / "scripts" / "page" / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]

    assert "://" not in text
    assert "resolved" not in text
    assert all(package["integrity"].startswith("sha512-") for name, package in packages.items() if name)


@pytest.mark.parametrize("why", ["no npm", "no network", "another package"])
def test_a_page_that_cannot_be_fetched_is_told_in_one_sentence(clone, why):
    bin_ = clone / "bin"
    bin_.mkdir()
    (bin_ / "python3").symlink_to(sys.executable)
    if why != "no npm":
        said = "EINTEGRITY" if why == "another package" else "no"
        (bin_ / "npm").write_text(f"#!{shutil.which('sh')}\necho {said} >&2; exit 1")
        (bin_ / "npm").chmod(0o755)
    command = [bin_ / "python3", clone / "scripts" / "page" / "page.py"]
    done = subprocess.run(command, env={"PATH": str(bin_)}, capture_output=True, text=True, timeout=60)

    assert done.returncode == 1
    assert done.stderr.startswith("boneyard: ")
    assert done.stderr.count("\n") == 1
    said = {"no npm": "apt install npm", "no network": "check the network", "another package": "not what is pinned"}
    assert said[why] in done.stderr


async def test_at_a_terminal_an_installation_counts_its_packages(clone):
    (clone / ".venv" / "bin").mkdir(parents=True)
    python = clone / ".venv" / "bin" / "python"
    python.write_text("""#!/bin/sh
case "$*" in
  *"pip install"*) echo "Collecting a"; echo "Collecting b"; echo "Installing collected packages: a, b" ;;
esac
""")
    python.chmod(0o755)
    (clone / "requirements.lock").write_text("a==1 \\\n    --hash=sha256:0\nb==1 \\\n    --hash=sha256:0\n")
    player = Player([clone / "scripts" / "play"], {"PATH": os.defpath, "HOME": str(clone)}, 80, 24)
    try:
        assert await player.leaves() == 0
        assert b"installing the packages of requirements.lock, once" in player.raw
        assert b"2 of 2 packages are here" in player.raw
    finally:
        player.close()
