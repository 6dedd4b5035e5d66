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
EXIT_VULNERABLE, EXIT_UNKNOWN = 1, 3
TIMEOUT = 600
"""Seconds for a request about all packages; about a hundred take a few seconds."""

Pin = tuple[str, str]


def pins(locks: Iterable[Path]) -> dict[Pin, list[str]]:
    """Return every package with its version, and the locks that pin it, including those for another Python."""
    locks_by_pin: dict[Pin, list[str]] = {}
    for lock in locks:
        for name, version in PINNED.findall(lock.read_text()):
            locks_by_pin.setdefault((name, version), []).append(lock.name)
    return locks_by_pin


def split_pins(all_pins: Iterable[Pin]) -> Iterator[list[Pin]]:
    """Split pins into lists without duplicate names; some packages are pinned in two versions, for two Pythons."""
    remaining = sorted(all_pins)
    while remaining:
        pins_to_check = dict(reversed(remaining))
        yield sorted(pins_to_check.items())
        remaining = [pin for pin in remaining if pin not in pins_to_check.items()]


def ask(pins_to_check: list[Pin], words: list[str]) -> list[dict[str, Any]] | None:
    """Return pip-audit's answer about each pin; None if it failed."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(f"{name}=={version}\n" for name, version in pins_to_check))
        file.flush()
        command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--no-deps", "--progress-spinner", "off"]
        try:
            process = subprocess.run(
                [*command, "--format", "json", "-r", file.name, *words],
                capture_output=True,
                text=True,
                check=False,
                timeout=TIMEOUT,
            )
            return list(json.loads(process.stdout)["dependencies"])
        except (subprocess.TimeoutExpired, ValueError, LookupError):
            return None


def main(words: list[str]) -> int:
    """Print the known vulnerabilities, and return the exit code."""
    locks_by_pin = pins(sorted(ROOT.glob("requirements*.lock")))
    vulnerable, unknown, answered = [], [], False
    for pins_to_check in split_pins(locks_by_pin):
        answers = {entry["name"]: entry for entry in ask(pins_to_check, words) or ()}
        answered |= bool(answers)
        for name, version in pins_to_check:
            entry = answers.get(name, {})
            if "vulns" not in entry:
                unknown.append(f"{name} {version}")
            for vuln in entry.get("vulns", ()):
                fixed, locks = (
                    ", ".join(vuln["fix_versions"]) or "no version yet",
                    ", ".join(locks_by_pin[name, version]),
                )
                vulnerable.append(f"{name} {version}: {vuln['id']}, fixed in {fixed} ({locks})")
    print(*vulnerable, sep="\n", end="\n" * bool(vulnerable))
    asked_about = len(locks_by_pin) - len(unknown)
    if not answered:
        print("boneyard: the database of vulnerabilities cannot be reached, so nothing was audited.", file=sys.stderr)
    elif unknown:
        examples = ", ".join(unknown[:3]) + (" …" if len(unknown) > 3 else "")
        print(
            f"boneyard: {len(unknown)} of {len(locks_by_pin)} versions were not audited, as the database does not "
            f"know them: {examples}.",
            file=sys.stderr,
        )
    if answered and not vulnerable and asked_about:
        print(f"No known vulnerability in {asked_about} pinned versions.")
    return EXIT_VULNERABLE if vulnerable else EXIT_UNKNOWN if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
