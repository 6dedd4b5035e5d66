"""The release script: what it refuses, its notes, and the recipes for other packagers; untranslated texts."""

import gettext
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from babel.messages.catalog import Catalog

from scripts import catalogues, release, words
from scripts.artefacts import BuildError, checksums, filled_templates, run, sha256_of
from scripts.release import RefusedError, check_release, notes_of, numbers_of
from scripts.words import untranslated_texts
from tui.version import VERSION

ROOT = Path(__file__).parents[1]
CHANGELOG = f"# Changelog\n\n## {VERSION} (unreleased)\n\n### Added\n\n- A game.\n\n## 0.1.0\n\n- The first.\n"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Return a clean repository with a changelog, in place of this one."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "untranslated_texts", dict)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    commit(tmp_path)
    return tmp_path


def commit(folder):
    settings = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    subprocess.run(["git", *settings, "commit", "--quiet", "-m", "tests: begin"], cwd=folder, check=True)


def tag(folder, version):
    subprocess.run(["git", "tag", f"v{version}"], cwd=folder, check=True)


def refusal(version, *, dry_run=False):
    with pytest.raises(RefusedError) as refused:
        check_release(version, dry_run=dry_run)
    return str(refused.value)


def test_a_clean_tree_is_released_with_the_notes_of_its_version(tree):
    assert check_release(VERSION, dry_run=False) == "### Added\n\n- A game.\n"


@pytest.mark.parametrize("text", ["1.0", "v1.0.0", "1.0.0rc1", "", "1.0.0 "])
def test_a_version_has_three_numbers(tree, text):
    assert "three numbers" in refusal(text)


def test_a_tree_with_changes_is_refused(tree):
    (tree / "new.txt").write_text("not committed")
    assert "not committed" in refusal(VERSION)


def test_a_tag_that_exists_is_refused(tree):
    tag(tree, VERSION)
    assert f"The tag v{VERSION} exists already" in refusal(VERSION)


def test_a_version_that_goes_back_is_refused(tree):
    tag(tree, "9.0.0")
    assert "not above 9.0.0" in refusal("8.9.9")
    assert "never goes back" in refusal("0.0.1") or "not above" in refusal("0.0.1")


def test_the_version_of_the_program_is_set_first_except_in_a_dry_run(tree):
    assert "set it to 9.9.9" in refusal("9.9.9")
    assert check_release("9.9.9", dry_run=True)


def test_untranslated_messages_are_refused_by_language(tree, monkeypatch):
    monkeypatch.setattr(release, "untranslated_texts", lambda: {"de": ["a", "b"], "id": ["a"]})
    for dry_run in (False, True):
        assert "not translated: 2 in de, 1 in id; ./scripts/words lists" in refusal(VERSION, dry_run=dry_run)


def test_a_changelog_without_the_version_is_refused():
    with pytest.raises(RefusedError, match=r"no section 2\.0\.0"):
        notes_of("2.0.0", CHANGELOG)
    with pytest.raises(RefusedError, match=r"no section 3\.0\.0"):
        notes_of("3.0.0", "## 3.0.0\n\n## 2.0.0\n\n- more\n")


def test_versions_are_compared_as_numbers():
    assert numbers_of("1.10.0") > numbers_of("1.9.9")


def test_every_file_has_its_checksum(tmp_path):
    (tmp_path / "packaging").mkdir()
    (tmp_path / "packaging" / "b").write_text("b")
    (tmp_path / "a").write_text("a")
    checksums(tmp_path)

    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert lines == [f"{sha256_of(tmp_path / name)}  {name}" for name in ("a", "packaging/b")]


def test_a_tool_that_fails_is_named_with_its_output():
    with pytest.raises(BuildError, match="sh failed:\nno disk"):
        run("sh", "-c", "echo no disk; exit 3")


def test_the_recipes_have_the_version_and_the_hash(tmp_path):
    filled_templates(ROOT, tmp_path, "1.2.3", "f" * 64)

    for name in ("PKGBUILD", "boneyard.rb", "default.nix"):
        text = (tmp_path / "packaging" / name).read_text()
        assert "1.2.3" in text
        assert "f" * 64 in text
        assert "@" not in text.replace("python@3.13", "").replace("${", "")
    container = (tmp_path / "packaging/Containerfile").read_text()
    assert "COPY boneyard_dominoes-1.2.3.tar.gz boneyard_dominoes-1.2.3-py3-none-any.whl" in container
    assert "@" not in container


