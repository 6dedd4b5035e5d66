"""What `boneyard host --check` finds, without changing anything."""

import json

from net.storage.check import examine
from net.storage.sqlite import Store, lock


def findings(data):
    return {finding.sentence: finding.fine for finding in examine(data)}


def test_a_check_of_a_new_folder_finds_nothing_wrong_and_makes_nothing(tmp_path):
    assert all(findings(tmp_path / "new").values())
    assert not (tmp_path / "new").exists()


def test_a_check_tells_a_running_host_and_how_much_there_is(tmp_path):
    tmp_path.chmod(0o700)
    with Store(tmp_path):
        found = findings(tmp_path)
    assert all(found.values())
    assert "A host is using it." in found
    assert any("0 names, 0 bans, 0 tables" in sentence for sentence in found)
    assert "No host is using it." in findings(tmp_path)


def test_a_check_finds_damage_and_open_doors(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "boneyard.sqlite").write_bytes(b"no database" * 1000)
    (tmp_path / "host_key").write_text("key")
    (tmp_path / "host_key").chmod(0o644)

    wrong = " ".join(sentence for sentence, fine in findings(tmp_path).items() if not fine)
    assert "open to other users" in wrong
    assert "cannot be read" in wrong
    assert "chmod 600" in wrong


def test_a_file_in_place_of_the_folder_is_found(tmp_path):
    (tmp_path / "file").write_text("")

    assert json.dumps(list(findings(tmp_path / "file"))).count("is not a directory") == 1


def test_a_check_of_a_nodes_folder_says_where_its_tables_are(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "cluster.pem").touch(0o600)
    with lock(tmp_path):
        found = findings(tmp_path)
    assert all(found.values())
    assert "A host is using it." in found
    assert any("PostgreSQL" in sentence for sentence in found)
