"""The coach's sentences: about one decision, the cost of a player's decisions, and luck."""

from collections import Counter

from core.actions import (
    Action,
    Beat,
    Bid,
    Bury,
    Claim,
    Draw,
    Fill,
    GiveUp,
    Hide,
    Lay,
    Lead,
    Name,
    Pass,
    Play,
    Shed,
    Silent,
    Take,
    Tuck,
)
from core.coach.review import REPLAYS, WORLDS, Judgement, Luck, Review
from core.layout.state import NOBODY, LayoutView, end_at
from core.match import Match
from core.prompts import bid_words, tiles_text, trump_words
from core.tiles import STAR
from core.variant import AnyView
from core.words import phrase
from tui.i18n import _, decimal, pgettext, several, sign_of, translate, with_sign
from tui.model.choice import END_KEYS
from tui.text.headlines import Subject, recorded_player, side_name, sides_subject
from tui.text.names import game_name

Names = tuple[str, ...]


def amount(points: float) -> str:
    """Return points without a sign, with the digits that matter."""
    return decimal(abs(points), 2 if abs(points) < 1 else 1)


def surplus(points: float) -> str:
    """Return points with a sign, also if they are positive."""
    text = amount(points)
    return text if text == "0" else sign_of(points) + text


def give_or_take(points: float, error: float) -> str:
    """Return points with a sign, and their standard error."""
    return f"{surplus(points)} ± {amount(error)}"


def act_words(action: Action, view: AnyView, names: Names) -> str:
    """Return an action in a few words that can follow “chose”."""
    if isinstance(action, Lead | Beat | Hide | Tuck):
        return _move_words(action)
    match action:
        case Play():
            return _play_words(action, view, names)
        case Draw():
            return _("to draw")
        case Pass():
            return _("to pass")
        case Shed(tile=tile):
            return _("to lay {tile} face down", tile=str(tile))
        case Claim():
            return _("to claim the points")
        case Silent():
            return _("to claim nothing")
        case Bid():
            return _("to bid {bid}", bid=translate(bid_words(action)))
        case Name():
            return _("to call {trump}", trump=translate(trump_words(action)))
        case Bury(tile=tile):
            return _("to put {tile} away", tile=str(tile))
        case Lay(tile=tile, small=small):
            return _("{tile} by its smaller number", tile=str(tile)) if small else str(tile)
        case Take() | Fill() | GiveUp():
            return _patience_action_words(action)


def _patience_action_words(action: Take | Fill | GiveUp) -> str:
    """Return an action of a game for one player."""
    match action:
        case Take(tiles=tiles):
            return _("to take {tiles}", tiles=", ".join(map(str, tiles)))
        case Fill(tile=tile):
            return _("to move {tile}", tile=str(tile))
    return _("to give up")


def _move_words(action: Lead | Beat | Hide | Tuck) -> str:
    match action:
        case Tuck(tile=tile):
            return _("to put {tile} at the end of the row", tile=str(tile))
        case Hide(tiles=tiles):
            return _("to hide {tiles}", tiles=tiles_text(tiles))
        case Lead(tiles=tiles) | Beat(tiles=tiles):
            return tiles_text(tiles)


def _play_words(play: Play, view: AnyView, names: Names) -> str:
    tile = _("a wildstar, {out} outward", out=play.out) if play.tile == STAR and play.out >= 0 else str(play.tile)
    if play.tile.wild_halves == 1 and play.out != play.tile.high:
        tile = _("{tile}, {out} outward", tile=tile, out=play.out)
    if play.at < 0 and any(
        isinstance(action, Play) and action.tile == play.tile and action.out != play.out for action in view.legal
    ):
        return _("{tile} open at the {number}", tile=tile, number=play.out)
    if play.at < 0 or not isinstance(view, LayoutView):
        return tile
    end = end_at(view.ends, play.at, play.side)
    same_number_ends = [
        open_end
        for open_end in view.ends
        if open_end.pips == end.pips and Play(play.tile, open_end.at, open_end.side, play.out) in view.legal
    ]
    if end.owner != NOBODY:
        place = _("{name}'s train", name=names[end.owner])
    elif view.shape == "lanes":
        place = _("the Mexican Train")
    else:
        place = _("the {number}", number=end.pips) if end.pips >= 0 else _("the wild end")
    key = END_KEYS[view.ends.index(end) : view.ends.index(end) + 1]
    if len(same_number_ends) > 1 and key and view.shape != "lanes":
        return _("{tile} on {place} (end {key})", tile=tile, place=place, key=key)
    return _("{tile} on {place}", tile=tile, place=place)


def decision_sentence(judgement: Judgement, view: AnyView, names: Names, reader_seat: int = NOBODY) -> str:
    """Return a decision and whether another action was better, in one sentence."""
    player = recorded_player(judgement.seat, names, reader_seat)
    action_words, best_words = act_words(judgement.action, view, names), act_words(judgement.best, view, names)
    if isinstance(judgement.action, Play | Lay):
        clause = player.fill_in("You laid {did}", "{name} laid {did}", did=action_words)
    else:
        clause = player.fill_in("You chose {did}", "{name} chose {did}", did=action_words)
    match judgement.kind:
        case "exact" | "blunder":
            verdict = _("{better} was better", better=best_words)
        case "close":
            verdict = _("{better} may have been better", better=best_words)
        case _:
            verdict = _("nothing was better") if judgement.margin > 0 else _("that was fine")
    return f"{clause}; {verdict}."


