"""The lessons for Tien Gow and Patience: combinations, and a game for one."""

from core.actions import Beat, Fill, Hide, Lead, Removed, Took
from core.words import phrase
from tui.lessons.lesson import Lesson, Point, happened, may, round_over

TIEN_GOW = Lesson(
    "tien-gow",
    phrase("several tiles at once, and only the last trick wins"),
    (
        Point(
            round_over,
            "The round is over: whoever took the last trick is paid by all others, more by those who took few. "
            "Eight rounds make a match. Enter goes on, q ends the lesson.",
        ),
        Point(
            lambda now: may(now, Lead),
            "You lead: one tile, or several of one class, such as a pair. Press the number of each tile, then "
            "Enter. Lead what others can hardly beat, and keep something strong for the last trick.",
        ),
        Point(
            lambda now: may(now, Beat),
            "You may beat these tiles with as many of the same class that rank higher: the ones chosen do. "
            "p lays as many face down instead.",
        ),
        Point(
            lambda now: may(now, Hide) and not may(now, Beat),
            "Nothing that you hold beats this, so lay as many tiles face down: those that you need least. "
            "Nobody has to follow suit here.",
        ),
        Point(
            happened(Took, others=False),
            "The last tiles laid face up take the trick, and their player leads. A pair counts two tricks.",
        ),
    ),
    phrase("Civil tiles such as 6|6 and military ones such as 6|3 never beat each other. Count what is still out."),
    players=4,
    seed=8,
)

PATIENCE = Lesson(
    "patience",
    phrase("a game for one: take tiles away in pairs"),
    (
        Point(
            round_over,
            "The game is over: your score is the number of tiles that are left, and 0 wins. The house rules have "
            "three more games. Enter goes on, q ends the lesson.",
        ),
        Point(
            lambda now: may(now, Fill) and not any(isinstance(event, Removed) for event in now.events),
            "A column is empty: the bottom tile of another one may go there, and sets the tile above it free. "
            "↑ ↓ go through all moves, and Enter does the chosen one.",
        ),
        Point(
            lambda now: now.yours,
            "Five columns, and three tiles aside. Free are the bottom tiles and those aside. Take away two free "
            "tiles that have 12 pips together. Enter takes the two that are chosen.",
        ),
        Point(
            happened(Removed, others=False),
            "Their columns have new bottom tiles now. Look ahead: which pair sets free what you need next? "
            "u takes a move back, as often as you like, and h shows a good one.",
        ),
    ),
    phrase("↑ ↓ go through all moves. Take first what frees most, and keep the tiles aside for when you are stuck."),
    players=1,
    seed=3,
)
