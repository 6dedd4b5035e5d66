"""Makes the data of an older Boneyard for the tests here. Run it in a worktree of that revision, with its own code:

    git worktree add --detach /tmp/old 7b9f087 && cd /tmp/old
    PYTHONPATH=. python CLONE/tests/upgrades/make.py CLONE/tests/upgrades/7b9f087.tar.xz

It supports the revisions 7b9f087 and 4da12b51. The archive has `data`, a host's directory with twelve tables in play;
`guests.json`, their players; `records`, a finished match of every game; and from 4da12b51 `home`, with unfinished
solo matches.
"""

import asyncio
import json
import secrets
import sys
import tarfile
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import write
from tests.net.party import Party
from tui.version import SOFTWARE

try:
    from net.host.presence import Visitor
    from net.storage.sqlite import Store
    from net.table.persistence import Batch
    from net.wire.messages import MakeTable, Ready
    from tests.net.solo import alone
except ImportError:  # 7b9f087 kept no matches alone
    from net.kept import Batch
    from net.lobby import Visitor
    from net.messages import MakeTable, Ready
    from net.store import Store

    alone = None

ALIKE = "clara" if alone else "clean"
"""To 7b9f087 it was another name than “dean”."""
TRAIN_BOTS = 3 if alone else 4
"""To 7b9f087 six players could play Mexican Train with the double-nine set, which leaves no boneyard."""
TABLES = (
    ("draw", ("dean", ALIKE, "cleo"), 1, {"partners": "yes"}),
    ("all-fives", ("ada",), 1, {"af.hand": "9/7/5"}),
    ("chickenfoot", ("bela", "bruno"), 0, {}),
    ("wildstar", ("carl", "wim", "mona"), 0, {"ws.wild_end": "open"}),
    ("cross", ("doro", "egon"), 2, {"partners": "yes"}),
    ("fives-and-threes", ("fritz",), 3, {"partners": "yes", "target": 121}),
    ("mexican-train", ("gina", "hugo"), TRAIN_BOTS, {"set": 9, "mt.double": "chain", "mt.first_turn": "train"}),
    ("matador", ("ida",), 2, {"draw.drawn": "may"}),
    ("stakes", ("juli", "kurt"), 0, {}),
    ("four-rounds", ("lena",), 1, {}),
    ("five-up", ("mia",), 2, {}),
    ("forty-two", ("nora", "otto"), 2, {}),
)
"""Game, people, bots and house rules. Names are as alike as the older revision allowed."""
BY_CODE = ("egon", "otto")
"""Guests without a key, who return with a code."""
ROUNDS = {"four-rounds": 2}
"""In which round the matches are left; the third in all other games."""
SHORT = {
    "draw": {"target": 50},
    "mexican-train": {"mt.rounds": 7},
    "stakes": {"sm.rounds": 5},
    "wildstar": {"ws.rounds": 5},
}
"""House rules of the finished records that make them small."""


def key_of(name: str) -> str:
    """Return a fingerprint for a guest; empty for one without a key."""
    return "" if name in BY_CODE else "SHA256:" + b64encode(sha256(name.encode()).digest()).decode().rstrip("=")


