"""The meanings of choices in line games: from Draw to Four Rounds, and those related to All Fives and Partners."""

from core.words import phrase

_MUST = phrase("must be played: a drawn tile that fits is played at once.")
_TARGET = phrase("{n} points: the match ends with the round in which somebody gets {n} points.")
_BY_LOT = phrase("by lot: a player drawn by lot leads with any tile, in every round.")
_FIVE_EACH = phrase("7, 5, 5: two players take 7 tiles each, three or four take 5.")

_SETS = {
    "6": phrase("double-six: 28 tiles, with the numbers 0 to 6."),
    "9": phrase("double-nine: 55 tiles, with the numbers 0 to 9."),
    "12": phrase("double-twelve: 91 tiles, with the numbers 0 to 12."),
    "15": phrase("double-fifteen: 136 tiles, with the numbers 0 to 15."),
    "18": phrase("double-eighteen: 190 tiles, with the numbers 0 to 18."),
}

_NOTHING = phrase("no points: it scores nothing.")
_TEAM = phrase("lighter pair: the two partners who together hold the fewest pips win.")
_SINGLE = phrase("lightest hand: the hand with the fewest pips wins, for both partners.")

LINE_GAMES: dict[str, dict[str, str]] = {
    "partners": {
        "no": phrase("no: everybody plays for themselves."),
        "yes": phrase("yes: two against two; partners sit opposite each other and share one score."),
    },
    "draw.reserve": {
        "0": phrase("no tiles: tiles may be drawn until the boneyard is empty."),
        "1": phrase("one tile: the last tile of the boneyard is never drawn."),
        "2": phrase("two tiles: the last two tiles of the boneyard are never drawn."),
    },
    "draw.max": {
        "∞": phrase("as many as needed: whoever is stuck draws until a tile fits, or none may be drawn."),
        "1": phrase("one tile: whoever is stuck draws one tile, and passes if it does not fit."),
        "3": phrase("three tiles: whoever is stuck draws up to three tiles, and passes if none fits."),
    },
    "draw.voluntary": {
        "no": phrase("no: only a player who cannot play draws."),
        "yes": phrase("yes: a player who can play may draw first, but must play in the end."),
    },
    "draw.drawn": {
        "must": _MUST,
        "may": phrase("may be kept: whoever drew a tile that fits may keep it and pass."),
    },
    "set": _SETS,
    "cross.set": {size: _SETS[size] for size in ("6", "9", "12")},
    "hand3": {
        "n": phrase("{n} tiles: three players take {n} tiles each."),
        "9": phrase("9 tiles: three players take 9 tiles each; with the double-six set, 0|0 is left out."),
    },
    "hand4": {"n": phrase("{n} tiles: four players take {n} tiles each.")},
    "opener": {
        "highest_double": phrase("highest double: whoever holds the highest double leads it, in every round."),
        "heaviest": phrase("heaviest tile: whoever holds the tile with most pips leads it, in every round."),
        "lot": _BY_LOT,
        "winner": phrase(
            "last winner: the winner of the last round leads any tile; without one, the highest double is led."
        ),
        "rotate": phrase("in turn: the first leader is drawn by lot, then each leads in turn, with any tile."),
    },
    "five-up:opener": {
        "winner": phrase("last winner: the winner of the last round leads any tile; without one, the lot decides."),
    },
    "draw.spinners": {
        "no": phrase("no: doubles do not branch, so there are always two ends."),
        "yes": phrase("yes: every double branches to four sides, its long sides first."),
    },
    "no_double": {
        "tile": phrase("heaviest tile: if nobody holds a double, the tile with most pips is led."),
        "hand": phrase("heaviest hand: if nobody holds a double, the hand with most pips leads any tile."),
    },
    "blocked_winner": {
        "pips": phrase("fewest pips: if nobody can play, the hand with the fewest pips wins the round."),
        "tiles": phrase(
            "fewest tiles: if nobody can play, the hand with the fewest tiles wins; of equal ones, the one that "
            "played last."
        ),
    },
    "blocked_score": {
        "net": phrase("less the winner's own: the winner scores what the others hold less their own."),
        "gross": phrase("nothing off: the winner scores what the others hold, and nothing is taken off."),
        "boneyard": phrase("with the boneyard: the winner scores what the others hold and what the boneyard holds."),
    },
    "tie": {
        "none": phrase("nobody: if the lightest hands are equal, nobody scores."),
        "last_player": phrase("last to play: of the equal hands, the one that laid a tile last wins."),
        "share": phrase("shared: the equal hands share what the others hold."),
    },
    "target": {"n": _TARGET},
    "all-fives:target": {"n": phrase("{n} points: whoever reaches {n} points wins the match.")},
    "fives-and-threes:target": {
        "n": phrase("exactly {n}: whoever has exactly {n} points wins; a score that would pass {n} does not count."),
    },
    "five-up:target": {
        "n": phrase("{n} points: at the end of a round, the highest score of at least {n} points wins."),
    },
    "af.spinner": {
        "first": phrase("the first: the first double branches to four sides; later doubles do not branch."),
        "none": phrase("no doubles: no double branches, so there are always two ends."),
        "all": phrase("all doubles: every double branches to four sides."),
        "sniff": phrase("sniff: only the first double branches, and it counts until all its four sides are covered."),
    },
    "af.after_tie": {
        "highest_double": phrase("highest double: after a round that nobody won, the highest double is led."),
        "lot": phrase("by lot: after a round that nobody won, a player drawn by lot leads any tile."),
    },
    "af.by": {
        "5": phrase("fives: ends that add up to a multiple of five score."),
        "3": phrase("threes: ends that add up to a multiple of three score."),
    },
    "af.round": {
        "total": phrase("the sum: all hands are added, and the sum is rounded to a multiple that would score."),
        "each_hand": phrase("each hand: each hand is rounded to a multiple that would score, then all are added."),
    },
    "af.bonus": {
        "winner": phrase("for the winner: the winner of a round scores the pips that the others hold."),
        "own": phrase("off your score: all players lose the pips that they hold themselves."),
    },
    "af.stop": {
        "at_once": phrase("at once: the match is over the moment somebody reaches the target."),
        "round_end": phrase("after the round: the round is played to its end, then the match is over."),
    },
    "af.hand": {
        "7/5/5": _FIVE_EACH,
        "9/7/5": phrase("9, 7, 5: two players take 9 tiles each, three take 7, four take 5."),
        "7/6/5": phrase("7, 6, 5: two players take 7 tiles each, three take 6, four take 5."),
        "7/7/7": phrase("7 each: however many play, all take 7 tiles."),
    },
    "af.claim": {
        "auto": phrase("by themselves: points are written down as soon as they are made."),
        "manual": phrase("when claimed: points that you do not claim go to the first who calls muggins."),
    },
    "f3.hand": {
        "7/5/5": _FIVE_EACH,
        "9/5/6": phrase("9, 5, 6: two players take 9 tiles each, three take 5, four take 6."),
    },
    "mat.sum": {
        "7": phrase("seven: touching halves add up to 7; played with the double-six set."),
        "10": phrase("ten: touching halves add up to 10; played with the double-nine set."),
        "13": phrase("thirteen: touching halves add up to 13; played with the double-twelve set."),
    },
    "mat.matador_forced": {
        "no": phrase("no: whoever has only matadors to play may draw instead."),
        "yes": phrase("yes: whoever has only matadors to play must play one."),
    },
    "mat.hand": {
        "7/6/5": phrase("7, 6, 5: two players take 7 tiles each, three take 6, four take 5."),
        "7": phrase("7 each: everybody takes 7 tiles, however many play."),
        "5": phrase("5 each: everybody takes 5 tiles, however many play."),
    },
    "mat.draw": {
        "yes": phrase("yes: whoever is stuck draws."),
        "none": phrase("no: nobody draws; whoever is stuck passes."),
    },
    "sm.window": {
        "lap": phrase("one lap: whoever sealed the block is blamed if the play came in the last lap before the end."),
        "closing": phrase("closing play: a player is blamed only for the play that closed the line."),
        "unlimited": phrase("any play: whoever sealed the block is blamed, however early the play was."),
    },
    "sm.assistant": {
        "before": phrase("the one before: whoever played just before the blocker, with a choice of tiles."),
        "next": phrase("the one after: whoever played just after the blocker, with a choice of tiles."),
    },
    "sm.k": {
        "1": phrase("one unit: a losing blocker pays one unit for each pip that the others hold."),
        "2": phrase("two units: a losing blocker pays two units for each pip that the others hold."),
    },
    "sm.tie": {
        "loses": phrase("loses: the blocker wins only with fewer pips than everybody else."),
        "wins": phrase("wins: the blocker also wins with as few pips as the lowest of the others."),
    },
    "sm.assist_pays": {
        "all": phrase("for everybody: the assistant alone pays what all the others would have paid."),
        "own_dots": phrase("for their own: the assistant pays double, but only for the pips in their own hand."),
    },
    "sm.share": {
        "own_dots": phrase("by pips held: each of the others is paid for the pips that they hold."),
        "lowest_only": phrase("lowest hand: the lowest of the other hands gets it all."),
        "inverse": phrase("fewer get more: the fewer pips the others hold, the larger is their part."),
    },
    "sm.set": {
        "D6": phrase("double-six: 28 tiles, with the numbers 0 to 6."),
        "D7": phrase("double-seven: 36 tiles, with the numbers 0 to 7."),
    },
    "sm.rounds": {
        "1": phrase("one round: the match is over after a single round."),
        "n": phrase("{n} rounds: the match is over after {n} rounds."),
    },
    "sm.debts": {
        "off": phrase("no: nobody pays more than they have."),
        "on": phrase("yes: everybody pays all that they owe."),
    },
    "sm.purse": {"n": phrase("{n} units: everybody starts with {n} units; it matters only if debts are off.")},
    "ga.draw": {
        "until": phrase("until one fits: of two or three players, whoever is stuck draws until a tile fits."),
        "none": phrase("no: whoever is stuck passes, and the tiles left over stay out of play."),
    },
    "ga.two": {"n": phrase("{n} tiles: two players take {n} tiles each.")},
    "ga.redeal": {
        "0": phrase("any doubles: every deal is played, whatever doubles somebody holds."),
        "n": phrase("{n} doubles: if somebody holds {n} doubles or more, all tiles are dealt again."),
    },
    "gaple:target": {"n": phrase("{n} points: the match ends once somebody has {n}; the lowest score wins.")},
    "kozel:partners": {
        "yes": phrase("yes: four players are two pairs; two or three always play for themselves."),
        "no": phrase("no: everybody plays for themselves."),
    },
    "koz.kind": {
        "goat": phrase("goat: the goat has 101 points, and a first sum must be at least 13."),
        "sea": phrase("sea goat: the sea goat has 125 points, and a first sum must be at least 25."),
    },
    "koz.entry": {
        "hang": phrase("hangs: as long as nothing is written down, a small sum waits for the next."),
        "lost": phrase("is lost: as long as nothing is written down, a small sum is forgotten."),
        "always": phrase("always hangs: a small sum waits for the next, even if something is written down."),
    },
    "koz.eggs": {
        "yes": phrase("eggs: if two sides tie, all their pips go to whoever loses the next round."),
        "no": phrase("no eggs: sides that tie write nothing down."),
    },
    "koz.zero": {
        "0": phrase("no pips: the double blank counts nothing."),
        "n": phrase("{n} points: a hand of nothing but the double blank counts {n}."),
    },
    "koz.two_doubles": {
        "no": phrase("no: a double is a whole turn."),
        "yes": phrase("yes: whoever lays a double may lay a second one on the other end."),
    },
    "koz.redeal": {
        "yes": phrase("yes: a hand with five doubles, or six tiles with one number, is dealt again."),
        "no": phrase("no: every deal is played."),
    },
    "tel.round": {
        "up": phrase("up: what the others hold is rounded up to a multiple of five."),
        "nearest": phrase("to the nearest: what the others hold is rounded to the nearest multiple of five."),
    },
    "tel.wall": {
        "300": phrase("at 300: what the others hold never lifts anybody above 300; points in play do."),
        "none": phrase("no wall: what the others hold always counts in full."),
    },
    "telefon:target": {
        "n": phrase("{n} points: at the end of a round, the highest score of at least {n} points wins."),
    },
    "jl.game": {
        "long": phrase("Jie Long: one open end, two to four players."),
        "ce-deng": phrase("Ce Deng: like Jie Long for four, but whoever lays nothing face down is paid double."),
        "ding-niu": phrase("Ding Niu: two open ends, 24 tiles, six for each of four players."),
    },
    "jl.pay": {
        "difference": phrase("differences: everybody pays everybody with a lower count the difference."),
        "own": phrase("own counts: everybody writes down their own; 100 ends the match, and the lowest total wins."),
        "chip": phrase("chips: each loser pays the winner one."),
        "places": phrase("places: the losers pay the winner one, two and three, the highest count most."),
    },
    "jl.rounds": {"n": phrase("{n} rounds: the match has {n} rounds, unless everybody writes down their own count.")},
    "tw.deal": {
        "3": phrase("three tiles: everybody has three; the others are out of play."),
        "all": phrase("all tiles: they are dealt in equal shares; a few may be left over."),
    },
    "tw.draw": {
        "none": phrase("no: whoever is stuck passes."),
        "until": phrase("until one fits: whoever is stuck draws until a tile fits."),
    },
    "tw.lead_again": {
        "yes": phrase("yes: whoever leads a double may lay one more tile at once."),
        "no": phrase("no: a lead is a whole turn, also by a double."),
    },
    "tiddly-wink:target": {
        "n": phrase("{n} points: at the end of a round, the highest score of at least {n} points wins."),
    },
    "bn.max_draw": {
        "3": phrase("three tiles: whoever is stuck draws up to three tiles, and passes if none fits."),
        "∞": phrase("as many as needed: whoever is stuck draws until a tile fits."),
    },
    "bn.bonus": {
        "winner_minus_5": phrase("five off: whoever goes out gets five points off their penalty."),
        "opponent_plus_5": phrase("five on top: when you go out, the other player gets five penalty points more."),
    },
    "pt.first": {
        "double": phrase("highest double: whoever holds the highest double leads it in the first round."),
        "lot": phrase("by lot: a player drawn by lot leads the first round, with any tile."),
    },
    "pt.lead": {
        "winner": phrase("last winner: the winner of the last round leads any tile; without one, the lead moves on."),
        "rotate": phrase("in turn: the lead moves on one seat each round, with any tile."),
        "double": phrase("highest double: the highest double is led in every round."),
    },
    "pt.block": {
        "team": _TEAM,
        "single": _SINGLE,
        "duel": phrase("duel: only the player who laid last and the next one compare hands; fewer pips win."),
    },
    "pt.tie": {
        "none": phrase("nobody: nobody scores, and the seat after the leader leads."),
        "leader": phrase("the leader: whoever led the round wins it."),
        "blocker": phrase("who blocked: whoever laid the last tile wins the round."),
        "others": phrase("the others: the seat after the one that laid last wins the round."),
    },
    "pt.count": {
        "losers": phrase("the losers': the winners score what the other two hold."),
        "all": phrase("all hands: the winners score what all four hold, including their own hands."),
    },
    "pt.pay": {
        "pips": phrase("pip by pip: every pip is a point."),
        "tens": phrase("in tens: up to 20 pips are 2 points, then one more for each ten begun; under 3 are none."),
    },
    "pt.capicua": {
        "0": _NOTHING,
        "double": phrase("double: a capicúa, a last tile that fits both ends, doubles the points of the round."),
        "n": phrase("{n} points: a capicúa, a last tile that fits both ends, scores {n} more."),
    },
    "pt.capicua_ends": {
        "different": phrase("two numbers: a capicúa needs ends that show two different numbers."),
        "any": phrase(
            "any numbers: a tile that is not a double is also a capicúa if both ends show the same number."
        ),
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
        "0": phrase("never: passes score until the end of the match."),
        "n": phrase("{n} before: a side that is {n} points or fewer from the target gets nothing for passes."),
    },
    "pt.hand_bonus": {
        "no": phrase("no: every round is paid alike."),
        "yes": phrase("yes: the winners of the first four rounds get 100, 75, 50 and 25 more."),
    },
    "br.hand": {
        "7": phrase("seven tiles: all 28 tiles are dealt."),
        "6": phrase("six tiles: four tiles stay face down, and nobody sees them."),
    },
    "br.redeal": {
        "0": phrase("no doubles: every deal is played."),
        "n": phrase("{n} doubles: if a hand has {n} doubles or more, the tiles are dealt again."),
    },
    "br.block": {
        "team": _TEAM,
        "single": _SINGLE,
        "void": phrase("nobody: no blocked round is won."),
    },
    "br.tie": {
        "double": phrase("twice: the next round that is won counts twice."),
        "plus_one": phrase("one more each: the next round that is won gets a point more for each such block."),
        "none": phrase("as always: the next round counts like any other."),
    },
    "br.cross": {
        "n": phrase("{n} points: a cruzada, a double that fits both ends as the last tile, scores {n}."),
    },
    "six-love:partners": {
        "yes": phrase("yes: four players are two against two; fewer play for themselves."),
    },
    "sl.match": {
        "first": phrase("first to six: the first side with six rounds wins."),
        "love": phrase("six in a row: a win against points takes all back to zero."),
    },
    "sl.one_all": {
        "no": phrase("back to zero: whoever loses at one to zero takes all back to zero."),
        "yes": phrase("one all: it stands at one all, and the next round makes two to zero."),
    },
    "sl.key": {
        "1": phrase("one point: it counts like any other round."),
        "2": phrase("two points: a key, a last tile for both ends that nobody else could use, counts two."),
    },
    "sl.two": {
        "7": phrase("seven tiles: two players take 7 tiles each, and draw until one fits."),
        "14": phrase("fourteen tiles: two players share all tiles, and never draw."),
    },
    "brazilian:target": {"n": phrase("{n} points: the first side with {n} points wins.")},
}
"""By option, or by game and option; then by choice, where `n` stands for every number that is not listed."""
