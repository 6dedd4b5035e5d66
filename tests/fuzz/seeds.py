"""The initial inputs of the fuzzer: small, and handled to the end by their target."""

from functools import cache

import msgpack
import msgspec
from msgspec.structs import replace

from core.actions import Draw, Play
from core.bots.levels import play_match
from core.fair import FairDeal, Share, commit
from core.games import GAMES
from core.match import new_match
from core.records import write
from core.tiles import Tile
from core.words import words
from net.client.shares import Accusation, Shares, evidence_lines
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.players.accounts import Accounts
from net.wire.link import frame, pack
from net.wire.messages import (
    PROTOCOL,
    Act,
    AllowHints,
    Attest,
    Bind,
    BindCode,
    Browse,
    Bye,
    EndMatch,
    Enter,
    Entered,
    FillWithBots,
    Goodbye,
    Greeting,
    Hello,
    Interrupted,
    Leave,
    Left,
    MakeTable,
    Pause,
    Ready,
    Recall,
    Record,
    Refused,
    Remove,
    Resumed,
    Reveal,
    Said,
    Say,
    SetPace,
    Sit,
    Skip,
    Tables,
    TakeBack,
    ToClient,
    Unbind,
    Update,
    Watch,
)
from tests.fuzz import node_seeds

SHARE = b"\x07" * 32
PLEDGE = commit(SHARE)
SHORT = {
    "draw": {"target": 50},
    "stakes": {"sm.rounds": 1},
    "four-rounds": {},
    "forty-two": {},
    "five-up": {"target": 31},
}


def plain(message: msgspec.Struct) -> object:
    """Return a message as plain MessagePack represents it."""
    return msgspec.to_builtins(message)


@cache
def seeds(target: str) -> dict[str, bytes]:
    """Return the seeds of a target by name, in the order of their names."""
    return dict(sorted(SEEDS[target]().items()))


def _messages(options: dict, game: str, players: int) -> list[ToClient]:
    """Return the messages to a guest who makes a table full of bots and starts it."""
    lobby = Lobby(
        Accounts(), new_secret=lambda: b"s" * 32, software="seed", clock=lambda: 0.0, codes=lambda n: "k" * n
    )
    lobby.front.connect(1, Visitor("ada"))
    messages = []
    requests = (Hello(PROTOCOL, "seed"), Enter("ada"), MakeTable(game, players, options, players - 1, private=True))
    for message in requests:
        messages += lobby.receive(1, message).messages
    for number in lobby.tables:
        while lobby.delay(number) is not None:
            messages += lobby.step(number).messages
    return [message for _, message in messages]


def _updates() -> list[Update]:
    """Return the updates of a short match of two."""
    return [message for message in _messages({"target": 50}, "draw", 2) if isinstance(message, Update)]


def _wire() -> dict[str, bytes]:
    to_host = (
        Hello(PROTOCOL, "seed", "k7qx2m9fh3tw"),
        Enter("ada"),
        MakeTable("draw", 2, {"target": 50, "opener": "lot"}, 1, pledge=PLEDGE),
        Sit(1, "k7qx2m", PLEDGE),
        Watch(1),
        Browse(1, "draw ada", free=True),
        Leave(),
        FillWithBots(),
        Reveal(SHARE.hex()),
        Ready(PLEDGE),
        Act(3, Play(Tile(4, 6), 0, 1, 4)),
        Say("good game"),
        Pause(True),
        SetPace("slow"),
        Skip(),
        TakeBack(1),
        AllowHints(0),
        EndMatch(),
        Remove("bela"),
        Recall(),
        Attest("00" * 32, "ssh-ed25519 AAAA", "U1NIU0lH"),
        Bind("k7qx2m9f"),
        Unbind(),
        Goodbye(),
    )
    seeds_by_name = {plain(message)["type"]: pack(message) for message in to_host}
    seeds_by_name["act-draw"] = pack(Act(3, Draw()))
    for message in (*_messages({}, "mexican-train", 3), *_messages({}, "forty-two", 4)):
        name = plain(message)["type"]
        seeds_by_name[f"{name}-{message.match.game}" if name == "update" and message.match else name] = pack(message)
    seeds_by_name["stream"] = b"".join(frame(pack(message)) for message in to_host)
    seeds_by_name["deep"] = b"\x91" * 33 + b"\xc0"
    seeds_by_name["long"] = b"\xdd\xff\xff\xff\xff"
    return seeds_by_name


