"""Every request of a guest at a table is answered, also to spectators."""

from typing import get_args

import pytest

from core.actions import Draw
from net.host.table_host import TableRequest
from net.wire.messages import Act, AllowHints, Attest, MakeTable, Pause, Reveal, SetPace, TakeBack, Watch
from tests.net.party import Party

REQUESTS = {
    Act: Act(1, Draw()),
    Reveal: Reveal("00" * 32),
    Pause: Pause(True),
    SetPace: SetPace("slow"),
    TakeBack: TakeBack(0),
    AllowHints: AllowHints(0),
    Attest: Attest("00" * 32, "key", "signature"),
}


@pytest.mark.parametrize("request_type", get_args(TableRequest), ids=lambda request_type: request_type.__name__)
@pytest.mark.parametrize("bots", [0, 1])
def test_requests_of_spectators_change_nothing(request_type, bots):
    party = Party()
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {}, bots=bots, take_back=True))
    table = party.get_table(party.update(1).table.id)
    party.say(2, Watch(table.id))
    snapshot = table.snapshot(party.time)
    party.say(2, REQUESTS.get(request_type) or request_type())

    assert table.snapshot(party.time) == snapshot
