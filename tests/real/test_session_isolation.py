"""A served session is a cell: no input on any screen reaches the host or other sessions.

Other SSH requests (commands, files, forwarding, agents, X11, variables) are tried in
`tests/net/ssh/server/test_listen.py`; endless pastes are in `tests/tui/test_served_driver.py`.
"""

import asyncio
import os
import string
from contextlib import suppress
from pathlib import Path

import pytest

SCREENS = {
    "lobby": ("", "in the lobby"),
    "help": ("?", "Keys"),
    "new table": ("n", "open the table"),
    "table": ("n\rz", "round 1"),
    "guests": ("n\rzw", "at the table"),
    "talk": ("n\rzt", "To all at the table"),
}
"""The keys that lead to a screen, and a text on it."""
# Keys that leave are tried one by one below; Enter, which is Ctrl-M and Ctrl-J, would open another table.
CONTROL = [chr(code) for code in range(1, 32) if chr(code) not in "\x03\x11\x1b\r\n"]
ALT = [f"\x1b{key}" for key in string.ascii_lowercase + string.digits + ",.;:<>/?'\"" if key not in "O[P]X^_qQ"]
FUNCTION = [f"\x1b[{number}~" for number in (1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24)]
MODIFIED = [f"\x1b[1;{mod}{key}" for mod in (2, 3, 5, 8) for key in "ABCDFHPQRS"]
ANSWERS = [
    "\x1b[?62;1;4c",
    "\x1b[>0;276;0c",
    "\x1b[24;80R",
    "\x1b[0n",
    "\x1b[?2048;1$y",
    "\x1b[48;1000;1000;1;1t",
    "\x1b]52;c;cm0gLXJmIC8=\x07",
    "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1b[?1u",
    "\x1b[97;5u",
    "\x1b[115;5u",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1b[<0;999;999M\x1b[<0;-1;-1M\x1b[<35;1;1M\x1b[M\xff\xff\xff",
    "\x1b[200~\x1b]52;c;aGk=\x07\x1b[31m$(touch pasted) `touch pasted`; touch pasted\n\x1b[201~",
]
KINDS = {"keys": CONTROL + ALT + FUNCTION + MODIFIED, "answers": ANSWERS}


class Machine:
    """The resources of the host's process, according to the system."""

    def __init__(self, host, home):
        self._proc = Path(f"/proc/{host.process.pid}")
        self._home = home
        self._host = host

    def state(self):
        return {
            "files": self._files(),
            "children": self._children(),
            "cwd": os.readlink(self._proc / "cwd"),
            "listening": self._listening(),
        }

    def _children(self):
        """Return the processes that the host has started, except the thinkers."""
        children = (self._proc / f"task/{self._host.process.pid}/children").read_text().split()
        workers = b"net.host.workers"
        return [child for child in children if workers not in (Path("/proc") / child / "cmdline").read_bytes()]

    def _files(self):
        """Return all files in all homes, except those that a host writes by itself."""
        files = {str(path) for path in self._home.rglob("*") if not path.is_relative_to(self._host.data)}
        data_files = {path.name for path in self._host.data.iterdir()} - {
            "boneyard.sqlite-wal",
            "boneyard.sqlite-shm",
        }
        pasted = {str(path) for path in (self._proc / "cwd").glob("*pasted*")}
        return files | data_files | pasted

    def _listening(self):
        sockets = set()
        for fd in (self._proc / "fd").iterdir():
            with suppress(FileNotFoundError):  # it is closed just now
                sockets.add(os.readlink(fd))
        rows = [
            row.split() for name in ("tcp", "tcp6") for row in (self._proc / "net" / name).read_text().split("\n")[1:]
        ]
        return {row[1] for row in rows if len(row) > 9 and row[3] == "0A" and f"socket:[{row[9]}]" in sockets}


@pytest.fixture
async def host(programs):
    host = await programs.start_host()
    yield host
    await host.close_cleanly()


async def open_screen(client, host, name, keys="", text_on_screen="in the lobby"):
    key = client.home / name
    player = client.start(host.port, user=name, key=key if key.exists() else client.key(name)[0])
    await player.wait_for(lambda player: "What name will" in player.text or "in the lobby" in player.text)
    if "What name will" in player.text:
        player.type("\r")
    await player.wait_for("in the lobby")
    for key in keys:
        player.type(key)
        texts_by_key = {"n": "open the table", "\r": "Waiting for", "z": "round 1", "w": "at the table"}
        await player.wait_for(texts_by_key.get(key, text_on_screen))
    await player.wait_for(text_on_screen)
    return player


async def wait_until_handled(player, width):
    """Resize the terminal, and wait for the output: all input typed before is then handled."""
    bytes_before = len(player.raw)
    player.resize(width, 30)
    await player.wait_for(lambda player: player.status is not None or len(player.raw) > bytes_before)


@pytest.mark.parametrize("kind", KINDS)
async def test_no_key_on_any_screen_reaches_the_host_or_another_session(host, client, programs, kind):
    bob = await open_screen(client, host, "bob", "?", "Keys")
    bobs_screen = bob.text
    machine = Machine(host, programs.home)
    state_before = machine.state()

    async def type_all(number, keys, text_on_screen):
        ann = await open_screen(client, host, f"ann{number}", keys, text_on_screen)
        for index, typed in enumerate(KINDS[kind]):
            ann.type(typed)
            if index % 60 == 59:
                await wait_until_handled(ann, 90 + index % 7)
        await wait_until_handled(ann, 100)
        ann.close()

    await asyncio.gather(*(type_all(number, *screen) for number, screen in enumerate(SCREENS.values())))
    assert machine.state() == state_before
    assert bob.text == bobs_screen
    assert "Traceback" not in host.log


async def test_a_key_that_leaves_ends_only_its_own_session(host, client, programs):
    bob = await open_screen(client, host, "bob", "?", "Keys")
    bobs_screen = bob.text
    machine = Machine(host, programs.home)
    state_before = machine.state()
    for typed in ("\x03", "\x11", "\x1a", "\x1c", "q"):
        ann = await open_screen(client, host, "ann")
        ann.type(typed)
        await wait_until_handled(ann, 90)

        assert machine.state()["children"] == state_before["children"] == []
        assert host.process.returncode is None
        assert bob.text == bobs_screen
