"""Lessons: a table in this process that is gone when the lesson ends."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from net.contained import run
from net.wire.messages import MakeTable
from tui.lessons import Lesson, Tutor
from tui.run.alone import play_alone
from tui.run.shown import Show


class Learnt(NamedTuple):
    """How learning ended."""

    last_word: str
    """What the player is told; empty for nothing."""
    table: MakeTable | None
    """The match that they would like to play now."""


def learn(lesson: Lesson, show: Callable[[Tutor], Show], software: str) -> Learnt:
    """Take a lesson, and those that the player chooses after it, until they leave; `show` shows a tutor's table."""
    following: Lesson | MakeTable | None = lesson
    while isinstance(following, Lesson):
        tutor = Tutor(following)
        with TemporaryDirectory() as data:
            ended = run(
                play_alone(following.table, show(tutor), data=Path(data), software=software, seed=following.seed)
            )
        following = tutor.following
        if ended.last_word:
            return Learnt(ended.last_word, None)
    return Learnt("", following)
