"""The terminal at home is asked the same as a guest's."""

import pytest
from rich.color import ColorSystem
from textual.app import App

from net.ssh.server.terminal import refusal_of
from tui.run.terminal import at_home, knows_utf8
from tui.serve.colours import Colours, FitColours


@pytest.mark.parametrize(
    ("env", "coerced", "utf8"),
    [
        ({"LC_ALL": "C"}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, True),
        ({"LANG": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8"}, True, False),
        ({"LANG": "de_DE.UTF-8"}, False, True),
        ({"TERM": "xterm", "LC_CTYPE": "C.UTF-8"}, True, True),
        ({"TERM": "vt220"}, False, False),
    ],
)
def test_a_locale_that_is_not_utf8_means_ascii(env, coerced, utf8):
    assert knows_utf8(env, coerced=coerced) == utf8


@pytest.mark.parametrize(
    ("env", "colours"),
    [
        ({"TERM": "xterm-256color"}, Colours(ColorSystem.EIGHT_BIT)),
        ({"TERM": "linux"}, Colours(ColorSystem.STANDARD)),
        ({"TERM": "vt220"}, Colours(None)),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, None),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, None),
    ],
)
def test_an_app_at_home_shows_the_colours_that_were_chosen_for_its_terminal(monkeypatch, env, colours):
    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    fitted = [each._colours for each in at_home(App())._filters if isinstance(each, FitColours)]

    assert fitted == ([] if colours is None else [colours])


def test_a_terminal_that_shows_no_screen_is_refused_in_a_sentence():
    assert refusal_of("dumb") == "Boneyard needs a full-screen terminal; this one (TERM=dumb) is not."
    assert refusal_of("xterm") == ""
