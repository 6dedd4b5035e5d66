"""Headers of the PROXY protocol: the address in them, and that no byte behind them is consumed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.doors.listener import MAX_HEADER_BYTES, HeaderError, bytes_missing, source_address
from tests.net.ssh.proxying import LOCAL, MARK, block, line

HEADERS = [
    (line("203.0.113.9"), "203.0.113.9"),
    (line("2001:db8::9"), "2001:db8::9"),
    (b"PROXY UNKNOWN\r\n", ""),
    (b"PROXY UNKNOWN ff::1 ff::2 1 2\r\n", ""),
    (block("203.0.113.9"), "203.0.113.9"),
    (block("2001:db8::9"), "2001:db8::9"),
    (block("203.0.113.9", b"\x01\x00\x02h2"), "203.0.113.9"),
    (block("203.0.113.9", command=0x20), ""),
    (LOCAL, ""),
    (MARK + b"\x21\x31\x00\xd8" + bytes(216), ""),
]
INVALID_HEADERS = [
    b"SSH-2.0-OpenSSH_9.9\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1\r\n",
    b"PROXY TCP4 2001:db8::9 2001:db8::1 1 2\r\n",
    b"PROXY TCP4 203.0.113.999 192.0.2.1 1 2\r\n",
    b"PROXY TCP6 fe80::1%eth0 fe80::2 1 2\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 1 65536\r\n",
    b"PROXY TCP4 203.0.113.9 192.0.2.1 -1 2\r\n",
    b"PROXY TCP4 203.0.113.9  192.0.2.1 1 2\r\n",
    b"PROXY UDP4 203.0.113.9 192.0.2.1 1 2\r\n",
    b"PROXY \r\n        ",
    b"PROXY " + b"x" * 200,
    b"proxy TCP4 203.0.113.9 192.0.2.1 1 2\r\n",
    MARK + b"\x11\x11\x00\x0c" + bytes(12),
    MARK + b"\x22\x11\x00\x0c" + bytes(12),
    MARK + b"\x21\x12\x00\x0c" + bytes(12),
    MARK + b"\x21\x21\x00\x0c" + bytes(12),
    MARK + b"\x21\x11\xff\xff" + bytes(70000),
]


def read_header(stream, max_piece=10**6):
    """Read a header in pieces of at most `max_piece` bytes; return its address and the number of bytes consumed."""
    data = b""
    while missing := bytes_missing(data):
        assert len(data) + missing <= MAX_HEADER_BYTES
        piece = stream[len(data) : len(data) + min(missing, max_piece)]
        if not piece:
            raise HeaderError("ends")
        data += piece
    return source_address(data), len(data)


@pytest.mark.parametrize(("header", "address"), HEADERS)
@pytest.mark.parametrize("max_piece", [1, 2, 7, 10**6])
def test_a_header_is_consumed_exactly_and_its_address_is_returned(header, address, max_piece):
    assert read_header(header + b"SSH-2.0-OpenSSH_9.9\r\n", max_piece) == (address, len(header))


@pytest.mark.parametrize("data", INVALID_HEADERS, ids=lambda data: repr(data[:40]))
def test_an_invalid_header_is_refused(data):
    with pytest.raises(HeaderError):
        read_header(data)


@pytest.mark.parametrize(("header", "_address"), HEADERS)
def test_a_header_that_does_not_end_is_waited_for(header, _address):
    for length in range(len(header)):
        assert 0 < bytes_missing(header[:length]) <= len(header) - length


@given(
    st.one_of(
        st.binary(max_size=80),
        st.binary(max_size=80).map(MARK.__add__),
        st.binary(max_size=120).map(b"PROXY ".__add__),
    )
)
def test_any_input_is_a_header_or_none(data):
    try:
        address, consumed = read_header(data)
    except HeaderError:
        return
    assert consumed <= len(data)
    assert isinstance(address, str)
