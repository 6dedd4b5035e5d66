"""Texas 42: bidding for tricks and counts in two partnerships (`docs/rules` §2.6)."""

from itertools import combinations
from typing import Literal

from core.actions import Name
from core.layout.state import Goal
from core.tiles import full_set
from core.tricks.rules import Contract, TrickRules
from core.variant import Option, Options, Variant
from core.words import BadOption, DoublesRank, phrase, words

CONTRACTS: tuple[Contract, ...] = ("nello", "plunge", "splash", "sevens")
SETS = ("none", *("+".join(some) for size in range(1, 5) for some in combinations(CONTRACTS, size)))
"""Every set of special contracts, as a word each."""
MARKS, POINTS = (7, 5, 10), (250, 150, 500)


def _build(players: int, options: Options) -> TrickRules:
    scores_marks = options["42.score"] == "marks"
    target = int(options["42.target"])
    if target not in (MARKS if scores_marks else POINTS):
        raise BadOption(
            words(
                "42.target={target} does not fit 42.score={score}; choose one of: {targets}.",
                target=target,
                score=str(options["42.score"]),
                targets=", ".join(map(str, MARKS if scores_marks else POINTS)),
            )
        )
    nello_doubles = _NELLO_DOUBLES_OPTION.of(options)
    contracts = str(options["42.contracts"]).split("+")
    return TrickRules(
        tiles=full_set(6),
        seats=players,
        goal=Goal(target=target, tie="winner"),
        trumps=(
            *(Name("number", number) for number in reversed(range(7))),
            Name("doubles"),
            Name("follow_me", doubles=_FOLLOW_ME_DOUBLES_OPTION.of(options)),
        ),
        pays="marks" if scores_marks else "points",
        forced=options["42.all_pass"] == "dealer_30",  # noqa: S105 - a pass, not a word
        contracts=tuple(contract for contract in CONTRACTS if contract in contracts),
        nello_doubles=("suit", "high", "low") if nello_doubles == "bidder" else (nello_doubles,),
        play_out=options["42.play_out"] == "on",
        small_end=options["42.small_end"] == "on",
    )


_NELLO_DOUBLES_OPTION: Option[DoublesRank | Literal["bidder"]] = Option(
    "42.nello_doubles", ("bidder", "high", "low", "suit"), "how doubles rank in nello"
)
_FOLLOW_ME_DOUBLES_OPTION: Option[DoublesRank] = Option(
    "42.follow_me_doubles", ("high", "low", "suit"), "how doubles rank in follow-me"
)

FORTY_TWO = Variant(
    id="forty-two",
    name=phrase("Forty-Two"),
    pitch=phrase("Bid, name trumps, take tricks: the Texas partnership game."),
    brief=phrase("bids and tricks"),
    seats=(4, 4),
    options=(
        Option("42.score", ("marks", "points"), "what is scored"),
        Option(
            "42.target", (*MARKS, *POINTS), "marks or points that end the match", unless=("42.score", "points", 250)
        ),
        Option("42.all_pass", ("reshake", "dealer_30"), "when all pass"),
        Option("42.contracts", SETS, "special contracts"),
        _NELLO_DOUBLES_OPTION,
        _FOLLOW_ME_DOUBLES_OPTION,
        Option("42.play_out", ("off", "on"), "play on when a round is decided"),
        Option("42.small_end", ("off", "on"), "a lead may ask for its smaller number"),
    ),
    build=_build,
)
