"""The installed package is complete and runs outside the clone: by each installer, with npm and without."""

import json
import os
import shutil
import signal
import site
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.games import GAMES
from tests.real.programs import ROOT, Programs, effect_of_enter, enter_lobby, is_restored
from tui.version import VERSION

VENDOR = ROOT / "net" / "web" / "vendor"
FETCHED = (VENDOR / ".pinned").exists()
"""True if this machine has the page: it had npm, and a network."""
PIP, PIPX, UV, UVX = "pip", "pipx", "uv tool", "uvx"
INDEX = {
    name: value
    for name, value in os.environ.items()
    if name.startswith(("PIP_", "UV_")) or name in {"SSL_CERT_FILE", "http_proxy", "https_proxy", "no_proxy"}
}
"""Settings of this machine for its package index and proxies."""


def without_npm(folder):
    """Return a PATH with everything except npm."""
    folder.mkdir()
    for place in ("/bin", "/usr/bin"):
        for program in os.scandir(place):
            if program.name not in {"npm", "npx"} and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program.path)
    return str(folder)


def run(*command, cwd, **env):
    """Run a program that must succeed; return all its output."""
    env = {"PATH": os.defpath, "HOME": str(cwd), **INDEX, **env}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def distribution(kind, source, target, **env):
    """Build an `sdist` or a `wheel` of a source tree; return the file and the output of the build."""
    output = run(
        *(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", target, source),
        **{"cwd": target, **env},
    )
    (built,) = target.glob("*.tar.gz" if kind == "sdist" else "*.whl")
    return built, output


def tree_of(sdist, folder):
    """Unpack a source distribution."""
    with tarfile.open(sdist) as packed:
        packed.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    return tree


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a folder with the files under version control, and the page."""
    clone = tmp_path_factory.mktemp("sources") / "clone"
    listed = run(
        "git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-co", "--exclude-standard", cwd=clone.parent
    )
    for name in filter(lambda name: (ROOT / name).is_file(), listed.splitlines()):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    return clone


@pytest.fixture(scope="module")
def sdist(clone, tmp_path_factory):
    if FETCHED:
        shutil.copytree(VENDOR, clone / "net" / "web" / "vendor", dirs_exist_ok=True)
    return distribution("sdist", clone, tmp_path_factory.mktemp("sdist"))[0]


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    """Return the wheel of the source distribution, built without npm."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = tree_of(sdist, folder / "tree")
    return distribution("wheel", tree, folder, PATH=without_npm(folder / "bin"))[0]


def test_a_wheel_built_from_the_source_distribution_needs_no_npm_and_has_the_page(wheel):
    with ZipFile(wheel) as packed:
        names = packed.namelist()
        metadata = packed.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    page = {name.rpartition("/")[2] for name in names if "/net/web/" in name}
    assert {"index.html", "main.js"} <= page
    if FETCHED:
        assert {"xterm.mjs", "xterm-LICENSE", "addon-webgl.mjs", "addon-webgl-LICENSE"} <= page
        assert "Private ::" not in metadata
    assert "boneyard_dominoes/tui/locale/de/LC_MESSAGES/boneyard.mo" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"boneyard_dominoes"}


