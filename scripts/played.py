"""Installs each artefact of a release into an empty environment and plays a match with it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Timer

from scripts.artefacts import BuildError, run

MAX_ANSWERS = 2_000
"""Answers that are typed at most: each is the first of the numbered possibilities."""
TIMEOUT = 300
"""Seconds for one installation, and for its match."""
DEBIANS = {(3, 11): "bookworm", (3, 13): "trixie"}
"""Debian release of each version of Python."""


def play_match(command: Sequence[str | Path], home: Path, module_path: str = "") -> None:
    """Play a match of Block to 50 against a bot in plain text. Raises BuildError if it does not come to its end."""
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": module_path}
    words = [*map(str, command), "play", "block", "--plain", "--rule", "target=50"]
    with tempfile.TemporaryFile("w+") as answers:
        answers.write("pace at once\n" + "1\n" * MAX_ANSWERS)
        answers.seek(0)
        with subprocess.Popen(
            words, env=env, cwd=home, stdin=answers, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as program:
            timer = Timer(TIMEOUT, program.kill)
            timer.start()
            lines: list[str] = []
            for line in program.stdout or ():
                lines.append(line)
                if line.startswith("The match is over."):
                    break
            program.kill()
            timer.cancel()
    if not lines or not lines[-1].startswith("The match is over."):
        raise BuildError(f"{words[0]} played no match to its end: {''.join(lines)[-800:]}")


_run = partial(run, timeout=TIMEOUT)


def _installations(folder: Path, target: Path) -> Iterator[tuple[Path, str, list[str | Path], str]]:
    """Install each artefact; yield its file, the installer, and the command and module path that run it."""
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    for name, package in (("pip", wheel), ("pip from source", sdist)):
        environment = target / name.replace(" ", "-")
        _run(sys.executable, "-m", "venv", environment)
        _run(environment / "bin/python", "-m", "pip", "install", "--quiet", package)
        yield package, name, [environment / "bin/boneyard"], ""
    for zipapp in folder.glob("*.pyz"):
        yield zipapp, "running it", [sys.executable, zipapp], ""
    for package in folder.glob("*.deb"):
        codename = DEBIANS.get(sys.version_info[:2])
        if codename and os.geteuid() == 0 and shutil.which("mmdebstrap"):
            root = target / "debian"
            _run("mmdebstrap", "--variant=minbase", "--include=python3", codename, root)
            shutil.copy(package, root)
            _run("chroot", root, "dpkg", "--install", f"/{package.name}")
            yield package, f"dpkg in Debian {codename}", ["chroot", root, "env", "HOME=/root", "boneyard"], ""
        else:
            _run("dpkg-deb", "--extract", package, target / "deb")
            command: list[str | Path] = [sys.executable, "-c", "from boneyard_dominoes import main; main()"]
            yield package, "unpacking", command, str(target / "deb/usr/lib/boneyard")
    if shutil.which("uv"):
        home = {
            "UV_CACHE_DIR": str(target / "uv"),
            "UV_TOOL_DIR": str(target / "tools"),
            "UV_TOOL_BIN_DIR": str(target / "uvbin"),
        }
        _run("uv", "tool", "install", "--quiet", wheel, env=home)
        yield wheel, "uv tool", [target / "uvbin/boneyard"], ""
        yield wheel, "uvx", ["uvx", "--offline", "--cache-dir", target / "uv", "--from", wheel, "boneyard"], ""
    if shutil.which("pipx"):
        home = {"PIPX_HOME": str(target / "pipx"), "PIPX_BIN_DIR": str(target / "pipxbin")}
        _run("pipx", "install", wheel, env=home)
        yield wheel, "pipx", [target / "pipxbin/boneyard"], ""


def played_artefacts(folder: Path) -> dict[str, str]:
    """Install every artefact that can be installed here and play with it; return the installers, by file.

    Raises BuildError.
    """
    played: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="boneyard-played-") as temporary:
        target = Path(temporary)
        for file, installer, command, path in _installations(folder, target):
            home = target / f"home-{len(played)}-{installer.replace(' ', '-')}"
            home.mkdir(exist_ok=True)
            play_match(command, home, path)
            played[file.name] = f"{played[file.name]}, {installer}" if file.name in played else installer
    return played
