"""Attackers of a host, the short form of `./scripts/load attack`: players are not harmed."""

import asyncio
import json
import os
import re
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from net.limits import MAX_BLOCKED_OUTPUT, MAX_UNSENT
from net.wire.messages import MakeTable
from tests.real.joined import joined
from tests.real.programs import ROOT
from tests.real.test_metrics import numbers

SECONDS = 4
OF_EACH = 4
MASHERS = 2
KINDS = ("silent", "junk", "droppers", "mashers", "rekeyers", "watchers", "idle", "web", "sockets")
GROWTH = 120
"""MiB that a host may grow by under these attackers; without limits it is as much in a few seconds."""


def memory_mib(pid):
    status = Path(f"/proc/{pid}/status")
    return int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1]) / 1024 if status.exists() else 0


async def play_on(players):
    """Let the player on turn act, or all continue after a result; wait until everybody has the update."""
    acting = next((client for client in players if client.update.match.play.legal), None)
    if acting is None:
        round_before = players[0].update.match.round
        was_over = players[0].update.match.over
        for client in players:
            client.ready()
        for client in players:
            await client.until(
                lambda client: client.update.match.round > round_before or was_over != client.update.match.over
            )
        return
    seat = acting.update.seat
    acting.act(acting.update.match.play.legal[0])
    for client in players:  # an update may also be about a spectator, and the move is still to come
        await client.until(lambda client: client.update.match.play.turn != seat)


async def test_attackers_who_stop_reading_send_junk_or_reconnect_harm_no_player(programs, tmp_path):
    host = await programs.start_host("--metrics", "0", "--web", "127.0.0.1:0")
    address = re.search(r"Prometheus metrics: (\S+)", host.said)[1]
    web = re.search(r"http://127\.0\.0\.1:(\d+)/$", host.said, re.MULTILINE)[1]
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(joined(host, tmp_path, name)) for name in ("ann", "ben", "cid", "dan")
        ]
        players[0].make_table(MakeTable("block", 4, {}))
        await players[0].until(lambda client: client.update)
        for client in players[1:]:
            client.sit(players[0].update.table.id)
        for client in players:
            await client.until(lambda client: client.update and client.update.match)
        mib_before, moves = memory_mib(host.process.pid), 0
        attack = await asyncio.create_subprocess_exec(
            sys.executable,
            ROOT / "scripts" / "benches" / "attackers.py",
            f"{host.port},{web}",
            *(f"{kind}={MASHERS if kind == 'mashers' else OF_EACH}" for kind in KINDS),
            str(SECONDS),
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        output = asyncio.ensure_future(attack.communicate())
        while not output.done():
            await play_on(players)
            moves += 1
            await asyncio.sleep(0.1)  # a host ignores messages that come faster than people can send them
        growth = memory_mib(host.process.pid) - mib_before
        counts = json.loads((await output)[0])
        metrics = await asyncio.to_thread(numbers, address)
        await play_on(players)
        print(f"{moves} moves, {growth:.0f} MiB more; {counts}")
        for kind in (
            "silent terminals",
            "silent links",
            "junk links",
            "flooding links",
            "typing terminals",
            "mashing terminals",
            "new keys asked for",
            "lines that asked for new keys, cut",
            "watched and left",
            "idle sockets",
            "slow requests",
            "pages",
            "false proofs",
            "bombs",
        ):
            assert counts[kind], counts
        assert counts["junk bytes"], counts
        assert counts["dropped after the login"], counts
        assert moves > SECONDS
        assert growth < GROWTH
        assert metrics["boneyard_unsent_bytes",] <= OF_EACH * 3 * (MAX_UNSENT + MAX_BLOCKED_OUTPUT)
        assert [client.refusals for client in players] == [[]] * 4
        assert not any(client.gone for client in players)
    await host.close_cleanly()
