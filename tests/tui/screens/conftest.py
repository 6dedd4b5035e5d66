"""Where the screens are shown: on one's own terminal without `Fast`, and over ssh with it."""

import pytest

from tests.tui.guests import LocalHost


@pytest.fixture(params=["at home", "over ssh"])
def shown(request, monkeypatch):
    """Show the guests' screens in each of the two places."""
    monkeypatch.setattr(LocalHost, "over_ssh", request.param == "over ssh")
