"""Every number on the wire has its own bounds, from the first day of its field."""

import msgspec
import pytest
from msgspec.inspect import FloatType, IntType, type_info

from net.wire.messages import Said, ToClient, ToHost


def numbers(info, path, seen):
    """Yield the paths of all numbers in a type, with their types."""
    if isinstance(info, IntType | FloatType):
        yield path, info
    if isinstance(info, list | tuple):
        for field in info:
            yield from numbers(field, path, seen)
    elif isinstance(info, msgspec.Struct):
        cls = getattr(info, "cls", None)
        if cls in seen:
            return
        for name in info.__struct_fields__:
            if name == "field" or name in ("default", "default_factory", "required", "encode_name"):
                continue
            inner = getattr(info, name)
            where = f"{path}.{cls.__name__}" if cls and name == "fields" else path
            if name == "fields":
                for field in inner:
                    yield from numbers(field.type, f"{where}.{field.name}", (*seen, cls))
            else:
                yield from numbers(inner, where, seen)


NUMBERS = dict(numbers(type_info(ToClient | ToHost), "", ()))


def test_the_numbers_of_all_messages_are_found():
    assert len(NUMBERS) > 100
    assert any(path.endswith("Tile.low") for path in NUMBERS)
    assert any(path.endswith("LayoutView.boneyard") for path in NUMBERS)


def test_every_number_is_bounded_by_its_type():
    unbounded = [path for path, number in NUMBERS.items() if number.ge is None or number.le is None]

    assert not unbounded


def test_a_number_beyond_is_refused_where_it_is_decoded():
    with pytest.raises(msgspec.ValidationError, match=r"Expected `int` <= .* at `\$.seat`"):
        msgspec.convert({"type": "said", "name": "ada", "seat": 10**9, "text": "hello"}, Said)
