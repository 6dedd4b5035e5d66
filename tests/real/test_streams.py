"""Standard streams that are closed, full, or abandoned, as with services, status bars and full disks."""

import asyncio
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from tests.mutations import lines_of
from tests.ptys import TIMEOUT

COMMANDS = [
    "--help",
    "--plain",
    "play draw --plain",
    "play draw",
    "continue --list",
    "join --plain {host}",
    "games --json",
    "rules nosuch",
    "replay {record} --plain",
    "review {record} --jobs 2",
    "verify {record}",
    "export {record} --as text",
    "sim draw --matches 2 --jobs 2",
    "admin --data {data} status",
    "backup --data {data} {data}/copy",
    "host --data {record}",
]
THOROUGHLY = ("play draw --plain", "games --json", "rules nosuch", "review {record} --jobs 2")
"""Commands that differ in their output, its time, and its process: these are tried with all sorts of streams."""
NUMBERS = {"stdin": 0, "stdout": 1, "stderr": 2}
LOST = {
    "closed": "boneyard: The output cannot be written: Bad file descriptor.\n",
    "full": "boneyard: The output cannot be written: No space left on device.\n",
    "pipe": "",
}


@contextmanager
def in_state(state, *streams):
    """Return the arguments that start a process with some streams closed, full, or a pipe without reader."""
    with ExitStack() as stack:
        if state == "closed":
            yield {"preexec_fn": lambda: [os.close(NUMBERS[stream]) for stream in streams]}
        elif state == "full":
            full = stack.enter_context(open("/dev/full", "wb"))
            yield dict.fromkeys(streams, full)
        else:
            reads, writes = os.pipe()
            os.close(reads)
            stack.callback(os.close, writes)
            yield dict.fromkeys(streams, writes)


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_that_loses_a_stream_ends_with_a_sentence_and_a_status(programs, request, tmp_path, command):
    record = tmp_path / "match.jsonl"
    record.write_text("".join(f"{line}\n" for line in lines_of("draw")))
    host = request.getfixturevalue("host").port if "{host}" in command else 0
    words = command.format(record=record, data=tmp_path, host=f"127.0.0.1:{host}").split()

    async def run(state, *streams):
        with in_state(state, *streams) as given:
            return await programs.run(*words, streams=given)

    if host:
        await programs.run(*words)  # a host that can be joined prints more
    usual, output, complaint = await programs.run(*words)
    assert "Traceback" not in complaint
    for state, sentence in LOST.items() if command in THOROUGHLY else [("full", LOST["full"])]:
        status, _, err = await run(state, "stdout")
        fails = bool(output and sentence)
        assert (status, err) == (usual or int(fails), complaint or sentence * fails), state
        if complaint:
            assert (await run(state, "stderr"))[:2] == (usual, output), state
    if command in THOROUGHLY:
        assert (await run("closed", "stdin", "stderr"))[0] == usual


async def test_a_host_whose_output_is_lost_serves_on_and_says_so(programs, tmp_path):
    data = tmp_path / "house"
    with in_state("full", "stdout") as full:
        command = [*programs.command, "host", "--port", "0", "--bind", "127.0.0.1", "--no-announce", "--data", data]
        streams = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **full}
        host = await asyncio.create_subprocess_exec(*map(str, command), env=programs.env, **streams)
    try:
        async with asyncio.timeout(TIMEOUT):
            while LOST["full"].encode() != (line := await host.stderr.readline()):
                assert line
            status, out, err = 1, "", ""
            while status:
                status, out, err = await programs.run("admin", "--data", data, "status")
            assert out, err
            host.terminate()
            assert await host.wait() == 1
            assert b"Traceback" not in await host.stderr.read()
    finally:
        if host.returncode is None:
            host.kill()
            await host.wait()


async def test_letters_that_an_encoding_does_not_have_are_written_as_ascii(programs):
    status, out, err = await programs.run("games", "draw", PYTHONIOENCODING="latin-1")
    assert (status, err) == (0, "")
    assert "As played in ~, for --as:" in out


async def test_endless_zeros_on_standard_input_end_the_game_and_keep_the_match(programs):
    line = f"{sys.executable} -m tui play draw --plain </dev/zero"
    status, out, err = await programs.run(command=["sh", "-c", line])
    assert (status, err) == (0, "")
    assert "The match is kept" in out
