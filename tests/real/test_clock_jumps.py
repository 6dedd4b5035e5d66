"""A real host whose wall clock jumps by a day, back and forward: no time at a table, no limit and no seat changes."""

import sys

import asyncssh
import pytest

from net.wire.messages import MakeTable, Pause, Sit
from tests.real.joined import joined

DAY = 24 * 60 * 60
# Python's wall clock shows the system's time plus an offset from a file; patched before anything else is imported.
JUMPY = """
import datetime as dates, time
from pathlib import Path
system = time.time
def wall():
    return system() + float(Path({file!r}).read_text())
class Jumpy(dates.datetime):
    __slots__ = ()
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(wall(), tz)
time.time, time.time_ns, dates.datetime = wall, lambda: int(wall() * 1e9), Jumpy
import tui.cli.main
tui.cli.main.main()
"""


@pytest.fixture
def jump(programs, tmp_path):
    """Return a function that sets the wall clock of the hosts `seconds` off."""
    file = tmp_path / "off"
    programs.command = [sys.executable, "-c", JUMPY.format(file=str(file))]

    def jump(seconds):
        new = file.with_name("new")
        new.write_text(str(seconds))
        new.replace(file)

    jump(0)
    return jump


async def trigger_update(*clients, pause):
    """Set the pause of the table to `pause` and back; return the update that follows, with its clock."""
    for is_paused in (pause, not pause):
        number = clients[0].update.number
        clients[0].send_message(Pause(is_paused))
        for client in clients:
            await client.until(lambda client, number=number: client.update.number > number)
    return clients[0].update


async def test_a_clock_at_a_table_and_a_reserved_seat_continue_unaffected(programs, tmp_path, jump):
    host = await programs.start_host("--grace", "600")
    async with joined(host, tmp_path, "ada") as ada:
        async with joined(host, tmp_path, "bela") as bela:
            ada.make_table(MakeTable("draw", 2, {}, turn_time=3600, match_time=7200))
            await ada.until(lambda client: client.update)
            bela.send_message(Sit(ada.update.table.id))
            await bela.until(lambda client: client.update and client.update.match)
            for offset in (-DAY, DAY):
                jump(offset)
                update = await trigger_update(ada, bela, pause=True)
                assert update.timed_out == -1
                assert 3500 < update.times.turn <= 3600
                assert all(7000 < left <= 7200 for left in update.times.match)
            turn = ada.update.match.play.turn
        await ada.until(lambda client: client.update.table.seats[1].awaited)
        for offset in (-DAY, DAY):
            jump(offset)
            update = await trigger_update(ada, pause=True)
            assert update.table.seats[1].awaited, "no bot plays for bela yet"
            assert update.match.play.turn == turn

    host.kill()
    await host.wait_for_exit()
    jump(-2 * DAY)
    restarted = await programs.start_host(data=host.data)
    async with joined(restarted, tmp_path, "ada") as ada, joined(restarted, tmp_path, "bela") as bela:
        for seat, client in enumerate((ada, bela)):
            assert client.tables.yours == update.table.id
            client.send_message(Sit(update.table.id))
            await client.until(lambda client: client.update and client.update.match)
            assert client.update.seat == seat
        assert 3400 < (await trigger_update(ada, bela, pause=True)).times.turn <= 3600
    await restarted.close_cleanly()


async def test_an_address_that_guessed_too_often_is_locked_out_at_any_wall_clock(programs, jump):
    host = await programs.start_host("--invite", "domino")

    async def enter_lobby(code):
        try:
            async with asyncssh.connect(
                "127.0.0.1",
                host.port,
                username="eve",
                password=code,
                client_keys=None,
                known_hosts=None,
                config=None,
            ):
                return True
        except (asyncssh.Error, OSError):
            return False

    assert await enter_lobby("domino")
    for _ in range(5):
        assert not await enter_lobby("a guess")
    for offset in (DAY, -DAY):
        jump(offset)
        assert not await enter_lobby("domino")
    assert "guessing" in host.log
    await host.close_cleanly()