def _program(*steps: tuple[int, object]) -> bytes:
    packed: bytes = msgpack.packb(
        [[who, message if isinstance(message, int) else plain(message)] for who, message in steps]
    )
    return packed


def _lobby() -> dict[str, bytes]:
    arrivals = [step for who in range(4) for step in ((who, Hello(PROTOCOL, "seed")), (who, Enter("abcd"[who] * 3)))]
    make_table = MakeTable("draw", 2, {"target": 50}, pledge=PLEDGE)
    first_move = (0, Act(4, Play(Tile(6, 6), -1, 0, 6)))
    bots = MakeTable("block", 4, {"target": 50}, 3, turn_time=5, match_time=60)
    watched = (2, Browse(7, "draw", free=True)), (2, Watch(1)), (3, Watch(1)), (2, Say("hello")), (3, Recall())
    departures = (0, Leave()), (0, Sit(1)), (1, Pause(True)), (1, Pause(False)), (0, Remove("bbb")), (0, Recall())
    return {
        "two": _program(
            *arrivals, (0, make_table), (1, Sit(1, pledge=PLEDGE)), (0, Reveal(SHARE.hex())), (1, 0), first_move
        ),
        "shares": _program(
            *arrivals, (0, make_table), (1, Sit(1, pledge=PLEDGE)), (1, Reveal(SHARE.hex())), (0, Leave())
        ),
        "bots": _program(*arrivals, (0, bots), *[(0, 0)] * 20, (0, Ready())),
        "watched": _program(*arrivals, (0, bots), *watched, (0, Goodbye()), (2, Sit(1))),
        "leaves": _program(*arrivals, (0, make_table), (1, Sit(1)), (1, 0), *departures, (0, 0), (0, 0)),
        "private": _program(
            *arrivals, (1, MakeTable("draw", 2, {}, private=True)), (0, Sit(1, "000001")), (2, Sit(1, "x"))
        ),
    }


def _keys() -> dict[str, bytes]:
    return {
        "letters": b"abc q?\r\n\t\x7f\x1b",
        "arrows": b"\x1b[A\x1b[B\x1bOC\x1b[1;5D\x1b[3~\x1b[15~\x1bOP",
        "kitty": b"\x1b[97;5u\x1b[57399;1:3u\x1b[27;5;9~\x1b[?1u",
        "mouse": b"\x1b[<0;10;5M\x1b[<0;10;5m\x1b[<64;1;1M\x1b[M !!",
        "paste": b"\x1b[200~two\nlines \x1b[31m\x1b[201~x",
        "answers": b"\x1b[?62;c\x1b[24;80R\x1b[?2026;2$y\x1b[?2048;1$y\x1b[48;24;80;0;0t\x1b[>0;1;0c",
        "strings": b"\x1b]52;c;aGVsbG8=\x07\x1b]11;rgb:0/0/0\x1b\\\x1bP1$r0m\x1b\\\x1b_x\x1b\\\x1bX\x1b\\",
        "focus": b"\x1b[I\x1b[O",
        "c1": b"\xc2\x9b31m\xc2\x90x\xc2\x9c",
        "broken": b"\xff\xc3\x28\xf0\x9f\x1b[200~",
        "utf8": "é数👩‍👩‍👧".encode(),
    }


