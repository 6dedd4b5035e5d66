"""Hostile input at the port, before and after login: the players are unaffected."""

import asyncio
from contextlib import suppress

import asyncssh
import pytest
from asyncssh.packet import Byte, MPInt, String

from net.wire.messages import MakeTable
from scripts.people import Person
from tests.fuzz.door import fuzz, playing, saying, wait_for_actions
from tests.ptys import TIMEOUT

RSA_OF_1 = b"ssh-rsa", String(b"ssh-rsa") + MPInt(1) + MPInt(2**2047 + 1)
RSA_MODULO_0 = b"ssh-rsa", String(b"ssh-rsa") + MPInt(65537) + MPInt(0)
_CURVE = b"ecdsa-sha2-nistp256"
OFF_THE_CURVE = _CURVE, String(_CURVE) + String(b"nistp256") + String(b"\x04" + b"\x01" * 64)
KEYS = (RSA_OF_1, RSA_MODULO_0, OFF_THE_CURVE)


async def send_invalid_version(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"SSH-2.0-\xff\r\n")
    async with asyncio.timeout(TIMEOUT):
        await reader.read()
    writer.close()


async def offer_key(port, algorithm, blob):
    def replace_request(kind, body):
        offered = String(b"ann") + String(b"ssh-connection") + String(b"publickey") + Byte(0)
        return [(kind, offered + String(algorithm) + String(blob) if kind == 50 else body)]

    with suppress(asyncssh.Error, OSError):
        async with asyncio.timeout(TIMEOUT), saying(port, replace_request):
            pass


async def send_crashing_bytes(port):
    """Send the bytes that once crashed a host."""
    for _ in range(2):
        await send_invalid_version(port)
        for key in KEYS:
            await offer_key(port, *key)


def two_players(ports, folder):
    ada = Person("ada", ports, folder, table_request=MakeTable("draw", 2, {}), think_seconds=0.03)
    return [ada, Person("bela", ports[::-1], folder, opener="ada", think_seconds=0.03)]


@pytest.mark.parametrize("words", [(), ("--workers", "2")], ids=["one process", "workers"])
async def test_non_ssh_bytes_and_invalid_keys_are_logged_once_and_end_nothing(programs, tmp_path, words):
    host = await programs.start_host(*words)
    people = two_players([host.port], tmp_path)
    async with playing(people):
        await wait_for_actions(people)
        await send_crashing_bytes(host.port)
        await wait_for_actions(people)
        assert [person.outages for person in people] == [[], []]
    await host.close_cleanly()
    lines = [line for line in host.log.splitlines() if " connection-broken " in line]
    assert 1 <= len(lines) <= max(1, len(words))  # each worker has its own count of the address
    assert "address=127.0.0.1" in lines[0]
    assert "error=" in lines[0]


@pytest.mark.parametrize("words", [(), ("--workers", "2")], ids=["one process", "workers"])
async def test_a_port_that_is_fuzzed_harms_neither_the_host_nor_its_players(words):
    print(await fuzz(80, 1, *words))


async def test_fuzzing_the_port_of_browsers_leaves_host_and_players_unharmed():
    print(await fuzz(300, 1, web=True))