class StoredHost(Party):
    """A lobby and its store, through whichever interface this revision has."""

    def __init__(self, data: Path) -> None:
        self.disk = Store(data)
        self.disk.load()
        self.codes: list[str] = []
        super().__init__(seeds=lambda: secrets.token_bytes(32), codes=self._code)
        self.lobby._software = SOFTWARE
        if hasattr(self.lobby, "_open"):
            self.lobby._open._dealer = type(self.lobby._open._dealer)(self.lobby._open._dealer.seeds, SOFTWARE)

    def _code(self, length: int) -> str:
        self.codes.append("".join(secrets.choice("abcdefghjkmn23456789") for _ in range(length)))
        return self.codes[-1]

    def arrive(self, number: int, user: str = "", _token: str = "") -> int:
        self.received[number], self.bytes[number] = [], []
        visitor = Visitor(user, key_of(user), address=f"192.0.2.{number}")
        (self.lobby.connect if hasattr(self.lobby, "connect") else self.lobby.arrive)(number, visitor)
        return number

    def deliver(self, effects) -> None:
        if hasattr(effects, "changes"):
            self.disk.write(Batch(list(effects.changes), list(effects.account_entries)))
        else:
            changed, self.lobby.changed = self.lobby.changed, set()
            self.disk.write(Batch([table.take() for table in changed], self.lobby.register.take()))
        super().deliver(effects)

    def say(self, number: int, message) -> list:
        answer = super().say(number, message)
        refused = [str(message.reason) for message in answer if type(message).__name__ == "Refused"]
        assert not refused, (number, message, refused)
        return answer

    def play_on(self, number: int, guests: list[int], until) -> None:
        """Play random actions at table `number` until `until(match)` is true."""
        rng = Random(number)
        while not until(self.update(guests[0]).match):
            self.run(self.lobby.tables[number] if alone is None else self.at(number))
            turn = self.on_turn(*guests)
            if turn > 0:
                self.play(turn, rng.choice)
            elif not until(self.update(guests[0]).match):
                for guest in guests:
                    self.say(guest, Ready())


def make_data(data: Path) -> list[dict[str, object]]:
    """Fill a host's directory; return its guests."""
    host, guests, at = StoredHost(data), [], 0
    for game, people, bots, options in TABLES:
        numbers = []
        for name in people:
            at += 1
            numbers.append(host.come(at, name))
            code = host.codes[-1] if name in BY_CODE else ""
            guests.append({"name": host.greeting(at).name or name, "key": key_of(name), "code": code})
        table = host.table(numbers[0], *numbers[1:], game=game, bots=bots, **options)
        for guest in guests[-len(people) :]:
            guest["table"] = table
        host.run(host.lobby.tables[table] if alone is None else host.at(table))
        last = ROUNDS.get(game, 3)
        host.play_on(
            table, numbers, lambda match, last=last: bool(match) and match.round >= last and bool(match.play.legal)
        )
    host.disk.close()  # as when the host is killed: nobody has left
    return guests


def make_records(folder: Path) -> None:
    """Write finished matches of every game, with the house rules that have been there from the beginning."""
    folder.mkdir()
    for game, variant in GAMES.items():
        for number in range(2):
            rng = Random(f"{game} {number}")
            players = rng.randint(*variant.seats)
            match = new_match(variant, players, SHORT.get(game, {}))
            levels = (
                tuple(rng.choice(("greedy", "random")) for _ in range(players)) if number else ("greedy",) * players
            )
            lines = [write(step.line) for step in play_match(match, levels, rng.randbytes(32), SOFTWARE)]
            (folder / f"{game}-{number}.jsonl").write_text("\n".join([*lines, ""]))
    (folder / "cross-redealt.jsonl").write_text("\n".join([*redealt(), ""]))


def redealt() -> list[str]:
    """Return a match of Cross with a deal in which nobody could lead."""
    for number in range(1000):
        match = new_match(GAMES["cross"], 2, {"target": 50})
        steps = play_match(match, ("greedy",) * 2, Random(number).randbytes(32), SOFTWARE)
        lines = [write(step.line) for step in steps]
        kinds = [line[:14] for line in lines if '"redeal"' not in line]
        if ('{"type":"deal"', '{"type":"deal"') in pairwise(kinds):
            return lines
    raise AssertionError("every deal had a double")


async def leave_alone(home: Path) -> None:
    """Play matches alone, and leave them."""
    for game in ("draw", "mexican-train", "kozel"):
        wish = MakeTable(game, 2, {}, levels=("easy",))
        async with alone(home, wish) as player:
            await player.acts(lambda match: match.round == 2 and match.play.legal)  # the name in 4da12b51


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "data").mkdir(mode=0o700)
        people = make_data(folder / "data")
        (folder / "guests.json").write_text(json.dumps(people, indent=1))
        make_records(folder / "records")
        if alone:
            asyncio.run(leave_alone(folder / "home"))
        with tarfile.open(sys.argv[1], "w:xz") as archive:
            for path in sorted(folder.iterdir()):
                archive.add(path, path.name)
