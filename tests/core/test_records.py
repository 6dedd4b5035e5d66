"""Records: a played match is accepted, and every change to it is reported with its line."""

import json

import pytest
from msgspec.structs import replace

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import RecordError, WitnessLine, referee, seal_of, write
from core.variant import RULES


def record(game="draw"):
    variant = GAMES[game]
    players = max(variant.seats[0], min(3, variant.seats[1]))
    match = new_match(variant, players, {"target": 50} if game in ("draw", "block") else {})
    levels = ("greedy", "random", "random", "random")[:players]
    return [write(step.line) for step in play_match(match, levels, b"1", "test")]


def error(lines):
    with pytest.raises(RecordError) as caught:
        list(referee(lines))
    return caught.value


def changed(lines, kind, **fields):
    """Change fields of the second line of a kind; return the lines and its number."""
    numbers = [n for n, text in enumerate(lines) if json.loads(text)["type"] == kind]
    at = numbers[1] if len(numbers) > 1 else numbers[0]
    return [*lines[:at], json.dumps(json.loads(lines[at]) | fields), *lines[at + 1 :]], at + 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_played_match_is_accepted_to_its_last_line(game):
    lines = record(game)

    steps = list(referee(lines))

    assert [write(step.line) for step in steps] == lines
    assert steps[-1].match.over


def test_an_action_of_a_seat_out_of_turn_is_refused_at_its_line():
    lines = record()
    number = next(n for n, text in enumerate(lines, 1) if '"action"' in text)
    seat = json.loads(lines[number - 1])["seat"]
    lines[number - 1] = lines[number - 1].replace(f'"seat":{seat}', f'"seat":{(seat + 1) % 3}')

    assert error(lines).line == number
    assert "it is the turn of" in error(lines).reason


def test_a_play_of_a_tile_that_the_seat_does_not_hold_is_refused_at_its_line():
    lines, number = changed(record(), "action", action=["play", [0, 0], 0, 0, 0])

    assert error(lines).line == number
    assert "may not do that now" in error(lines).reason


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("score", {"points": [99, 0, 0]}),
        ("score", {"scores": [99, 0, 0]}),
        ("score", {"how": "blocked!"}),
        ("end", {"winners": [0, 1, 2]}),
        ("deal", {"round": 7}),
        ("deal", {"tiles": [[0, 0]] * 28}),
        ("deal", {"lot": 3}),
        ("action", {"seat": -1}),
        ("action", {"extra": 1}),
        ("match", {"format": 4}),
        ("match", {"game": "drawn"}),
        ("match", {"options": {}}),
        ("match", {"options": {"target": 51}}),
        ("match", {"seats": []}),
    ],
)
def test_a_changed_line_is_reported_at_its_number(kind, fields):
    lines, number = changed(record(), kind, **fields)

    assert error(lines).line == number


def test_a_record_with_a_missing_line_is_refused():
    lines = record()
    for at in range(1, len(lines) - 1, 7):
        with pytest.raises(RecordError):
            list(referee(lines[:at] + lines[at + 1 :]))


def test_a_record_that_stops_early_is_not_accepted():
    lines = record()

    assert error(lines[:-1]).line == len(lines)
    assert "stops before" in error(lines[:9]).reason
    assert error([]).line == 1


def test_no_line_may_follow_the_end():
    lines = record()

    assert "already over" in error([*lines, lines[5]]).reason


# Seals


def old(lines, number):
    """Return the same match as an earlier release wrote it."""
    first = json.loads(lines[0]) | {"format": number}
    if number == 1:
        del first["fair"]
        lines = [*lines[:-2], json.dumps(json.loads(lines[-2]) | {"secret": ""}), ""]
    return [json.dumps(first), *lines[1:-1]]


@pytest.mark.parametrize("number", [1, 2])
def test_records_of_earlier_releases_still_hold_and_have_no_seal(number):
    lines = old(record(), number)

    assert list(referee(lines))[-1].match.over
    assert "already over" in error([*lines, record()[-1]]).reason


def test_a_change_that_breaks_no_rule_breaks_the_seal():
    lines = record()
    first = json.loads(lines[0])
    for change in ({"software": "other"}, {"seats": [{"name": "eve", "bot": "greedy"}, *first["seats"][1:]]}):
        assert error([write_json(first | change), *lines[1:]]).line == len(lines)
        assert "not the sealed ones" in error([write_json(first | change), *lines[1:]]).reason
    assert error([lines[0] + " ", *lines[1:]]).line == len(lines), "not even a space"


