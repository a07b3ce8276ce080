"""Reads LoCoMo and LongMemEval in their published forms and measures the recall of their evidence.

Each turn is stored as a note, `Speaker: text`, on the day of its session. A turn is found if a passage contains its
words, or consists of a part of them.
"""
from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from datetime import datetime

from memory import ServerError, Unsupported

PART_CHARACTERS = 40
KS = (5, 10)
SHORT_TURN = 12


@dataclass
class Turn:
    """One turn of a conversation."""

    id: str
    session: str
    day: str | None
    text: str


@dataclass
class Question:
    """A question, with the turns or the sessions that are its evidence."""

    text: str
    kind: str
    turns: set
    sessions: set


@dataclass
class Conversation:
    """What is stored in one home, and what is asked of it."""

    name: str
    turns: list
    questions: list


def load(path: str):
    """Reads JSON, compressed or not."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def day_of(text: str, forms: list[str]) -> str | None:
    """Returns the day of a date in one of these forms."""
    for form in forms:
        try:
            return datetime.strptime(text, form).strftime("%Y-%m-%d")
        except ValueError:
            continue
    return None


LOCOMO_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def locomo(path: str) -> list[Conversation]:
    """Reads `locomo10.json`. Evidence ids that name no turn are dropped, and questions without evidence left out."""
    conversations = []
    for sample in load(path):
        conversation, turns = sample["conversation"], []
        numbers = [key[8:] for key in conversation if re.fullmatch(r"session_\d+", key)]
        for number in sorted(numbers, key=int):
            day = day_of(conversation.get(f"session_{number}_date_time", ""), ["%I:%M %p on %d %B, %Y"])
            for turn in conversation[f"session_{number}"]:
                caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                turns.append(Turn(turn["dia_id"], number, day, f"{turn['speaker']}: {turn['text']}{caption}"))
        session_of = {turn.id: turn.session for turn in turns}
        questions = []
        for asked in sample["qa"]:
            cited = set(re.findall(r"D\d+:\d+", " ".join(asked.get("evidence") or [])))
            evidence = {id for id in cited if id in session_of}
            if evidence and asked["category"] != 5:
                sessions = {session_of[id] for id in evidence}
                questions.append(Question(asked["question"], LOCOMO_KINDS[asked["category"]], evidence, sessions))
        conversations.append(Conversation(sample["sample_id"], turns, questions))
    return conversations


def longmemeval(path: str) -> list[Conversation]:
    """Reads `longmemeval_s.json`, `_m` or `_oracle`: one haystack per question. Abstentions have no evidence."""
    conversations = []
    for item in load(path):
        if item["question_id"].endswith("_abs"):
            continue
        turns, marked = [], set()
        sessions = zip(item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"])
        for session, date, said in sessions:
            day = day_of(date, ["%Y/%m/%d (%a) %H:%M", "%Y/%m/%d", "%Y-%m-%d"])
            for place, turn in enumerate(said):
                id = f"{session}:{place}"
                turns.append(Turn(id, session, day, f"{turn['role']}: {turn['content']}"))
                if turn.get("has_answer"):
                    marked.add(id)
        question = Question(item["question"], item["question_type"], marked, set(item["answer_session_ids"]))
        conversations.append(Conversation(item["question_id"], turns, [question]))
    return conversations


def plain(text: str) -> str:
    """Returns the words of a text, so that marks and line breaks do not matter."""
    return " ".join(re.findall(r"\w+", text.lower()))


class Places:
    """Finds the turns of a conversation in passages."""

    def __init__(self, turns: list[Turn]):
        self.turns = [(plain(turn.text), turn) for turn in turns]

    def in_passage(self, passage: str) -> list[Turn]:
        """Returns the turns that the passage contains or is a part of."""
        words = plain(passage)
        return [
            turn for said, turn in self.turns
            if (len(said) >= SHORT_TURN and said in words) or said == words
            or (len(words) >= PART_CHARACTERS and words in said)
        ]


def answered(question: Question, passages: list[str], places: Places) -> dict[str, float]:
    """Returns the share of the evidence that is among the first passages, by turns and by sessions."""
    found = [places.in_passage(passage) for passage in passages]
    figures = {}
    for k in KS:
        turns = {turn.id for here in found[:k] for turn in here}
        sessions = {turn.session for here in found[:k] for turn in here}
        if question.turns:
            figures[f"turns_R@{k}"] = len(turns & question.turns) / len(question.turns)
        figures[f"sessions_R@{k}"] = len(sessions & question.sessions) / len(question.sessions)
        figures[f"sessions_any@{k}"] = float(bool(sessions & question.sessions))
        figures[f"sessions_all@{k}"] = float(question.sessions <= sessions)
    return figures


def mean(rows: list[dict[str, float]]) -> dict[str, float]:
    """Returns the mean of each figure over the rows that have it."""
    names = sorted({name for row in rows for name in row})
    values = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: round(sum(found) / len(found), 3) for name, found in values.items()}


def measure(conversations, connector, n_questions: int | None, progress) -> dict:
    """Stores each conversation in a home of its own and asks its questions."""
    rows, n_refused, n_turns = [], 0, 0
    for conversation in conversations:
        if n_questions is not None and len(rows) >= n_questions:
            break
        progress(f"{conversation.name}: {len(conversation.turns)} turns, {len(conversation.questions)} questions")
        client, places = connector(conversation.name)(), Places(conversation.turns)
        for turn in conversation.turns:
            try:
                client.remember(turn.text, turn.day)
            except (ServerError, Unsupported):
                n_refused += 1
        n_turns += len(conversation.turns)
        for question in conversation.questions[: None if n_questions is None else n_questions - len(rows)]:
            rows.append((question.kind, answered(question, client.search(question.text, max(KS)), places)))
        client.client.close()
    kinds = sorted({kind for kind, _ in rows})
    return {
        "conversations": len(conversations), "turns": n_turns, "refused": n_refused, "questions": len(rows),
        **mean([row for _, row in rows]),
        "kinds": {kind: {"questions": sum(k == kind for k, _ in rows), **mean([r for k, r in rows if k == kind])} for kind in kinds},
    }
