"""Fetches with npm what the page in the browser is made of, into net/web/vendor, as package-lock.json pins it."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VENDOR = HERE.parent.parent / "net" / "web" / "vendor"
FILES = {  # in vendor: in npm's packages
    "xterm.mjs": "@xterm/xterm/lib/xterm.mjs",
    "xterm.css": "@xterm/xterm/css/xterm.css",
    "xterm-LICENSE": "@xterm/xterm/LICENSE",
    "addon-webgl.mjs": "@xterm/addon-webgl/lib/addon-webgl.mjs",
    "addon-webgl-LICENSE": "@xterm/addon-webgl/LICENSE",
}


class CannotFetch(Exception):
    """What keeps the files from being fetched, as a sentence for whoever started a script."""


def install(place: Path, *options: str) -> Path:
    """Install what is pinned below `place`, each package checked against its SHA-512; give the folder of all."""
    if not (npm := shutil.which("npm")):
        raise CannotFetch("the page in the browser needs npm once; install it (Debian, Ubuntu: apt install npm)")
    place.mkdir(exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copyfile(HERE / name, place / name)
    done = subprocess.run([npm, "ci", *options], cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        (place / "npm.log").write_text(done.stdout + done.stderr)
        why = "a package is not what is pinned" if "EINTEGRITY" in done.stderr else "check the network"
        raise CannotFetch(f"npm could not fetch the page in the browser: {why} and run this again")
    return place / "node_modules"


def fetch() -> None:
    """Fill `VENDOR`, if it does not have what the lock file pins now; raise CannotFetch if that is impossible."""
    pinned = (HERE / "package-lock.json").read_bytes()
    stamp = VENDOR / ".pinned"
    if stamp.exists() and stamp.read_bytes() == pinned:
        return
    with tempfile.TemporaryDirectory() as temporary:
        packages = install(Path(temporary), "--omit=dev")
        shutil.rmtree(VENDOR, ignore_errors=True)
        VENDOR.mkdir(parents=True)
        for name, source in FILES.items():
            shutil.copyfile(packages / source, VENDOR / name)
        stamp.write_bytes(pinned)


if __name__ == "__main__":
    try:
        if sys.argv[1:] == ["tools"]:
            install(HERE / "tools")
        else:
            fetch()
    except CannotFetch as missing:
        sys.exit(f"boneyard: {missing}.")
