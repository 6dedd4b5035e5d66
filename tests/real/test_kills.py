"""A host, or a gateway of it, is killed again and again in mid-match: no sent play is lost or doubled.

The short form kills twice; `BONEYARD_KILLS=100 ./scripts/test tests/real/test_kills.py` is the long one.
"""

import asyncio
import json
import os
import random
import signal

import pytest

from net.wire.messages import MakeTable
from scripts.people import Person
from tests.real.recorded import plays_in, proofs_of_record

KILLS = int(os.environ.get("BONEYARD_KILLS", "1"))
TABLES = ("draw", "block", "all-fives", "forty-two") if KILLS > 9 else ("draw", "block")
GAME_OPTIONS = {"draw": {"target": 50}, "block": {"target": 50}, "all-fives": {}, "forty-two": {}}


@pytest.mark.parametrize("workers", [0, 2], ids=["the host", "a gateway"])
async def test_no_sent_play_is_lost_or_doubled_by_killing(programs, tmp_path, workers):
    rng = random.Random(20)
    words = ("--grace", "20", "--limit", "handshakes_per_second=1000", "--workers", workers)
    host = await programs.start_host(*words)
    port = host.port
    players = []
    async with asyncio.TaskGroup() as group:
        for game in TABLES:
            seats = 4 if game == "forty-two" else 2
            names = [f"{game[:8]} {n}" for n in range(seats)]
            for seat, name in enumerate(names):
                table_request = MakeTable(game, seats, GAME_OPTIONS[game]) if seat == 0 else None
                players.append(Person(name, [port], tmp_path, table_request=table_request, opener=names[0]))
                group.create_task(players[-1].play())
        for _ in range(KILLS):
            before = [len(player.received) for player in players]
            try:
                async with asyncio.timeout(180):
                    # A random moment, but only once everybody is back and at play.
                    for player, count in zip(players, before, strict=True):
                        while len(player.received) <= count:
                            player.news.clear()
                            await player.news.wait()
            except TimeoutError:
                raise AssertionError("\n".join(str(p) for p in players) + host.log) from None
            await asyncio.sleep(rng.uniform(0, 0.3))
            if workers:
                os.kill(rng.choice(host.gateways), signal.SIGKILL)
                continue
            host.kill()
            await host.wait_for_exit()
            host = await programs.start_host(*words, port=port)
        for player in players:
            player.last_match = True
    await host.close_cleanly()

    records = {}
    for path in host.records:
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        records[lines[0]["fair"]["commitment"]] = lines
        proofs_of_record(path)
    assert len(records) >= len(TABLES)
    assert sum(len(player.outages) for player in players) >= KILLS
    lost = twice = count = 0
    for player in players:
        for commitment, round_number, seat, tile in player.received:
            if commitment not in records:
                continue  # of a match that goes on; its host is closed
            done = list(plays_in(records[commitment]))
            count += 1
            lost += (round_number, seat, tile) not in done
            twice += done.count((round_number, seat, tile)) > 1
    print(f"{KILLS} deaths, {len(records)} matches, {count} plays told, {lost} lost, {twice} done twice")
    assert count
    assert (lost, twice) == (0, 0)
