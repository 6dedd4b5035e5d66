"""Choosing colours: the sample has the theme under the cursor, Enter takes it, Escape does not."""

from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from themes import config_directory, theme_names

SOLO = MakeTable("draw", 2, {"target": 50}, bots=1)


async def test_every_theme_is_shown_at_once_and_escape_goes_back():
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1")
        await ada.press("y")
        await ada.wait_for("colours", "okabe-ito", "scores 10")
        seen = []
        for _ in theme_names():
            seen.append(ada.app.screen.look.name)
            await ada.press("down")
        assert seen == list(theme_names())
        await ada.press("up", "escape")
        await ada.wait_for("round 1")
        assert ada.app.screen.look.name == "felt"


async def test_a_chosen_theme_applies_to_every_screen_and_is_reported():
    looks = []
    async with app_host() as host, host.guest("ada", name="ada", on_look_changed=looks.append) as ada:
        await ada.wait_for("in the lobby")
        await ada.press("y", "up", "up", "enter")
        await ada.wait_for("in the lobby")
        assert {screen.look.name for screen in ada.app.screen_stack[1:]} == {"amber"}
        await ada.press("y")
        assert ada.app.screen.look.name == "amber"
        await ada.press("q")
        assert [look.name for look in looks] == ["amber"]


def broken():
    (config_directory() / "themes").mkdir(parents=True)
    (config_directory() / "themes" / "mine.toml").write_text('base = "felt"\nfelt = "green"')


async def test_a_problem_of_an_own_theme_is_shown_in_place_of_the_sample():
    broken()
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada", is_local=True) as ada:
        await ada.wait_for("round 1")
        await ada.press("y", "up", "enter")
        await ada.wait_for("mine", '"#14532d".')  # a long path leaves the words before it on any line
        await ada.press("up", "enter")
        await ada.wait_for("round 1")
        assert ada.app.screen.look.name == "mono"


async def test_a_guest_over_ssh_does_not_see_the_hosts_own_themes():
    broken()
    async with app_host() as host, host.guest("ada", table_request=SOLO, name="ada") as ada:
        await ada.wait_for("round 1")
        await ada.press("y")
        await ada.wait_for("mono")
        assert "mine" not in ada.text
