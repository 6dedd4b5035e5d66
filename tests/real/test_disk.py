"""A real host and a full disk: the host suspends play and says so, and continues when there is room."""

import asyncio
import json
import os
import sqlite3
import subprocess
import sys

from core.records import RecordError, referee
from net.storage.sqlite import NAME, Store
from net.wire.messages import MakeTable, Say
from tests.forked import COMMAND
from tests.real.joined import joined
from tests.real.programs import expect_one_sentence

# A limit on the size of files acts as a full disk, for any user. Lifting it from outside acts as making room. Python
# would truncate compiled modules at the limit, and nobody could import them afterwards.
LIMITED = (
    "import resource, sys; sys.dont_write_bytecode = True; "
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY)); "
)
RUN = "import tui.cli.main; tui.cli.main.main()"


async def test_on_a_full_disk_the_host_suspends_play_and_continues_once_there_is_room(programs, tmp_path):
    programs.command = [sys.executable, "-c", LIMITED.format(limit=120_000) + RUN]
    host = await programs.hosts()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {"target": 500}, bots=1))
        await ada.until(lambda now: now.update and now.update.match)
        while not ada.refusals:
            update = ada.update
            if update.match.play.legal:
                ada.act(update.match.play.legal[0])
            elif update.match.play.result:
                ada.ready()
            await ada.until(lambda now, update=update: now.refusals or now.update is not update)
            await asyncio.sleep(0.04)  # no faster than the host accepts messages
        assert ada.refusals == ["The server cannot save right now, so nobody can play until it can."]
        last_update = ada.update
        ada.says(Say("hello?"))
        await ada.until(lambda now: len(now.refusals) > 1)
        assert ada.update is last_update

        status = ("admin", "--data", host.data, "status")
        _, output, _ = await programs.runs(*status, command=COMMAND)
        assert "NOTHING CAN BE SAVED" in output
        assert "cannot-save" in host.log

        subprocess.run(  # noqa: ASYNC221 - it takes a millisecond
            ["prlimit", f"--pid={host.process.pid}", "--fsize=unlimited"], check=True
        )
        await ada.until(lambda now: now.update.number > last_update.number)
        _, output, _ = await programs.runs(*status, command=COMMAND)
        assert "Everything is saved." in output
    await host.closes()
    with Store(host.data) as store:
        ((_, lines),) = store.load().tables
    assert is_cut_short(lines), "what is kept is a record that holds as far as it goes"


def is_cut_short(lines):
    try:
        list(referee(lines))
    except RecordError as error:
        return error.line > len(lines)
    return True


async def test_a_database_that_is_held_for_a_while_makes_moves_later_and_loses_none(programs, tmp_path):
    host = await programs.hosts()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda now: now.update and now.update.match and now.update.match.play.legal)
        holder = sqlite3.connect(host.data / NAME, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        before = ada.update
        ada.act(before.match.play.legal[0])
        await ada.until(lambda now: now.refusals)
        assert ada.update is before, "not told, as not kept"
        holder.execute("ROLLBACK")
        holder.close()
        await ada.until(lambda now: now.update.number > before.number)
    await host.closes()
    assert "Another program is using" in host.log


async def test_a_data_directory_that_cannot_be_written_is_refused_in_one_sentence(programs, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "records").write_text("a file where a folder must be")

    assert "records" in await expect_one_sentence(
        programs, "host", "--port", "0", "--bind", "127.0.0.1", "--data", folder
    )


async def test_check_and_backup_work_beside_a_running_host(programs, tmp_path):
    host = await programs.hosts()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda now: now.update and now.update.match)

        status, check, _ = await programs.runs("host", "--check", "--data", host.data)
        assert status == 0, check
        assert "A host is using it." in check
        assert "1 name, 0 bans, 1 table" in check
        copy = tmp_path / "copy.sqlite"
        for status in (0, 1):
            assert (await programs.runs("backup", copy, "--data", host.data))[0] == status
        _, ban, _ = await programs.runs("admin", "--data", host.data, "ban", "ada", "--why", "a test")
        assert "1 disconnected" in ban
        assert str((await ada.parts()).reason) == "You are banned from this server."
    await host.closes()
    (tmp_path / "restored").mkdir()
    os.replace(copy, tmp_path / "restored" / NAME)
    with Store(tmp_path / "restored") as store:
        ((kept, lines),) = store.load().tables
    assert kept.name == "ada"
    assert json.loads(lines[0])["type"] == "match"
