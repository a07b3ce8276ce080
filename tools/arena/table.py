"""Prints the results of several memories as one Markdown table."""
from __future__ import annotations

# Title of the row, and the figures that it shows: keys of a result, separated by dots.
ROWS = [
    ("concurrent writes: acknowledged, kept", "concurrent.acknowledged concurrent.kept"),
    ("a new client finds of these", "concurrent.found"),
    ("seconds for all; a write, p50 ms", "concurrent.seconds concurrent.write_p50_ms"),
    ("`kill -9` five times: acknowledged, lost", "killed.acknowledged killed.lost"),
    ("the last write before the kill is found", "killed.last_write_found"),
    ("written, then found by the same client, p50 ms, never", "delay.same_p50_ms delay.same_never"),
    ("the same by another client, p50 ms, never", "delay.other_p50_ms delay.other_never"),
    ("notes stored, refused", "life.notes life.refused"),
    ("evidence R@1, R@5, R@10", "life.recall.R@1 life.recall.R@5 life.recall.R@10"),
    ("evidence in the first 1,000 characters", "life.recall.shown_in_1000_characters"),
    ("characters of ten passages, mean", "life.recall.characters_mean"),
    ("told again: new first, old alone", "life.told_again.new_first life.told_again.old_alone"),
    ("replaced: new first, old alone, old shown",
     "life.replaced.new_first life.replaced.old_alone life.replaced.old_shown"),
    ("replacements, deletions refused, of 12 each", "life.replaced.refused life.forgotten.refused"),
    ("forgotten: still shown", "life.forgotten.still_shown"),
    ("forgotten: the words are still in files", "life.forgotten.in_files"),
    ("forgotten: other facts still found", "life.forgotten.others_kept"),
    ("unrelated prompts: share with passages, passages, characters",
     "life.noise.with_any life.noise.passages_mean life.noise.characters_mean"),
    ("added to unrelated prompts: share, characters", "life.noise.injected_any life.noise.injected_characters_mean"),
    ("a write p50, p95 ms", "life.latency.write_p50_ms life.latency.write_p95_ms"),
    ("a search p50, p95 ms", "life.latency.search_p50_ms life.latency.search_p95_ms"),
    ("resident MiB; KiB on disk", "life.resident_mib life.disk_kib"),
]


def figure(result: dict, path: str) -> str:
    """Returns one figure of a result as text, or a dash where it was not measured."""
    value = result
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(results: list[dict]) -> str:
    """Returns the Markdown table."""
    lines = ["| | " + " | ".join(result["adapter"] for result in results) + " |", "|---" * (len(results) + 1) + "|"]
    for title, paths in ROWS:
        cells = [", ".join(figure(result, path) for path in paths.split()) for result in results]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
