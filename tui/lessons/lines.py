"""The lessons for games in which the tiles make a line, or a line with branches."""

from core.actions import Passed, Scored
from core.words import phrase
from tui.lessons.lesson import (
    Lesson,
    Now,
    Point,
    another_played,
    few_left,
    happened,
    has_double,
    leads,
    must_draw,
    must_pass,
    round_over,
    scores,
    two_ends,
    your_turn,
)

_DRAWS = Point(must_draw, "Nothing in your hand fits. Enter draws a tile from the boneyard; go on until one fits.")
_PASSES = Point(must_pass, "Nothing fits, and there is nothing left to draw: Enter passes.")


def _sevens(now: Now) -> bool:
    """The learner can play a tile that makes seven, but no matador."""
    return bool([play for play in now.plays if not _is_matador(play.tile.low + play.tile.high)])


def _is_matador(dots: int) -> bool:
    return dots in (0, 7)


def _matador(now: Now) -> bool:
    return any(_is_matador(play.tile.low + play.tile.high) for play in now.plays)


def _branches(now: Now) -> bool:
    """The learner can play at more than two ends."""
    return your_turn(now) and len(now.layout.ends) > 2


def _arm_wanted(now: Now) -> bool:
    """The first double still needs arms."""
    return your_turn(now) and bool(now.layout.owed)


DRAW = Lesson(
    "draw",
    phrase("how dominoes is played"),
    (
        Point(
            leads,
            "These are your tiles. Who holds the highest double begins with it, and that is you: the bright "
            "tile is the one that may be played, and it is chosen already. Press Enter to lay it.",
        ),
        Point(
            round_over,
            "The round is over. Whoever lays their last tile first scores the dots that the others still "
            "hold; if nobody can play, the lightest hand does. That is all of Draw! Enter deals another "
            "round, q ends the lesson.",
        ),
        _DRAWS,
        _PASSES,
        Point(
            happened(Passed),
            "They passed: nothing they hold has the number of an end. Remember it! If you show them that "
            "number again, they must pass again.",
        ),
        Point(
            your_turn,
            "Your turn. A tile fits where it has the same number as an end. The bright ones do. ← and → "
            "choose one, or the number under it; the dark tile shows where it would lie, and Enter lays it.",
        ),
        Point(
            two_ends,
            "One of your tiles fits at both ends. ↑ and ↓ choose the end, or press its letter.",
        ),
        Point(
            has_double,
            "You can lay a double. It lies across. A double has one number only, so lay it while it fits.",
        ),
        Point(
            few_left,
            "Two tiles left! Think ahead: which end will still fit the last one? h gives you a hint.",
        ),
    ),
    phrase("Go on: empty your hand before they do."),
    seed=187,
)

ALL_FIVES = Lesson(
    "all-fives",
    phrase("scoring at the ends, and the spinner"),
    (
        Point(
            round_over,
            "The round is over: who goes out also scores what the others hold, in fives. Then the next round "
            "is dealt, up to the points in the title. Enter goes on, q ends the lesson.",
        ),
        _DRAWS,
        _PASSES,
        Point(
            scores,
            "Here is how you score: after each play the numbers at the open ends are added up. If they make "
            "5, 10, 15 and so on, that is what you get. The mark at an end says what a tile would score "
            "there: choose one that does.",
        ),
        Point(
            happened(Scored),
            "They scored: the ends added up to a multiple of five. A double at an end counts twice, as both "
            "its halves are open.",
        ),
        Point(
            _branches,
            "The first double is the spinner. Once a tile lies at both its long sides, it grows up and down "
            "too: four ends to play at, and to count.",
        ),
        Point(
            your_turn,
            "Tiles are laid as in Draw, where numbers are the same. But look at the sum of the open ends "
            "before you choose.",
        ),
        Point(few_left, "Two tiles left. To go out is worth something, but points at the ends are sure."),
    ),
    phrase("Find the tile that makes the ends a multiple of five; otherwise, one that leaves them nothing to score."),
    seed=193,
)

MATADOR = Lesson(
    "matador",
    phrase("ends add up to seven"),
    (
        Point(round_over, "The round is over, and scored as in Draw. Enter goes on, q ends the lesson."),
        _DRAWS,
        _PASSES,
        Point(
            leads,
            "Press Enter to lay the first tile. Here tiles that touch need not be the same: they add up to seven.",
        ),
        Point(
            _matador,
            "One of your bright tiles is a matador: 6|1, 5|2, 4|3 or 0|0. They fit any end, and nothing else "
            "fits a blank. Keep them until you need them. When you lay one, you say which half faces out.",
        ),
        Point(
            _sevens,
            "Tiles that touch add up to seven: a 4 wants a 3, a 6 wants a 1.",
        ),
        Point(another_played, "They laid a tile whose number makes seven with the end that it touches."),
        Point(few_left, "Two tiles left. A matador as the last one always fits."),
    ),
    phrase("Go on: make sevens, and spare your matadors."),
    seed=8,
)

CROSS = Lesson(
    "cross",
    phrase("four arms first"),
    (
        Point(round_over, "The round is over, and scored as in Draw. Enter goes on, q ends the lesson."),
        _DRAWS,
        _PASSES,
        Point(
            leads,
            "You hold the highest double: press Enter to lay it. It is the middle of a cross.",
        ),
        Point(
            _arm_wanted,
            "The middle still needs arms: until there are four of them, only its number may be played.",
        ),
        Point(
            _branches,
            "The cross has its arms. From now on you may play at any end: ↑ and ↓ choose one, or press its letter.",
        ),
        Point(few_left, "Two tiles left. Four ends give you more ways out than a line does."),
    ),
    phrase("Go on: empty your hand before they do."),
    seed=2,
)
