"""Short records of every game, and every way to change one thing in them."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec.structs import replace

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import (
    ActionLine,
    EndLine,
    MatchLine,
    RecordError,
    Seat,
    Sign,
    Step,
    WitnessLine,
    attestation,
    referee,
    seal_of,
    write,
)
from net.client.verify_match import verify_record

SEEDS = 8
"""Matches of a game of which the shortest is taken."""
LENGTH_OPTIONS = ("target", "mt.rounds", "sm.rounds", "set")
"""House rules that decide how long a match is."""


@cache
def steps_of(game: str) -> tuple[Step, ...]:
    """Return the steps of a short match of a game, its seats taken by people and by bots in turn."""
    variant = GAMES[game]
    options = {option.key: min(option.choices) for option in variant.options if option.key in LENGTH_OPTIONS}
    match = new_match(variant, variant.seats[0], options)
    bots = ("random",) * variant.seats[0]
    matches = (tuple(play_match(match, bots, str(seed).encode(), "test")) for seed in range(SEEDS))
    return min(matches, key=len)


def lines_of(game: str) -> list[str]:
    """Return the lines of a short match of a game, without the seal; seats with an odd number are people's."""
    lines = [write(step.line) for step in steps_of(game)[:-1]]
    match_line = steps_of(game)[0].line
    assert isinstance(match_line, MatchLine)
    is_solo = len(match_line.seats) == 1
    seats = tuple(
        Seat(f"player {number}", "" if number % 2 or is_solo else "random") for number in range(len(match_line.seats))
    )
    return [write(replace(match_line, seats=seats)), *lines[1:]]


def signed(lines: list[str], host: Sign, player: Sign | None = None) -> list[str]:
    """Return the same lines with a seal and, if `player` signs for the second seat, a witness."""
    seal = seal_of(lines, host)
    seat = min(1, len(json.loads(lines[0])["seats"]) - 1)
    witnesses = [write(WitnessLine(seat, *player(attestation(seal.chain, seat))))] if player else []
    return [*lines, write(seal), *witnesses]


def unsealed(lines: list[str]) -> list[str]:
    """Return the same match as an earlier release would have written it, proven by the rules alone."""
    return [lines[0].replace('"format":3', '"format":2'), *lines[1:]]


def is_accepted(lines: list[str], check) -> bool:
    """Return True if `boneyard verify` finds no problem."""
    try:
        verify_record(lines, check)
    except RecordError:
        return False
    return True


def to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def change_fields(lines: list[str], rng: Random, times: int) -> Iterator[tuple[str, list[str]]]:
    """Change every field of `times` times every line, both its value and its presence."""
    for index, text in enumerate(lines):
        line = json.loads(text)
        for path in _paths(line):
            field_path = f"{line['type']}.{'.'.join(str(part) for part in path if isinstance(part, str))}"
            for new_value in _other_values(_value_at(line, path), rng, times):
                yield field_path, [*lines[:index], to_json(_with(line, path, new_value)), *lines[index + 1 :]]
            if isinstance(path[-1], str):
                yield field_path, [*lines[:index], to_json(_without(line, path)), *lines[index + 1 :]]
        yield f"{line['type']}+", [*lines[:index], to_json(line | {"extra": 1}), *lines[index + 1 :]]


def change_actions(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Replace each action by every other legal action."""
    match = None
    for index, step in enumerate(referee(lines)):
        if isinstance(step.line, ActionLine):
            for action in match.legal:
                if action != step.line.action:
                    changed_line = write(ActionLine(step.line.seat, action))
                    yield "another legal action", [*lines[:index], changed_line, *lines[index + 1 :]]
        if isinstance(step.line, EndLine):
            return
        match = step.match


def change_order(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Drop each line, double it, and let it change places with the next and with any other."""
    for index, text in enumerate(lines):
        if '"witness"' not in text:  # a record with fewer witnesses is whole
            yield "dropped", [*lines[:index], *lines[index + 1 :]]
        yield "doubled", [*lines[: index + 1], *lines[index:]]
        for other_index in {index + 1, len(lines) - 1 - index}:
            if index < other_index < len(lines) and lines[other_index] != text:
                swapped = list(lines)
                swapped[index], swapped[other_index] = swapped[other_index], swapped[index]
                yield "swapped", swapped


def change_letters(lines: list[str], rng: Random, count: int) -> Iterator[tuple[str, list[str]]]:
    """Change, insert or remove any letter of the file, `count` times."""
    text = "\n".join(lines)
    for _ in range(count):
        index = rng.randrange(len(text))
        letter = rng.choice([rng.choice(text), chr(rng.randrange(32, 127)), "\n", "é"])
        changed = rng.choice(
            [
                text[:index] + letter + text[index + 1 :],
                text[:index] + letter + text[index:],
                text[:index] + text[index + 1 :],
            ]
        )
        if changed != text:
            yield "a letter", changed.split("\n")


def _paths(value: object) -> Iterator[tuple[str | int, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (key,)
        for path in _paths(inner):
            yield (key, *path)


def _value_at(value, path):
    for key in path:
        value = value[key]
    return value


def _with(value, path, new_value):
    if not path:
        return new_value
    copy = value.copy()
    copy[path[0]] = _with(value[path[0]], path[1:], new_value)
    return copy


def _without(value, path):
    copy = value.copy()
    if len(path) == 1:
        del copy[path[0]]
    else:
        copy[path[0]] = _without(value[path[0]], path[1:])
    return copy


def _other_values(value: object, rng: Random, count: int) -> list[object]:
    """Return up to `count` other values, of the same type and of others."""
    if isinstance(value, int):
        values = [value + 1, value - 1, -value - 2, 0, str(value), None]
    elif isinstance(value, str):
        letter = rng.randrange(len(value)) if value else 0
        values = [
            value[:letter] + rng.choice("abcdef0123456789") + value[letter + 1 :],
            value + "x",
            "",
            7,
            value[:-1],
        ]
    elif isinstance(value, list):
        values = [value[1:], value + value[-1:], value[::-1], [], None]
    elif isinstance(value, dict):
        values = [{}, None, []]
    else:
        values = [0, ""]
    values = [changed for changed in values if to_json(changed) != to_json(value)]
    return rng.sample(values, min(count, len(values)))
