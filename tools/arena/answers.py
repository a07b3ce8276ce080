"""Measures what a memory shows of a generated life: evidence, corrections, forgotten facts, noise, and what it costs."""
from __future__ import annotations

import random
import time

from figures import bytes_on_disk, in_files, milliseconds, share
from lives import Fact, contains, corrected, life, tasks
from memory import Memory, ServerError, Unsupported

LIMIT = 10
SHOWN_CHARACTERS = 1000
N_CHANGED = 12


def first_with(passages: list[str], value: str) -> int | None:
    """Returns the position of the first passage that contains the value."""
    return next((place for place, passage in enumerate(passages) if contains(passage, value)), None)


def recall(answers: list[tuple[Fact, list[str]]]) -> dict:
    """Sums up how often the evidence was among the first passages, and in the first characters."""
    places = [first_with(passages, fact.value) for fact, passages in answers]
    shown = [contains("\n".join(passages)[:SHOWN_CHARACTERS], fact.value) for fact, passages in answers]
    sizes = [sum(map(len, passages)) for _, passages in answers]
    figures = {f"R@{k}": share(place is not None and place < k for place in places) for k in (1, 5, 10)}
    return {**figures, "shown_in_1000_characters": share(shown), "characters_mean": round(sum(sizes) / len(sizes))}


def corrections(client: Memory, source, facts: list[Fact], tell) -> dict:
    """Tells new values by `tell` and asks each fact in three wordings."""
    first, old_alone, old_shown, refused = [], [], [], []
    for fact in facts:
        value, text = corrected(source, fact)
        try:
            tell(fact.text, text)
        except (Unsupported, ServerError) as error:
            refused.append(str(error)[:200] or "no update")
            continue
        for question in fact.questions:
            passages = client.search(question, LIMIT)
            new, old = first_with(passages, value), first_with(passages, fact.value)
            first.append(new is not None and (old is None or new <= old))
            old_alone.append(old is not None and new is None)
            old_shown.append(old is not None)
    sums = {"new_first": share(first), "old_alone": share(old_alone), "old_shown": share(old_shown)}
    return {**sums, "refused": len(refused), "first_refusal": refused[0] if refused else None}


def forgetting(client: Memory, facts: list[Fact], others: list[Fact]) -> dict:
    """Forgets facts and asks for each in three wordings; what was found of the other facts must still be found."""
    before = [fact for fact in others if first_with(client.search(fact.questions[0], LIMIT), fact.value) is not None]
    shown, refused = [], []
    for fact in facts:
        try:
            client.forget(fact.text)
        except (Unsupported, ServerError) as error:
            refused.append(str(error)[:200] or "no deletion")
        for question in [*fact.questions, fact.text]:
            shown.append(first_with(client.search(question, LIMIT), fact.value) is not None)
    after = [first_with(client.search(fact.questions[0], LIMIT), fact.value) is not None for fact in before]
    sums = {"still_shown": share(shown), "others_kept": share(after)}
    return {**sums, "refused": len(refused), "first_refusal": refused[0] if refused else None}


def noise(client: Memory, prompts: list[str]) -> dict:
    """Counts what a search returns for tasks that have nothing to do with the owner, and what is added unasked."""
    answers = [client.search(prompt, LIMIT) for prompt in prompts]
    added = [client.injected(prompt) for prompt in prompts]
    return {
        "with_any": share(answers),
        "passages_mean": round(sum(map(len, answers)) / len(answers), 1),
        "characters_mean": round(sum(len("".join(passages)) for passages in answers) / len(answers)),
        "injected_any": share(added),
        "injected_characters_mean": round(sum(map(len, added)) / len(added)),
    }


def measure(connect, seed: int, n_facts: int, n_chatter: int) -> dict:
    """Stores a life and measures everything that can be asked of it."""
    made, source = life(seed, n_facts, n_chatter)
    rng = random.Random(f"order {seed}")
    client, writing, searching, n_refused = connect(), [], [], 0
    notes = made.notes(rng)
    for note in notes:
        started = time.monotonic()
        try:
            client.remember(note)
        except (Unsupported, ServerError):
            n_refused += 1
        writing.append(time.monotonic() - started)
    answers = []
    for fact in made.facts:
        started = time.monotonic()
        answers.append((fact, client.search(fact.questions[0], LIMIT)))
        searching.append(time.monotonic() - started)
    result = {
        "notes": len(notes), "refused": n_refused, "recall": recall(answers), "noise": noise(client, tasks(seed, 20)),
        "latency": {
            "write_p50_ms": milliseconds(writing, 0.5), "write_p95_ms": milliseconds(writing, 0.95),
            "search_p50_ms": milliseconds(searching, 0.5), "search_p95_ms": milliseconds(searching, 0.95),
        },
        "resident_mib": round(client.client.resident_kib() / 1024), "disk_kib": round(bytes_on_disk(client.home) / 1024),
    }
    chosen = rng.sample(made.facts, min(len(made.facts), 5 * N_CHANGED))
    told, replaced, forgotten, others = (chosen[i * N_CHANGED : (i + 1) * N_CHANGED] for i in range(4))
    result["told_again"] = corrections(client, source, told, lambda _, text: client.remember(text))
    result["replaced"] = corrections(client, source, replaced, client.replace)
    result["forgotten"] = forgetting(client, forgotten, others)
    client.client.close()
    values = [fact.value for fact in forgotten]
    result["forgotten"]["in_files"] = share(value in in_files(client.home, values) for value in values)
    return result
