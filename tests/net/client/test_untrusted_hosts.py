"""A joined client does not trust its host: displayed text is made harmless, impossible messages are refused."""

from pathlib import Path

import msgpack
import pytest
from msgspec.structs import replace

from core.words import Words, words
from net.client.untrusted import decode_untrusted
from net.limits import TABLES_PER_PAGE
from net.wire.link import WireError, pack
from net.wire.messages import Bye, Entered, Greeting, Left, Record, Refused, Said, Tables, Update
from tests.fuzz.seeds import _messages, plain
from tests.tui.strangers import is_harmless, with_hostile_texts

UPDATES = {
    game: next(
        plain(message)
        for message in _messages(options, game, players)[4:]
        if isinstance(message, Update) and message.match
    )
    for game, options, players in (("draw", {"target": 50}, 2), ("forty-two", {}, 4))
}
HONEST_UPDATE = UPDATES["draw"]
# `tests/net/people.py` checks for every message of whole matches that an honest host is never doubted.


@with_hostile_texts
def test_displayed_text_is_one_line_without_control_characters(text):
    said = decode_untrusted(pack(Said(text, 0, text)))
    entered = decode_untrusted(pack(Entered(text, text)))
    refused = decode_untrusted(pack(Refused(words("{name}", name=text))))
    bye = decode_untrusted(pack(Bye(words("{name}", name=text))))

    for line in (said.name, said.text, entered.name, entered.resume, str(refused.reason), str(bye.reason)):
        assert is_harmless(line)
        assert "\n" not in line
        assert len(line) <= 1000


def test_every_sentence_of_the_catalogue_is_decoded_unchanged():
    catalogue = Path(__file__).parents[3] / "tui" / "locale" / "boneyard.pot"
    texts = [
        line[7:-1] for line in catalogue.read_text().splitlines() if line.startswith('msgid "') and line != 'msgid ""'
    ]
    assert len(texts) > 200
    for text in texts:
        assert decode_untrusted(pack(Said("", 0, text.replace('\\"', '"')))).text == text.replace('\\"', '"')


def test_the_lines_of_a_record_are_data_and_stay_unchanged():
    record = Record(1, ('{"type":"end"}' + " " * 3000 + "\u202e",), True)

    assert decode_untrusted(pack(record)) == record


@pytest.mark.parametrize(
    "text",
    [
        "{seat:>1000000000}",
        "{seat.__class__}",
        "{seat!r}",
        "{0}",
        "{}",
        "{",
        "{seat" + "x" * 100,
        "{a}" * 9,
    ],
)
def test_a_sentence_whose_placeholders_are_not_plain_names_is_refused(text):
    for message in (Refused, Left, Bye):
        with pytest.raises(WireError):
            decode_untrusted(pack(message(Words(text, {"seat": 1}))))
        with pytest.raises(WireError):
            decode_untrusted(pack(message(Words("one", {"count": 2}, text))))


def test_sentences_within_sentences_do_not_grow_without_end():
    bomb = words("x" * 900)
    for _ in range(6):
        bomb = Words("{a}" * 8, {"a": bomb})

    with pytest.raises(WireError):
        decode_untrusted(pack(Refused(bomb)))


