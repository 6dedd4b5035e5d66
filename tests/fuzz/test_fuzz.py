"""The short run of `scripts/fuzz`: the seeds, and some hundred inputs that begin as seeds, always the same."""

import pytest
from hypothesis import Phase

from net.wire.link import Unframer, unpack
from net.wire.messages import ToClient, ToHost
from tests.fuzz.checked import Fault, close_loop
from tests.fuzz.run import fuzz_test
from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS


@pytest.fixture(autouse=True, scope="module")
def _loop():
    yield
    close_loop()


@pytest.mark.parametrize("name", TARGETS)
def test_the_seeds_and_their_mutations_harm_nothing(name):
    fuzz_test(TARGETS[name], TARGETS[name].short, 1)()


def test_the_seeds_have_every_message():
    for kind, stream in ((ToClient, b"".join(seeds("client").values())), (ToHost, seeds("wire")["stream"])):
        assert {type(unpack(payload, kind)) for payload in Unframer().feed(stream)} == set(kind.__args__)


@pytest.mark.parametrize(
    ("target", "place", "fault"),
    [
        ("lobby", "net.table.table.Seats.of", lambda seats, token: -1),
        ("wire", "net.wire.link._check_depth", lambda value: value["type"]),
        ("keys", "tui.terminal.driver.TerminalDriver._handle", lambda driver, message: None),
        ("lines", "net.cluster.table_host_end.TableHostEnd._lose_links", lambda end: None),
        ("proxy", "tests.fuzz.nodes.bytes_missing", lambda data: 5000),
    ],
)
def test_a_deliberate_bug_is_found(monkeypatch, target, place, fault):
    monkeypatch.setattr(place, fault)
    monkeypatch.setattr("tests.waiting.LONGEST", 0.5)  # a longer wait would be in vain
    with pytest.raises((Fault, TypeError, KeyError, TimeoutError, ExceptionGroup)):
        fuzz_test(TARGETS[target], 400, 1, phases=[Phase.explicit, Phase.generate])()
