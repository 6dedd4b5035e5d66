"""The scores of a match round by round, as numbers and as a row of blocks for each side."""

from collections.abc import Sequence

from msgspec import Struct

from core.coach.recorded import Recorded

BLOCKS, BLOCKS_ASCII = "▁▂▃▄▅▆▇█", "_.-=+*#@"


class Course(Struct, frozen=True):
    """How the score of one side went."""

    gains: tuple[int, ...]
    """By round."""
    scores: tuple[int, ...]
    """After each round."""


def courses_of(match: Recorded) -> list[Course]:
    """Return the course of each side of a finished match."""
    courses = []
    for side in range(match.match.rules.sides):
        scores = tuple(deal.after[side] for deal in match.deals)
        before = tuple(deal.scores[side] for deal in match.deals)
        courses.append(Course(tuple(b - a for a, b in zip(before, scores, strict=True)), scores))
    return courses


def blocks_of(course: Course, courses: Sequence[Course], width: int, *, ascii: bool) -> str:
    """Draw a course as a block for each round, the higher the score the taller; the last rounds if not all fit.

    All courses have the same scale.
    """
    every = [0, *(score for each in courses for score in each.scores)]
    low, span = min(every), max(every) - min(every)
    blocks = BLOCKS_ASCII if ascii else BLOCKS
    return "".join(
        blocks[(score - low) * (len(blocks) - 1) // span if span else 0] for score in course.scores[-width:]
    )
