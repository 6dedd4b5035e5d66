"""`boneyard host --workers`: guests of several processes play at one table, and one process may die."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.net.ssh.proxying import block, line, proxy
from tests.ptys import TIMEOUT
from tests.real.programs import enter_lobby, open_table
from tests.waiting import until


def connections_of(process):
    """Return the number of internet sockets that a process has open."""
    inodes = {line.split()[9] for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]}
    links = [os.readlink(path) for path in Path(f"/proc/{process}/fd").iterdir()]
    return sum(link.startswith("socket:[") and link[8:-1] in inodes for link in links)


async def enter_host(client, host, name):
    key = client.key(name)[0]
    guest = client.start(host.port, key=key, user=name)
    await enter_lobby(guest)
    return guest, key


async def test_guests_of_two_processes_play_and_the_guest_of_a_dead_one_gets_the_seat_back(programs, client):
    host = await programs.start_host("--workers", "2", "--grace", "600")
    (ann, ann_key), (ben, ben_key) = await enter_host(client, host, "ann"), await enter_host(client, host, "ben")
    first_gateway, second_gateway = host.gateways
    assert [connections_of(first_gateway), connections_of(second_gateway)] == [1, 1]

    await open_table(ann)
    await ann.wait_for("Waiting for 1 more player.")
    await ben.wait_for("ann's table")
    ben.type("\r")
    await ann.wait_for("round 1")
    await ben.wait_for("round 1")
    on_turn, waiting = (ann, ben) if "your turn" in ann.text else (ben, ann)
    on_turn.type("\r")
    await waiting.wait_for("your turn")

    os.kill(first_gateway, signal.SIGKILL)
    lost_guest = await first_to_leave(ann, ben)
    survivor, name, key = (ben, "ann", ann_key) if lost_guest is ann else (ann, "ben", ben_key)
    returned = client.start(host.port, key=key, user=name)
    await returned.wait_for("round 1")
    assert survivor.status is None
    on_turn, waiting = (survivor, returned) if "your turn" in survivor.text else (returned, survivor)
    await on_turn.wait_for("your turn")
    screen_before = waiting.text
    on_turn.type("\r")  # plays, or draws
    await waiting.wait_for(lambda player: player.text != screen_before)

    assert "gateway-lost" in host.log
    await host.close_cleanly()
    assert await ann.wait_for_exit() == (255 if lost_guest is ann else 0)
    assert await returned.wait_for_exit() == await survivor.wait_for_exit() == 0


async def first_to_leave(*guests):
    """Return the guest whose connection is cut first."""
    tasks = {asyncio.create_task(guest.wait_for_exit()): guest for guest in guests}
    done, waiting = await asyncio.wait(tasks, timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return tasks[done.pop()]


async def test_at_the_end_everybody_gets_a_goodbye_and_no_process_is_left(programs, client):
    host = await programs.start_host("--workers", "2")
    ann, _ = await enter_host(client, host, "ann")
    gateways = host.gateways
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        for process in gateways:
            os.kill(process, number)  # the host's signal may reach the workers as well
    await host.close_cleanly()

    assert await ann.wait_for_exit() == 0
    assert "The server has closed." in ann.last_words
    assert not any(map(_runs, gateways))


async def test_when_the_host_is_killed_its_gateways_end_by_themselves(programs, client):
    host = await programs.start_host("--workers", "1")
    ann, _ = await enter_host(client, host, "ann")
    (gateway,) = host.gateways
    host.kill()
    await host.wait_for_exit()
    await ann.wait_for_exit()
    await until(lambda: not _runs(gateway))


def _runs(process):
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("words", ["many", "-1", "65", "1.5"])
async def test_an_invalid_number_of_workers_is_refused_in_one_sentence(programs, words):
    status, out, err = await programs.run("host", "--workers", words)

    assert (status, out) == (2, "")
    assert "--workers" in err
    assert "Traceback" not in err


async def test_guests_behind_a_proxy_have_their_own_addresses_in_every_process(programs, client):
    host = await programs.start_host("--workers", "2", "--proxied-by", "127.0.0.0/8")
    async with (
        proxy(host.port, block("203.0.113.9")) as port_of_9,
        proxy(host.port, line("2001:db8::10")) as port_of_10,
    ):
        for name, port in (("ann", port_of_9), ("ben", port_of_10)):
            guest = client.start(port, key=client.key(name)[0], user=name)
            await guest.wait_for("What name will you play under?")
        _, guests, _ = await programs.run("admin", "--data", host.data, "guests")
        assert {row.split("  ")[2] for row in guests.splitlines()} == {"203.0.113.9", "2001:db8::10"}
        banned = await programs.run("admin", "--data", host.data, "ban", "203.0.113.9")
        assert banned[0] == 0
        banned_guest = client.start(port_of_9, key=client.key("eve")[0], user="eve")
        assert await banned_guest.wait_for_exit() == 255
        assert b": You are banned from this server." in banned_guest.raw
    assert "reason=banned" in host.log