def test_the_container_has_a_user_of_its_own_and_a_read_only_file_system():
    service = yaml.safe_load((ROOT / "docs/packaging/compose.yaml").read_text())["services"]["boneyard"]
    lines = (ROOT / "docs/packaging/Containerfile").read_text().splitlines()

    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert lines.index("USER boneyard") < next(n for n, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
    assert "/healthz" in " ".join(service["healthcheck"]["test"])


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "tui/version.py"


def test_the_former_artefacts_stay_until_the_new_ones_are_whole(tree, monkeypatch):
    monkeypatch.setattr(release, "DIST", tree / "dist")
    (tree / "dist").mkdir()
    (tree / "dist" / "old").write_text("old")
    new = tree / "new"
    new.mkdir()
    (new / "file").write_text("new")
    moved = release.shutil.move

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(release.shutil, "move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        release.replace_dist(new)
    assert [file.name for file in (tree / "dist").iterdir()] == ["old"]
    monkeypatch.setattr(release.shutil, "move", moved)
    release.replace_dist(new)
    assert [file.name for file in (tree / "dist").iterdir()] == ["file"]


def test_a_tag_is_signed_if_git_has_a_key_for_it(tree):
    settings = [("user.name", "ada"), ("user.email", "ada@example.org"), ("user.signingkey", "")]
    for name, value in settings:
        subprocess.run(["git", "config", name, value], cwd=tree, check=True)
    assert release.set_tag("1.0.0") == ", but not signed: git has no user.signingkey"

    key = tree / ".git" / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    for name, value in (("user.signingkey", f"{key}.pub"), ("gpg.format", "ssh")):
        subprocess.run(["git", "config", name, value], cwd=tree, check=True)
    assert release.set_tag("1.0.1") == ""

    texts = [release.git("cat-file", "tag", f"v1.0.{patch}") for patch in (0, 1)]
    assert ["SSH SIGNATURE" in text for text in texts] == [False, True]


@pytest.fixture
def german(tmp_path, monkeypatch):
    """Return a catalogue with a doubtful translation, half a plural, and a whole translation."""
    source = tmp_path / "de" / "LC_MESSAGES" / "boneyard.po"
    source.parent.mkdir(parents=True)
    half = 'msgid "{count} e"\nmsgid_plural "{count} es"\nmsgstr[0] "{count} f"\nmsgstr[1] ""\n'
    source.write_text(f'#, fuzzy\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n\n{half}')
    monkeypatch.setattr(catalogues, "LOCALES", tmp_path)
    monkeypatch.setattr(words, "translated_page", lambda _language, game: game)
    return source


def test_a_fuzzy_translation_and_a_missing_plural_count_as_untranslated(german):
    assert untranslated_texts() == {"de": ["a", "{count} e"]}


def test_an_untranslated_message_is_english_in_both_numbers(german):
    catalogues.compile_all()
    with german.with_suffix(".mo").open("rb") as compiled:
        spoken = gettext.GNUTranslations(compiled)

    assert (spoken.gettext("a"), spoken.gettext("c")) == ("a", "d")
    assert [spoken.ngettext("{count} e", "{count} es", count) for count in (1, 2)] == ["{count} e", "{count} es"]


def test_a_page_of_rules_without_a_translation_of_each_point_counts_as_untranslated(monkeypatch):
    monkeypatch.setattr(words, "translated_page", lambda language, game: (language, game) != ("id", "moon"))

    assert "tui/rulebook/id/moon.md" in untranslated_texts()["id"]


@pytest.mark.parametrize(("arguments", "code"), [([], 0), (["--complete"], 1)])
def test_the_script_lists_untranslated_texts_and_fails_only_where_all_are_wanted(
    german, monkeypatch, capsys, arguments, code
):
    monkeypatch.setattr(words, "TEMPLATE", german.with_name("boneyard.pot"))
    monkeypatch.setattr(words, "template", Catalog)
    monkeypatch.setattr(words, "update_catalogues", lambda _template: None)
    monkeypatch.setattr("sys.argv", ["words", *arguments])

    assert words.main() == code
    listed = capsys.readouterr()
    assert listed.out == "de: a\nde: {count} e\n"
    assert listed.err == "boneyard: texts are not translated: 2 in de.\n"
