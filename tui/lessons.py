"""Lessons: a game, a deal, and the sentences for the first time that something happens; and all lessons."""

from collections.abc import Callable
from typing import NamedTuple, cast

from msgspec import Struct

from core.actions import (
    Action,
    Bade,
    Beat,
    Bid,
    Draw,
    Event,
    Fill,
    Hide,
    Lay,
    Lead,
    Name,
    Passed,
    Play,
    Played,
    Removed,
    RoundOver,
    Scored,
    Took,
)
from core.layout.state import NOBODY, LayoutView
from core.tiles import STAR
from core.variant import AnyView, Value
from core.words import phrase
from net.wire.messages import MakeTable, Update
from tui.i18n import _


class LessonMoment(NamedTuple):
    """A moment of a lesson."""

    view: AnyView
    events: tuple[Event, ...]
    """The latest events."""
    seat: int
    """The learner's seat."""

    @property
    def is_your_turn(self) -> bool:
        """True if it is the learner's turn."""
        return self.view.turn == self.seat

    @property
    def layout(self) -> LayoutView:
        """The view, in a layout game."""
        return cast("LayoutView", self.view)

    @property
    def legal_plays(self) -> list[Play]:
        """Plays that the learner can make now."""
        return [action for action in self.view.legal if isinstance(action, Play)]


class Remark(NamedTuple):
    """A sentence of a lesson, said once."""

    condition: Callable[[LessonMoment], bool]
    text: str


class Lesson(Struct, frozen=True):
    """A round of a game with explanations."""

    game: str
    about: str
    """The subject of the lesson, in a few words."""
    remarks: tuple[Remark, ...]
    """The sentences; if several are due, the first is said."""
    goal: str
    """The sentence for a turn without news."""
    players: int = 2
    options: dict[str, Value] = {}
    level: str = "easy"
    """Level of the bots; easy ones outbid the learner at random."""
    seed: int = 1
    """Fixes the deal."""
    proposed: tuple[Action, ...] = ()
    """Actions that Enter does when the learner may first do them."""

    @property
    def table(self) -> MakeTable:
        """The table of the lesson."""
        return MakeTable(self.game, self.players, self.options, bots=self.players - 1, level=self.level, hints=True)


MAX_GOAL_REPEATS = 2
"""Number of times that the goal is said; after that the board speaks for itself."""


class Tutor:
    """Follows a table, and says the sentences of a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self._remaining_remarks = list(lesson.remarks)
        self._remaining_proposals = list(lesson.proposed)
        self._goal_count = 0
        self._is_instruction = False
        """True if the present sentence is for the learner's turn."""
        self.text = ""
        """The present sentence for the learner; empty for none."""
        self.reserves_space = False
        """True while the screen keeps rows free for sentences, so that the table does not move while others play."""
        self.is_over = False
        """True once the lesson's match is over."""
        self.next_activity: Lesson | MakeTable | None = None
        """The learner's choice for the time after the lesson: another lesson, or a match."""

    def follow(self, update: Update) -> None:
        """Handle an update of the table."""
        view = update.play
        if view is None or update.seat == NOBODY:
            return
        moment = LessonMoment(view, update.events, update.seat)
        self.is_over = update.match is not None and update.match.over
        due_remark = next((remark for remark in self._remaining_remarks if remark.condition(moment)), None)
        if due_remark:
            self._remaining_remarks.remove(due_remark)
            self.text = _(due_remark.text)
        elif moment.is_your_turn:
            self._goal_count += 1
            self.text = _(self.lesson.goal) if self._goal_count <= MAX_GOAL_REPEATS else ""
        elif self._is_instruction:
            self.text = ""  # the learner has done it
        self._is_instruction = moment.is_your_turn
        self.reserves_space = bool(self.text) or (self.reserves_space and not moment.is_your_turn)

    def take_proposal(self, view: AnyView) -> Action | None:
        """Return the next action to propose on the learner's turn, each only once; None if nothing is left to
        propose.
        """
        action = next((action for action in self._remaining_proposals if action in view.legal), None)
        if action:
            self._remaining_proposals.remove(action)
        return action


