"""The artefacts of a release: built from the last commit, installed into empty environments, and played."""

import os

import pytest

from scripts.played import played_artefacts
from scripts.release import make_release
from tui.version import VERSION

pytestmark = pytest.mark.skipif(
    not os.environ.get("BONEYARD_RELEASE"), reason="takes minutes; BONEYARD_RELEASE=1 runs it, as CI does"
)


def test_every_artefact_is_the_same_in_two_builds_and_plays_a_match_once_installed(tmp_path):
    make_release(VERSION, "Notes.\n", tmp_path)

    packages = {file.name for file in tmp_path.iterdir() if file.suffix in {".whl", ".gz", ".pyz", ".deb"}}
    assert len(packages) == 4
    assert set(played_artefacts(tmp_path)) == packages
