"""What the choices do of the games that came after the most played ones, from Amazonense to Spinner."""

from core.words import phrase

FURTHER: dict[str, dict[str, str]] = {
    "am.doubles": {
        "bonus": phrase("points: a hand with five doubles or more scores 50 at once."),
        "redeal": phrase("dealt again: if somebody holds five doubles or more, all tiles are dealt again."),
        "none": phrase("nothing: every deal is played, and doubles in a hand bring nothing."),
    },
    "amazonense:target": {
        "n": phrase("{n} points: the higher score of at least {n} wins after a round; at a tie another is played."),
    },
    "moon:target": {
        "n": phrase(
            "{n} points: after a hand, a bidder with {n} points wins, or else the highest score of at least {n}."
        ),
    },
    "sp.centre": {
        "2": phrase("two: two tiles are laid on the centre before anything else."),
        "3": phrase("three: three tiles are laid on the centre before anything else."),
    },
    "sp.rounds": {"n": phrase("{n} rounds: the match is over after {n} rounds.")},
    "hungarian:target": {"n": phrase("{n} points: the match ends once somebody has {n}; the lowest score wins.")},
    "tg.rounds": {"n": phrase("{n} rounds: the match has {n} rounds, and the highest total wins.")},
    "tg.mixed": {
        "yes": phrase("yes: Heaven goes with nines, Earth with eights, Man with sevens, Goose with fives."),
        "no": phrase("no: civil and military tiles are never laid together."),
    },
    "tg.early_death": {
        "yes": phrase("yes: if the last trick is a single tile, whoever has taken nothing must hide theirs."),
        "no": phrase("no: the last tile may beat, also of somebody who has taken nothing."),
    },
    "tg.banker": {
        "fixed": phrase("double: what the banker pays or gets always counts twice."),
        "rising": phrase("rising: it counts once more with every round in a row as banker."),
    },
    "tg.bonus": {
        "off": phrase("none: only the end of a round pays."),
        "on": phrase("bonuses: supreme pairs and tricks of four pay at once, and some last tricks count more."),
    },
    "bg.lead": {
        "highest": phrase("highest double: the highest double is led in every round; without one all deal again."),
        "lowest": phrase("lowest double: the lowest double is led in every round; without one all deal again."),
        "lot": phrase("in turn: the first leader is drawn by lot, then each leads in turn, with any tile."),
    },
    "bg.out": {
        "1": phrase("one point: whoever wins a round scores one point."),
        "2": phrase("two points: whoever wins a round scores two points."),
    },
    "bg.block": {
        "pips": phrase("fewest pips: if nobody can play, the hand with the fewest pips wins the round."),
        "american": phrase(
            "American: a hand without doubles wins, the one with fewest tiles; else the lowest double."
        ),
        "german": phrase("German: the hand with fewest doubles wins, and of equal ones the lightest."),
    },
    "pa.game": {
        "luzon": phrase("Luzon: five columns; take two free tiles that make 12 pips."),
        "draw-five": phrase("Draw-five: lay all tiles in one line from a hand of five."),
        "castle-rock": phrase("Castle Rock: a row; capture the tile between two that share a number."),
        "good-neighbors": phrase("Good Neighbors: a grid; take two tiles that touch and share a number."),
    },
    "pa.refill": {
        "keep": phrase("after every tile: the hand has five again, as long as there are tiles."),
        "stuck": phrase("when stuck: the hand is filled up only when nothing in it fits."),
        "empty": phrase("when empty: five new tiles come once the hand is empty; this is hardly ever won."),
    },
    "pa.deals": {
        "any": phrase("all: tiles are dealt as they come, so that some games cannot be won."),
        "solvable": phrase("solvable ones: only deals for which the program has found a way to the end."),
    },
    "bg.near": {
        "off": phrase("in full: a play always scores all that it makes."),
        "on": phrase("held back: two points from the target a play scores one at most, three points from it two."),
    },
}
"""By option, or by game and option; then by choice, where `n` stands for every number that is not named."""
