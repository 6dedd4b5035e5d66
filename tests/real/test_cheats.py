"""Real hosts that choose the deals, and a real `boneyard join` that reports it and keeps the evidence."""

import re
import sys

from tests.real.programs import Programs, joined_player, play_out

CHEAT, SAID = "strip", "left out your program's pledge"
"""A representative cheat (all are in tests/net/client/test_cheats.py)."""


async def test_a_host_that_chooses_the_deals_is_reported_by_every_client(programs, tmp_path):
    (tmp_path / "host").mkdir()
    (tmp_path / "short.toml").write_text("[draw]\ntarget = 50\n")
    cheating = Programs(tmp_path / "host", (sys.executable, "-m", "tests.cheats", CHEAT))
    try:
        host = await cheating.start_host("--rules", tmp_path / "short.toml", data=tmp_path / "house")
        ben = await joined_player(programs, f"127.0.0.1:{host.port}", size=(100, 40))
        await play_out(ben)
        await ben.wait_for("DEALS NOT PROVEN")
        await ben.wait_for(lambda player: SAID in re.sub(r"\s+", " ", player.text))
        ben.type("q")
        await ben.wait_for("Ben, in the lobby")
        ben.type("q")
        assert await ben.wait_for_exit() == 1
        file = re.search(r"“boneyard verify (\S+)” proves it to anybody", " ".join(ben.last_words))[1]

        status, out, err = await programs.run("verify", file)
        assert status == 0, err
        assert f"evidence against the server with the key {host.fingerprint}, the key of " in out
        assert SAID in out
        assert "who signed it" in out
    finally:
        await cheating.close()
