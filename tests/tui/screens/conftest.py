"""Where the screens are shown: over ssh with `Fast`, or on one's own terminal without it."""

import pytest

from tests.tui.guests import LocalHost


@pytest.fixture
def shown(request, monkeypatch):
    """Show the guests' screens over ssh, or where a test that is run in both places says."""
    monkeypatch.setattr(LocalHost, "over_ssh", getattr(request, "param", "over ssh") == "over ssh")