# Conditions for sentences


def can_do(moment: LessonMoment, action_type: type) -> bool:
    """Return True if the learner may take an action of this type now."""
    return moment.is_your_turn and any(isinstance(action, action_type) for action in moment.view.legal)


def can_play(moment: LessonMoment) -> bool:
    """Return True if the learner can make a play."""
    return moment.is_your_turn and bool(moment.legal_plays)


def is_lead(moment: LessonMoment) -> bool:
    """Return True if the learner lays the first tile."""
    return can_play(moment) and not moment.layout.layout


def has_to_draw(moment: LessonMoment) -> bool:
    """Return True if nothing fits, but there are tiles to draw."""
    return moment.is_your_turn and not moment.legal_plays and Draw() in moment.view.legal


def has_to_pass(moment: LessonMoment) -> bool:
    """Return True if nothing fits, and there is nothing to draw."""
    return moment.is_your_turn and not moment.legal_plays and Draw() not in moment.view.legal


def has_two_tiles(moment: LessonMoment) -> bool:
    """Return True if the learner has two tiles left."""
    return moment.is_your_turn and len(moment.view.hand) == 2


def has_happened(event_type: type, *, excludes_learner: bool = True) -> Callable[[LessonMoment], bool]:
    """Return a condition: an event of this type has happened; `excludes_learner` ignores the learner's own."""

    def is_due(moment: LessonMoment) -> bool:
        return any(
            isinstance(event, event_type) and not (excludes_learner and getattr(event, "seat", NOBODY) == moment.seat)
            for event in moment.events
        )

    return is_due


is_round_over = has_happened(RoundOver)
_DRAWS = Remark(has_to_draw, "Nothing in your hand fits. Enter draws a tile from the boneyard; go on until one fits.")
_PASSES = Remark(has_to_pass, "Nothing fits, and there is nothing left to draw: Enter passes.")


def _is_matador(play: Play) -> bool:
    return play.tile.low + play.tile.high in (0, 7)


def _has_many_ends(moment: LessonMoment) -> bool:
    """Return True if the learner can play at more than two ends."""
    return can_play(moment) and len(moment.layout.ends) > 2


DRAW = Lesson(
    "draw",
    phrase("how dominoes is played"),
    (
        Remark(
            is_lead,
            "These are your tiles. Whoever holds the highest double begins with it, and that is you: the tile with "
            "a number under it may be played, and it is chosen already. Press Enter to lay it.",
        ),
        Remark(
            is_round_over,
            "The round is over. Whoever lays their last tile first scores the pips that the others still hold; if "
            "nobody can play, the lightest hand does. That is all there is to Draw! Enter deals another round, q "
            "ends the lesson.",
        ),
        _DRAWS,
        _PASSES,
        Remark(
            has_happened(Passed),
            "The other player passed: nothing in that hand has the number of an end. Remember it! Show that number "
            "again, and the same player must pass again.",
        ),
        Remark(
            can_play,
            "Your turn. A tile fits if it has the same number as an end. Those with a number under them fit. ← and → "
            "choose one, or its number; the tile on the table shows where it would lie, and Enter lays it.",
        ),
        Remark(
            lambda moment: len(moment.legal_plays) > len({play.tile for play in moment.legal_plays}),
            "One of your tiles fits at both ends. ↑ and ↓ choose the end, or press its letter.",
        ),
        Remark(
            lambda moment: any(play.tile.is_double for play in moment.legal_plays),
            "You can lay a double. It lies across. A double has one number only, so lay it while it fits.",
        ),
        Remark(
            has_two_tiles,
            "Two tiles left! Think ahead: which end will still fit the last one? h gives you a hint.",
        ),
    ),
    phrase("Go on: get rid of your tiles before the others do."),
    seed=187,
)

