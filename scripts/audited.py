"""Checks every version in the lock files against a database of vulnerabilities, with pip-audit; for ./scripts/audit.

Arguments go to pip-audit: `--service osv` asks another database, `--ignore-vuln ID` leaves an advisory out.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([\w.-]+)==([\w.!+-]+)", re.MULTILINE)
FOUND, UNASKED = 1, 3
PATIENCE = 600
"""Seconds for one request about all packages; about a hundred take a few seconds."""

Pin = tuple[str, str]


def pins(locks: Iterable[Path]) -> dict[Pin, list[str]]:
    """Every package with its version, and the locks that pin it, also those for another Python than this one."""
    found: dict[Pin, list[str]] = {}
    for lock in locks:
        for name, version in PINNED.findall(lock.read_text()):
            found.setdefault((name, version), []).append(lock.name)
    return found


def questions(wanted: Iterable[Pin]) -> Iterator[list[Pin]]:
    """Split them into lists without duplicates; some packages are pinned in two versions, for two Pythons."""
    rest = sorted(wanted)
    while rest:
        asked = dict(reversed(rest))
        yield sorted(asked.items())
        rest = [pin for pin in rest if pin not in asked.items()]


def ask(asked: list[Pin], words: list[str]) -> list[dict[str, Any]] | None:
    """What pip-audit says about each; None when it could not find out."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{name}=={version}\n" for name, version in asked))
        file.flush()
        command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off"]
        try:
            run = subprocess.run(
                [*command, "--format", "json", "-r", file.name, *words],
                capture_output=True,
                text=True,
                check=False,
                timeout=PATIENCE,
            )
            return list(json.loads(run.stdout)["dependencies"])
        except (subprocess.TimeoutExpired, ValueError, LookupError):
            return None


def main(words: list[str]) -> int:
    """Print what is known, and return the exit code."""
    wanted = pins(sorted(ROOT.glob("requirements*.lock")))
    found, unasked, answered = [], [], False
    for asked in questions(wanted):
        told = {entry["name"]: entry for entry in ask(asked, words) or ()}
        answered |= bool(told)
        for name, version in asked:
            entry = told.get(name, {})
            if "vulns" not in entry:
                unasked.append(f"{name} {version}")
            for vuln in entry.get("vulns", ()):
                fixed = ", ".join(vuln["fix_versions"]) or "no version yet"
                found.append(f"{name} {version}: {vuln['id']}, fixed in {fixed} ({', '.join(wanted[name, version])})")
    print(*found, sep="\n", end="\n" * bool(found))
    asked_about = len(wanted) - len(unasked)
    if not answered:
        print("boneyard: the database of vulnerabilities cannot be reached, so nothing was audited.", file=sys.stderr)
    elif unasked:
        some = ", ".join(unasked[:3]) + (" …" if len(unasked) > 3 else "")
        print(
            f"boneyard: {len(unasked)} of {len(wanted)} versions were not audited, as the database does not know "
            f"them: {some}.",
            file=sys.stderr,
        )
    if answered and not found and asked_about:
        print(f"No known vulnerability in {asked_about} pinned versions.")
    return FOUND if found else UNASKED if unasked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
