"""Builds the artefacts of a release; each is the same, byte for byte, whenever it is built from one commit."""

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path

NAME = "boneyard-dominoes"
PACKAGE = "boneyard"
"""Name of the Debian package, and of its user."""
MAINTAINER = "The Boneyard developers <boneyard@localhost>"


class BuildError(Exception):
    """An artefact cannot be built, installed or played; the message is a sentence."""


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run(
    *command: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> str:
    """Run a command without the modules of this clone on its path; return its output. `timeout` is in seconds.

    Raises BuildError with the end of the output if the command fails.
    """
    process = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": "", **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    if process.returncode:
        raise BuildError(f"{Path(str(command[0])).name} failed:\n{process.stdout[-2000:]}")
    return process.stdout


def distributions(root: Path, folder: Path, epoch: str) -> tuple[Path, Path]:
    """Build the wheel and the source distribution twice, in two clones; return both if the two are the same.

    Raises BuildError if they differ, or lack the page for browsers.
    """
    builds = []
    for name in ("first", "second, under another name"):
        with tempfile.TemporaryDirectory(prefix="boneyard-build-") as temporary:
            clone = Path(temporary) / name
            run("git", "clone", "--quiet", "--no-hardlinks", root, clone)
            vendor = Path("net/web/vendor")
            shutil.copytree(root / vendor, clone / vendor)
            output = Path(temporary) / "output"
            run(
                *(sys.executable, "-m", "build", "--no-isolation", "--outdir", output, "."),
                cwd=clone,
                env={"SOURCE_DATE_EPOCH": epoch},
            )
            builds.append({file.name: file.read_bytes() for file in output.iterdir()})
    first_build, second_build = builds
    if first_build != second_build:
        names = ", ".join(name for name in first_build if first_build[name] != second_build.get(name))
        raise BuildError(f"Two builds of one commit differ: {names}.")
    for name, content in first_build.items():
        (folder / name).write_bytes(content)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def install_site(root: Path, wheel: Path, site: Path, epoch: str) -> Path:
    """Install the wheel and the pinned packages, those for browsers too, into a folder.

    Byte code and traces of the build are removed.
    """
    env = {"SOURCE_DATE_EPOCH": epoch, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-warn-script-location", "--target")
    run(*pip, site, "--require-hashes", "-r", root / "requirements-web.lock", env=env)
    run(*pip, site, "--no-deps", wheel, env=env)
    shutil.rmtree(site / "bin", ignore_errors=True)
    for trace in [*site.rglob("direct_url.json"), *site.rglob("REQUESTED"), *site.rglob("__pycache__")]:
        shutil.rmtree(trace) if trace.is_dir() else trace.unlink()
    for record in site.glob("*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        kept_lines = [line for line in lines if "direct_url.json" not in line and "/bin/" not in line]
        record.write_text("".join(kept_lines), encoding="utf-8")
    return site


def zipapp(site: Path, folder: Path, epoch: str) -> Path:
    """Build a program in one file from a folder of `install_site`, for this platform and version of Python."""
    platform = sysconfig.get_platform().replace("-", "_")
    target = folder / f"boneyard-cp{sys.version_info.major}{sys.version_info.minor}-{platform}.pyz"
    shiv = Path(sys.executable).with_name("shiv")
    run(shiv, "--reproducible", "--site-packages", site, "-c", "boneyard", "-p", "/usr/bin/env python3",
        "-o", target, env={"SOURCE_DATE_EPOCH": epoch})  # fmt: skip
    return target


LAUNCHER = """#!/usr/bin/python3
import sys

sys.path.insert(0, "/usr/lib/boneyard")
from boneyard_dominoes import main

main()
"""
CONTROL = """Package: boneyard
Version: {version}
Section: misc
Priority: optional
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: python3 (>= {python}), python3 (<< {next_python}), libc6, passwd
Description: every domino game people play, in the terminal
 Boneyard plays 29 domino games alone against bots, with friends on the
 local network, with anybody who can type ssh, or by a link in a browser.
"""
POSTINST = """#!/bin/sh
set -e
if [ "$1" = configure ]; then
    getent passwd boneyard >/dev/null || useradd --system --user-group --no-create-home \\
        --home-dir /var/lib/boneyard --shell /usr/sbin/nologin boneyard
    # The users who run it may not write here, so without this every start would compile it.
    python3 -m compileall -q /usr/lib/boneyard
fi
exit 0
"""
PRERM = """#!/bin/sh
set -e
find /usr/lib/boneyard -name __pycache__ -type d -prune -exec rm -r {} +
exit 0
"""
OVERRIDES = """# The compiled modules are those of the wheels that requirements-web.lock names, unchanged.
boneyard: unstripped-binary-or-object *
boneyard: embedded-library *
# The project has no mail address yet.
boneyard: bogus-mail-host *
boneyard: bogus-mail-host-in-debian-changelog *
"""
SYSUSERS = 'u boneyard - "Boneyard server" /var/lib/boneyard\n'
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: boneyard

Files: *
Copyright: The Boneyard developers
License: Expat

License: Expat
"""


def debian_package(root: Path, site: Path, folder: Path, epoch: str, version: str) -> Path:
    """Build a Debian package from a folder of `install_site`, with a systemd unit and its user, manual page and
    completion.

    It needs no network to install, and the Python of this version. Raises BuildError without Debian's tools.
    """
    if shutil.which("dpkg-deb") is None:
        raise BuildError("dpkg-deb is missing; the Debian package is built on Debian or Ubuntu.")
    architecture = run("dpkg", "--print-architecture").strip()
    with tempfile.TemporaryDirectory(prefix="boneyard-deb-") as temporary:
        tree = Path(temporary) / "tree"
        shutil.copytree(site, tree / "usr/lib/boneyard")
        shutil.rmtree(tree / "usr/lib/boneyard/share", ignore_errors=True)
        unit = (root / "docs/boneyard.service").read_text(encoding="utf-8")
        completion = run(sys.executable, "-m", "tui", "completion", "bash", cwd=root, env={"LC_ALL": "C.UTF-8"})
        licence = "".join(f" {line}".rstrip() + "\n" if line.strip() else " .\n" for line in _licence_lines(root))
        _write(tree / "usr/bin/boneyard", LAUNCHER, 0o755)
        _write(tree / "usr/lib/systemd/system/boneyard.service", unit.replace("/opt/boneyard/bin/", "/usr/bin/"))
        _write(tree / "usr/lib/sysusers.d/boneyard.conf", SYSUSERS)
        _write(tree / "usr/share/bash-completion/completions/boneyard", completion)
        _write(tree / "usr/share/lintian/overrides/boneyard", OVERRIDES)
        _write(tree / "usr/share/doc/boneyard/copyright", COPYRIGHT + licence)
        _pack(tree / "usr/share/man/man1/boneyard.1.gz", (root / "docs/boneyard.1").read_bytes())
        changes = f"boneyard ({version}) stable; urgency=medium\n\n  * See the release notes.\n\n -- {MAINTAINER}  "
        date = run("date", "-R", "-u", "-d", f"@{epoch}").strip()
        _pack(tree / "usr/share/doc/boneyard/changelog.gz", f"{changes}{date}\n".encode())
        size = sum(file.stat().st_size for file in tree.rglob("*") if file.is_file()) // 1024
        major, minor = sys.version_info[:2]
        control = CONTROL.format(
            version=version,
            architecture=architecture,
            maintainer=MAINTAINER,
            size=size,
            python=f"{major}.{minor}",
            next_python=f"{major}.{minor + 1}",
        )
        _write(tree / "DEBIAN/control", control)
        _write(tree / "DEBIAN/postinst", POSTINST, 0o755)
        _write(tree / "DEBIAN/prerm", PRERM, 0o755)
        sums = sorted(file for file in (tree / "usr").rglob("*") if file.is_file())
        lines = [f"{hashlib.md5(file.read_bytes()).hexdigest()}  {file.relative_to(tree)}\n" for file in sums]
        _write(tree / "DEBIAN/md5sums", "".join(lines))
        for path in [tree, *tree.rglob("*")]:
            if not path.is_symlink():
                runs = os.access(path, os.X_OK) and ".so" not in path.suffixes
                path.chmod(0o755 if path.is_dir() or runs else 0o644)
            os.utime(path, (int(epoch), int(epoch)), follow_symlinks=False)
        target = folder / f"boneyard_{version}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, target, env={"SOURCE_DATE_EPOCH": epoch})
    return target


def _licence_lines(root: Path) -> list[str]:
    return (root / "LICENSE").read_text(encoding="utf-8").splitlines()


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _pack(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def sbom(root: Path, folder: Path, epoch: str) -> Path:
    """Write the pinned packages as a bill of materials in CycloneDX's format, checked against its schema."""
    target = folder / "sbom.cdx.json"
    tool = Path(sys.executable).with_name("cyclonedx-py")
    lock = root / "requirements-web.lock"
    run(tool, "requirements", "--validate", "--output-reproducible", "--of", "JSON", "-o", target, lock,
        env={"SOURCE_DATE_EPOCH": epoch})  # fmt: skip
    bill = json.loads(target.read_text(encoding="utf-8"))
    if not bill.get("components"):
        raise BuildError(f"The bill of materials is empty; {lock.name} was not understood.")
    return target


def filled_templates(root: Path, folder: Path, version: str, digest: str) -> None:
    """Write the recipes of other packagers, with the version and the SHA-256 of the source distribution."""
    target = folder / "packaging"
    target.mkdir()
    for template in sorted((root / "docs/packaging").iterdir()):
        text = template.read_text(encoding="utf-8")
        (target / template.name).write_text(
            text.replace("@VERSION@", version).replace("@SHA256@", digest), encoding="utf-8"
        )


def checksums(folder: Path) -> None:
    """Write the SHA-256 of every file, in the format of `sha256sum`."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lines = [f"{sha256_of(file)}  {file.relative_to(folder)}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
