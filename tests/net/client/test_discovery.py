"""Discovery of hosts on the local network, restricted to the loopback interface."""

import asyncio
import os
import socket
from contextlib import asynccontextmanager
from itertools import count

import pytest
from zeroconf import DNSAddress, DNSOutgoing, DNSPointer, DNSService, DNSText, const
from zeroconf.asyncio import AsyncZeroconf

from net.client import discovery
from net.client.discovery import (
    MAX_HOSTS,
    announce_host,
    bound_addresses,
    discover_hosts,
    first_reachable,
    own_addresses,
    temporary_addresses,
)

SERVICE = f"_test-{os.getpid()}._tcp.local."
"""A service type of this process alone: others on this machine may announce hosts, too."""


@pytest.fixture(autouse=True)
def own_service_type(monkeypatch):
    monkeypatch.setattr(discovery, "SERVICE", SERVICE)


async def test_an_announced_host_is_found_and_removed_when_it_goes():
    events = asyncio.Queue()
    async with asyncio.timeout(20), discover_hosts(events.put_nowait, "127.0.0.1"):
        async with announce_host("Ada's [b]table[/]\x1b[2J", 22222, "127.0.0.1"):
            hosts = []
            while not hosts:
                hosts = await events.get()

            assert [(host.address, host.port) for host in hosts] == [("127.0.0.1", 22222)]
            assert hosts[0].name == "Ada's [b]table[/][2J"
        while hosts:
            hosts = await events.get()


@asynccontextmanager
async def answering_machine():
    """Yield a function that sends any answers on the local network, whether or not there was a query."""
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    await zeroconf.zeroconf.async_wait_for_start()

    def send_answers(*records):
        response = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
        for record in records:
            response.add_answer_at_time(record, 0)
        zeroconf.zeroconf.async_send(response)

    try:
        yield send_answers
    finally:
        await zeroconf.async_close()


def pointer_to(name):
    return DNSPointer(SERVICE, const._TYPE_PTR, const._CLASS_IN, 120, name)


def host_records(number, port):
    """Return all DNS records that a host announces."""
    name, hostname = f"host {number}.{SERVICE}", f"at-{number}.local."
    return (
        pointer_to(name),
        DNSService(name, const._TYPE_SRV, const._CLASS_IN, 120, 0, 0, port, hostname),
        DNSText(name, const._TYPE_TXT, const._CLASS_IN, 120, b"\0"),
        DNSAddress(hostname, const._TYPE_A, const._CLASS_IN, 120, b"\x7f\0\0\1"),
    )


async def test_invalid_host_names_are_skipped_and_other_hosts_are_found():
    events = asyncio.Queue()
    async with (
        asyncio.timeout(20),
        discover_hosts(events.put_nowait, "127.0.0.1"),
        answering_machine() as send_answers,
    ):
        for name in ("evil.example.", f".{SERVICE}", SERVICE, f"two.labels.{SERVICE}", f"\0.{SERVICE}", "."):
            send_answers(pointer_to(name))
        async with announce_host("Ada", 22222, "127.0.0.1"):
            while not await events.get():
                pass


async def test_discovery_goes_on_after_a_listener_has_failed(failures):
    notified = asyncio.Queue()

    def fail(hosts):
        notified.put_nowait(hosts)
        raise RuntimeError

    async with asyncio.timeout(20), discover_hosts(fail, "127.0.0.1"), answering_machine() as send_answers:
        for number in range(2):
            send_answers(*host_records(number, 22222))
            assert len(await notified.get()) == number + 1
    assert set(failures) == {("host-not-looked-up", RuntimeError)}


async def test_the_number_of_remembered_hosts_is_limited():
    events = asyncio.Queue()
    async with (
        asyncio.timeout(20),
        discover_hosts(events.put_nowait, "127.0.0.1"),
        answering_machine() as send_answers,
    ):
        for number in range(MAX_HOSTS + 20):
            send_answers(*host_records(number, 22222))
        send_answers(*host_records(0, 22223))
        hosts = []
        while 22223 not in [announced_host.port for announced_host in hosts]:
            hosts = await events.get()
            assert len(hosts) <= MAX_HOSTS
    assert len(hosts) == MAX_HOSTS


async def test_hosts_are_found_again_after_listening_has_failed(monkeypatch, failures):
    addresses, listened_addresses, attempts = ["192.0.2.1"], asyncio.Queue(), count()

    @asynccontextmanager
    async def browsing(_on_change, talking_on):
        if next(attempts) == 1:
            raise OSError("the network has just changed")
        listened_addresses.put_nowait(talking_on[0])
        yield

    monkeypatch.setattr(discovery, "_browse_interfaces", browsing)
    monkeypatch.setattr(discovery, "own_addresses", lambda **_options: list(addresses))
    monkeypatch.setattr(discovery, "POLL_INTERVAL", 0)
    monkeypatch.setattr("net.loop.RETRY_DELAY", 0)
    async with asyncio.timeout(30), discover_hosts(lambda _hosts: None):
        assert await listened_addresses.get() == "192.0.2.1"
        addresses[:] = ["192.0.2.2"]
        assert await listened_addresses.get() == "192.0.2.2"
    assert failures == [("hosts-not-heard", OSError)]


@pytest.mark.parametrize("name", ["骨" * 30, "x" + "🁣" * 39])
async def test_a_name_of_any_script_is_cut_at_a_character_for_the_announcement(name, monkeypatch):
    monkeypatch.setattr(discovery.socket, "gethostname", lambda: "h" * 64)
    events = asyncio.Queue()
    address = "127.0.0.1"
    async with asyncio.timeout(20), discover_hosts(events.put_nowait, address), announce_host(name, 22222, address):
        while not (hosts := await events.get()):
            pass
    assert name.startswith(hosts[0].name)
    assert len(hosts[0].name.encode()) > 55


def test_own_addresses_are_never_loopback():
    assert not [address for address in own_addresses() if address.startswith("127.")]


async def test_a_host_is_reached_at_the_first_of_its_addresses_that_accepts():
    async with await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            refusing = closed.getsockname()
            assert await first_reachable([refusing, ("127.0.0.1", port)]) == ("127.0.0.1", port)
            assert await first_reachable([refusing, refusing]) == refusing


def test_temporary_addresses_have_their_flag():
    table = (
        "20010db80000000000000000000000a7 02 40 00 01     eth0\n"
        "20010db800000000021122fffe334455 02 40 00 00     eth0\n"
        "fe8000000000000000fc00fffe000001 02 40 20 80     eth0\n"
    )
    assert temporary_addresses(table) == {"2001:db8::a7"}


def test_a_host_bound_to_a_wildcard_address_announces_the_addresses_of_the_machine():
    machine_addresses = ["192.0.2.7", "2001:db8::7"]
    assert bound_addresses("0.0.0.0", lambda: machine_addresses) == ["192.0.2.7"]
    assert bound_addresses("::", lambda: machine_addresses) == ["2001:db8::7"]
