"""Tells a review in whole sentences: the luck, what the play cost, and the moments that decided it."""

from core.coach.recorded import Recorded
from core.coach.review import Review
from core.layout.state import NOBODY
from tui.draw.reviewed import cost_lines, names_of, sides_of, told_words, verdicts, view_at
from tui.i18n import _, several
from tui.plain.families import teller_of
from tui.plain.layouts import tile_words
from tui.text.coach import give_or_take, headline, luck_words, scale_words, surplus
from tui.text.headlines import side_name


def review_lines(match: Recorded, review: Review, you: int = NOBODY) -> list[str]:
    """Return a review, a sentence or two in a line, of people among whom may be `you`."""
    names, sides, luck = names_of(match), match.match.rules.sides, review.luck
    lines = [*verdicts(match, review, you), headline(match.match, names)]
    for side in sides_of(match, review):
        name = side_name(side, names, sides)
        lines.append(luck_words(luck, side, name))
        lines += [
            _(
                "Round {round}: {name} gained {gained}, of which {luck} was luck.",
                round=each.round,
                name=name,
                gained=surplus(each.gained[side]),
                luck=give_or_take(each.luck[side], each.error[side]),
            )
            for each in luck.rounds
        ]
    lines += [*cost_lines(review, names), scale_words(review)]
    if review.moments:
        count = len(review.moments)
        lines.append(several("One moment decided it.", "{count} moments decided it.", count))
    elif review.decisions:
        lines.append(_("Nobody did anything that can be called a mistake."))
    for number, judged in enumerate(review.moments, 1):
        view = view_at(match, judged)
        lines.append(f"{number}. {told_words(match, judged, you)}")
        if view.play:
            lines += teller_of(view.play).table(view, view.play, names)
            tiles = ", ".join(map(tile_words, view.play.hand))
            lines.append(_("{name} holds {tiles}.", name=names[judged.seat], tiles=tiles))
    return lines
