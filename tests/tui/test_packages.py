"""Packages that only some commands need, and how each kind of installation adds them."""

import sys
import tomllib
from pathlib import Path

import pytest

from tests.tui.test_cli import refused
from tui.cli import packages

ROOT = Path(__file__).parents[2]
CLONE = f"{ROOT}/scripts/play"


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Return the environment in which this program pretends to be installed."""
    monkeypatch.setattr(packages, "is_clone", lambda: False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    return tmp_path


def lacking(monkeypatch, *modules):
    find = packages.find_spec
    monkeypatch.setattr(packages, "find_spec", lambda name: None if name in modules else find(name))


@pytest.mark.parametrize(("extra", "modules"), [("web", packages.WEB), ("cluster", packages.CLUSTER)])
def test_the_modules_of_an_extra_are_those_in_pyproject(extra, modules):
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]
    assert {line.partition(">")[0] for line in listed} == {*modules.values(), "cryptography"}


def test_in_a_clone_the_script_adds_missing_packages(monkeypatch):
    lacking(monkeypatch, "aiohttp", "asyncpg")
    refusal = refused("host", "--web", "0", code=1)
    assert refusal == (
        f"boneyard: Browsers need aiohttp, which is missing here. Add it with: {CLONE} host --web 8080\n"
    )
    assert refused("admin", "import", "postgresql://db", code=1).endswith(f"Add it with: {CLONE} admin import URL\n")


def test_an_installation_names_the_missing_packages_rather_than_its_own_extra(monkeypatch, installed):
    lacking(monkeypatch, "aiohttp", "resvg_py")
    refusal = refused("host", "--web", "0", code=1)
    assert refusal.endswith(f"Add it with: {sys.executable} -m pip install aiohttp resvg-py\n")


def test_an_environment_of_pipx_is_added_to_by_pipx(installed):
    (installed / "pipx_metadata.json").touch()
    assert packages.install_command(["aiohttp"], "") == f"pipx inject {installed.name} aiohttp"


def test_an_environment_without_pip_is_added_to_by_uv(monkeypatch, installed):
    lacking(monkeypatch, "pip")
    assert packages.install_command(["aiohttp"], "") == f"uv pip install --python {installed} aiohttp"


def test_an_environment_in_uvs_cache_is_made_anew_by_uvx(monkeypatch, installed):
    monkeypatch.setattr(sys, "prefix", str(installed / "archive-v0" / "x1"))
    assert packages.install_command(["aiohttp", "resvg-py"], "") == "uvx --with aiohttp --with resvg-py …"


def test_a_wheel_without_the_page_says_how_to_get_one(monkeypatch, installed):
    monkeypatch.setattr(packages, "_VENDOR", installed)
    refusal = refused("host", "--web", "0", code=1)
    assert "installed without the web page" in refusal
    assert "scripts/play" not in refusal


def test_a_clone_without_the_page_names_the_script_that_fetches_it(monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "_VENDOR", tmp_path)
    assert refused("host", "--web", "0", code=1).endswith(f"Fetch it with: {CLONE} host --web 8080\n")


def test_records_of_a_cluster_need_a_folder_and_a_database(monkeypatch):
    monkeypatch.delenv("BONEYARD_CLUSTER", raising=False)
    for arguments in ((), ("folder",), ("postgresql://db", "folder", "more")):
        assert "Give FOLDER, and the database as URL before it or in BONEYARD_CLUSTER." in refused(
            "admin", "records", *arguments
        )


def test_commands_for_records_of_a_cluster_name_the_missing_database_package(monkeypatch):
    monkeypatch.delenv("BONEYARD_CLUSTER", raising=False)
    lacking(monkeypatch, "asyncpg")
    assert "A cluster needs asyncpg" in refused("admin", "records", "postgresql://db", "folder", code=1)
    monkeypatch.setenv("BONEYARD_CLUSTER", "postgresql://db")
    assert "A cluster needs asyncpg" in refused("admin", "records", "folder", code=1)
    assert "A cluster needs asyncpg" in refused("admin", "import", code=1)
