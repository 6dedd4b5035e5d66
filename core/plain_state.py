"""What a match asks of the states of games whose deals bring no points, and whose players do not choose to draw."""

from msgspec import Struct

from core.actions import Scored


class PlainState(Struct, frozen=True):
    """A state that answers for those games; `core.layout.state.State` has fields for the same."""

    @property
    def dealt(self) -> tuple[Scored, ...]:
        """Points that the deal itself brought: none."""
        return ()

    @property
    def drawn(self) -> int:
        """Tiles that the seat on turn has chosen to draw: none."""
        return 0
