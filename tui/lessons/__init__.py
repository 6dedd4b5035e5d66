"""Lessons: a round of a game of each family, with somebody who explains what happens."""

from tui.lessons.bidding import FORTY_TWO
from tui.lessons.lesson import Lesson, Tutor
from tui.lessons.lines import ALL_FIVES, CROSS, DRAW, MATADOR
from tui.lessons.others import PATIENCE, TIEN_GOW
from tui.lessons.shapes import CHICKENFOOT, MEXICAN_TRAIN, WILDSTAR

LESSONS = (DRAW, ALL_FIVES, MEXICAN_TRAIN, CHICKENFOOT, CROSS, MATADOR, WILDSTAR, FORTY_TWO, TIEN_GOW, PATIENCE)
"""In the order in which they are best taken."""

__all__ = ["LESSONS", "Lesson", "Tutor"]