ALL_FIVES = Lesson(
    "all-fives",
    phrase("scoring at the ends, and the spinner"),
    (
        Remark(
            is_round_over,
            "The round is over: whoever goes out also scores what the others hold, in fives. Then the next round is "
            "dealt, up to the points in the title. Enter goes on, q ends the lesson.",
        ),
        _DRAWS,
        _PASSES,
        Remark(
            lambda moment: moment.is_your_turn and any(points > 0 for points in moment.layout.worth),
            "Here is how you score: after each play the numbers at the open ends are added up. If they make 5, 10, "
            "15 and so on, you score that many points. The mark at an end says what a tile would score there: choose "
            "one that scores.",
        ),
        Remark(
            has_happened(Scored),
            "The other player scored: the ends added up to a multiple of five. A double at an end counts twice, as "
            "both its halves are open.",
        ),
        Remark(
            _has_many_ends,
            "The first double is the spinner. Once a tile lies at both its long sides, it grows up and down too: "
            "four ends to play at and to count.",
        ),
        Remark(
            can_play,
            "Tiles are laid as in the game Draw, number to equal number. But look at the sum of the open ends before "
            "you choose.",
        ),
        Remark(has_two_tiles, "Two tiles left. Going out is worth something, but points at the ends are sure."),
    ),
    phrase("Find the tile that makes the ends a multiple of five; otherwise, one that leaves them nothing to score."),
    seed=193,
)

MATADOR = Lesson(
    "matador",
    phrase("ends add up to seven"),
    (
        Remark(is_round_over, "The round is over, and scored as in the game Draw. Enter goes on, q ends the lesson."),
        _DRAWS,
        _PASSES,
        Remark(
            is_lead,
            "Press Enter to lay the first tile. Here tiles that touch need not be the same: they add up to seven.",
        ),
        Remark(
            lambda moment: any(map(_is_matador, moment.legal_plays)),
            "One of your playable tiles is a matador: 6|1, 5|2, 4|3 or 0|0. They fit any end, and nothing else "
            "fits a blank. Keep them until you need them. When you lay one, you say which half faces out.",
        ),
        Remark(
            lambda moment: not all(map(_is_matador, moment.legal_plays)),
            "Tiles that touch add up to seven: a 4 wants a 3, a 6 wants a 1.",
        ),
        Remark(
            has_happened(Played),
            "The other player laid a tile whose number makes seven with the end that it touches.",
        ),
        Remark(has_two_tiles, "Two tiles left. A matador as the last one always fits."),
    ),
    phrase("Go on: make sevens, and spare your matadors."),
    seed=8,
)

CROSS = Lesson(
    "cross",
    phrase("four arms first"),
    (
        Remark(is_round_over, "The round is over, and scored as in the game Draw. Enter goes on, q ends the lesson."),
        _DRAWS,
        _PASSES,
        Remark(
            is_lead,
            "You hold the highest double: press Enter to lay it. It is the middle of a cross.",
        ),
        Remark(
            lambda moment: can_play(moment) and bool(moment.layout.owed),
            "The middle needs more arms: until there are four of them, only its number may be played.",
        ),
        Remark(
            _has_many_ends,
            "The cross has its arms. From now on you may play at any end: ↑ and ↓ choose one, or press its letter.",
        ),
        Remark(has_two_tiles, "Two tiles left. Four ends give you more ways out than a line does."),
    ),
    phrase("Go on: get rid of your tiles before the others do."),
    seed=2,
)


def _is_double_owed(moment: LessonMoment) -> bool:
    """Return True if the learner must answer a double."""
    return moment.is_your_turn and bool(moment.layout.owed)


def _was_double_laid(moment: LessonMoment) -> bool:
    """Return True if a double has just been laid."""
    return any(isinstance(event, Played) and event.tile.is_double for event in moment.events)


_DRAWS_TO_LAY = Remark(has_to_draw, "Nothing in your hand fits: Enter draws a tile. If it fits, you can lay it.")

