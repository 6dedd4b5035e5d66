"""Makes a release: checks the tree, builds every artefact, and moves them into dist/ together."""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.artefacts import (
    BuildError,
    checksums,
    debian_package,
    distributions,
    filled_templates,
    install_site,
    sbom,
    sha256_of,
    zipapp,
)
from scripts.played import played_artefacts
from scripts.words import counts_of, untranslated_texts
from tui.version import VERSION

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class RefusedError(Exception):
    """The release cannot be made; the message is a sentence."""


def git(*words: str) -> str:
    """Return what a git command prints in this repository."""
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def numbers_of(version: str) -> tuple[int, ...]:
    """Return the three numbers of a version. Raises RefusedError for other text."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise RefusedError(f"{version} is no version: it has three numbers, like 1.0.0.")
    return tuple(map(int, match.groups()))


def notes_of(version: str, changelog: str) -> str:
    """Return the section of a version in the changelog. Raises RefusedError if it is missing or empty."""
    match = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if match is None or not match[1].strip():
        raise RefusedError(f"CHANGELOG.md has no section {version}; write what players and operators notice.")
    return match[1].strip() + "\n"


def check_release(version: str, *, dry_run: bool) -> str:
    """Return the notes of a release that can be made now. Raises RefusedError, with the reason, for any other."""
    wanted_numbers = numbers_of(version)
    if git("status", "--porcelain"):
        raise RefusedError("The tree has changes that are not committed; commit or remove them.")
    tag = f"v{version}"
    tags = git("tag", "--list", "v*").split()
    if tag in tags:
        raise RefusedError(f"The tag {tag} exists already; choose the next version.")
    released = [numbers_of(other[1:]) for other in tags if _VERSION.fullmatch(other[1:])]
    if released and wanted_numbers <= max(released):
        latest = ".".join(map(str, max(released)))
        raise RefusedError(f"{version} is not above {latest}, which is released.")
    if wanted_numbers < numbers_of(VERSION):
        raise RefusedError(f"{version} is below {VERSION} of tui/version.py; a version never goes back.")
    if version != VERSION and not dry_run:
        raise RefusedError(f"tui/version.py says {VERSION}; set it to {version} and commit that first.")
    if missing := untranslated_texts():
        raise RefusedError(f"Texts are not translated: {counts_of(missing)}; ./scripts/words lists them.")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    return notes_of(VERSION if dry_run else version, changelog)


def make_release(version: str, notes: str, folder: Path) -> None:
    """Build all artefacts of the current commit into a folder. Raises BuildError."""
    epoch = git("show", "--no-patch", "--format=%ct", "HEAD")
    wheel, sdist = distributions(ROOT, folder, epoch)
    with tempfile.TemporaryDirectory(prefix="boneyard-site-") as temporary:
        site = install_site(ROOT, wheel, Path(temporary) / "site", epoch)
        zipapp(site, folder, epoch)
        debian_package(ROOT, site, folder, epoch, version)
    sbom(ROOT, folder, epoch)
    filled_templates(ROOT, folder, version, sha256_of(sdist))
    (folder / "NOTES.md").write_text(f"# Boneyard {version}\n\n{notes}", encoding="utf-8")
    checksums(folder)


def replace_dist(folder: Path) -> None:
    """Replace dist/ by a folder. The former dist/ is untouched until the folder is on the same file system."""
    new = ROOT / "build" / "dist"
    shutil.rmtree(new, ignore_errors=True)
    new.parent.mkdir(exist_ok=True)
    shutil.move(folder, new)
    shutil.rmtree(DIST, ignore_errors=True)
    new.rename(DIST)


def set_tag(version: str) -> str:
    """Set the tag of a version, signed if git has a key for it; return a remark if it is not signed."""
    is_signed = bool(git("config", "--default", "", "--get", "user.signingkey"))
    git("tag", "--sign" if is_signed else "--annotate", f"v{version}", "--message", f"Boneyard {version}")
    return "" if is_signed else ", but not signed: git has no user.signingkey"


def main() -> int:
    """Make the release that the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(prog="./scripts/release", description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="three numbers, like 1.0.0")
    parser.add_argument("--dry-run", action="store_true", help="do everything but set the tag")
    parser.add_argument("--no-play", action="store_true", help="do not install the artefacts and play with them")
    arguments = parser.parse_args()
    begun = time.monotonic()
    try:
        notes = check_release(arguments.version, dry_run=arguments.dry_run)
        with tempfile.TemporaryDirectory(prefix="boneyard-release-") as temporary:
            folder = Path(temporary) / "dist"
            folder.mkdir()
            make_release(arguments.version if not arguments.dry_run else VERSION, notes, folder)
            played = {} if arguments.no_play else played_artefacts(folder)
            replace_dist(folder)
    except (RefusedError, BuildError) as error:
        print(f"boneyard: {error}", file=sys.stderr)
        return 1
    for file in sorted(DIST.rglob("*")):
        if file.is_file():
            name = file.relative_to(DIST)
            remark = f"  installed and played by {played[file.name]}" if file.name in played else ""
            print(f"{file.stat().st_size / 1024:9,.0f} KiB  {name}{remark}")
    if not arguments.dry_run:
        print(f"The tag v{arguments.version} is set{set_tag(arguments.version)}; push it to publish.")
    print(f"Done in {time.monotonic() - begun:.0f} seconds.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
