"""Small sums over what was measured."""
from __future__ import annotations

import os


def share(flags) -> float | None:
    """Returns the share of true values; none of no values."""
    flags = list(flags)
    return round(sum(map(bool, flags)) / len(flags), 3) if flags else None


def percentile(values, part: float) -> float | None:
    """Returns the value below which this part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else None


def milliseconds(seconds, part: float) -> float | None:
    """Returns a percentile of durations, in milliseconds."""
    found = percentile(seconds, part)
    return None if found is None else round(found * 1000, 1)


def files(home: str):
    """Yields each file below a home with its bytes."""
    for folder, _, names in os.walk(home):
        for name in names:
            path = os.path.join(folder, name)
            try:
                with open(path, "rb") as content:
                    yield path, content.read()
            except OSError:
                continue  # Removed meanwhile, or a socket.


def in_files(home: str, words: list[str]) -> set[str]:
    """Returns those of the words that some file of the home contains, as they are."""
    left, found = set(words), set()
    for _, content in files(home):
        here = {word for word in left if word.encode() in content}
        found, left = found | here, left - here
    return found


def bytes_on_disk(home: str) -> int:
    """Returns the size of all files of a home."""
    return sum(len(content) for _, content in files(home))
