"""The lesson for Forty-Two: bids, trumps and tricks."""

from core.actions import Bade, Bid, Lay, Name, Took
from core.words import phrase
from tui.lessons.lesson import Lesson, Point, happened, may, round_over

FORTY_TWO = Lesson(
    "forty-two",
    phrase("bids, trumps and tricks"),
    (
        Point(
            round_over,
            "The hand is over: the bidders win marks if they took what they bid, else the others do. Seven "
            "marks win. Enter goes on, q ends the lesson.",
        ),
        Point(
            lambda now: may(now, Bid),
            "You and the player opposite are partners. There are 42 points in a hand: 7 tricks count one "
            "each, and tiles of 5 or 10 dots count 5 or 10. Bid what you two will take, 30 or more, if you "
            "hold many tiles of one number; else pass.",
        ),
        Point(
            lambda now: may(now, Name),
            "You won the bidding: name trumps, the number of which you hold most. Its double is the highest tile.",
        ),
        Point(
            lambda now: may(now, Lay) and not now.view.trick,  # type: ignore[union-attr]
            "You lead: any tile may be laid, and its higher number is the suit that the others must follow, "
            "or trumps if it is one.",
        ),
        Point(
            lambda now: may(now, Lay),
            "Follow suit if you can: only the bright tiles may be laid. If none fits, lay what you like, or a"
            " trump to take the trick.",
        ),
        Point(
            happened(Took, others=False),
            "The highest trump takes the trick, else the highest tile of the suit that was led. Who takes it "
            "leads next.",
        ),
        Point(
            happened(Bade),
            "Bids go round once, each higher than the one before. 30 is the lowest, 42 is all; beyond that "
            "come marks.",
        ),
    ),
    phrase(
        "Tricks with 5|5, 6|4, 5|0, 4|1 or 3|2 in them are worth more: lay those when your partner takes the trick."
    ),
    players=4,
    seed=4,
)