def replace_at(value, path, new):
    """Return a copy of `value` with `new` at a path like `match.play.turn`."""
    head, _, rest = path.partition(".")
    key = int(head) if isinstance(value, list | tuple) else head
    inner = replace_at(value[key], rest, new) if rest else new
    if isinstance(value, dict):
        return value | {key: inner}
    return [inner if index == key else item for index, item in enumerate(value)]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seat", 7),
        ("seat", -2),
        ("timed_out", 2),
        ("ready", [5]),
        ("events", [["passed", 9, "limit"]]),
        ("events", [["match_over", [4]]]),
        ("events", [["dealt", 1]] * 500),
        ("table.seats", []),
        ("table.seats", [["", "", False, False]] * 4000),
        ("table.turn_time", 10**9),
        ("times", [True, float("nan"), [1.0, 1.0]]),
        ("times", [True, 1.0, [float("inf"), 1.0]]),
        ("times", [True, 1.0, []]),
        ("wanted", [9, ["pass"], []]),
        ("wanted", [-1, ["pass"], []]),
        ("wanted", [0, ["pass"], [-1]]),
        ("wanted", [0, ["play", [5, 2], 0, 0, 5], []]),
        ("events", [["taken_back", 9, ["pass"]]]),
        ("events", [["taken_back", 0, ["lay", [6, -1]]]]),
        ("match.players", 10**9),
        ("match.sides", 0),
        ("match.scores", [1]),
        ("match.scores", [10**18, 0]),
        ("match.winners", [2]),
        ("match.play.turn", 10**9),
        ("match.play.turn", -1),
        ("match.leader", 5),
        ("match.carry", [0] * 5000),
        ("match.carry", [10**18]),
        ("match.history", [["passed", 9, "limit"]]),
        ("match.history", [["dealt", 1]] * 5000),
        ("match.play.seat", 1),
        ("match.play.counts", [10**9, 0]),
        ("match.play.boneyard", 10**9),
        ("match.play.highest", 10**6),
        ("match.play.hand", [[0, 99]]),
        ("match.play.hand", [[5, 2]]),
        ("match.play.layout", [[[6, 6], 0, 0, 6, 0]]),
        ("match.play.layout", [[[6, 6], -1, 0, 6, 0], [[5, 6], 5, 0, 5, 0]]),
        ("match.play.layout", [[[6, 6], -1, 0, 6, 0], [[5, 6], 0, 0, 5, 0], [[4, 6], 0, 0, 4, 1]]),
        ("match.play.ends", [[7, 0, 6, -1]]),
        ("match.play.owed", [3]),
        ("match.play.open", [9]),
        ("match.play.shed", [1]),
        ("match.play.shed", [-1, 0]),
        ("match.play.own_shed", [[0, 99]]),
        ("match.play.own_shed", [[0, 0]] * 5000),
        ("match.play.legal", [["shed", [6, 9]]]),
        ("match.play.legal", [["tuck", [6, 9]]]),
        ("match.play.rows", [[[-1, -1]]]),
        ("match.play.rows", [[[-1, -1]] * 99, [[-1, -1]] * 99]),
        ("events", [{"type": "tucked", "seat": 9, "tile": [6, 6]}]),
        ("events", [{"type": "tucked", "seat": 0, "tile": [6, 99]}]),
        ("events", [{"type": "put_down", "seat": 9, "tile": None}]),
        ("events", [{"type": "put_down", "seat": 0, "tile": [6, -1]}]),
        ("match.play.legal", [["play", [0, 0], 99, 0, 0]]),
        ("match.play.ends", []),
        ("match.play.says", {"text": "{a:>999999999}", "values": {"a": 1}}),
        ("match.play.result", ["round_over", "out", 0, [], []]),
    ],
)
def test_an_impossible_table_is_refused(path, value):
    assert isinstance(decode_untrusted(msgpack.packb(HONEST_UPDATE)), Update)

    with pytest.raises(WireError):
        decode_untrusted(msgpack.packb(replace_at(HONEST_UPDATE, path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("match.play.shaker", 4),
        ("match.play.calls", [[7, None]]),
        ("match.play.bid", ["bid", 10**9, 1, ""]),
        ("match.play.trick", [["laid", 9, [0, 0], -1]]),
        ("match.play.tricks", [[[], 0, 1]]),
        ("match.play.trump", ["name", "number", 99, "high"]),
    ],
)
def test_an_impossible_hand_of_tricks_is_refused(path, value):
    honest_update = UPDATES["forty-two"]
    assert isinstance(decode_untrusted(msgpack.packb(honest_update)), Update)

    with pytest.raises(WireError):
        decode_untrusted(msgpack.packb(replace_at(honest_update, path, value)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("table.phase", "resting"),
        ("match.goal.tie", "dice"),
        ("match.play.shape", "spiral"),
        ("match.play.faces", "round"),
        ("match.play.opening", "whim"),
        ("events", [["led", 0, [6, 6], "whim"]]),
        ("events", [["passed", 0, "whim"]]),
    ],
)
def test_an_update_with_a_word_of_a_newer_host_is_accepted(path, value):
    assert isinstance(decode_untrusted(msgpack.packb(replace_at(HONEST_UPDATE, path, value))), Update)


def test_more_tables_than_a_page_may_have_are_refused():
    table = decode_untrusted(msgpack.packb(HONEST_UPDATE)).table
    full_page = Tables((table,) * TABLES_PER_PAGE, total=TABLES_PER_PAGE, open=TABLES_PER_PAGE)
    assert len(decode_untrusted(pack(full_page)).tables) == TABLES_PER_PAGE

    with pytest.raises(WireError):
        decode_untrusted(pack(replace(full_page, tables=(table,) * (TABLES_PER_PAGE + 1))))


def test_a_listed_table_with_more_seats_than_any_game_is_refused():
    table = decode_untrusted(msgpack.packb(HONEST_UPDATE)).table
    assert decode_untrusted(pack(Tables((table,), total=1, open=1))).tables == (table,)

    with pytest.raises(WireError):
        decode_untrusted(pack(Tables((replace(table, seats=table.seats * 40),), total=1, open=1)))


def test_unknown_house_rules_are_left_out():
    rules = {"draw": {"target": 50}, "block": {"target": "no number"}, "poker": {"blinds": 1}, "cross": {"x": 1}}

    assert decode_untrusted(pack(Greeting(2, "x", "ada", False, rules))).house_rules == {"draw": {"target": 50}}


def test_a_sentence_of_an_older_host_without_a_plural_is_accepted():
    older = msgpack.packb({"type": "refused", "reason": {"text": "{a} pips", "values": {"a": 1}}})

    assert str(decode_untrusted(older).reason) == "1 pips"