MEXICAN_TRAIN = Lesson(
    "mexican-train",
    phrase("a train of your own, and one for all"),
    (
        Remark(
            is_round_over,
            "The round is over: everybody writes down the pips that they still hold, and the lowest sum wins in the "
            "end. The next round begins with the next lower double. Enter goes on, q ends the lesson.",
        ),
        Remark(
            _is_double_owed,
            "A double is not covered. Until somebody lays a tile on it, nobody may play anywhere else.",
        ),
        _DRAWS_TO_LAY,
        Remark(
            has_to_pass,
            "Still nothing fits: Enter passes. Your train is then marked, and others may play on it until you"
            " play there again.",
        ),
        Remark(
            can_play,
            "Every player has a train that begins at the double in the middle, and the top one, the Mexican "
            "Train, is for all. You may play on your own train and on that one. ← → choose the tile, ↑ ↓ the "
            "train.",
        ),
        Remark(
            lambda moment: moment.seat in moment.layout.open,
            "Your train is marked: everybody may play on it. As soon as you play there yourself, the mark goes.",
        ),
        Remark(
            lambda moment: can_play(moment) and any(seat != moment.seat for seat in moment.layout.open),
            "Somebody's train is open: its owner could not play. You may lay your tiles there now, too.",
        ),
        Remark(
            _was_double_laid,
            "A double lies across and must be covered: play on it at once, or draw a tile for it.",
        ),
        Remark(has_two_tiles, "Two tiles left. High tiles cost most if somebody else goes out first."),
    ),
    phrase("Play on your own train first, as long as nobody can take it from you."),
    players=3,
    seed=6,
)

CHICKENFOOT = Lesson(
    "chickenfoot",
    phrase("doubles grow toes"),
    (
        Remark(
            is_round_over,
            "The round is over: everybody writes down the pips that they hold, and the lowest sum wins. The double "
            "blank costs 50. Enter goes on, q ends the lesson.",
        ),
        _DRAWS_TO_LAY,
        Remark(has_to_pass, "Still nothing fits: Enter passes."),
        Remark(
            _is_double_owed,
            "A chicken foot has to be finished: the double in the middle needs four toes, any other three, and no "
            "double is a toe. Until they all lie there, nobody may play elsewhere.",
        ),
        Remark(is_lead, "You hold the double for the middle: press Enter to lay it."),
        Remark(
            can_play,
            "No foot is unfinished now: you may play at the end of any arm. ↑ ↓ choose it, or press its letter.",
        ),
        Remark(_was_double_laid, "A double: a new chicken foot begins. Its three toes come before everything else."),
        Remark(has_two_tiles, "Two tiles left. Doubles cost the others turns, but high tiles cost you pips."),
    ),
    phrase("Go on: get rid of many pips, and of 0|0 above all."),
    players=3,
    seed=3,
)

WILDSTAR = Lesson(
    "wildstar",
    phrase("five arms, and wildstars"),
    (
        Remark(
            is_round_over,
            "The round is over. Pips in hand cost you points, and a wildstar that you kept costs 20. Enter goes on, "
            "q ends the lesson.",
        ),
        _DRAWS_TO_LAY,
        Remark(has_to_pass, "Still nothing fits: Enter passes."),
        Remark(
            lambda moment: any(play.tile == STAR for play in moment.legal_plays),
            "You hold a wildstar, which fits any end. When you lay it, you name the number that it shows: "
            "press a digit.",
        ),
        Remark(is_lead, "You hold the double for the middle of the star: press Enter to lay it."),
        Remark(
            can_play,
            "The star in the middle has five arms. ↑ ↓ choose one, or press its letter; the mark shows its number.",
        ),
        Remark(has_happened(Passed), "The other player could not play on any arm."),
        Remark(has_two_tiles, "Two tiles left. Keep no wildstar: it costs 20, more than any tile but 0|0."),
    ),
    phrase("Go on: lay your wildstars before the round ends."),
    players=2,
    seed=3,
)


