"""After a restart, players with reserved seats log in at a higher rate than strangers may."""

import asyncio
from types import SimpleNamespace

import pytest

from net.hosting import parts
from net.limits import Limits
from tests.waiting import until


@pytest.mark.parametrize("reserved", [True, False])
async def test_handshakes_are_faster_for_a_while_if_seats_are_reserved(reserved, monkeypatch):
    monkeypatch.setattr(parts, "RETURN_WITHIN", 0.0)
    limits, applied = Limits(), []
    parts._expect_players(
        SimpleNamespace(
            guests=SimpleNamespace(listing=SimpleNamespace(has_reserved_seats=reserved)),
            door=SimpleNamespace(access=SimpleNamespace(limits=limits)),
            scheduler=SimpleNamespace(set_limits=applied.append),
        )
    )
    await asyncio.sleep(0)
    await until(lambda: len(applied) == 2 * reserved)
    assert [(change.handshakes_in_all, change.strangers_share) for change in applied] == [
        (120, 0.8),
        (30, 0.2),
    ] * reserved