@pytest.mark.parametrize("kind", ["sdist", "wheel"])
def test_a_distribution_without_the_page_says_so_and_cannot_be_published(clone, tmp_path, kind):
    source = tmp_path / "clone"
    shutil.copytree(clone, source, ignore=shutil.ignore_patterns("vendor"))
    built, output = distribution(kind, source, tmp_path, PATH=without_npm(tmp_path / "bin"))

    assert f"This {kind} has no page for browsers" in output
    assert "apt install npm" in output
    if kind == "sdist":
        metadata = (tree_of(built, tmp_path / "tree") / "PKG-INFO").read_text()
    else:
        with ZipFile(built) as packed:
            metadata = packed.read(next(name for name in packed.namelist() if name.endswith("/METADATA"))).decode()
    assert "Classifier: Private :: Do Not Upload" in metadata


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """Return an environment with the wheel installed, which borrows nothing except the dependencies."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    environment = elsewhere / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=elsewhere)
    python = environment / "bin" / "python"
    (packages,) = environment.glob("lib/python3*/site-packages")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=elsewhere)
    (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()))
    for place in (packages, elsewhere):  # a stranger's package of the same name, and a folder where it is started
        (place / "core").mkdir()
        (place / "core" / "__init__.py").write_text("raise ImportError('this is a stranger')")
    page = (ROOT / "docs" / "boneyard.1").read_text()
    assert (environment / "share" / "man" / "man1" / "boneyard.1").read_text() == page
    return environment


@pytest.fixture
async def program(environment):
    """Yield `boneyard` as it was installed."""
    elsewhere = environment.parent
    programs = Programs(elsewhere, [environment / "bin" / "boneyard"], cwd=elsewhere, PYTHONPATH="")
    yield programs
    await programs.close()


async def test_the_wheel_alone_is_the_whole_program(program, client):
    status, out, err = await program.run("games", "--json")
    assert (status, err) == (0, "")
    assert {"draw", "block"} <= {game["id"] for game in json.loads(out)["games"]}
    status, out, err = await program.run("rules", "draw")
    assert (status, err) == (0, "")
    assert "draw until" in out

    player = program.start("play", "draw", "--seed", "7", "--fast", "--theme", "light")
    await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    player.type("?")
    await player.wait_for("choose a tile; again")
    player.type("q")
    await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    player.type("qq")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)

    host = await program.start_host("--workers", "1")
    ann = client.start(host.port, key=client.key("ann")[0])
    await enter_lobby(ann)
    ann.type("qq")
    assert await ann.wait_for_exit() == 0
    await host.close_cleanly()


async def test_the_second_command_of_the_wheel_finds_the_package_in_its_workers(program):
    command = program.command[0]
    status, out, _ = await program.run(
        "sim", "draw", "--matches", "2", "--jobs", "2", command=[f"{command}-dominoes"]
    )
    assert status == 0, out


async def test_the_installed_engine_is_usable_by_other_programs(program):
    python = Path(program.command[0]).with_name("python")
    (package,) = python.parent.parent.glob("lib/python3*/site-packages/boneyard_dominoes")
    assert (package / "core" / "py.typed").exists()
    code = "import boneyard_dominoes; from core.games import GAMES; print(len(GAMES))"
    status, out, err = await program.run("-c", code, command=[python])
    assert (status, err) == (0, "")
    assert int(out) == len(GAMES)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return the home directory of a user whose package index is reachable."""
    home = tmp_path_factory.mktemp("home")
    try:
        run(sys.executable, "-m", "pip", "download", "--no-deps", "-d", home / "reached", "click", cwd=home)
    except AssertionError:
        pytest.skip("no package index can be reached")
    return home


def installed(installer, package, home):
    """Install a package as its user would; return the command that runs it."""
    if installer == PIP:
        run(sys.executable, "-m", "venv", home / "pip", cwd=home)
        run(home / "pip" / "bin" / "pip", "install", package, cwd=home)
        return [home / "pip" / "bin" / "boneyard"]
    program = shutil.which(installer.split()[0], path=f"{os.environ['PATH']}:{ROOT / '.venv' / 'bin'}")
    if program is None:
        pytest.skip(f"{installer} is not installed here")
    if installer == UVX:
        return [program, "--from", package, "boneyard"]
    words = ["tool", "install"] if installer == UV else ["install"]
    bin_ = home / installer.split()[0]
    run(program, *words, package, cwd=home, UV_TOOL_BIN_DIR=str(bin_), PIPX_BIN_DIR=str(bin_))
    return [bin_ / "boneyard"]


@pytest.mark.skipif(not os.environ.get("BONEYARD_LONG"), reason="each takes twenty seconds of CPU: ./scripts/long")
@pytest.mark.parametrize("installer", [PIP, PIPX, UV, UVX])
async def test_the_source_distribution_installs_by_each_installer(installer, sdist, home, tmp_path, client):
    command = installed(installer, f"{sdist}[web]" if installer == UVX else sdist, home)
    programs = Programs(tmp_path, command, cwd=tmp_path, **INDEX, UV_CACHE_DIR=str(home / ".cache" / "uv"))
    try:
        status, out, err = await programs.run("--version")
        assert (status, out) == (0, f"boneyard, version {VERSION}\n"), err
        player = programs.start("play", "draw", "--seed", "7", "--fast")
        await player.wait_for("your turn")
        player.type("qq")
        assert await player.wait_for_exit() == 0

        if installer != UVX:  # if browsers need more, the sentence that says so has the command that adds it
            status, out, err = await programs.run("host", "--web", "0")
            advice = err.partition("Add it with: ")[2].strip()
            assert (status, out) == (1, ""), err
            assert advice.endswith("aiohttp resvg-py")
            run("sh", "-c", advice, cwd=home, PATH=f"{os.environ['PATH']}:{ROOT / '.venv' / 'bin'}")
        host = await programs.start_host("--web", "127.0.0.1:0")
        ann = client.start(host.port, key=client.key("ann")[0])
        await enter_lobby(ann)
        ann.type("qq")
        assert await ann.wait_for_exit() == 0
        host.kill(signal.SIGTERM)
        assert await host.wait_for_exit() == 0, host.log
    finally:
        await programs.close()
