"""A player's own themes: optional entries, and one sentence for every possible error."""

import pytest

import themes
from themes import BadTheme, Depth, all_names, config_directory, load_theme
from themes.numbers import contrast, number_of_16, number_of_256
from themes.theme import WORD_COLOURS

WHOLE = "\n".join(
    [
        *(f'{field} = "#10{number}040"' for number, field in enumerate(("felt", "band", "bar", "back"), 1)),
        *(f'{field} = "#f{number}f0e0"' for number, field in enumerate(("ivory", "ivory_shade", "glow"), 4)),
        'edge = "#c0b8a0"',
        'greyed = "#c8c0b0"',
        *(f'{field} = "#e0e0{number}0"' for number, field in enumerate(WORD_COLOURS, 1)),
        "pips = [" + ", ".join(f'"#{number + 10}1030"' for number in range(19)) + "]",
    ]
)


def write(name, text):
    file = config_directory() / "themes" / f"{name}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_a_theme_in_the_settings_is_one_of_the_choices():
    write("mine", WHOLE)

    assert all_names()[-1] == "mine"
    assert load_theme("mine").felt == "#101040"
    with pytest.raises(BadTheme, match=r"amber, mono or mine\.$"):
        load_theme("neon")


def test_a_theme_is_read_again_when_it_has_changed():
    write("mine", 'base = "wood"\nfelt = "#112233"')
    before = load_theme("mine")
    write("mine", 'base = "wood"\nfelt = "#332211"')

    assert before.felt != load_theme("mine").felt


def test_a_theme_may_build_on_another_and_list_only_the_differences():
    write("mine", 'base = "wood"\naccent = "#FFCC00"\n[256]\ndim = 231')

    theme, wood = load_theme("mine"), load_theme("wood")
    assert (theme.accent, theme.felt, theme.pips) == ("#ffcc00", wood.felt, wood.pips)
    assert load_theme("mine", Depth.MANY).felt == load_theme("wood", Depth.MANY).felt
    assert number_of_256(load_theme("mine", Depth.MANY).dim) == 231
    assert load_theme("mine", Depth.MANY).accent != load_theme("wood", Depth.MANY).accent


def test_a_theme_may_have_the_name_of_one_that_comes_with_boneyard():
    write("night", 'base = "night"\nfelt = "#000011"')

    assert load_theme("night").felt == "#000011"
    assert all_names().count("night") == 1


@pytest.mark.parametrize("felt", ["#14532d", "#3b2416", "#0b1220", "#b5cdb9", "#ffffff", "#401030"])
def test_colours_without_numbers_get_readable_ones(felt):
    light = felt in ("#b5cdb9", "#ffffff")
    base, ink = ("light", "#102010") if light else ("felt", "#e0f0e0")
    words = dict.fromkeys(WORD_COLOURS, ink)
    write("mine", f'base = "{base}"\nfelt = "{felt}"\n' + "\n".join(f'{w} = "{c}"' for w, c in words.items()))
    theme = load_theme("mine", Depth.MANY)

    assert contrast(theme.text, theme.felt) >= 4.5
    assert number_of_16(load_theme("mine", Depth.FEW).felt)[0] in (0, 2)


def test_a_dark_green_without_a_number_does_not_become_teal():
    write("mine", WHOLE.replace("#101040", "#14532d"))

    assert load_theme("mine", Depth.MANY).felt == "#005f00"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("felt = ", " is not TOML: "),
        ("", ' has no “felt”; add it, or begin with another theme, like base = "felt".'),
        (WHOLE.replace("greyed", "grayed"), " has an unknown key “grayed”; did you mean “greyed”?"),
        ("xyzzy = 1", " has an unknown key “xyzzy”; see docs/playing.md for the keys of a theme."),
        (WHOLE.replace('"#101040"', '"green"'), ', felt: "green" is not a colour like "#14532d".'),
        (WHOLE.replace('"#101040"', "7"), ', felt: 7 is not a colour like "#14532d".'),
        (WHOLE.replace('"#111030"', '"#111"'), ', pips, number 1: "#111" is not a colour like "#14532d".'),
        ('base = "felt"\npips = []', ", pips: it must be a list of 19 colours, for the numbers 0 to 18."),
        ('base = "felt"\n[256]\nfelt = 3', ", felt in [256]: 3 is not a number from 16 to 255."),
        ('base = "felt"\n[16]\nfelt = true', ", felt in [16]: True is not a number from 0 to 15."),
        ('base = "felt"\n[16]\nfel = 2', " has an unknown key “fel” in [16]; did you mean “felt”?"),
        ('base = "felt"\n[16]\npips = [0, 1]', ", pips in [16]: it must be a list of 19 numbers."),
        ('base = "felt"\n256 = 1', ", 256: it must be a table, [256], of colour numbers."),
        ('base = "neon"', ", base: “neon” is not a theme; choose "),
        (b"\xff\xfe", " cannot be read: it is not UTF-8."),
    ],
)
def test_a_problem_is_reported_in_one_sentence_that_names_the_file_and_the_key(text, wrong):
    file = write("mine", text)

    with pytest.raises(BadTheme) as refused:
        load_theme("mine")

    assert str(refused.value).startswith(f"{file}{wrong}")
    assert "\n" not in str(refused.value)


def test_an_unreadable_file_is_reported():
    file = config_directory() / "themes" / "mine.toml"
    file.mkdir(parents=True)

    with pytest.raises(BadTheme, match=r"mine\.toml cannot be read: Is a directory\.$"):
        load_theme("mine")


def test_the_settings_directory_is_in_xdg_config_home_or_in_the_home(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_directory() == tmp_path / "boneyard"
    monkeypatch.setenv("XDG_CONFIG_HOME", "not/absolute")
    monkeypatch.setenv("HOME", "/home/ann")
    assert str(config_directory()) == "/home/ann/.config/boneyard"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert str(config_directory()) == "/home/ann/.config/boneyard"


def test_an_unchanged_theme_is_read_once(monkeypatch):
    write("mine", 'base = "night"')
    first = load_theme("mine", Depth.MANY)
    monkeypatch.setattr(themes, "read_theme", lambda *_: pytest.fail("worked out again"))

    assert load_theme("mine", Depth.MANY) is first
