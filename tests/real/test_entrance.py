"""Options for who may join a real host, as its operator types them, with guests over ssh and `boneyard join`."""

from tests.real.programs import expect_one_sentence, is_restored

CODE = "double six"


async def test_with_an_invitation_both_doors_ask_for_it_once(programs, client):
    host = await programs.hosts("--invite", CODE)
    assert "Who may join: anybody with the invitation code." in host.said
    assert CODE not in host.said

    ann = client.plays(host.port, key=client.key("ann")[0])
    await ann.sees("Invitation code: ")
    ann.types(f"{CODE}\r")
    await ann.sees("What name will you play under?")

    ben = programs.plays("join", f"127.0.0.1:{host.port}", "--name", "Ben")
    await ben.sees("Invitation code")
    ben.types(f"{CODE}\r")
    await ben.sees("Ben, in the lobby")
    assert CODE not in ben.text

    cid = programs.plays("join", f"127.0.0.1:{host.port}", "--name", "Cid", BONEYARD_INVITE=CODE)
    await cid.sees("Cid, in the lobby")
    for player in (ben, cid):
        player.types("q")
        assert await player.leaves() == 0
    await host.closes()


async def test_a_wrong_code_is_reported_in_one_sentence_when_the_screen_is_left(programs):
    host = await programs.hosts("--invite", CODE)
    where = f"boneyard: 127.0.0.1:{host.port}"
    for typed, sentence in (
        ("double five\r", f"{where} did not accept this invitation; is the code right?"),
        ("\r", f"{where} requires an invitation code; ask its operator for it."),
    ):
        ben = programs.plays("join", f"127.0.0.1:{host.port}")
        await ben.sees("Invitation code")
        ben.types(typed)
        assert await ben.leaves() == 1
        assert ben.last_words[-1] == sentence
    await host.closes()


async def test_a_friend_whose_key_is_added_to_the_list_logs_in_without_a_restart(programs, client, tmp_path):
    friends = tmp_path / "friends"
    friends.write_text("# nobody yet\n")
    host = await programs.hosts("--authorized-keys", friends)
    assert f"Who may join: the keys in {friends}." in host.said
    path, _ = client.key("ann")

    early = client.plays(host.port, key=path)
    assert await early.leaves() == 255
    assert b"Permission denied (publickey)" in early.raw

    friends.write_text(path.with_suffix(".pub").read_text())
    ann = client.plays(host.port, key=path)
    await ann.sees("What name will you play under?")
    ann.types("\x11")
    await host.closes()
    assert await ann.leaves() == 0
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
    host = await programs.hosts("--bind", "", "--open")
    assert host.port > 0
    await host.closes()


async def test_an_ssh_client_shows_a_banned_address_the_reason(programs, client):
    host = await programs.hosts()
    status, answer, _ = await programs.runs("admin", "--data", host.data, "ban", "127.0.0.1", "--for", "7d")
    assert (status, "is banned until 20" in answer) == (0, True)
    for _ in range(3):
        ann = client.plays(host.port)
        assert await ann.leaves() == 255
        assert b": You are banned from this server." in ann.raw
    await host.closes()
