"""Games of tricks in sentences: every event, every end."""

import pytest
from msgspec.structs import replace

from core.actions import Bade, Bid, Buried, Drew, Laid, MatchOver, Name, Named, Passed, RoundOver, Took
from core.tiles import tile
from core.tricks.state import Trick
from tests.tui.hands import MOMENTS
from tui.text.notices import Story

NAMES = ("ada", "bela", "chen", "dora")
VIEW = MOMENTS["bidding"].view(0).play
ENDED = (((),) * 4, ((), ()))


def sentence_of(event, you=0):
    story = Story()
    story.add_events((event,), NAMES, you, 2, VIEW)
    return story.lines[0]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Bade(1, Bid(31, 1)), "bela bids 31."),
        (Bade(0, Bid(42, 1)), "You bid 1 mark."),
        (Bade(1, Bid(42, 2)), "bela bids 2 marks."),
        (Bade(1, Bid(42, 4, "plunge")), "bela bids plunge, 4 marks."),
        (Passed(1, "bidding"), "bela passes."),
        (Passed(0, "bidding"), "You pass."),
        (Named(1, Name("number", 5)), "bela names fives trumps."),
        (Named(0, Name("doubles")), "You name doubles trumps."),
        (Named(1, Name("follow_me")), "bela calls follow me."),
        (Named(0, Name("nello", doubles="low")), "You call nello, doubles low."),
        (Named(1, Name("none")), "bela calls no trumps."),
        (Drew(1, 1), "bela takes the widow."),
        (Drew(0, 1, (tile("6|1"),)), "You take the widow: 6|1."),
        (Buried(1), "bela puts a tile away."),
        (Buried(0, (tile("6|1"),)), "You put 6|1 away."),
        (Laid(1, tile("6|4"), 6), "bela leads 6|4: sixes."),
        (Laid(0, tile("3|3"), 7), "You lead 3|3: doubles."),
        (Laid(1, tile("6|4")), "bela lays 6|4."),
        (Took(1, 1, ()), "bela takes the trick."),
        (Took(0, 16, (tile("5|5"), tile("5|0"))), "You take the trick for 16, with 5|5, 5|0."),
        (RoundOver("made", 2, *ENDED), "Bid made: the round is yours."),
        (RoundOver("made", 1, *ENDED), "bela + dora made their bid."),
        (RoundOver("set", 3, *ENDED), "bela + dora defeated the bid."),
        (RoundOver("set", 0, *ENDED), "Bid defeated: the round is yours."),
        (RoundOver("passed", -1, *ENDED), "Everybody passed: the next player deals."),
        (MatchOver((1,)), "bela + dora win the match."),
    ],
)
def test_every_event_is_a_sentence(event, line):
    assert sentence_of(event) == line


@pytest.mark.parametrize(
    ("layers", "you", "line"),
    [
        ((2, 2), 2, "You take the trick for 16, with 5|5, 5|0."),
        ((0, 0), 2, "You take the trick for 16, with 5|5 from ada, 5|0 from ada."),
        ((0, 2), 0, "chen takes the trick for 16, with 5|5 from you, 5|0 from chen."),
    ],
)
def test_a_trick_names_the_players_who_laid_its_count_tiles(layers, you, line):
    counts = tile("5|5"), tile("5|0")
    laid = tuple(Laid(seat, count_tile) for seat, count_tile in zip(layers, counts, strict=True))
    story = Story()
    view = replace(VIEW, tricks=(Trick(laid, 2, 16),))
    story.add_events((Took(2, 16, counts),), NAMES, you, 2, view)

    assert story.lines == [line]


def test_spectators_read_names_only():
    assert sentence_of(RoundOver("made", 0, *ENDED), you=-1) == "ada + chen made their bid."
