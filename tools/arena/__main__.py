#!/usr/bin/env python3
"""Measures memories of assistants side by side, on data that is generated from a seed.

    tools/arena run --adapter openclaw --program target/release/openclaw --out openclaw.json
    tools/arena table openclaw.json server-memory.json
    tools/arena locomo locomo10.json --adapter openclaw --program target/release/openclaw
    tools/arena longmemeval longmemeval_s.json --adapter openclaw --program target/release/openclaw
    tools/arena compactions --program target/release/openclaw --count 1000

Run it as `python3 tools/arena COMMAND`. It needs Python 3.9 and nothing else; docs/arena.md explains the figures.
"""
from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import sys
import tempfile
import time

import answers
import compactions
import published
import writes
from adapters import ADAPTERS
from curve import curve
from memory import ServerError
from table import table


def progress(text: str) -> None:
    """Says on standard error how far the run is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def write(path: str | None, result: dict) -> None:
    """Writes the figures so far, so that a run that is stopped has not been in vain."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(result, indent=1) + "\n")


def command_line() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(prog="arena", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measured = argparse.ArgumentParser(add_help=False)
    measured.add_argument("--adapter", choices=sorted(ADAPTERS), required=True)
    measured.add_argument("--program", required=True, help="the command line that starts the program")
    measured.add_argument("--folder", help="where the homes are made (default: a temporary folder)")
    measured.add_argument("--out", help="write the figures to this file, too")
    run = commands.add_parser("run", parents=[measured], help="measure one memory on generated data")
    run.add_argument("--seed", type=int, help="repeat a run (default: a new seed, which is printed)")
    run.add_argument("--clients", type=int, default=4)
    run.add_argument("--writes", type=int, default=50, help="writes of each client")
    run.add_argument("--facts", type=int, default=120)
    run.add_argument("--chatter", type=int, default=240)
    run.add_argument("--only", choices=["concurrent", "killed", "delay", "life"], help="measure only this")
    long = commands.add_parser("compactions", help="measure this program over very many compactions of one conversation")
    long.add_argument("--program", required=True, help="the command line that starts openclaw")
    long.add_argument("--seed", type=int, help="repeat a run (default: a new seed, which is printed)")
    long.add_argument("--count", type=int, default=1000)
    long.add_argument("--window", type=int, default=4000, help="tokens of the window (default: 4000)")
    long.add_argument("--folder", help="where the home is made; a run that was stopped goes on there (default: temporary)")
    long.add_argument("--out", help="write the figures to this file, too; a run that goes on adds to it")
    long.add_argument("--svg", help="draw the curve into this file")
    commands.add_parser("table", help="print results as a table").add_argument("results", nargs="+")
    for name in ("locomo", "longmemeval"):
        loader = commands.add_parser(name, parents=[measured], help=f"measure evidence recall on {name}, in its published form")
        loader.add_argument("data", help="the published file, also as .gz")
        loader.add_argument("--questions", type=int, help="only the first questions (default: all)")
        loader.add_argument("--conversations", type=int, help="only the first conversations (default: all)")
    return parser


def connector(arguments, folder: str, name: str):
    """Returns a function that starts a new client on the home of this name."""
    home = os.path.join(folder, name)
    return lambda: ADAPTERS[arguments.adapter](shlex.split(arguments.program), home)


def seed_of(arguments) -> int:
    """Returns the seed that was asked for, or a new one, and prints it."""
    seed = random.SystemRandom().randrange(1_000_000) if arguments.seed is None else arguments.seed
    progress(f"seed {seed}")
    return seed


def long_conversation(arguments, folder: str) -> dict:
    """Measures a conversation of very many compactions and draws its curve."""
    replay = compactions.Replay(shlex.split(arguments.program), folder, arguments.window)

    def report(result: dict) -> None:
        progress(json.dumps(result["rows"][-1]))
        write(arguments.out, result)
        if arguments.svg:
            with open(arguments.svg, "w", encoding="utf-8") as file:
                file.write(curve(result))

    result = {"seed": seed_of(arguments), "window": arguments.window, "rows": []}
    if replay.n_messages and arguments.out and os.path.exists(arguments.out):
        with open(arguments.out, encoding="utf-8") as file:
            result = json.load(file)
    return compactions.measure(replay, result, arguments.count, report)


def run(arguments, folder: str) -> dict:
    """Takes all measurements of one memory."""
    seed = seed_of(arguments)
    measurements = {
        "concurrent": lambda connect: writes.concurrent(connect, seed, arguments.clients, arguments.writes),
        "killed": lambda connect: writes.killed(connect, seed),
        "delay": lambda connect: writes.read_your_writes(connect, seed, 10),
        "life": lambda connect: answers.measure(connect, seed, arguments.facts, arguments.chatter),
    }
    result = {"adapter": arguments.adapter, "seed": seed}
    for name, measurement in measurements.items():
        if arguments.only in (None, name):
            progress(f"{arguments.adapter}: {name}")
            try:
                result[name] = measurement(connector(arguments, folder, name))
            except ServerError as error:
                result[name] = {"failed": str(error)}
            write(arguments.out, result)
    return result


def recall(arguments, folder: str) -> dict:
    """Measures the recall of evidence on a published set."""
    read = published.locomo if arguments.command == "locomo" else published.longmemeval
    conversations = read(arguments.data)[: arguments.conversations]
    result = {"adapter": arguments.adapter, "set": arguments.command}
    return {**result, **published.measure(conversations, lambda name: connector(arguments, folder, name), arguments.questions, progress)}


def main() -> None:
    """Runs the command."""
    arguments = command_line().parse_args()
    if arguments.command == "table":
        results = []
        for path in arguments.results:
            with open(path, encoding="utf-8") as file:
                results.append(json.load(file))
        print(table(results))
        return
    with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as folder:
        measure = {"run": run, "compactions": long_conversation}.get(arguments.command, recall)
        result = measure(arguments, arguments.folder or folder)
    write(arguments.out, result)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
