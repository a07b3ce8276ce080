#!/usr/bin/env python3
"""Records commands in a terminal of 80 columns and draws them as an SVG that plays once.

    docs/images/terminal.py BINARY SCENE.txt > SCENE.svg

A scene is a text file: a line that begins with `$ ` is a command, `# ` a remark, and `! ` a command that runs unseen. The
commands run by bash, one after the other, in an empty home, with `openclaw` standing for BINARY. What they print is drawn
as it was printed, with its colours; nothing is edited. A reader who prefers less motion sees the last state at once.
"""

import html
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unicodedata

COLUMNS, ROWS = 80, 200
CHARACTER, LINE, PADDING, BAR = 8.4, 19, 18, 34
TYPING_S, READING_S = 0.9, 1.4
COLOURS = ["#3b4252", "#d0616b", "#7fb685", "#d9b26f", "#6f9fd8", "#b48ead", "#6fb8b8", "#d8dee9"]
BRIGHT = ["#7b8496", "#e88a92", "#a3d4a8", "#f0cf95", "#94bdee", "#d3addb", "#93d8d8", "#ffffff"]
SGR = re.compile(r"\x1b\[([0-9;]*)m")
OTHER_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-ln-z]|\][^\x07\x1b]*(\x07|\x1b\\)|[=>78])")


def run(command: str, environment: dict[str, str], folder: str) -> str:
    """What a terminal receives while the command runs."""
    master, slave = pty.openpty()
    size = f"stty rows {ROWS} cols {COLUMNS} 2>/dev/null; "
    process = subprocess.Popen(
        ["bash", "-c", size + command], stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder, close_fds=True
    )
    os.close(slave)
    received = b""
    while True:
        ready, _, _ = select.select([master], [], [], 120)
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:
            piece = b""
        if not piece:
            break
        received += piece
    process.wait()
    os.close(master)
    return received.decode("utf-8", "replace")


def width(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def lines(output: str) -> list[list[tuple[str, str, bool]]]:
    """Lines of (text, colour, bold); a carriage return starts its line again, and long lines wrap."""
    result, colour, bold = [], "", False
    for raw in OTHER_ESCAPE.sub("", output).replace("\r\n", "\n").split("\n"):
        raw = raw.rsplit("\r", 1)[-1]
        line, used, position = [], 0, 0
        for match in [*SGR.finditer(raw), None]:
            for character in raw[position : match.start() if match else len(raw)]:
                if used + width(character) > COLUMNS:
                    result.append(line)
                    line, used = [], 0
                used += width(character)
                if line and line[-1][1:] == (colour, bold):
                    line[-1] = (line[-1][0] + character, colour, bold)
                else:
                    line.append((character, colour, bold))
            if match:
                position = match.end()
                for code in [int(number or 0) for number in match.group(1).split(";")]:
                    if code == 0:
                        colour, bold = "", False
                    elif code == 1:
                        bold = True
                    elif code == 2:
                        colour = BRIGHT[0]
                    elif code in (22, 39):
                        colour, bold = ("", bold) if code == 39 else (colour, False)
                    elif 30 <= code <= 37:
                        colour = COLOURS[code - 30]
                    elif 90 <= code <= 97:
                        colour = BRIGHT[code - 90]
        result.append(line)
    while result and not result[-1]:
        result.pop()
    return result


def record(binary: str, scene: str) -> list[tuple[str, list]]:
    """Steps of (kind, lines)."""
    steps = []
    with tempfile.TemporaryDirectory() as folder:
        home = f"{folder}/ada"
        programs = f"{home}/.local/bin"
        os.makedirs(programs)
        shutil.copy(binary, f"{programs}/openclaw")
        environment = {
            "HOME": home, "PATH": f"{programs}:{os.environ['PATH']}", "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "COLUMNS": str(COLUMNS), "TZ": "Europe/Vienna",
        }
        for line in scene.splitlines():
            kind, command = line[:2], line[2:]
            if kind == "! ":
                run(command, environment, home)
            elif kind == "# ":
                steps.append(("remark", [[(line, BRIGHT[0], False)]]))
            elif kind == "$ ":
                parts = textwrap.wrap(command, COLUMNS - 4, break_on_hyphens=False)
                prompts = ["$ ", *["  "] * len(parts)]
                typed = [[(prompt, COLOURS[2], True), (part, "", False)] for prompt, part in zip(prompts, parts)]
                output = run(command, environment, home).replace(home, "~")
                steps.append(("command", typed))
                steps.append(("output", [*lines(output), []]))
    return steps


def draw(steps: list[tuple[str, list]]) -> str:
    height = BAR + PADDING + LINE * sum(len(shown) for _, shown in steps)
    wide = PADDING * 2 + CHARACTER * COLUMNS
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {height}" width="{wide:.0f}" height="{height}" role="img">',
        "<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}"
        # Where nothing moves, everything is visible from the start.
        "g{animation:a .2s backwards}@keyframes a{from{opacity:0}}"
        "@media(prefers-reduced-motion:reduce){g{animation:none}}</style>",
        f'<rect width="100%" height="100%" rx="9" fill="#1f242e"/>',
        *(f'<circle cx="{x}" cy="17" r="5.5" fill="{colour}"/>' for x, colour in ((20, COLOURS[1]), (38, COLOURS[3]), (56, COLOURS[2]))),
    ]
    top, moment = BAR + 16, 0.3
    for kind, shown in steps:
        parts.append(f'<g style="animation-delay:{moment:.1f}s">')
        for line in shown:
            spans = "".join(
                f'<tspan{f" fill={chr(34)}{colour}{chr(34)}" if colour else ""}{" font-weight=" + chr(34) + "700" + chr(34) if bold else ""}>'
                f"{html.escape(text)}</tspan>"
                for text, colour, bold in line
            )
            if spans:
                parts.append(f'<text x="{PADDING}" y="{top}" xml:space="preserve">{spans}</text>')
            top += LINE
        parts.append("</g>")
        moment += READING_S if kind == "output" else TYPING_S
    return "\n".join([*parts, "</svg>", ""])


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.stdout.write(draw(record(sys.argv[1], pathlib.Path(sys.argv[2]).read_text())))
