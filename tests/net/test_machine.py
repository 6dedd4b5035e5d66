"""The checks of a machine on which a server is to run."""

import asyncio
import socket

import pytest

from net.hosting import machine
from net.hosting.machine import BROKEN, OK, POOR, check_machine
from net.options import WebOptions
from tests.net.web_room import web_room


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def checks_by_name(folder, port=0, **web):
    """Return the checks by name."""
    checks = check_machine(folder, port, WebOptions("", 0, **web))
    return {check.name: check for check in checks}


def test_a_port_in_use_is_poor_since_a_server_may_run_already(tmp_path):
    with socket.socket() as server:
        server.bind(("", 0))
        server.listen()
        port = server.getsockname()[1]
        check = checks_by_name(tmp_path, port)["port for SSH"]
        assert (check.state, check.result) == (POOR, f"{port} is in use")
    assert checks_by_name(tmp_path, free_port())["port for SSH"].state == OK


@pytest.mark.parametrize(("free", "state"), [(2**40, OK), (500 * 2**20, POOR), (2**20, BROKEN)])
def test_a_nearly_full_disk_is_poor_and_a_full_one_is_broken(tmp_path, free, state, monkeypatch):
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _folder: Usage(free))
    assert checks_by_name(tmp_path / "data" / "not yet")["disk"].state == state


class Usage:
    """The usage of a disk."""

    def __init__(self, free):
        self.free = free


@pytest.mark.parametrize(("soft_limit", "state"), [(256, POOR), (4096, OK), (machine.resource.RLIM_INFINITY, OK)])
def test_a_low_limit_of_open_files_is_poor(tmp_path, soft_limit, state, monkeypatch):
    monkeypatch.setattr(machine.resource, "getrlimit", lambda _kind: (soft_limit, soft_limit))
    assert checks_by_name(tmp_path)["open files"].state == state


def test_a_clock_before_this_version_is_broken(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.time, "time", lambda: 86_400.0)
    assert checks_by_name(tmp_path)["clock"].state == BROKEN


def test_a_machine_without_a_network_address_is_poor(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "own_addresses", list)
    assert checks_by_name(tmp_path)["addresses"].state == POOR


def test_a_certificate_that_cannot_be_read_is_broken(tmp_path):
    check = checks_by_name(tmp_path, cert=str(tmp_path / "none.pem"), key=str(tmp_path / "none.key"))["certificate"]
    assert check.state == BROKEN
    assert "none.pem" in check.result


@pytest.mark.parametrize(
    ("url", "words"),
    [("ftp://example.org", "ftp"), ("http://127.0.0.1:1", "does not answer")],
)
def test_a_public_url_that_is_invalid_or_does_not_answer_is_broken(tmp_path, url, words):
    check = checks_by_name(tmp_path, url=url)["public page"]
    assert (check.state, words in check.result) == (BROKEN, True)


async def test_a_public_page_whose_websocket_opens_is_ok(tmp_path):
    async with web_room(tmp_path) as (_, url, _):
        check = (await asyncio.to_thread(checks_by_name, tmp_path, url=url))["public page"]
        assert (check.state, check.result) == (OK, url)


async def test_a_proxy_that_passes_no_websockets_on_is_broken(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "_upgrade_status", lambda _url: 400)
    async with web_room(tmp_path) as (_, url, _):
        check = (await asyncio.to_thread(checks_by_name, tmp_path, url=url))["public page"]
        assert (check.state, "WebSockets" in check.result) == (BROKEN, True)
