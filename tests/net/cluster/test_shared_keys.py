"""All nodes of a cluster share one secret and one host key; a node with others is refused."""

import asyncio

import pytest

from net.cluster.database import ClusterError, Database, check_keys
from net.cluster.tls import CLUSTER_FILE, Secret, make_secret
from tests.databases import query_database


def keys(folder, pem="SHA256:pem", key="SHA256:key"):
    return {folder / "cluster.pem": pem, folder / "host_key": key}


async def test_the_first_node_notes_its_keys_and_others_must_have_the_same(url, tmp_path):
    async with Database(url) as database:
        for _ in range(2):
            await check_keys(database, keys(tmp_path))
        with pytest.raises(ClusterError) as error:
            await check_keys(database, keys(tmp_path, key="SHA256:other"))
        assert str(error.value) == (
            f"{tmp_path / 'host_key'} is SHA256:other, but that of this cluster is SHA256:key; "
            "copy it from another node."
        )
        with pytest.raises(ClusterError, match=r"cluster\.pem is SHA256:other"):
            await check_keys(database, keys(tmp_path, pem="SHA256:other"))


async def test_a_refused_node_registers_nothing(url, tmp_path):
    async with Database(url) as database:
        await check_keys(database, {tmp_path / "host_key": "SHA256:key"})
        with pytest.raises(ClusterError):
            await check_keys(database, keys(tmp_path, key="SHA256:other"))
    assert query_database(url, lambda db: db.fetch("SELECT name FROM boneyard.keys")) == [("host_key",)]


async def test_of_two_first_nodes_with_other_keys_one_is_refused(url, tmp_path):
    async with Database(url) as database:
        nodes = [keys(tmp_path, key=f"SHA256:{number}") for number in range(6)]
        results = await asyncio.gather(*(check_keys(database, node) for node in nodes), return_exceptions=True)
    assert results.count(None) == 1
    assert all(
        isinstance(result, ClusterError) and "but that of this cluster is" in str(result)
        for result in results
        if result
    )


def test_a_secret_has_the_fingerprint_of_its_certificate(tmp_path):
    for name in ("one", "other"):
        make_secret(tmp_path / name / CLUSTER_FILE)
    fingerprint, other_fingerprint = (Secret(tmp_path / name / CLUSTER_FILE).fingerprint for name in ("one", "other"))
    assert fingerprint == Secret(tmp_path / "one" / CLUSTER_FILE).fingerprint != other_fingerprint
    assert fingerprint.startswith("SHA256:")
    assert len(fingerprint) == len("SHA256:") + 43