def cost_sentence(judgement: Judgement) -> str:
    """Return the cost of a decision or, if it was the best, of all other actions; empty if the cost is unknown."""
    cost, error = amount(judgement.loss), amount(judgement.error)
    match judgement.kind:
        case "exact":
            return _("Cost in points: {cost}, for certain.", cost=cost)
        case "blunder":
            return _("A blunder. Cost in points: {cost}, give or take {error}.", cost=cost, error=error)
        case "close":
            return _("Cost in points: {cost}, give or take {error}.", cost=cost, error=error)
    if judgement.margin <= 0:
        return ""
    return _("Cost in points of everything else: {points} or more.", points=amount(judgement.margin))


def headline(match: Match, names: Names, reader_seat: int = NOBODY) -> str:
    """Return the match in one line: the game, the winner and the scores."""
    sides = match.rules.sides
    scores = ", ".join(f"{side_name(side, names, sides)} {with_sign(match.scores[side])}" for side in range(sides))
    rounds = several("{count} round", "{count} rounds", match.round)
    winner = sides_subject(match.winners, names, sides, reader_seat)
    if not match.winners:
        result = pgettext("a match", "drawn")
    elif winner.is_reader:
        result = _("won by you and {names}", names=winner.name) if winner.name else _("won by you")
    else:
        result = _("won by {names}", names=winner.name)
    return f"{game_name(match.variant.id)}, {rounds}, {result}: {scores}."


def verdict_words(match: Match, review: Review, seat: int, name: str) -> str:
    """Return the cause of a seat's result, luck or play; without a `name` the sentence speaks to the player."""
    if not match.winners:
        return _("The match is drawn.")
    result_words = Subject(name, is_reader=not name).fill_in(*_CAUSES[_cause(match, review, seat)])
    judgement_count = sum(judgement.seat == seat for judgement in review.moments)
    if not judgement_count:
        return f"{result_words}."
    cost = several("one move cost most", "{count} moves cost most", judgement_count)
    return f"{result_words}; {cost}."


def _cause(match: Match, review: Review, seat: int) -> tuple[bool, str]:
    """Return True if a seat has won, and the cause: “luck”, “play” or “both”; empty if neither explains it."""
    side = seat % match.rules.sides
    has_won = side in match.winners
    sign = 1 if has_won else -1
    luck = review.luck.luck[side] * sign
    play = (review.luck.gained[side] - review.luck.luck[side]) * sign
    if max(luck, play) <= 0:
        return has_won, ""
    if abs(luck - play) <= 2 * review.luck.error[side]:
        return has_won, "both"
    return has_won, "luck" if luck > play else "play"


_CAUSES = {
    (True, "luck"): (phrase("You won mostly by good luck"), phrase("{name} won mostly by good luck")),
    (True, "play"): (phrase("You won mostly by your play"), phrase("{name} won mostly by play")),
    (True, "both"): (
        phrase("You won by luck as much as by your play"),
        phrase("{name} won by luck as much as by play"),
    ),
    (True, ""): (phrase("You won"), phrase("{name} won the match")),
    (False, "luck"): (phrase("You lost mostly by bad luck"), phrase("{name} lost mostly by bad luck")),
    (False, "play"): (phrase("You lost mostly by your play"), phrase("{name} lost mostly by play")),
    (False, "both"): (
        phrase("You lost by bad luck as much as by your play"),
        phrase("{name} lost by bad luck as much as by play"),
    ),
    (False, ""): (phrase("You lost"), phrase("{name} lost the match")),
}
"""By the result of `_cause`, the sentence to the player and the sentence about others."""


def luck_words(luck: Luck, side: int, player: Subject) -> str:
    """Return how much of a side's gain was the luck of the deals, and how much came from decisions."""
    result_sentence = player.fill_in(
        "You finished {gained} ahead of the others.",
        "{name} finished {gained} ahead of the others.",
        gained=surplus(luck.gained[side]),
    )
    explanation = _(
        "Played {times} times between equals, the same deals gave {luck}; the other {rest} came from the decisions, "
        "and from guesses that turned out well or badly.",
        times=REPLAYS,
        luck=surplus(luck.luck[side]),
        rest=surplus(luck.gained[side] - luck.luck[side]),
    )
    return f"{result_sentence} {explanation}"


def error_words() -> str:
    """Return the meaning of the numbers after ± and “give or take”."""
    return _(
        "The number after ± or “give or take” is one standard error: two times out of three, the true value is no "
        "further away."
    )


def cost_words(review: Review, seat: int, name: str) -> str:
    """Return the decisions of a seat by kind, and their total cost."""
    judgements = review.of(seat)
    kinds = Counter(judgement.kind for judgement in judgements)
    loss, error = review.total_loss(seat)
    decisions = several("{count} decision", "{count} decisions", len(judgements))
    parts = [
        several("{count} fine", "{count} fine", kinds["fine"]),
        several("{count} close", "{count} close", kinds["close"]),
        several("{count} blunder", "{count} blunders", kinds["blunder"]),
        several("{count} certainly wrong", "{count} certainly wrong", kinds["exact"]),
    ]
    if review.noisy:
        parts = [parts[0], parts[-1]]
    cost = _("cost {lost}, give or take {error}", lost=surplus(loss).removeprefix("+"), error=amount(error))
    return f"{name}: {decisions}: {', '.join(parts)}; {cost}."


def scale_words(review: Review) -> str:
    """Return the meaning of the words in a review."""
    if review.noisy:
        return _(
            "With trains, luck hides what a single decision is worth: no blunders are named, and only decisions are "
            "judged that the solver can follow to the end of the round."
        )
    return _(
        "A blunder costs more than {threshold} points and more than two standard errors, in at least {worlds} deals"
        " that agree with what the player had seen; a close decision only one of the two.",
        threshold=amount(review.threshold),
        worlds=WORLDS,
    )
