"""Plays random matches by `core` and by the rule sheet at once, and reports differences."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from random import Random

import msgspec

from core.actions import Play
from core.bots.levels import random_choices
from core.fair import deal_order
from core.games import GAMES
from core.match import Match, new_match
from core.variant import Options
from core.words import BadOption
from tests.rules.amazonense import Amazonense
from tests.rules.bergen import Bergen
from tests.rules.blind_hughie import BlindHughie
from tests.rules.brazilian import Brazilian
from tests.rules.chickenfoot import Chickenfoot
from tests.rules.fives import AllFives, FivesAndThrees, FiveUp, Telefon
from tests.rules.forty_two import FortyTwo
from tests.rules.four_rounds import FourRounds
from tests.rules.hungarian import Hungarian
from tests.rules.kozel import Kozel
from tests.rules.lines import Block, Cross, Draw, Gaple, Matador
from tests.rules.mexican_train import MexicanTrain
from tests.rules.moon import Moon
from tests.rules.one_end import JieLong, TiddlyWink
from tests.rules.partners import Partners
from tests.rules.patience import Patience
from tests.rules.six_love import SixLove
from tests.rules.spinner import Spinner
from tests.rules.stakes import Stakes
from tests.rules.tien_gow import TienGow
from tests.rules.wildstar import Wildstar

SHEETS = {
    "draw": Draw,
    "block": Block,
    "all-fives": AllFives,
    "mexican-train": MexicanTrain,
    "chickenfoot": Chickenfoot,
    "matador": Matador,
    "wildstar": Wildstar,
    "stakes": Stakes,
    "four-rounds": FourRounds,
    "fives-and-threes": FivesAndThrees,
    "five-up": FiveUp,
    "forty-two": FortyTwo,
    "cross": Cross,
    "partners": Partners,
    "brazilian": Brazilian,
    "six-love": SixLove,
    "gaple": Gaple,
    "kozel": Kozel,
    "telefon": Telefon,
    "spinner": Spinner,
    "moon": Moon,
    "jie-long": JieLong,
    "tiddly-wink": TiddlyWink,
    "amazonense": Amazonense,
    "bergen": Bergen,
    "hungarian": Hungarian,
    "patience": Patience,
    "blind-hughie": BlindHughie,
    "tien-gow": TienGow,
}


class DisagreementError(AssertionError):
    """`core` and the rule sheet differ; the text has everything needed to repeat it."""


def possible(name: str, players: int, options: Options) -> Match | None:
    """Return a new match, or None if these house rules exclude each other or would take minutes for a round."""
    if name == "stakes" and (options.get("sm.set"), options.get("sm.window")) == ("D7", "unlimited"):
        return None
    with suppress(BadOption):
        return new_match(GAMES[name], players, options)
    return None


@cache
def covering(name: str, seed: str) -> tuple[Match, ...]:
    """Return new matches of a game in which each choice of each house rule occurs, with other rules at random."""
    rng = Random(f"{seed} {name}")
    variant = GAMES[name]
    missing = [(option.key, choice) for option in variant.options for choice in option.choices]
    rng.shuffle(missing)
    matches = []
    while missing:
        match = None
        while match is None:
            rest = {option.key: rng.choice(option.choices) for option in variant.options if rng.random() < 0.6}
            options = (rest if rng.random() < 0.5 else {}) | dict(missing[:1])  # some choices need others
            players = rng.randint(*variant.seats)
            match = possible(name, players, options)
        for key, choice in [*missing, *rest.items()]:
            if key not in options and (fuller := possible(name, players, options | {key: choice})):
                match, options = fuller, options | {key: choice}
        matches.append(match)
        missing = [pair for pair in missing if pair not in match.options.items()]
    return tuple(matches)


def chosen(rng: Random, name: str, seed: str) -> Match:
    """Return a new match for a seed like `7f 3`: the fourth of those that cover all choices, or a random one."""
    base, _space, number = seed.rpartition(" ")
    covers = covering(name, base)
    if number.isdecimal() and int(number) < len(covers):
        return covers[int(number)]
    variant = GAMES[name]
    while True:
        options = {option.key: rng.choice(option.choices) for option in variant.options if rng.random() < 0.6}
        if match := possible(name, rng.randint(*variant.seats), options):
            return match


def move_of(action) -> tuple:
    """Return an action as the rule sheet writes it: plain tuples, as in `docs/records.md`."""
    plain = msgspec.to_builtins(action)
    return tuple(_frozen(part) for part in plain)


def _frozen(part):
    """Return a list as a tuple, recursively."""
    return tuple(map(_frozen, part)) if isinstance(part, list | tuple) else part


def compared(name: str, seed: str, *, rounds: int) -> Iterator[str]:
    """Play one match, or `rounds` rounds of it; yield the kind of every position that was compared.

    Raises DisagreementError at the first difference.
    """
    rng = Random(seed)
    match = chosen(rng, name, seed)
    sheet = SHEETS[name](match.rules.seats, match.options)
    key = seed.encode()
    eager = rng.random()  # some players hardly ever draw or pass by choice, so that rounds end by going out too
    while not match.over and not (match.is_deal_due and match.deals == rounds):
        if match.is_deal_due:
            order, lot = deal_order(match.rules.tiles, match.rules.seats, key, match.deals + 1)
            match, _ = match.deal(order, lot)
            sheet.deal(order, lot)
            done = "the deal"
        else:
            plays = [action for action in match.legal if isinstance(action, Play)]
            choices = plays if plays and rng.random() < eager else match.legal
            action = rng.choice(choices if rng.random() < 0.02 else random_choices(choices))
            done = f"{move_of(action)} of seat {match.turn}"
            match, _ = match.apply(action)
            sheet.do(move_of(action))
        _compare(
            match, sheet, f"{name}, {match.rules.seats} players, seed {seed!r}, round {match.round}, after {done}"
        )
        yield match.state.result.how if match.state.result else "play"


def _compare(match: Match, sheet, where: str) -> None:
    state = match.state
    result = state.result
    pairs = {
        "the round": (match.round, sheet.round),
        "the legal actions": (sorted(map(move_of, match.legal)), sorted(sheet.legal())),
        "the hands": ([list(hand) for hand in state.hands], sheet.hands),
        "the boneyard": (list(getattr(getattr(state, "laid", state), "boneyard", ())), sheet.yard),
        "the result": (
            result and (result.how, result.winner, result.points),
            sheet.result and tuple(sheet.result),
        ),
        "the scores": (list(match.scores), sheet.scores),
        "the end of the match": ((match.over, match.winners), (sheet.over, sheet.winners)),
    }
    if not result:
        pairs["the turn"] = (state.turn, sheet.turn)
    if result and hasattr(sheet, "blocker"):
        pairs["the blame"] = ((result.blocker, result.assistant), (sheet.blocker, sheet.assistant))
    for what, (core, plain) in pairs.items():
        if core != plain:
            rules = {option.key: match.options[option.key] for option in match.variant.options}
            raise DisagreementError(f"{where}: {what}: core says {core}, the sheet {plain}; house rules {rules}")


def compare(name: str, seeds: Iterable[str], *, rounds: int) -> tuple[Counter, list[str]]:
    """Compare a match of a game for every seed; return the counts, and every disagreement."""
    counted: Counter = Counter()
    disagreements = []
    for seed in seeds:
        counted["matches"] += 1
        try:
            for kind in compared(name, seed, rounds=rounds):
                counted["positions"] += 1
                counted["rounds"] += kind != "play"
        except DisagreementError as error:
            disagreements.append(str(error))
    return counted, disagreements
