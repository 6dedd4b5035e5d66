"""A real host and a full disk: the host suspends play and says so, and continues when there is room."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing

from core.records import RecordError, referee
from net.storage.sqlite import DATABASE_FILE, SCHEMA_VERSION, Store
from net.wire.messages import MakeTable, Say, Sit
from tests.forked import COMMAND
from tests.real.joined import joined
from tests.real.programs import expect_one_sentence
from tests.upgrades.test_upgrades import HERE as UPGRADES

# A limit on the size of files acts as a full disk, for any user. Lifting it from outside acts as making room. Python
# would truncate compiled modules at the limit, and nobody could import them afterwards.
LIMITED = (
    "import resource, sys; sys.dont_write_bytecode = True; "
    "resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, resource.RLIM_INFINITY)); "
)
RUN = "import tui.cli.main; tui.cli.main.main()"


async def test_on_a_full_disk_the_host_suspends_play_and_continues_once_there_is_room(programs, tmp_path):
    programs.command = [sys.executable, "-c", LIMITED.format(limit=120_000) + RUN]
    host = await programs.start_host()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {"target": 500}, bots=1))
        await ada.until(lambda client: client.update and client.update.match)
        while not ada.refusals:
            update = ada.update
            if update.match.play.legal:
                ada.act(update.match.play.legal[0])
            elif update.match.play.result:
                ada.ready()
            await ada.until(lambda client, update=update: client.refusals or client.update is not update)
            await asyncio.sleep(0.04)  # no faster than the host accepts messages
        assert ada.refusals == ["The server cannot save right now, so nobody can play until it can."]
        last_update = ada.update
        ada.send_message(Say("hello?"))
        await ada.until(lambda client: len(client.refusals) > 1)
        assert ada.update is last_update

        status = ("admin", "--data", host.data, "status")
        _, output, _ = await programs.run(*status, command=COMMAND)
        assert "NOTHING CAN BE SAVED" in output
        assert "cannot-save" in host.log

        subprocess.run(  # noqa: ASYNC221 - it takes a millisecond
            ["prlimit", f"--pid={host.process.pid}", "--fsize=unlimited"], check=True
        )
        await ada.until(lambda client: client.update.number > last_update.number)
        _, output, _ = await programs.run(*status, command=COMMAND)
        assert "Everything is saved." in output
    await host.close_cleanly()
    with Store(host.data) as store:
        ((_, lines),) = store.load().tables
    assert is_cut_short(lines), "the saved lines are a valid beginning of a record"


def is_cut_short(lines):
    """Return True if a record holds as far as it goes, and only its end may be missing."""
    try:
        list(referee(lines))
    except RecordError as error:
        return error.line > len(lines)
    return True


async def test_a_database_locked_for_a_while_delays_moves_and_loses_none(programs, tmp_path):
    host = await programs.start_host()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda client: client.update and client.update.match and client.update.match.play.legal)
        holder = sqlite3.connect(host.data / DATABASE_FILE, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        update_before = ada.update
        ada.act(update_before.match.play.legal[0])
        await ada.until(lambda client: client.refusals)
        assert ada.update is update_before, "an unsaved move is not sent"
        holder.execute("ROLLBACK")
        holder.close()
        await ada.until(lambda client: client.update.number > update_before.number)
    await host.close_cleanly()
    assert "Another program is using" in host.log


async def test_a_file_in_place_of_the_records_folder_is_refused_in_one_sentence(programs, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "records").write_text("a file where a folder must be")

    assert "records" in await expect_one_sentence(
        programs, "host", "--port", "0", "--bind", "127.0.0.1", "--data", folder
    )


async def test_check_and_backup_work_beside_a_running_host(programs, tmp_path):
    host = await programs.start_host()
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.until(lambda client: client.update and client.update.match)

        status, check, _ = await programs.run("host", "--check", "--data", host.data)
        assert status == 0, check
        assert "A host is using it." in check
        assert "1 name, 0 bans, 1 table" in check
        copy = tmp_path / "copy.sqlite"
        for status in (0, 1):
            assert (await programs.run("backup", copy, "--data", host.data))[0] == status
        _, ban, _ = await programs.run("admin", "--data", host.data, "ban", "ada", "--why", "a test")
        assert "1 disconnected" in ban
        assert str((await ada.wait_for_end()).reason) == "You are banned from this server."
    await host.close_cleanly()
    (tmp_path / "restored").mkdir()
    os.replace(copy, tmp_path / "restored" / DATABASE_FILE)
    with Store(tmp_path / "restored") as store:
        ((snapshot, lines),) = store.load().tables
    assert snapshot.name == "ada"
    assert json.loads(lines[0])["type"] == "match"


async def test_a_restored_backup_returns_both_players_to_their_seats_and_their_match(programs, tmp_path):
    host = await programs.start_host()
    async with joined(host, tmp_path, "ada") as ada, joined(host, tmp_path, "bela") as bela:
        ada.make_table(MakeTable("draw", 2, {}))
        await ada.until(lambda client: client.update)
        bela.send_message(Sit(ada.update.table.id))
        await ada.until(lambda client: client.update.match)
        on_turn = (ada, bela)[ada.update.match.play.turn]
        await on_turn.until(lambda client: client.update and client.update.match)
        on_turn.act(on_turn.update.match.play.legal[0])
        await ada.until(lambda client: client.update.match.play.layout)
        update_before = ada.update
        copy = tmp_path / "copy.sqlite"
        assert (await programs.run("backup", copy, "--data", host.data))[0] == 0
        host.kill()
        await host.wait_for_exit()

    data = tmp_path / "restored"
    data.mkdir(mode=0o700)
    copy.replace(data / DATABASE_FILE)
    shutil.copy(host.data / "host_key", data)
    shutil.rmtree(host.data)
    status, check, _ = await programs.run("host", "--check", "--data", data)
    assert status == 0, check
    assert "2 names, 0 bans, 1 table" in check
    restored_host = await programs.start_host(data=data)
    async with joined(restored_host, tmp_path, "ada") as ada, joined(restored_host, tmp_path, "bela") as bela:
        for seat, client in enumerate((ada, bela)):
            client.send_message(Sit(update_before.table.id))
            await client.until(lambda client: client.update and client.update.match)
            assert client.update.seat == seat
            assert client.update.match.play.layout == update_before.match.play.layout
        on_turn = (ada, bela)[ada.update.match.play.turn]
        number = on_turn.update.number
        on_turn.act(on_turn.update.match.play.legal[0])
        await on_turn.until(lambda client: client.update.number > number)
        assert not on_turn.refusals
    await restored_host.close_cleanly()


def rows(data):
    """Return the version of a database and everything in it, as SQL."""
    with closing(sqlite3.connect(data / DATABASE_FILE)) as db:
        return db.execute("PRAGMA user_version").fetchone(), list(db.iterdump())


async def test_an_upgrade_on_a_full_disk_changes_nothing_and_succeeds_once_there_is_room(programs, tmp_path):
    with tarfile.open(UPGRADES / "7b9f087.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    data = tmp_path / "data"
    rows_before = rows(data)
    command = programs.command
    limit = (data / DATABASE_FILE).stat().st_size // 2
    programs.command = [sys.executable, "-c", LIMITED.format(limit=limit) + RUN]

    sentence = await expect_one_sentence(programs, "host", "--port", "0", "--bind", "127.0.0.1", "--data", data)

    assert sentence.startswith("The disk with ")
    assert rows(data) == rows_before
    programs.command = command
    host = await programs.start_host(data=data)
    await host.close_cleanly()
    with Store(data) as store:
        assert len(store.load().tables) == 12


async def test_a_downgrade_is_refused_in_one_sentence_and_changes_nothing(programs, tmp_path):
    data = tmp_path / "data"
    Store(data).close()
    newer = sqlite3.connect(data / DATABASE_FILE)
    newer.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    newer.close()
    bytes_before = (data / DATABASE_FILE).read_bytes()

    sentence = await expect_one_sentence(programs, "host", "--port", "0", "--bind", "127.0.0.1", "--data", data)

    assert sentence.endswith(
        f"has version {SCHEMA_VERSION + 1}, but this Boneyard supports up to {SCHEMA_VERSION}; use a newer Boneyard."
    )
    assert (data / DATABASE_FILE).read_bytes() == bytes_before
