"""The meanings of choices in all other games: trains, feet, stars, tricks, and those from Amazonense to Spinner.

The last table has the settings that every game shares.
"""

from core.words import phrase

_MARKS = phrase("{n} marks: the first side with {n} marks wins the match.")
_POINTS = phrase("{n} points: the match ends with the round in which a side gets {n} points.")
_HIGH = phrase("high: a double is the highest tile of its number.")
_LOW = phrase("low: a double is the lowest tile of its number.")
_SUIT = phrase("own suit: the seven doubles are a suit of their own.")

OTHER_GAMES: dict[str, dict[str, str]] = {
    "mt.double": {
        "cover": phrase("cover it: a double must be covered before anything else is played."),
        "bonus": phrase("one more tile: a double gives you one more tile anywhere, and is never owed."),
        "chain": phrase("a chain: you may lay several doubles in a turn, and cover them in the order laid."),
    },
    "mt.first_turn": {
        "one": phrase("one tile: the first turn is like any other."),
        "train": phrase("a whole train: in your first turn, lay as many tiles on your own train as you like."),
    },
    "mt.hand": {
        "15/12/10": phrase("15, 12, 10: up to four players take 15 tiles each, up to six 12, more take 10."),
        "15/12/11": phrase("15, 12, 11: up to four players take 15 tiles each, up to six 12, more take 11."),
    },
    "mt.engine": {
        "aside": phrase("set aside: the engine lies in the hub before the tiles are dealt."),
        "held": phrase("held: the engine is dealt too; whoever holds it lays it, or all draw until it comes."),
    },
    "mt.start": {
        "any": phrase("at any time: anybody may start the Mexican Train."),
        "own_first": phrase("own train first: you may start it once a tile lies on your own train."),
        "not_first": phrase("not at first: nobody may start it in their first turn."),
    },
    "mt.rounds": {
        "13": phrase("every number: a round for each double of the set, 13 with double-twelve."),
        "7": phrase("every other: a round for every other double of the set, 7 with double-twelve."),
    },
    "zero_zero": {
        "0": phrase("no pips: the double blank counts nothing."),
        "n": phrase("{n} points: whoever is left with the double blank counts {n} for it."),
    },
    "cf.blank_half": {
        "0": phrase("no pips: a blank half counts nothing."),
        "n": phrase("{n} points: each tile with one blank half counts {n} more for whoever is left with it."),
    },
    "cf.arms": {"n": phrase("{n} arms: the first {n} plays go on the centre, before any other.")},
    "cf.center": {
        "held": phrase("held: the centre is dealt too; whoever holds it lays it, or all draw until it comes."),
        "aside": phrase("set aside: the centre lies on the table before the tiles are dealt."),
    },
    "cf.draw": {
        "one": phrase("one tile: whoever is stuck draws one tile, and passes if it does not fit."),
        "until": phrase("until one fits: whoever is stuck draws until a tile fits."),
    },
    "cf.short_foot": {
        "finish": phrase("is finished: a foot is done with fewer toes once no tile of its number is left."),
        "block": phrase("blocks: the foot stays owed to the end, so that the round is soon blocked."),
    },
    "cf.yard_empty": {
        "pass": phrase("pass: whoever is stuck passes, and the round goes on."),
        "end_round": phrase("the round ends: it ends as soon as somebody is stuck at the start of a turn."),
    },
    "42.score": {
        "marks": phrase("marks: a bid that is made brings its marks; if it is defeated, the others get them."),
        "points": phrase(
            "points: both sides score the points they take; if a bid is defeated, the others score it too."
        ),
    },
    "cross.arms": {
        "4": phrase("4 arms: the centre has four arms, so the tiles lie as a cross."),
        "8": phrase("8 arms: the centre has eight arms, so the tiles lie as a star."),
    },
    "cross.second": {
        "none": phrase("any tile: once all arms are laid, any arm may be played on."),
        "doubles": phrase("a double each: once all arms are laid, each needs the double of its end before all else."),
    },
    "cross.lead": {
        "highest": phrase("the highest held: the highest double in any hand is the centre."),
        "top": phrase(
            "the highest of all: the highest double of the set is the centre; if nobody has it, all draw for it."
        ),
    },
    "cross.hand": {
        "usual": phrase("as usual: two players take 7 tiles each, others as the rules say; eight take 3."),
        "9/8/7/7/6": phrase("9, 8, 7, 7, 6: four players take 9 tiles each, five 8, six and seven 7, eight 6."),
    },
    "cross:draw.max": {"0": phrase("no tiles: nobody draws; whoever is stuck passes.")},
    "42.target": {"7": _MARKS, "5": _MARKS, "10": _MARKS, "250": _POINTS, "150": _POINTS, "500": _POINTS},
    "42.all_pass": {
        "reshake": phrase("a new deal: the next player deals, and all bid again."),
        "dealer_30": phrase("a forced bid: after three passes the dealer must bid, at least 30."),
    },
    "42.contracts": {
        "none": phrase("no contracts: there are trumps and follow-me, and nothing else."),
        "nello": phrase("nello: lose every trick, with your partner out of play, for a mark or more."),
        "plunge": phrase("plunge: with four doubles, bid four marks; your partner names trumps and leads."),
        "splash": phrase("splash: with three doubles, bid two or three marks; your partner names trumps and leads."),
        "sevens": phrase("sevens: there are no suits; the tile nearest to seven pips takes the trick."),
    },
    "42.nello_doubles": {
        "bidder": phrase("bidder's choice: whoever bids nello says how doubles rank."),
        "high": _HIGH,
        "low": _LOW,
        "suit": _SUIT,
    },
    "42.follow_me_doubles": {"high": _HIGH, "low": _LOW, "suit": _SUIT},
    "42.play_out": {
        "off": phrase("no: a round ends as soon as its bid is made or defeated."),
        "on": phrase("yes: all seven tricks are played."),
    },
    "42.small_end": {
        "off": phrase("no: a tile that is led asks for its larger number."),
        "on": phrase("yes: the first tile led in a round may ask for its smaller number."),
    },
    "ws.teams": {
        "off": phrase("no: everybody plays for themselves."),
        "on": phrase("yes: two teams, sitting alternately; this needs an even number of players."),
    },
    "ws.score": {
        "penalty": phrase("against you: what you hold counts against you, and the lowest score wins."),
        "collect": phrase("for the winner: the winner of a round scores what the others hold."),
    },
    "ws.opener": {
        "holder": phrase("after its holder: laying the centre is a turn, and the next player goes on."),
        "previous_winner": phrase("last winner: whoever won the last round goes on, whoever laid the centre."),
    },
    "ws.wild_end": {
        "declared": phrase("the number named: whoever plays a wildstar names its number."),
        "open": phrase("any number: every tile fits on a wildstar."),
        "same": phrase("the same number: a wildstar repeats the number that it lies on."),
    },
    "ws.draw": {
        "one": phrase("one tile: whoever is stuck draws one tile, and passes if it does not fit."),
        "until": phrase("until one fits: whoever is stuck draws until a tile fits."),
    },
    "ws.drawn": {
        "may": phrase("may be kept: whoever drew a tile that fits may keep it and pass."),
        "must": phrase("must be played: a drawn tile that fits is played at once."),
    },
    "ws.rounds": {
        "10": phrase("10 rounds: the centre is each double from nine to blank in turn."),
        "5": phrase("5 rounds: the centre is each double from nine to five in turn."),
    },
    "am.doubles": {
        "bonus": phrase("points: a hand with five doubles or more scores 50 at once."),
        "redeal": phrase("dealt again: if somebody holds five doubles or more, all tiles are dealt again."),
        "none": phrase("no points: every deal is played, and doubles in a hand score nothing."),
    },
    "amazonense:target": {
        "n": phrase("{n} points: the higher score of at least {n} wins after a round; at a tie another is played."),
    },
    "moon:target": {
        "n": phrase(
            "{n} points: after a round, a bidder with {n} points wins, or else the highest score of at least {n}."
        ),
    },
    "sp.centre": {
        "2": phrase("two tiles: they are laid on the centre before anything else."),
        "3": phrase("three tiles: they are laid on the centre before anything else."),
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
        "no": phrase("no: the last tile may beat, even if its player has taken nothing."),
    },
    "tg.banker": {
        "fixed": phrase("double: what the banker pays or gets always counts twice."),
        "rising": phrase("rising: it counts once more with every round in a row as banker."),
    },
    "tg.bonus": {
        "off": phrase("no bonuses: there are payments only at the end of a round."),
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
        "any": phrase("all deals: tiles are dealt as they come, so some games cannot be won."),
        "solvable": phrase("solvable ones: only deals for which the program has found a way to the end."),
    },
    "bg.near": {
        "off": phrase("in full: a play always scores all that it makes."),
        "on": phrase("limited: two points from the target a play scores one at most, three points from it two."),
    },
}
"""By option, or by game and option; then by choice, where `n` stands for every number that is not listed."""


