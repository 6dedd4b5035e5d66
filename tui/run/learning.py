"""Lessons: a table in this process that is gone when the lesson ends."""

from pathlib import Path
from tempfile import TemporaryDirectory

from net.contained import run
from tui.lessons import Lesson
from tui.run.alone import play_alone
from tui.run.shown import Show


def learn(lesson: Lesson, show: Show, software: str) -> str:
    """Take a lesson until it is left; return what the player is told then, if anything."""
    with TemporaryDirectory() as data:
        ended = run(play_alone(lesson.table, show, data=Path(data), software=software, seed=lesson.seed))
    return ended.last_word
