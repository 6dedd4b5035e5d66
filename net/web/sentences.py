"""What the page says itself, beside the terminal in it: one sentence for each name in page/index.html."""

from core.words import words

SENTENCES = {
    "lost": words("Connection lost. Reconnecting …"),
    "invite": words("This host asks for an invitation code."),
    "enter": words("Come in"),
    "settings": words("Settings"),
    "sound": words("Sound on your turn"),
    "notify": words("Notification on your turn"),
    "bell": words("Bell of the game"),
    "size": words("Text size"),
    "share": words("Send a friend this link"),
    "copied": words("It is copied."),
    "close": words("Close"),
    "turn": words("It is your turn."),
    "refused": words("This browser shows no notifications here."),
    "plain": words("Play in plain text, for screen readers"),
    "keys": words("Keys of the game"),
    "write": words("Write"),
    "send": words("Send"),
}
