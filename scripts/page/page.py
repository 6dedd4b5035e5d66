"""Fetches the parts of the browser's page with npm into net/web/vendor, as package-lock.json pins them.

`page.py check` fetches the checkers of the page's modules, and runs them; `page.py tools` only fetches them, with the
player of the site; `page.py lock` pins the packages of package.json.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
VENDOR = ROOT / "net" / "web" / "vendor"
TOOLS = HERE / "tools"
ASKED, PINNED, STAMP = "package.json", "package-lock.json", ".pinned"
FILES = {  # in vendor: in npm's packages
    "xterm.mjs": "@xterm/xterm/lib/xterm.mjs",
    "xterm.css": "@xterm/xterm/css/xterm.css",
    "xterm-LICENSE": "@xterm/xterm/LICENSE",
    "addon-image.mjs": "@xterm/addon-image/lib/addon-image.mjs",
    "addon-image-LICENSE": "@xterm/addon-image/LICENSE",
    "addon-webgl.mjs": "@xterm/addon-webgl/lib/addon-webgl.mjs",
    "addon-webgl-LICENSE": "@xterm/addon-webgl/LICENSE",
}


class FetchError(Exception):
    """The files could not be fetched; the message is a sentence for the user of a script."""


def npm(*words: str, cwd: Path) -> None:
    """Run npm in the folder `cwd`. Raises FetchError if npm is missing or fails."""
    if not (program := shutil.which("npm")):
        raise FetchError("the page in the browser needs npm once; install it (Debian, Ubuntu: apt install npm)")
    done = subprocess.run([program, *words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        (log := HERE / "npm.log").write_text(done.stdout + done.stderr)
        why = "a package is not what is pinned" if "EINTEGRITY" in done.stderr else "check the network"
        raise FetchError(f"npm could not fetch the page in the browser; {why}, and run this again (details: {log})")


def install(folder: Path, *options: str) -> Path:
    """Install the pinned packages in `folder`, each checked against its SHA-512; return their folder."""
    for name in (ASKED, PINNED, ".npmrc"):
        shutil.copyfile(HERE / name, folder / name)
    npm("ci", *options, cwd=folder)
    return folder / "node_modules"


def is_current(folder: Path) -> bool:
    """Return True if a folder has the pinned packages."""
    stamp = folder / STAMP
    return stamp.exists() and stamp.read_bytes() == (HERE / PINNED).read_bytes()


def fetch() -> None:
    """Fill `VENDOR`, unless it is up to date. Raises FetchError; then the old files stay."""
    if is_current(VENDOR):
        return
    with tempfile.TemporaryDirectory() as temporary:
        packages = install(Path(temporary), "--omit=dev")
        shutil.rmtree(VENDOR, ignore_errors=True)
        VENDOR.mkdir()
        for name, source in FILES.items():
            shutil.copyfile(packages / source, VENDOR / name)
        shutil.copyfile(HERE / PINNED, VENDOR / STAMP)


def fetch_tools() -> None:
    """Fill `TOOLS` with all packages, unless it is up to date. Raises FetchError."""
    if not is_current(TOOLS):
        shutil.rmtree(TOOLS, ignore_errors=True)
        TOOLS.mkdir()
        install(TOOLS)
        shutil.copyfile(HERE / PINNED, TOOLS / STAMP)


def check() -> int:
    """Check the types and the style of the page's modules; return an exit code."""
    try:
        fetch_tools()
    except FetchError as missing:
        print(f"boneyard: {missing}. Until then, nothing checks the page's own modules.", file=sys.stderr)
        return 0
    programs = TOOLS / "node_modules" / ".bin"
    types = [programs / "tsc", "--project", HERE / "tsconfig.json"]
    habits = [programs / "eslint", "--config", HERE / "eslint.config.mjs", "net/web/page"]
    return max(subprocess.run(command, cwd=ROOT, check=False).returncode for command in (types, habits))


def lock() -> None:
    """Pin the packages of package.json; pinned versions that still fit stay."""
    npm("install", "--package-lock-only", cwd=HERE)
    pinned = json.loads((HERE / PINNED).read_text())
    for package in pinned["packages"].values():
        package.pop("funding", None)
    (HERE / PINNED).write_text(json.dumps(pinned, indent=2) + "\n")


def main(words: list[str]) -> int:
    """Run the mode that the scripts ask for."""
    try:
        if words == ["check"]:
            return check()
        {"lock": lock, "tools": fetch_tools}.get(words[0] if words else "", fetch)()
    except FetchError as missing:
        print(f"boneyard: {missing}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
