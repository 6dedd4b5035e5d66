"""Screens as they were approved: pictures in the folder `approved` beside the tests.

After an intended change, run the tests with BONEYARD_APPROVE=1, and look at the difference.
"""

import os
import re

import pytest

from tests.tui.served_pilot import served
from tui.draw.svg import svg_of
from tui.screens.base import OneScreen


@pytest.fixture
def approved(request):
    """Returns whether a screen looks as it was approved in a window of some size, after some keys."""
    folder = request.path.parent / "approved"
    file = folder / (re.sub(r"[^\w-]+", "-", request.node.name.removeprefix("test_")).strip("-") + ".svg")

    async def is_approved(screen, size, *keys):
        async with served(OneScreen(screen), size) as pilot:
            await pilot.press(*keys)
            looks = svg_of(pilot.app.screen.picture, request.node.name)
        if os.environ.get("BONEYARD_APPROVE"):
            folder.mkdir(exist_ok=True)
            file.write_text(looks, encoding="utf-8")
        return file.read_text(encoding="utf-8") == looks

    return is_approved
