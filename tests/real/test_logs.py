"""The log of a real host."""

import asyncssh
import pytest

from tests.real.programs import TIMEOUT

KEY = asyncssh.generate_private_key("ssh-ed25519")


async def visit(host, user, name):
    """Visit as a guest and leave when the screen is there."""
    options = {"known_hosts": None, "client_keys": [KEY], "config": None, "agent_path": None}
    async with asyncssh.connect("127.0.0.1", host.port, username=user, **options) as connection:
        process = await connection.create_process(term_type="xterm-256color", encoding=None)
        await process.stdout.readuntil(name)
        process.stdin.write(b"\x11")
        await process.wait(timeout=TIMEOUT)


async def test_a_log_file_has_structured_lines_and_may_be_rotated(programs, tmp_path):
    log = tmp_path / "boneyard.log"
    host = await programs.start_host("--log-file", log)
    await visit(host, 'ann" ERROR net forged', b"play under?")
    first = log.read_text()
    log.rename(tmp_path / "boneyard.log.1")
    await visit(host, "ben", b"play under?")
    await host.close_cleanly()

    who = f"key={KEY.get_fingerprint()} address=127.0.0.1\n"
    assert f'session-opened kind=terminal user="ann\\" ERROR net forged" {who}' in first
    assert "session-closed kind=terminal" in first
    assert f"session-opened kind=terminal user=ben {who}" in log.read_text()
    assert host.log == ""


@pytest.mark.parametrize("workers", [(), ("--workers", "1")], ids=["alone", "with a worker"])
async def test_the_log_names_a_guest_as_the_table_does(programs, client, tmp_path, workers):
    log = tmp_path / "boneyard.log"
    host = await programs.start_host("--log-file", log, *workers)
    path, fingerprint = client.key("ann")
    ann = client.start(host.port, key=path)
    await ann.wait_for("What name will you play under?")
    ann.type("\x15Nan the Brave\r")
    await ann.wait_for("in the lobby")
    ann.type("qq")
    assert await ann.wait_for_exit() == 0
    await host.close_cleanly()
    assert f'guest-entered name="Nan the Brave" key={fingerprint} address=127.0.0.1\n' in log.read_text()
