"""Text typed into a picture: a name, the filter of a list, a line of chat."""


class TextInput:
    """Text with the cursor at its end."""

    def __init__(self, text: str, limit: int, *, marked: bool = False) -> None:
        """`limit` is the maximum number of characters. `marked`: the first key replaces the text."""
        self.before, self.after = text, ""
        """Text before the cursor, and after it."""
        self.marked = marked and bool(text)
        self._limit = limit

    @property
    def text(self) -> str:
        """The whole text."""
        return self.before + self.after

    def handle_key(self, key: str, character: str | None) -> bool:
        """Apply a key press to the text; return whether it was handled. `character` is what the key types, if
        anything.
        """
        if key == "backspace":
            self._unmark()
            self.before = self.before[:-1]
        elif key == "ctrl+w":
            self._unmark()
            self.before = self.before[: self.before.rstrip().rfind(" ") + 1]
        elif key == "ctrl+u":
            self._unmark()
            self.before = ""
        elif character and character.isprintable():
            self.add(character)
        else:
            return False
        return True

    def add(self, text: str) -> None:
        """Append the first line of `text`, cut to the room left."""
        self._unmark()
        self.before += "".join(text.splitlines()[:1])[: max(0, self._limit - len(self.text))]

    def _unmark(self) -> None:
        if self.marked:
            self.before, self.marked = "", False


class LineInput(TextInput):
    """A whole line, in which the cursor moves; Enter finishes it."""

    def __init__(self, text: str = "", *, limit: int, prompt: str = "", empty: str = "") -> None:
        """`prompt` stands above the line, `empty` in it while it has no text."""
        super().__init__(text, limit)
        self.prompt, self.empty = prompt, empty
        self.choices: tuple[tuple[str, str], ...] = ()
        """Keys that finish the line while it is empty, each with its words."""
        self.done = False

    def handle_key(self, key: str, character: str | None) -> bool:
        """Apply a key press to the line; return whether it was handled."""
        cursor, text = len(self.before), self.text
        new_cursor = {"left": max(0, cursor - 1), "right": cursor + 1, "home": 0, "end": len(text)}.get(key)
        if new_cursor is not None:
            self.before, self.after = text[:new_cursor], text[new_cursor:]
        elif key == "delete":
            self.after = self.after[1:]
        elif key == "enter":
            self.done = True
        else:
            return super().handle_key(key, character)
        return True


class ChatInput(LineInput):
    """A line of chat; while it is empty, a digit sends the phrase with that number."""

    def __init__(self, phrases: tuple[str, ...], *, limit: int, prompt: str) -> None:
        choices = tuple(zip("123456789", phrases, strict=False))
        super().__init__(limit=limit, prompt=prompt, empty="  ".join(f"{key} {phrase}" for key, phrase in choices))
        self.choices = choices

    def handle_key(self, key: str, character: str | None) -> bool:
        """Apply a key press to the line; return whether it was handled."""
        phrase = "" if self.text or not character else dict(self.choices).get(character, "")
        if not phrase:
            return super().handle_key(key, character)
        self.before, self.done = phrase, True
        return True
