"""What the arena needs of a memory, and the part that all memories behind MCP share.

An adapter is a class with `command`, `remember` and `search`, and with `replace`, `forget` and `injected` where the
program has them. One object is one client with a server process of its own; several objects may share a home.
"""
from __future__ import annotations

import os
import re

from stdio import Client, ServerError


class Unsupported(Exception):
    """The program has no way to do this."""


class Memory:
    """A client of a memory program over MCP. Subclasses say how the program is started and which tools it has."""

    name = ""

    def __init__(self, program: list[str], home: str):
        self.program, self.home = program, home
        os.makedirs(home, exist_ok=True)
        log = home.rstrip("/") + ".log"
        self.client = Client(self.command(), {"HOME": home, **self.environment()}, home, log)

    def command(self) -> list[str]:
        """Returns the command line that starts the server."""
        return self.program

    def environment(self) -> dict[str, str]:
        """Returns the variables that the server needs."""
        return {}

    def remember(self, text: str, day: str | None = None) -> None:
        """Stores a note, on its day if the program knows days. Returns once the program has acknowledged it."""
        raise NotImplementedError

    def search(self, question: str, limit: int) -> list[str]:
        """Returns the passages that the program shows for a question, the best first."""
        raise NotImplementedError

    def replace(self, old: str, new: str) -> None:
        """Replaces a note by the means that the program has for updates."""
        raise Unsupported

    def forget(self, text: str) -> None:
        """Removes a note by the means that the program has for deletion. The owner agrees if asked."""
        raise Unsupported

    def injected(self, prompt: str) -> str:
        """Returns what the program adds to a prompt by itself, where it has a hook for that."""
        return ""


def short_name(text: str) -> str:
    """Returns a title for programs that want one: the words of the note, as far as they are plain."""
    return " ".join(re.findall(r"[A-Za-z0-9]+", text))[:120]


def by_words(ask, question: str, limit: int) -> list[str]:
    """Searches as a model does whose tool wants keywords: the whole question, then each of its words.

    `ask` returns the passages for one query. Passages that more words find come first.
    """
    whole = ask(question)
    if whole:
        return whole[:limit]
    found: dict[str, int] = {}
    for word in re.findall(r"\w{4,}", question):
        for passage in ask(word):
            found[passage] = found.get(passage, 0) + 1
    return sorted(found, key=lambda passage: -found[passage])[:limit]


__all__ = ["Memory", "ServerError", "Unsupported", "by_words", "short_name"]
