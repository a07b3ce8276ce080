"""Replays a generated conversation through very many compactions and measures what is left of its facts.

The facts are generated from a seed. The first ones are told before the first compaction, the others all along. At each
checkpoint the facts are looked up in the window that the model would see, in the notes, and by search.
"""
from __future__ import annotations

import datetime
import glob
import json
import os
import random
import subprocess
import time
from dataclasses import dataclass, field

from adapters.openclaw import Openclaw
from figures import bytes_on_disk, milliseconds, share
from lives import Fact, Source, contains, life, remark
from wordings import REPLIES

N_FIRST, FIRST_EACH = 12, 3
SAID_EACH = (3, 6)
N_FACTS, FACT_EVERY = 140, 60
CHECKPOINTS = [1, 3, 10, 30, 100, 300, 1000]
TAIL = 40
MINUTES_EACH = 7


@dataclass
class Conversation:
    """The recording so far, and the facts that it contains so far."""

    source: Source
    people: list
    waiting: list[Fact]
    told: list[Fact] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def exchange(self) -> None:
        """Adds a message of the owner and a reply."""
        rng, number = self.source.rng, len(self.lines) // 2
        first = len(self.told) < N_FIRST
        n_facts = FIRST_EACH if first else int(number % FACT_EVERY == 0 and bool(self.waiting))
        facts, self.waiting = self.waiting[:n_facts], self.waiting[n_facts:]
        said = [fact.text for fact in facts]
        said += [remark(self.source, self.people) for _ in range(rng.randint(*SAID_EACH))]
        rng.shuffle(said)
        reply = " ".join(self.source.expand(rng.choice(REPLIES)) for _ in range(rng.randint(*SAID_EACH)))
        at = datetime.datetime(2026, 1, 1, 8) + datetime.timedelta(minutes=MINUTES_EACH * number)
        for role, content in (("user", " ".join(said)), ("assistant", reply)):
            message = {"role": role, "content": content, "timestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ")}
            self.lines.append(json.dumps(message))
        self.told += facts


def conversation(seed: int) -> Conversation:
    """Begins a conversation from a seed."""
    made, source = life(seed, N_FACTS, 0)
    people = sorted({(fact.person, fact.relation) for fact in made.facts})
    source.rng = random.Random(f"conversation {seed}")
    return Conversation(source, people, made.facts)


class Replay:
    """A home that receives the conversation piece by piece."""

    def __init__(self, program: list[str], folder: str, window: int):
        os.makedirs(folder, exist_ok=True)
        self.program, self.home, self.window_tokens = program, os.path.join(folder, "home"), window
        self.recording = os.path.join(folder, "conversation.jsonl")
        self.tokens, self.gaps = 0, []
        entries = self.entries()
        self.n_messages = sum(entry["type"] == "message" for entry in entries)
        self.n_compactions = sum(entry["type"] == "compaction" for entry in entries)

    def entries(self) -> list[dict]:
        """Returns the entries of the transcript, without a last line that is incomplete."""
        path, entries = os.path.join(self.home, "sessions", "long.jsonl"), []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                entries = [json.loads(line) for line in file if line.endswith("\n")]
        return entries

    def go_on(self, lines: list[str]) -> None:
        """Replays what is new in the recording."""
        with open(self.recording, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        command = [*self.program, "--home", self.home, "--set", f"compaction.contextWindow={self.window_tokens}", "--json",
                   "replay", self.recording, "-s", "long", *(["--resume"] if self.n_messages else [])]
        self.gaps, last = [], None
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            for line in process.stdout:
                event, now = json.loads(line), time.monotonic()
                self.n_compactions += event["event"] == "compaction" and event.get("outcome") == "done"
                if event["event"] == "message":
                    self.n_messages += 1
                    self.tokens = event["contextTokens"]
                    if last is not None:
                        self.gaps.append(now - last)
                    last = now
        if process.returncode:
            raise SystemExit(f"replay ended with exit code {process.returncode}; run it by hand: {' '.join(command)}")

    def window(self) -> str:
        """Returns what the model would see: `MEMORY.md`, the last summary, and the messages after it."""
        entries = self.entries()
        last = next((entry for entry in reversed(entries) if entry["type"] == "compaction"), None)
        kept = [place for place, entry in enumerate(entries) if last and entry.get("id") == last["firstKeptEntryId"]]
        shown = [json.dumps(entry.get("message"), ensure_ascii=False) for entry in entries[kept[0] if kept else 0 :]]
        memory = os.path.join(self.home, "workspace", "MEMORY.md")
        if os.path.exists(memory):
            with open(memory, encoding="utf-8") as file:
                shown.append(file.read())
        return "\n".join([last["summary"] if last else "", *shown])

    def notes(self) -> str:
        """Returns all daily logs."""
        texts = []
        for path in glob.glob(os.path.join(self.home, "workspace", "memory", "*.md")):
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        return "\n".join(texts)


def look_up(replay: Replay, facts: list[Fact]) -> dict:
    """Looks for facts in the window, in the notes and by search."""
    window, notes = replay.window(), replay.notes()
    client, times, found = Openclaw(replay.program, replay.home), [], []
    client.search("Is anybody there?", 1)  # It brings the index up to date.
    for fact in facts:
        started = time.monotonic()
        found.append(any(contains(passage, fact.value) for passage in client.search(fact.questions[0], 10)))
        times.append(time.monotonic() - started)
    client.client.close()
    return {
        "facts": len(facts),
        "shown": share(contains(window, fact.value) for fact in facts),
        "noted": share(contains(notes, fact.value) for fact in facts),
        "found": share(found),
        "search_p50_ms": milliseconds(times, 0.5),
    }


def checkpoint(replay: Replay, told: list[Fact], n_messages: int) -> dict:
    """Measures everything at one point of the conversation."""
    gaps = replay.gaps[-TAIL:]
    row = {
        "compactions": replay.n_compactions, "messages": n_messages, "first": look_up(replay, told[:N_FIRST]),
        "all": look_up(replay, told), "turn_p50_ms": milliseconds(gaps, 0.5), "turn_p95_ms": milliseconds(gaps, 0.95),
        "window_tokens": replay.tokens,
    }
    for name in ("index", "sessions", "workspace"):
        row[f"{name}_kib"] = round(bytes_on_disk(os.path.join(replay.home, name)) / 1024)
    return row


def measure(replay: Replay, result: dict, count: int, report) -> dict:
    """Replays until this many compactions; adds a row to the result at each checkpoint, and reports it.

    A run that was stopped goes on in its folder: the conversation follows from the seed alone.
    """
    talk, reached = conversation(result["seed"]), replay.n_compactions
    while len(talk.lines) < replay.n_messages:
        talk.exchange()
    for target in [point for point in CHECKPOINTS if reached < point < count] + [count]:
        while replay.n_compactions < target:
            done = len(talk.lines) // 2
            left, each = target - replay.n_compactions, done / max(1, replay.n_compactions)
            for _ in range(max(2, min(1000, int(left * each * 0.98))) if replay.n_compactions else 2):
                talk.exchange()
            replay.go_on(talk.lines)
        result["rows"].append(checkpoint(replay, talk.told, len(talk.lines)))
        report(result)
    return result
