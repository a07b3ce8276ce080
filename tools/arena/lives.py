"""Generates the life of an owner from a seed: facts in several wordings, questions in other words, and distractors.

No two seeds share the names, the values or the choice of wordings, so no program can be tuned to a life. A value, such
as a town or a dish, belongs to one fact only: a passage that contains it as a word contains the evidence.
"""
from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from wordings import CHATTER, DISHES, INSTRUMENTS, MONTHS, PLANTS, RELATIONS, SCHEMAS, SUBJECTS, SYLLABLES, TASKS

CHOICE = re.compile(r"\[([^\[\]]*)\]")


@dataclass
class Fact:
    """One fact about one person, in the words that the owner used."""

    schema: int
    person: str
    relation: str
    value: str
    text: str
    questions: list[str] = field(default_factory=list)


@dataclass
class Life:
    """The facts, and what the owner said besides."""

    facts: list[Fact]
    chatter: list[str]

    def notes(self, rng: random.Random) -> list[str]:
        """Returns everything that was said, in the order of saying."""
        notes = [fact.text for fact in self.facts] + self.chatter
        rng.shuffle(notes)
        return notes


class Source:
    """Hands out names and values, each only once."""

    def __init__(self, rng: random.Random):
        self.rng, self.used = rng, set()

    def expand(self, text: str) -> str:
        """Chooses one of the wordings in each pair of brackets."""
        while CHOICE.search(text):
            text = CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), text, count=1)
        return " ".join(text.split())

    def fresh(self, make) -> str:
        """Returns what `make` makes, once it is new."""
        for _ in range(10_000):
            made = make()
            if made.lower() not in self.used:
                self.used.add(made.lower())
                return made
        raise ValueError("the life has more facts than values; ask for fewer")

    def name(self) -> str:
        """Returns a new name of two or three syllables."""
        return self.fresh(lambda: "".join(self.rng.choices(SYLLABLES, k=self.rng.choice([2, 3]))).capitalize())

    def value(self, kind: str) -> str:
        """Returns a new value of this kind."""
        choices = {
            "dish": lambda: f"{self.rng.choice(DISHES[0])} {self.rng.choice(DISHES[1])}",
            "plant": lambda: f"{self.rng.choice(PLANTS[0])} {self.rng.choice(PLANTS[1])}",
            "instrument": lambda: f"{self.rng.choice(INSTRUMENTS[0])} {self.rng.choice(INSTRUMENTS[1])}",
            "date": lambda: f"{self.rng.randint(1, 28)} {self.rng.choice(MONTHS)}",
            "number": lambda: str(self.rng.randint(1100, 9899)),
        }
        return self.fresh(choices[kind]) if kind in choices else self.name()


def capital(text: str) -> str:
    """Returns the text with a capital at its start."""
    return text[:1].upper() + text[1:]


def state(source: Source, fact: Fact, value: str) -> str:
    """Says the fact with this value, in one of its wordings."""
    statements = SCHEMAS[fact.schema][1]
    words = source.expand(source.rng.choice(statements))
    who = source.expand(f"my {fact.relation} {fact.person}")
    return capital(words.format(who=who, value=value))


def ask(source: Source, fact: Fact) -> list[str]:
    """Asks for the fact in three wordings, by name or by relation."""
    questions = source.rng.sample(SCHEMAS[fact.schema][2], 3)
    subjects = [fact.person, f"my {fact.relation}", source.rng.choice([fact.person, f"my {fact.relation}"])]
    source.rng.shuffle(subjects)
    return [capital(source.expand(words).format(who=who)) for words, who in zip(questions, subjects)]


def life(seed: int, n_facts: int, n_chatter: int) -> tuple[Life, Source]:
    """Makes a life, and the source from which corrections of its facts can be made."""
    source = Source(random.Random(seed))
    people = [(source.name(), relation) for relation in RELATIONS]
    pairs = [(schema, person) for schema in range(len(SCHEMAS)) for person in people]
    if n_facts > len(pairs):
        raise ValueError(f"a life has at most {len(pairs)} facts")
    facts = []
    for schema, (person, relation) in source.rng.sample(pairs, n_facts):
        fact = Fact(schema, person, relation, source.value(SCHEMAS[schema][0]), "")
        fact.text, fact.questions = state(source, fact, fact.value), ask(source, fact)
        facts.append(fact)
    chatter = [source.fresh(lambda: remark(source, people)) for _ in range(n_chatter)]
    return Life(facts, chatter), source


def remark(source: Source, people: list[tuple[str, str]]) -> str:
    """Returns a remark that states no fact of a life; half of them mention a person."""
    person, relation = source.rng.choice(people)
    words = source.expand(source.rng.choice(CHATTER))
    return capital(words.format(subject=source.expand(SUBJECTS), who=f"my {relation} {person}"))


def corrected(source: Source, fact: Fact) -> tuple[str, str]:
    """Returns a new value of a fact, and the words in which the owner tells it."""
    value = source.value(SCHEMAS[fact.schema][0])
    opening = source.rng.choice(["Correction: ", "Update: ", "This has changed: ", ""])
    return value, opening + state(source, fact, value)


def tasks(seed: int, count: int) -> list[str]:
    """Returns prompts that have nothing to do with the owner."""
    source = Source(random.Random(f"tasks {seed}"))
    return [source.fresh(lambda: source.expand(source.rng.choice(TASKS))) for _ in range(count)]


def contains(passage: str, value: str) -> bool:
    """Whether the passage contains the value as words of its own."""
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", passage, re.I) is not None
