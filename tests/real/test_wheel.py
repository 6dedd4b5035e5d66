"""The wheel: what a player installs has everything in it, and runs far from the clone."""

import json
import shutil
import site
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.games import GAMES
from tests.real.programs import ROOT, Programs, asked, comes_in, restored


def run(*command, cwd):
    env = {"PATH": "/usr/bin:/bin", "HOME": str(cwd)}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An environment with a wheel installed, which borrows nothing but the dependencies."""
    tmp_path = tmp_path_factory.mktemp("wheel")
    clone, elsewhere = tmp_path / "clone", tmp_path / "elsewhere"
    clone.mkdir()
    elsewhere.mkdir()
    for name in ("core", "net", "themes", "tui"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for folder in ("docs", "scripts"):
        (clone / folder).mkdir()
    for name in (
        *("pyproject.toml", "LICENSE", "README.md", "docs/boneyard.1"),
        *("scripts/wheel.py", "scripts/catalogues.py", "scripts/installed.py"),
    ):
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "scripts" / "page", clone / "scripts" / "page", ignore=shutil.ignore_patterns("tools"))
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, clone, cwd=elsewhere)
    (wheel,) = tmp_path.glob("boneyard_dominoes-*.whl")
    with ZipFile(wheel) as packed:
        names = {name.partition("/")[0] for name in packed.namelist()}
        page = {name.rpartition("/")[2] for name in packed.namelist() if "/net/web/" in name}
    assert {"index.html", "main.js"} <= page
    if (ROOT / "net" / "web" / "vendor" / ".pinned").exists():
        assert {"xterm.mjs", "xterm-LICENSE", "addon-webgl.mjs", "addon-webgl-LICENSE"} <= page
    assert {name.partition("-")[0] for name in names} == {"boneyard_dominoes"}

    home = elsewhere / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=elsewhere)
    python = home / "bin" / "python"
    (packages,) = home.glob("lib/python3*/site-packages")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=elsewhere)
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    shutil.rmtree(clone)
    for place in (packages, elsewhere):  # a stranger's package of the same name, and a folder where it is started
        (place / "core").mkdir()
        (place / "core" / "__init__.py").write_text("raise ImportError('this is a stranger')")
    assert (home / "share" / "man" / "man1" / "boneyard.1").read_text() == (ROOT / "docs" / "boneyard.1").read_text()
    return home


@pytest.fixture
async def installed(home):
    """`boneyard` as it was installed."""
    elsewhere = home.parent
    programs = Programs(elsewhere, [home / "bin" / "boneyard"], cwd=elsewhere, PYTHONPATH="")
    yield programs
    await programs.close()


async def test_the_wheel_alone_is_the_whole_program(installed, client):
    status, out, err = await installed.runs("games", "--json")
    assert (status, err) == (0, "")
    assert {"draw", "block"} <= {game["id"] for game in json.loads(out)["games"]}
    status, out, err = await installed.runs("rules", "draw")
    assert (status, err) == (0, "")
    assert "draw until" in out

    player = installed.plays("play", "draw", "--seed", "7", "--fast", "--theme", "light")
    await player.sees(lambda now: asked(now.rows) == "play")
    player.types("?")
    await player.sees("choose a tile; again")
    player.types("q")
    await player.sees(lambda now: asked(now.rows) == "play")
    player.types("qq")
    assert await player.leaves() == 0
    assert restored(player)

    house = await installed.hosts("--workers", "1")
    ann = client.plays(house.port, key=client.key("ann")[0])
    await comes_in(ann)
    ann.types("qq")
    assert await ann.leaves() == 0
    await house.closes()


async def test_the_wheel_has_both_commands_and_finds_itself_in_every_process(installed):
    command = installed.command[0]
    status, out, _ = await installed.runs(
        "sim", "draw", "--matches", "2", "--jobs", "2", command=[f"{command}-dominoes"]
    )
    assert status == 0, out


async def test_what_is_installed_gives_the_engine_to_other_programs(installed):
    python = Path(installed.command[0]).with_name("python")
    code = "import boneyard_dominoes; from core.games import GAMES; print(len(GAMES))"
    status, out, err = await installed.runs("-c", code, command=[python])
    assert (status, err) == (0, "")
    assert int(out) == len(GAMES)