def _records() -> dict[str, bytes]:
    files = {}
    for game, options in SHORT.items():
        variant = GAMES[game]
        match = new_match(variant, variant.seats[0], options)
        bots = ("greedy-1", "random", "random", "random")[: variant.seats[0]]
        lines = [write(step.line) for step in play_match(match, bots, b"1", "seed")]
        files[game] = "\n".join(lines).encode()
    return files


def _evidence() -> dict[str, bytes]:
    """Return a client's evidence of a match in which it was not asked for its share, and of one with its record."""
    skipped, forged = (Shares(lambda size: SHARE[:size]) for _ in range(2))
    skipped.keeps_evidence = forged.keeps_evidence = True
    for shares in (skipped, forged):
        shares.join_table(may_have_begun=False)
        shares.pledge()
    updates = _updates()
    for update in updates:
        skipped.handle(update)
    fair = FairDeal(PLEDGE, (Share(PLEDGE), Share()))
    forged.handle(
        replace(updates[0], seat=0, match=None, fair=fair, table=replace(updates[0].table, phase="shuffling"))
    )
    forged.connection_broke()
    forged.handle(replace(updates[-1], seat=0, fair=replace(fair, shares=(Share(PLEDGE, SHARE.hex()), Share()))))
    accusation = Accusation("SHA256:seed", "as an example")
    record = _records()["draw"].decode().split("\n")
    return {
        "skipped": b"\n".join(evidence_lines(accusation, skipped.journal, [])),
        "forged": b"\n".join(evidence_lines(accusation, forged.journal, record)),
    }


def _client() -> dict[str, bytes]:
    fair = FairDeal(PLEDGE, (Share(PLEDGE), Share()))
    messages = _messages({"target": 50}, "draw", 2)
    update = next(message for message in messages if plain(message)["type"] == "update")
    other_messages = (
        Greeting(PROTOCOL, "seed", "ada", True, {"draw": {"target": 50}}),
        Entered("ada", "k7qx2m9fh3tw"),
        BindCode("k7qx2m9f"),
        Tables((update.table,), 1, 0, 1, 3),
        Said("bela", 1, "hello"),
        Record(1, ("{}",), True),
        Left(words("The table was closed.")),
        Interrupted(),
        Resumed(),
        Refused(words("The name {name} belongs to somebody else; choose another.", name="ada")),
        Bye(words("The server has closed."), again=True),
    )
    shares = [message for message in messages if plain(message)["type"] != "update"]
    files = {plain(message)["type"]: frame(pack(message)) for message in other_messages}
    files["visit"] = b"".join(frame(pack(message)) for message in messages[:12])
    files["shares"] = b"".join(
        frame(msgpack.packb(plain(message) | extra))
        for message, extra in ((*((message, {}) for message in shares), (update, {"fair": plain(fair), "seat": 0})))
    )
    return files


def _screens() -> dict[str, bytes]:
    games = {
        "draw": ({"target": 50}, 2),
        "mexican-train": ({}, 3),
        "chickenfoot": ({}, 4),
        "all-fives": ({}, 3),
        "wildstar": ({}, 2),
        "jie-long": ({}, 2),
        "forty-two": ({}, 4),
        "tien-gow": ({}, 4),
        "spinner": ({}, 3),
        "blind-hughie": ({}, 2),
        "patience": ({}, 1),
        "moon": ({}, 3),
    }
    files = {}
    for game, (options, players) in games.items():
        updates = [
            plain(message) for message in _messages(options, game, players) if plain(message)["type"] == "update"
        ]
        files[game] = msgpack.packb(updates[-1])
    return files


def _lines() -> dict[str, bytes]:
    return node_seeds.lines(_updates()[:2])


SEEDS = {
    "wire": _wire,
    "lobby": _lobby,
    "keys": _keys,
    "record": _records,
    "evidence": _evidence,
    "client": _client,
    "screen": _screens,
    "lines": _lines,
    "proxy": node_seeds.proxy,
}
