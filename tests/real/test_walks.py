"""Walks in real terminals and pipes: some hundreds of the inputs that `tests/walker.py` makes in one process."""

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from itertools import islice
from random import Random

import pytest

from tests import walker
from tests.ptys import TIMEOUT

INPUTS = int(os.environ.get("BONEYARD_WALK", "1500")) // 5
SIGNALS = b"\x03\x13\x1a\x1c"
"""Ctrl-C, -S, -Z and -\\, which the terminal itself handles before and after the program takes it over."""


async def wait_until_ended(player, *more):
    """Wait until a program has ended, and check that nothing broke it."""
    status = await player.wait_for_exit()
    assert b"Traceback" not in player.raw, player.raw[-3000:]
    assert status in (0, *more), player.raw[-3000:]


@pytest.mark.parametrize("words", ["play draw --fast", "learn draw"])
async def test_only_leaving_ends_a_program_whatever_a_terminal_sends(programs, words):
    rng = Random(f"{os.environ.get('BONEYARD_SEED', 'real')} {words}")
    player = None
    for number, step in enumerate(islice(walker.generate_inputs(rng, words), INPUTS)):
        if player is None or player.status is not None:
            if player:
                await wait_until_ended(player)
            player = programs.start(*words.split())
            player.read_again()  # other tests check the screen
            await player.wait_for(lambda player: b"\x1b[?1049h" in player.raw)
        with suppress(OSError):  # it has just ended
            if "x" in step:
                player.resize(*(min(int(part), 400) for part in step.split("x")))
            elif step != ".":
                player.type(bytes.fromhex(step).translate(None, SIGNALS))
            if number % 10 == 9:  # let it catch up: another size is painted in any case
                seen = len(player.raw)
                player.resize(60 + number // 10, 24)  # no size twice: a quick change there and back paints nothing
                await player.wait_for(lambda player, seen=seen: player.status is not None or len(player.raw) > seen)
    if player.status is None:
        os.kill(player.pid, signal.SIGTERM)
    await wait_until_ended(player, -signal.SIGTERM)


@pytest.mark.parametrize("reads", [True, False], ids=["to the end", "not to the end"])
@pytest.mark.parametrize("words", ["play draw --plain --fast"])
async def test_only_their_own_end_ends_a_program_that_reads_lines_from_a_pipe(programs, words, reads):
    rng = Random(f"{os.environ.get('BONEYARD_SEED', 'real')} {words}")
    lines = [bytes.fromhex(step) for step in islice(walker.generate_inputs(rng, "plain"), INPUTS)]
    process = await asyncio.create_subprocess_exec(
        *programs.command,
        *words.split(),
        env=programs.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(TIMEOUT):
        if reads:
            out, err = await process.communicate(b"\n".join(lines))
            assert out
        else:
            await process.stdout.readline()
            process._transport.get_pipe_transport(1).close()
            with suppress(BrokenPipeError, ConnectionResetError):
                process.stdin.write(b"\n".join(lines))
                process.stdin.close()
            err = await process.stderr.read()
            await process.wait()
    assert (process.returncode, err) == (0, b"")
