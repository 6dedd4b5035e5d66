"""The lessons for trains, feet and stars."""

from core.actions import Passed, Played
from core.words import phrase
from tui.lessons.lesson import (
    Lesson,
    Now,
    Point,
    few_left,
    happened,
    leads,
    must_draw,
    must_pass,
    round_over,
    your_turn,
)


def _double_waits(now: Now) -> bool:
    """The learner must answer a double."""
    return now.yours and bool(now.layout.owed)


def _marked(now: Now) -> bool:
    """The learner's own train is open to all."""
    return now.seat in now.layout.open


def _other_marked(now: Now) -> bool:
    """The learner may play on somebody else's train."""
    return your_turn(now) and any(seat != now.seat for seat in now.layout.open)


def _laid_double(now: Now) -> bool:
    return any(isinstance(event, Played) and event.tile.is_double for event in now.events)


def _has_star(now: Now) -> bool:
    """The learner can play a wildstar."""
    places = [(play.tile, play.at, play.side) for play in now.plays]
    return len(places) > len(set(places))  # it may show any number there


_DRAWS = Point(must_draw, "Nothing in your hand fits: Enter draws a tile. If it fits, you can lay it.")

MEXICAN_TRAIN = Lesson(
    "mexican-train",
    phrase("a train of your own, and one for all"),
    (
        Point(
            round_over,
            "The round is over: everybody writes down the dots that they still hold, and the lowest sum wins "
            "in the end. The next round begins with the next lower double. Enter goes on, q ends the lesson.",
        ),
        Point(
            _double_waits,
            "A double lies there uncovered. Until somebody lays a tile on it, nobody may play anywhere else.",
        ),
        _DRAWS,
        Point(
            must_pass,
            "Still nothing fits: Enter passes. Your train is then marked, and others may play on it until you"
            " play there again.",
        ),
        Point(
            your_turn,
            "Every player has a train that begins at the double in the middle, and the top one, the Mexican "
            "Train, is for all. You may play on your own train and on that one. ← → choose the tile, ↑ ↓ the "
            "train.",
        ),
        Point(
            _marked,
            "Your train is marked: everybody may play on it. As soon as you play there yourself, the mark goes.",
        ),
        Point(
            _other_marked,
            "Somebody's train is open: they could not play. You may lay your tiles there now, too.",
        ),
        Point(
            _laid_double,
            "A double lies across, and must be covered: who lays it plays on it at once, or draws a tile for it.",
        ),
        Point(few_left, "Two tiles left. High tiles cost most if somebody else goes out first."),
    ),
    phrase("Play on your own train first, as long as nobody can take it from you."),
    players=3,
    seed=6,
)

CHICKENFOOT = Lesson(
    "chickenfoot",
    phrase("doubles grow toes"),
    (
        Point(
            round_over,
            "The round is over: everybody writes down the dots that they hold, and the lowest sum wins. The "
            "double blank costs 50. Enter goes on, q ends the lesson.",
        ),
        _DRAWS,
        Point(must_pass, "Still nothing fits: Enter passes."),
        Point(
            _double_waits,
            "There is a chicken foot to finish: the double in the middle needs four toes, any other three, "
            "and no double is a toe. Until they all lie there, nobody may play elsewhere.",
        ),
        Point(leads, "You hold the double for the middle: press Enter to lay it."),
        Point(
            your_turn,
            "No foot is wanted now: you may play at the end of any arm. ↑ ↓ choose it, or press its letter.",
        ),
        Point(_laid_double, "A double: a new chicken foot begins. Its three toes come before everything else."),
        Point(few_left, "Two tiles left. Doubles cost the others turns, but high tiles cost you dots."),
    ),
    phrase("Go on: rid yourself of many dots, and of 0|0 above all."),
    players=3,
    seed=3,
)

WILDSTAR = Lesson(
    "wildstar",
    phrase("five arms, and wild tiles"),
    (
        Point(
            round_over,
            "The round is over. Dots in hand cost you, and a wildstar that you kept costs 20. Enter goes on, "
            "q ends the lesson.",
        ),
        _DRAWS,
        Point(must_pass, "Still nothing fits: Enter passes."),
        Point(
            _has_star,
            "You hold a wildstar, which fits any end. When you lay it, you name the number that it shows: "
            "press a digit.",
        ),
        Point(leads, "You hold the double for the middle of the star: press Enter to lay it."),
        Point(
            your_turn,
            "The star in the middle has five arms. ↑ ↓ choose one, or press its letter; the mark shows its number.",
        ),
        Point(happened(Passed), "They could not play on any arm."),
        Point(few_left, "Two tiles left. Keep no wildstar: it costs 20, more than any tile but 0|0."),
    ),
    phrase("Go on: lay your wildstars before the round ends."),
    players=2,
    seed=3,
)
