"""Finding hosts on the local network; here only on the loopback interface."""

import asyncio

from net.client.discovery import announced, listening, own_addresses


async def test_a_host_that_is_announced_is_heard_and_missed_when_it_goes():
    heard = asyncio.Queue()
    async with asyncio.timeout(20), listening(heard.put_nowait, ["127.0.0.1"]):
        async with announced("Ada's [b]table[/]\x1b[2J", 22222, ["127.0.0.1"]) as works:
            assert works
            hosts = []
            while not hosts:
                hosts = ours(await heard.get())

            assert [(host.address, host.port) for host in hosts] == [("127.0.0.1", 22222)]
            assert hosts[0].name == "Ada's [b]table[/][2J"
        while hosts:
            hosts = ours(await heard.get())


def ours(hosts):
    """Those of this test: other programs on this machine may announce others."""
    return [host for host in hosts if host.port == 22222]


def test_own_addresses_are_never_loopback():
    assert not [address for address in own_addresses() if address.startswith("127.")]