FORTY_TWO = Lesson(
    "forty-two",
    phrase("bids, trumps and tricks"),
    (
        Remark(
            is_round_over,
            "The round is over: the bidders win marks if they took what they bid, else the others do. Seven marks "
            "win. Enter goes on, q ends the lesson.",
        ),
        Remark(
            lambda moment: can_do(moment, Bid),
            "You and the player opposite are partners. Seven tricks count a point each, and tiles of 5 or 10 pips "
            "count 5 or 10: 42 in all. Who holds many tiles of one number, as you do, bids what both will take: "
            "Enter bids 30.",
        ),
        Remark(
            lambda moment: can_do(moment, Name),
            "You won the bidding: name trumps, the number of which you hold most. It is chosen already, and its "
            "double is the highest tile. Enter names it.",
        ),
        Remark(
            lambda moment: can_do(moment, Lay) and not moment.view.trick,  # type: ignore[union-attr]
            "You lead: any tile may be laid, and its higher number is the suit that the others must follow, "
            "or trumps if it is one.",
        ),
        Remark(
            lambda moment: can_do(moment, Lay),
            "Follow suit if you can: only the tiles with a number under them may be laid. If none fits, lay what "
            "you like, or a trump to take the trick.",
        ),
        Remark(
            has_happened(Took, excludes_learner=False),
            "The highest trump takes the trick, else the highest tile of the suit that was led. Whoever takes it "
            "leads the next one.",
        ),
        Remark(
            has_happened(Bade, excludes_learner=False),
            "Bids go round once, each higher than the one before. 30 is the lowest, 42 is all; beyond that "
            "come marks.",
        ),
    ),
    phrase(
        "Tricks with 5|5, 6|4, 5|0, 4|1 or 3|2 in them are worth more: lay those when your partner takes the trick."
    ),
    players=4,
    options={"42.play_out": "on"},
    level="normal",
    seed=1902,
    proposed=(Bid(30, 1),),
)


TIEN_GOW = Lesson(
    "tien-gow",
    phrase("several tiles at once, and only the last trick wins"),
    (
        Remark(
            is_round_over,
            "The round is over: whoever took the last trick is paid by all others, more by those who took few. "
            "Eight rounds make a match. Enter goes on, q ends the lesson.",
        ),
        Remark(
            lambda moment: can_do(moment, Lead),
            "You lead: one tile, or several of one class, such as a pair. Press the number of each tile, then "
            "Enter. Lead what others can hardly beat, and keep something strong for the last trick.",
        ),
        Remark(
            lambda moment: can_do(moment, Beat),
            "You may beat these tiles with as many of the same class that rank higher: the chosen ones do. p lays as "
            "many face down instead.",
        ),
        Remark(
            lambda moment: can_do(moment, Hide) and not can_do(moment, Beat),
            "Nothing in your hand beats this, so lay as many tiles face down: those that you need least. Nobody has "
            "to follow suit here.",
        ),
        Remark(
            has_happened(Took, excludes_learner=False),
            "The last tiles laid face up take the trick, and their player leads. A pair counts as two tricks.",
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
        Remark(
            is_round_over,
            "The game is over: your score is the number of tiles that are left, and 0 wins. The house rules have "
            "three more games. Enter goes on, q ends the lesson.",
        ),
        Remark(
            lambda moment: can_do(moment, Fill) and not any(isinstance(event, Removed) for event in moment.events),
            "A column is empty: the bottom tile of another one may go there, and sets the tile above it free. "
            "↑ ↓ go through all moves, and Enter does the chosen one.",
        ),
        Remark(
            lambda moment: moment.is_your_turn,
            "Five columns, and three tiles aside. The bottom tiles and those aside are free. Take away two free "
            "tiles with 12 pips together. Enter takes the chosen two.",
        ),
        Remark(
            has_happened(Removed, excludes_learner=False),
            "Their columns have new bottom tiles now. Look ahead: which pair frees what you need next? u takes a "
            "move back, as often as you like, and h shows a good one.",
        ),
    ),
    phrase("↑ ↓ go through all moves. First take what frees most, and keep the tiles aside for when you are stuck."),
    players=1,
    seed=3,
)

LESSONS = (DRAW, ALL_FIVES, MEXICAN_TRAIN, CHICKENFOOT, CROSS, MATADOR, WILDSTAR, FORTY_TWO, TIEN_GOW, PATIENCE)
"""In the recommended order."""
