"""Options for who may join a real host, as its operator types them, with guests over ssh and `boneyard join`."""

from tests.real.programs import expect_one_sentence, is_restored

CODE = "double six"


async def test_with_an_invitation_both_doors_ask_for_it_once(programs, client):
    host = await programs.start_host("--invite", CODE)
    assert "Who may join: anybody with the invitation code." in host.said
    assert CODE not in host.said

    ann = client.start(host.port, key=client.key("ann")[0])
    await ann.wait_for("Invitation code: ")
    ann.type(f"{CODE}\r")
    await ann.wait_for("What name will you play under?")

    ben = programs.start("join", f"127.0.0.1:{host.port}", "--name", "Ben")
    await ben.wait_for("Invitation code")
    ben.type(f"{CODE}\r")
    await ben.wait_for("Ben, in the lobby")
    assert CODE not in ben.text

    cid = programs.start("join", f"127.0.0.1:{host.port}", "--name", "Cid", BONEYARD_INVITE=CODE)
    await cid.wait_for("Cid, in the lobby")
    for player in (ben, cid):
        player.type("q")
        assert await player.wait_for_exit() == 0
    await host.close_cleanly()


async def test_a_wrong_code_is_reported_in_one_sentence_when_the_screen_is_left(programs):
    host = await programs.start_host("--invite", CODE)
    where = f"boneyard: 127.0.0.1:{host.port}"
    for typed, sentence in (
        ("double five\r", f"{where} did not accept this invitation; is the code right?"),
        ("\r", f"{where} requires an invitation code; ask its operator for it."),
    ):
        ben = programs.start("join", f"127.0.0.1:{host.port}")
        await ben.wait_for("Invitation code")
        ben.type(typed)
        assert await ben.wait_for_exit() == 1
        assert ben.last_words[-1] == sentence
    await host.close_cleanly()


async def test_a_friend_whose_key_is_added_to_the_list_logs_in_without_a_restart(programs, client, tmp_path):
    friends = tmp_path / "friends"
    friends.write_text("# nobody yet\n")
    host = await programs.start_host("--authorized-keys", friends)
    assert f"Who may join: the keys in {friends}." in host.said
    path, _ = client.key("ann")

    early = client.start(host.port, key=path)
    assert await early.wait_for_exit() == 255
    assert b"Permission denied (publickey)" in early.raw

    friends.write_text(path.with_suffix(".pub").read_text())
    ann = client.start(host.port, key=path)
    await ann.wait_for("What name will you play under?")
    ann.type("\x11")
    await host.close_cleanly()
    assert await ann.wait_for_exit() == 0
    assert is_restored(ann)


async def test_an_unusable_list_of_keys_is_refused_in_one_sentence(programs, tmp_path):
    words = ("host", "--no-announce", "--bind", "127.0.0.1", "--port", "0", "--data", tmp_path / "data")
    broken = tmp_path / "broken"
    broken.write_text("hello\n")
    for file, sentence in (
        (tmp_path / "missing", "cannot be read: No such file or directory."),
        (broken, "Line 1 of"),
    ):
        assert sentence in await expect_one_sentence(programs, *words, "--authorized-keys", file)


async def test_a_public_address_without_a_choice_of_who_may_join_is_refused(programs):
    # Example.com's address: the host refuses it before anything tries to listen.
    words = ("host", "--no-announce", "--bind", "93.184.216.34")
    assert "choose who may join" in await expect_one_sentence(programs, *words, status=2)


async def test_a_port_of_0_takes_one_that_is_free_on_every_address(programs):
    host = await programs.start_host("--bind", "", "--open")
    assert host.port > 0
    await host.close_cleanly()


async def test_an_ssh_client_shows_a_banned_address_the_reason(programs, client):
    host = await programs.start_host()
    status, answer, _ = await programs.run("admin", "--data", host.data, "ban", "127.0.0.1", "--for", "7d")
    assert (status, "is banned until 20" in answer) == (0, True)
    for _ in range(3):
        ann = client.start(host.port)
        assert await ann.wait_for_exit() == 255
        assert b": You are banned from this server." in ann.raw
    await host.close_cleanly()
