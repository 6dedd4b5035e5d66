"""Text that is typed into a picture: a name, a filter of a list, a line to say at the bottom of the window."""


class TextInput:
    """Text with a cursor at its end."""

    def __init__(self, text: str, most: int, *, marked: bool = False) -> None:
        """Of at most so many characters. What is typed takes the place of text that is `marked`."""
        self.before, self.after = text, ""
        """What stands before the cursor, and from it on."""
        self.marked = marked and bool(text)
        self._most = most

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.after

    def handle_key(self, key: str, character: str | None) -> bool:
        """Do what a key does to the text, which is called so and writes this, if anything; return whether it does."""
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
        """Add the first line of some text, as far as there is room."""
        self._unmark()
        self.before += "".join(text.splitlines()[:1])[: max(0, self._most - len(self.text))]

    def _unmark(self) -> None:
        if self.marked:
            self.before, self.marked = "", False


class LineInput(TextInput):
    """A line of its own, in which the cursor moves, until Enter says that it is done."""

    def __init__(self, text: str = "", *, most: int, told: str = "", empty: str = "") -> None:
        """`told` is what stands above it, `empty` what stands in it while there is no text."""
        super().__init__(text, most)
        self.told, self.empty = told, empty
        self.done = False

    def handle_key(self, key: str, character: str | None) -> bool:
        """Do what a key does to the line; return whether it does anything."""
        at, text = len(self.before), self.text
        moved = {"left": max(0, at - 1), "right": at + 1, "home": 0, "end": len(text)}.get(key)
        if moved is not None:
            self.before, self.after = text[:moved], text[moved:]
        elif key == "delete":
            self.after = self.after[1:]
        elif key == "enter":
            self.done = True
        else:
            return super().handle_key(key, character)
        return True


class ChatInput(LineInput):
    """A line to say; while nothing is typed, a digit says the phrase of that number."""

    def __init__(self, phrases: tuple[str, ...], *, most: int, told: str) -> None:
        numbered = "  ".join(f"{number} {phrase}" for number, phrase in enumerate(phrases, 1))
        super().__init__(most=most, told=told, empty=numbered)
        self._phrases = dict(zip("123456789", phrases, strict=False))

    def handle_key(self, key: str, character: str | None) -> bool:
        """Do what a key does to the line; return whether it does anything."""
        phrase = "" if self.text or not character else self._phrases.get(character, "")
        if not phrase:
            return super().handle_key(key, character)
        self.before, self.done = phrase, True
        return True
