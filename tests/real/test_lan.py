"""Friends on one network without a router to the internet, or with a VPN in its place: two machines and a cable.

Each machine is a network namespace.
"""

import asyncio
import subprocess
from contextlib import contextmanager

import pytest

from tests.ptys import TIMEOUT
from tests.real.network import NoNamespaces, ip
from tests.real.programs import enter_lobby
from tests.waiting import until

HOST, FRIEND = "192.168.77.1", "192.168.77.2"
VPN = "10.8.0.6"
_VPN = """
import fcntl, struct, sys
tun = open("/dev/net/tun", "r+b", buffering=0)
fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH22x", b"vpn0", 0x1001))  # TUNSETIFF: IFF_TUN | IFF_NO_PI
print(flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cable():
    """Yield two machines joined by a cable: the namespaces of the host and the friend, without addresses."""
    try:
        with _namespaces("boneyard-host", "boneyard-friend") as names:
            host, friend = names
            ip("link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", friend, inside=host)
            for name in names:
                ip("link", "set", "lo", "up", inside=name)
                ip("link", "set", "eth0", "up", inside=name)
            yield names
    except NoNamespaces as error:
        pytest.skip(f"no network namespaces here: {error}")


@contextmanager
def _namespaces(*names):
    made = []
    try:
        for name in names:
            ip("netns", "add", name)
            made.append(name)
        yield names
    finally:
        for name in made:
            ip("netns", "del", name)


@contextmanager
def vpn(machine):
    """Yield a VPN that is the default route of a machine, kept open by a program."""
    inside = ["ip", "netns", "exec", machine]
    with subprocess.Popen(
        [*inside, "python3", "-c", _VPN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as client:
        if client.stdout.readline() != b"\n":
            raise NoNamespaces(f"no tun device: {client.stderr.read().decode().splitlines()[-1]}")
        ip("addr", "add", f"{VPN}/24", "dev", "vpn0", inside=machine)
        ip("link", "set", "vpn0", "up", inside=machine)
        ip("route", "add", "default", "dev", "vpn0", inside=machine)
        yield
        client.stdin.close()


def address(machine, text):
    ip("addr", "add", f"{text}/24", "dev", "eth0", inside=machine)


class Table:
    """A host in one namespace and its friend in the other."""

    def __init__(self, programs, cable):
        self._programs, (self._host, self._friend) = programs, cable
        self._command = programs.command

    def _inside(self, machine):
        return ["ip", "netns", "exec", machine, *self._command]

    async def start_host(self):
        self._programs.command = self._inside(self._host)
        host = await self._programs.start_host("--bind", "", "--announce", "--name", "Annabel")
        self._programs.command = self._inside(self._friend)
        return host

    async def expect_listing(self, host, where):
        """Check that `boneyard join` on the friend's machine lists a reachable address of the host."""

        async def listed():
            _status, out, err = await self._programs.run("join")
            assert not err
            return f"Annabel\tboneyard join {where}:{host.port}\n" in out

        await until(listed)

    async def join_from_list(self):
        friend = self._programs.start("join", command=self._inside(self._friend))
        await friend.wait_for("Annabel")
        friend.type("\r")
        await enter_lobby(friend, "Ben")


@pytest.fixture
def table(programs, cable):
    return Table(programs, cable)


def printed(host):
    """Return the addresses that a host prints for ssh."""
    return [line.split()[-1] for line in host.said.splitlines() if line.strip().startswith("ssh -p")]


async def test_a_friend_joins_from_the_list_past_a_vpn_that_is_the_default_route(table, cable):
    address(cable[0], HOST)
    address(cable[1], FRIEND)
    with vpn(cable[0]):
        host = await table.start_host()

        assert printed(host) == [HOST, VPN]
        await table.expect_listing(host, HOST)
        await table.join_from_list()


async def test_a_friend_joins_from_the_list_where_no_route_leads_out(table, cable):
    address(cable[0], HOST)
    address(cable[1], FRIEND)
    host = await table.start_host()

    assert printed(host) == [HOST]
    await table.expect_listing(host, HOST)
    await table.join_from_list()


async def test_a_friend_joins_from_the_list_where_there_are_only_addresses_of_ipv6(table, cable):
    await table.start_host()

    await table.join_from_list()


async def test_a_friend_joins_from_the_list_a_host_whose_network_came_later(table, cable):
    for machine in cable:
        ip("link", "set", "eth0", "down", inside=machine)
    host = await table.start_host()
    assert printed(host) == ["localhost"]
    assert "This machine is in no network now" in host.said

    for machine, text in zip(cable, (HOST, FRIEND), strict=True):
        address(machine, text)
        ip("link", "set", "eth0", "up", inside=machine)
    await table.expect_listing(host, HOST)
    host.said = ""
    await host.wait_until_open()
    assert printed(host) == [HOST]
    await table.join_from_list()


async def test_a_player_on_the_host_invites_by_an_address_that_came_later(programs, cable):
    ip("link", "set", "eth0", "down", inside=cable[0])
    ann = programs.start(
        *("host", "--play", "--port", "0", "--data", programs.home / "house"),
        command=["ip", "netns", "exec", cable[0], *programs.command],
    )
    await enter_lobby(ann, "Ann")
    address(cable[0], HOST)
    ip("link", "set", "eth0", "up", inside=cable[0])

    async with asyncio.timeout(TIMEOUT):
        while True:
            ann.type("i")
            await ann.wait_for(lambda player: "open a table" not in player.text)
            if f"boneyard join {HOST}" in ann.text:
                return
            ann.type("\x1b")
            await ann.wait_for("open a table")


async def test_a_friend_joins_by_the_second_address_where_the_first_does_not_answer(table, cable):
    address(cable[0], HOST)
    address(cable[0], "192.168.78.1")
    address(cable[1], "192.168.78.2")
    await table.start_host()

    await table.join_from_list()
