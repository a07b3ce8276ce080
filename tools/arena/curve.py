"""Draws the curve of a long conversation as an SVG: shares over the number of compactions, which grows by powers of ten."""
from __future__ import annotations

import math

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 380, 56, 40, 190, 50
SERIES = [
    ("first", "found", "first facts: found", "#2f6fb0", ""), ("first", "noted", "first facts: noted", "#3f9257", ""),
    ("first", "shown", "first facts: shown", "#b5533c", ""), ("all", "found", "all facts: found", "#2f6fb0", "5 4"),
    ("all", "noted", "all facts: noted", "#3f9257", "5 4"), ("all", "shown", "all facts: shown", "#b5533c", "5 4"),
]


def curve(result: dict) -> str:
    """Returns the SVG of the rows that `compactions.measure` returns."""
    rows = result["rows"]
    most = max(1.0, math.log10(rows[-1]["compactions"]))

    def place(count: int, value: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * math.log10(max(1, count)) / most
        return round(across, 1), round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - value), 1)

    title = f"What is left of the facts after {rows[-1]['compactions']:,} compactions"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
        f'font-size="13" fill="#333"><title>{title}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{LEFT}" y="22" font-size="15">{title}</text>',
    ]
    for tenth in range(0, 11, 2):
        x, y = place(1, tenth / 10)
        parts.append(f'<path d="M{x} {y}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{tenth * 10}%</text>')
    for row in rows:
        x, y = place(row["compactions"], 0)
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{row["compactions"]:,}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">compactions</text>')
    for number, (group, name, label, colour, dash) in enumerate(SERIES):
        points = [place(row["compactions"], row[group][name]) for row in rows]
        path = "M" + "L".join(f"{x} {y}" for x, y in points)
        line = f'stroke="{colour}" stroke-width="2" fill="none" stroke-dasharray="{dash}"'
        parts.append(f'<path d="{path}" {line}/>')
        y = TOP + 14 + 22 * number
        parts.append(f'<path d="M{WIDTH - RIGHT + 14} {y - 4}h26" {line}/><text x="{WIDTH - RIGHT + 48}" y="{y}">{label}</text>')
    return "\n".join(parts) + "\n</svg>\n"
