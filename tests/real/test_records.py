"""Records of a real host: signed, so that stock OpenSSH agrees; and the fate of a damaged table."""

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess

import pytest

from net.storage.sqlite import DATABASE_FILE
from net.wire.messages import MakeTable
from tests.real.joined import joined
from tests.real.programs import expect_one_sentence, joined_player


async def play_out(ada):
    """Play a short match against a bot to its end."""
    ada.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
    await ada.until(lambda client: client.update and client.update.match)
    while not ada.update.match.over:
        update = ada.update
        if update.match.play.legal:
            ada.act(update.match.play.legal[0])
        elif update.match.play.result:
            ada.ready()
        await ada.until(lambda client, update=update: client.update is not update)
        await asyncio.sleep(0.05)  # no faster than the host accepts messages


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")
async def test_a_hosts_record_is_signed_and_ssh_keygen_agrees(programs, tmp_path):
    host = await programs.start_host()
    async with joined(host, tmp_path, "ada") as ada:
        await play_out(ada)
        await ada.until(lambda client: client.update.match.over)
    await host.close_cleanly()
    (file,) = (host.data / "records").iterdir()

    status, out, err = await programs.run("verify", file, "--key", host.fingerprint)
    assert status == 0, err
    assert f"Signed by {host.fingerprint}, the key that you named" in out
    seal = json.loads(file.read_text().splitlines()[-1])
    (tmp_path / "seal.sig").write_text(
        f"-----BEGIN SSH SIGNATURE-----\n{seal['signature']}\n-----END SSH SIGNATURE-----\n"
    )
    (tmp_path / "allowed").write_text(f"house {seal['key']}\n")
    command = (
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        "allowed",
        "-I",
        "house",
        "-n",
        "boneyard-record",
        "-s",
        "seal.sig",
    )
    statement = f"boneyard record\nchain {seal['chain']}\n".encode()
    assert subprocess.run(command, cwd=tmp_path, input=statement, capture_output=True).returncode == 0  # noqa: ASYNC221

    file.write_text(file.read_text().replace('"name":"ada"', '"name":"eve"'))
    assert "not the sealed ones" in await expect_one_sentence(programs, "verify", file)


async def test_a_damaged_table_is_named_by_the_check_and_its_player_is_informed(programs):
    host = await programs.start_host()
    where = f"127.0.0.1:{host.port}"
    ben = await joined_player(programs, where)
    await host.close_cleanly()
    with sqlite3.connect(host.data / DATABASE_FILE) as db:
        db.execute('UPDATE lines SET line = \'{"type":"deal"}\' WHERE number = 1')
    db.close()

    again = await programs.start_host(data=host.data, port=host.port)
    assert again.fingerprint == host.fingerprint, "a host keeps its key for good"
    assert "table-not-resumed" in again.log
    await ben.wait_for("could not be resumed")  # ben's client reconnected by itself
    status, out, _ = await programs.run("host", "--check", "--data", host.data)
    assert status == 1
    assert "WRONG  Table 1 could not be resumed: line " in out
    status, out, err = await programs.run("admin", "--data", host.data, "close", "1")
    assert status == 0, err
    assert (await programs.run("host", "--check", "--data", host.data))[0] == 0
    await again.close_cleanly()


async def test_a_returning_guest_is_informed_of_their_damaged_table_in_the_lobby(programs):
    host = await programs.start_host()
    where = f"127.0.0.1:{host.port}"
    ben = await joined_player(programs, where)
    os.kill(ben.pid, signal.SIGKILL)
    await host.close_cleanly()
    with sqlite3.connect(host.data / DATABASE_FILE) as db:
        db.execute('UPDATE lines SET line = \'{"type":"deal"}\' WHERE number = 1')
    db.close()

    again = await programs.start_host(data=host.data, port=host.port)
    ben = programs.start("join", where, "--name", "Ben")
    await ben.wait_for("could not be resumed")
    await ben.wait_for("lobby · ")
    await again.close_cleanly()


async def test_a_forgotten_player_is_in_no_file_of_the_host_and_records_verify(programs, tmp_path):
    host = await programs.start_host()
    async with joined(host, tmp_path, "Benedicta") as guest:
        await play_out(guest)
        guest.leave()
        await guest.until(lambda client: client.update is None)
    admin = ("admin", "--data", host.data)
    status, out, err = await programs.run(*admin, "export", "Benedicta")
    assert status == 0, err
    (record,) = host.records
    person = json.loads(out)
    assert person["records"] == [{"file": record.name, "seats": [0]}]
    for table in person["tables"]:
        await programs.run(*admin, "close", table["table"])
    status, out, err = await programs.run(*admin, "forget", "Benedicta", "--yes")
    assert (status, err) == (0, "")
    assert out.startswith("Benedicta is forgotten. In 1 of 1 records they are now gone-")
    status, out, _ = await programs.run("verify", record)
    assert status == 0, out
    await host.close_cleanly()
    for file in host.data.rglob("*"):
        if file.is_file():
            assert b"Benedicta" not in file.read_bytes(), file
