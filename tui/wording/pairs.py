"""What the choices of the games do in which last tiles, passes and won hands pay: Partners and its kin."""

from core.words import phrase

_NOTHING = phrase("nothing: it pays nothing.")
_TEAM = phrase("lighter pair: the two partners who together hold the fewest pips win.")
_SINGLE = phrase("lightest hand: the hand with the fewest pips wins, for both partners.")

PAIRS: dict[str, dict[str, str]] = {
    "pt.first": {
        "double": phrase("highest double: whoever holds the highest double leads it in the first hand."),
        "lot": phrase("by lot: a player drawn by lot leads the first hand, with any tile."),
    },
    "pt.lead": {
        "winner": phrase("last winner: the winner of the last hand leads any tile; without one, the lead moves on."),
        "rotate": phrase("in turn: the lead moves on one seat each hand, with any tile."),
        "double": phrase("highest double: the highest double is led in every hand."),
    },
    "pt.block": {
        "team": _TEAM,
        "single": _SINGLE,
        "duel": phrase("duel: only who laid last and the next player compare hands; fewer pips win."),
    },
    "pt.tie": {
        "none": phrase("nobody: nobody scores, and the seat after the leader leads."),
        "leader": phrase("the leader: whoever led the hand wins it."),
        "blocker": phrase("who blocked: whoever laid the last tile wins the hand."),
        "others": phrase("the others: the seat after the one that laid last wins the hand."),
    },
    "pt.count": {
        "losers": phrase("the losers': the winners score what the other two hold."),
        "all": phrase("all hands: the winners score what all four hold, their own hands too."),
    },
    "pt.pay": {
        "pips": phrase("pip by pip: every pip is a point."),
        "tens": phrase("in tens: up to 20 pips are 2 points, then one more for each ten begun; under 3 are none."),
    },
    "pt.capicua": {
        "0": _NOTHING,
        "double": phrase("double: a capicúa, a last tile that fits both ends, doubles the points of the hand."),
        "n": phrase("{n} points: a capicúa, a last tile that fits both ends, scores {n} more."),
    },
    "pt.capicua_ends": {
        "different": phrase("two numbers: a capicúa needs ends that show two different numbers."),
        "any": phrase("any: a tile that is no double is also a capicúa if both ends show the same number."),
    },
    "pt.chuchazo": {
        "0": _NOTHING,
        "n": phrase("{n} points: a chuchazo, 0|0 as the last tile while just one end is blank, scores {n} more."),
    },
    "pt.pass_first": {
        "0": _NOTHING,
        "n": phrase("{n} points: if the next player passes on the lead, its side gets {n}, twice that for a single."),
    },
    "pt.pass_all": {
        "0": _NOTHING,
        "n": phrase("{n} points: if the three others pass after your tile, your side scores {n}, each time."),
    },
    "pt.first_pass": {
        "0": _NOTHING,
        "n": phrase("{n} points: the first pass of the match gives the other side {n}."),
    },
    "pt.pass_stop": {
        "0": phrase("nowhere: passes pay to the end of the match."),
        "n": phrase("{n} before: a side that is {n} points or fewer from the target gets nothing for passes."),
    },
    "pt.hand_bonus": {
        "no": phrase("no: every hand is paid alike."),
        "yes": phrase("yes: the winners of the first four hands get 100, 75, 50 and 25 more."),
    },
    "br.hand": {
        "7": phrase("seven: all 28 tiles are dealt."),
        "6": phrase("six: four tiles sleep, and nobody sees them."),
    },
    "br.redeal": {
        "0": phrase("none: every deal is played."),
        "n": phrase("{n} doubles: if a hand has {n} doubles or more, the tiles are dealt again."),
    },
    "br.block": {
        "team": _TEAM,
        "single": _SINGLE,
        "void": phrase("nobody: no blocked hand is won."),
    },
    "br.tie": {
        "double": phrase("twice: the next hand that is won counts twice."),
        "plus_one": phrase("one more each: the next hand that is won gets a point more for each such block."),
        "none": phrase("as always: the next hand counts like any other."),
    },
    "br.cross": {
        "n": phrase("{n} points: a cruzada, a double that fits both ends as the last tile, scores {n}."),
    },
    "six-love:partners": {
        "yes": phrase("yes: four players are two against two; fewer play for themselves."),
    },
    "sl.match": {
        "first": phrase("first to six: the first side with six hands wins."),
        "love": phrase("six in a row: a win against points takes all back to nothing."),
    },
    "sl.one_all": {
        "no": phrase("back to nothing: whoever loses at one to nothing takes all back to nothing."),
        "yes": phrase("one all: it stands at one all, and the next hand makes two to nothing."),
    },
    "sl.key": {
        "1": phrase("one point: it counts like any other hand."),
        "2": phrase("two points: a key, a last tile for both ends that nobody else could use, counts two."),
    },
    "sl.two": {
        "7": phrase("seven: two players take 7 tiles each, and draw until one fits."),
        "14": phrase("fourteen: two players share all tiles, and never draw."),
    },
    "brazilian:target": {"n": phrase("{n} points: the first side with {n} points wins.")},
}
"""By option, or by game and option; then by choice, where `n` stands for every number that is not named."""
