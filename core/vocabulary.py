"""The words for choices in records and messages, as named lists.

mypy reports a word that is not listed. At run time any text is accepted: a newer host may send a word that this
version does not know, and the message is then shown without it.
"""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    Redeal = Literal["redeal", "doubles", "alike"]
    LeadReason = (
        Literal["double", "lowest_double", "first_tile", "heaviest", "heaviest_hand", "lightest", "lot", "winner"]
        | Literal["own_double", "rotation", "centre", "found"]
        | Redeal
    )
    ShownLead = Literal[""] | LeadReason
    PassReason = Literal["empty", "reserve", "limit", "no_drawing", "no_lead", "kept", "enough", "bidding"]
    RoundEnd = (
        Literal["out", "blocked", "gaple", "fish", "eggs", "stuck", "target", "stopped", "made", "set", "passed"]
        | Literal["last_trick"]
        | Literal["all_laid", "solved", "given_up"]
        | Redeal
    )
    ScoreReason = Literal[
        "",
        "lead_pass",
        "round_pass",
        "first_pass",
        "any_pass",
        "galo",
        "doubles",
        "telefon",
        "equal_ends",
        "supreme",
        "four_tiles",
    ]
    ScoreCause = Literal["play"] | ScoreReason | RoundEnd
    TermKind = Literal[
        "pips",
        "blank",
        "blank_halves",
        "star",
        "own",
        "boneyard",
        "share",
        "rounded",
        "wall",
        "eggs",
        "hung",
        "waits",
        "lost",
        "out",
        "bonus",
        "paid",
        "got",
        "tens",
        "capicua",
        "chuchazo",
        "hand_bonus",
        "both_ends",
        "cruzada",
        "double",
        "block",
        "unwon",
        "key",
        "reset",
        "marks",
        "tricks",
        "counts",
        "bid",
        "left",
    ]
    BidKind = Literal["", "plunge", "splash"]
    TrumpKind = Literal["number", "doubles", "follow_me", "none", "nello", "sevens"]
    DoublesRank = Literal["high", "low", "suit"]
    Shape = Literal["line", "inline", "cross", "lanes", "feet", "star"]
    Spread = Literal["columns", "row", "grid", "line"]
    Faces = Literal["", "chinese"]
    MatchTie = Literal["share", "zeros", "winner", "draw", "more"]
    LoserName = Literal["", "goat", "sea_goat"]
    Shutout = Literal["", "zapato", "six_love"]
    Going = Literal["", "must", "may", "fits"]
else:
    Redeal = LeadReason = ShownLead = PassReason = RoundEnd = ScoreReason = ScoreCause = TermKind = str
    Spread = BidKind = TrumpKind = DoublesRank = Shape = Faces = MatchTie = LoserName = Shutout = Going = str