_MINUTES = phrase("{n} minutes: when a player's turns have taken {n} minutes in all, a bot goes on.")
_SECONDS = phrase("{n} seconds: when a turn has taken {n} seconds, a bot plays it.")

TABLE_SETTINGS: dict[str, dict[str, str]] = {
    "players": {
        "1": phrase("one player: nobody else sits at the table."),
        "n": phrase("{n} players: {n} seats, for people and bots together."),
    },
    "preset": {"usual": phrase("as usual: the rules of Boneyard, unless somebody chooses others.")},
    "bots": {
        "0": phrase("no bots: all seats wait for people."),
        "1": phrase("one bot: the other seats wait for people."),
        "n": phrase("{n} bots: the other seats wait for people."),
    },
    "level": {
        "easy": phrase("easy: bots make the slips that people make."),
        "normal": phrase("normal: bots think a little about each move."),
        "hard": phrase("hard: bots think ten times as much."),
    },
    "hints": {
        "no": phrase("no: nobody gets hints unless all players agree."),
        "yes": phrase("yes: the key h shows a good move and says why."),
    },
    "take_back": {
        "no": phrase("no: what is done stays done."),
        "yes": phrase("yes: the key u takes back your last choice; all other people at the table must agree."),
    },
    "private": {
        "no": phrase("no: everybody in the lobby may sit down or watch."),
        "yes": phrase("yes: only people with the code of the table may join; you are shown it."),
    },
    "turn_time": {"0": phrase("no limit: a turn may take as long as it likes."), "n": _SECONDS},
    "match_time": {"0": phrase("no limit: a match may take as long as it likes."), "n": _MINUTES},
}
"""By setting, then by choice, where `n` stands for every number that is not listed."""
