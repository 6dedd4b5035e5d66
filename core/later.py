"""Values in modules that are loaded when one is asked for: a start should not wait for what it does not show."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

T = TypeVar("T")


class Later(Mapping[str, T]):
    """Values by their keys, in order. To count or list the keys loads nothing."""

    def __init__(self, places: dict[str, str]) -> None:
        """By key where the value is: `package.module:NAME`."""
        self._places = places
        self._found: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._found:
            module, _, name = self._places[key].partition(":")
            self._found[key] = getattr(import_module(module), name)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