def write_json(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def test_a_record_without_a_seal_is_refused():
    lines = record()

    assert "before its seal" in error(lines[:-1]).reason
    assert "a seal is due" in error([*lines[:-1], *record()]).reason


def test_a_second_seal_is_refused():
    lines = record()

    assert "already over" in error([*lines, lines[-1]]).reason


def test_a_seal_before_the_end_of_the_match_is_refused():
    lines = record()

    assert error([lines[0], lines[-1]]).line == 2


def test_a_seal_is_written_in_one_way_only():
    lines = record()
    seal = json.loads(lines[-1])

    assert "no spaces" in error([*lines[:-1], json.dumps(seal)]).reason
    assert "not the sealed" in error([*lines[:-1], write_json(seal | {"chain": seal["chain"].upper()})]).reason


def test_a_seal_with_a_key_has_a_signature_too():
    lines = record()
    seal = json.loads(lines[-1])

    assert "go together" in error([*lines[:-1], write_json(seal | {"key": "ssh-ed25519 AAAA"})]).reason


def witnessed(seat, key="ssh-ed25519 AAAA", signature="AAAA"):
    return write(WitnessLine(seat, key, signature))


def record_with_a_person():
    """Return a sealed record in which a person sits at seat 0 and bots at all other seats."""
    lines = record()
    first = json.loads(lines[0])
    first["seats"] = [{"name": "ada", "bot": ""}, *first["seats"][1:]]
    lines[0] = write_json(first)
    lines[-1] = write(seal_of(lines[:-1]))
    return lines


def test_another_match_may_follow_the_line_of_a_witness():
    lines = record_with_a_person()

    assert len(list(referee([*lines, witnessed(0), *lines]))) == 2 * len(lines) + 1


def test_a_second_line_of_the_same_witness_is_refused():
    assert "already" in error([*record_with_a_person(), witnessed(0), witnessed(0)]).reason


@pytest.mark.parametrize("seat", [1, -1], ids=["of a bot", "of no player"])
def test_a_witness_at_a_seat_without_a_person_is_refused(seat):
    assert "nobody sat" in error([*record_with_a_person(), witnessed(seat)]).reason


def test_a_witness_without_a_signature_is_refused():
    assert "a key and a signature" in error([*record_with_a_person(), witnessed(0, "")]).reason


def test_a_witness_before_or_without_a_seal_is_refused():
    lines = record_with_a_person()

    assert "follow the seal" in error([*lines[:-1], witnessed(0)]).reason
    assert "follow the seal" in error([*old(lines, 2), witnessed(0)]).reason


def test_a_line_with_the_same_key_twice_is_refused():
    lines = record()
    at = next(n for n, text in enumerate(lines) if '"action"' in text)
    double = lines[at].replace('{"type"', '{"seat":0,"type"')

    assert error([*lines[:at], double, *lines[at + 1 :]]).line == at + 1
    assert "twice" in error([*lines[:at], double, *lines[at + 1 :]]).reason
    within = lines[0].replace('"fair":{', '"fair":{"shares":[],')
    assert "twice" in error([within, *lines[1:]]).reason


@pytest.mark.parametrize(
    "text",
    ["", "{}", "null", "[1]", "\x00", '{"type":"nothing"}', "[" * 5000, "x" * 100_000, '{"type":"match"'],
)
def test_a_malformed_line_is_refused_with_its_number_and_the_reason(text):
    refusal = error([text, *record()])

    assert refusal.line == 1
    assert refusal.reason.startswith(("this is not a line of a record: ", "the line is longer than "))


def test_a_draw_of_a_chosen_number_of_tiles_is_refused():
    assert error([*record()[:2], '{"type":"action","seat":0,"action":["draw",5]}']).line == 3


def test_the_blocker_is_in_the_record_and_is_verified():
    variant = GAMES["stakes"]
    for seed in range(40):
        steps = list(play_match(new_match(variant, 4, {}), ("random",) * 4, str(seed).encode(), "test"))
        lines = [write(step.line) for step in steps]
        blamed = [n for n, text in enumerate(lines) if '"blocker":' in text and '"blocker":-1' not in text]
        if blamed:
            break
    assert len(list(referee(lines))) == len(lines)
    line = json.loads(lines[blamed[0]])
    lines[blamed[0]] = json.dumps(line | {"blocker": (line["blocker"] + 1) % 4})

    assert error(lines).line == blamed[0] + 1


def test_a_record_without_a_version_was_played_by_the_rules_of_its_format():
    first = next(referee(record())).line
    assert first.version == 2
    assert "rules" not in json.loads(write(first))
    assert replace(first, format=2).version == replace(first, format=1).version == 1


def test_a_match_by_earlier_rules_names_them_and_is_played_again_by_them():
    match = new_match(GAMES["fives-and-threes"], 3, {"rules": 1})
    lines = [write(step.line) for step in play_match(match, ("greedy",) * 3, b"5", "test")]
    first = json.loads(lines[0])
    blocked = next(json.loads(line) for line in lines if '"how":"blocked"' in line)

    assert first["rules"] == 1
    assert "rules" not in first["options"]
    assert blocked["winner"] == -1  # by the present rules the lightest hand wins
    assert list(referee(lines))[-1].match.over
    changed = [write(replace(next(referee(lines)).line, rules=2)), *lines[1:]]
    assert error(changed).reason.startswith("by the rules this line must be")


@pytest.mark.parametrize("version", [0, RULES + 1])
def test_a_record_by_rules_that_are_not_known_is_refused(version):
    lines = record()
    caught = error([write(replace(next(referee(lines)).line, rules=version)), *lines[1:]])
    assert (caught.line, "no version" in caught.reason) == (1, True)


def test_the_version_of_the_rules_is_no_house_rule_of_a_record():
    lines = record()
    lines[0] = lines[0].replace('"options":{', '"options":{"rules":1,')
    assert "no house rule" in error(lines).reason
