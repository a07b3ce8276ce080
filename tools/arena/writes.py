"""Measures whether a write that was acknowledged is kept, and how soon it is found."""
from __future__ import annotations

import random
import threading
import time

from figures import in_files, milliseconds
from lives import Source, contains, remark
from memory import Memory, ServerError, Unsupported
from wordings import RELATIONS

FOUND_SAMPLE = 30
FOUND_S = 30.0
POLL_S = 0.01


def tagged(seed: int, count: int) -> list[tuple[str, str]]:
    """Returns notes that all differ, each with a word of its own."""
    rng = random.Random(f"tags {seed}")
    source = Source(rng)
    people = [(source.name(), relation) for relation in RELATIONS]
    tags = ["z" + "".join(rng.choices("abcdefghijkmnpqrstuvwxyz", k=8)) for _ in range(count)]
    return [(tag, f"{remark(source, people)} The label on it read {tag}.") for tag in tags]


def write_all(client: Memory, notes, kept: list[str], durations: list[float], refused: list[str]) -> None:
    """Writes the notes one after the other and collects those that were acknowledged."""
    for tag, text in notes:
        started = time.monotonic()
        try:
            client.remember(text)
        except (ServerError, Unsupported) as error:
            refused.append(str(error)[:200])
            continue
        durations.append(time.monotonic() - started)
        kept.append(tag)


def found(client: Memory, tags: list[str]) -> int:
    """Returns how many of the words a search finds."""
    return sum(any(contains(passage, tag) for passage in client.search(tag, 10)) for tag in tags)


def concurrent(connect, seed: int, n_clients: int, n_each: int) -> dict:
    """Several clients write at once; afterwards the files are read, and a new client searches."""
    notes = tagged(seed, n_clients * n_each)
    clients = [connect() for _ in range(n_clients)]
    kept, durations, refused = [], [], []
    threads = [
        threading.Thread(target=write_all, args=(client, notes[start::n_clients], kept, durations, refused))
        for start, client in enumerate(clients)
    ]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - started
    for client in clients:
        client.client.close()
    reader = connect()
    sample = random.Random(seed).sample(kept, min(FOUND_SAMPLE, len(kept)))
    n_found = found(reader, sample)
    reader.client.close()
    return {
        "clients": n_clients, "asked": len(notes), "acknowledged": len(kept), "kept": len(in_files(reader.home, kept)),
        "found": f"{n_found} of {len(sample)}", "seconds": round(took, 1), "write_p50_ms": milliseconds(durations, 0.5),
        "first_refusal": refused[0] if refused else None,
    }


def killed(connect, seed: int, n_kills: int = 5) -> dict:
    """A client writes until `kill -9`; then the files are read, and a new client must open the home and search.

    The time until the kill counts from the first acknowledgement, so that slow programs are measured, too.
    """
    rng, notes, kept, n_found, lost = random.Random(f"kill {seed}"), tagged(seed, 4000), [], 0, 0
    for turn in range(n_kills):
        client, mine, here = connect(), [], notes[turn::n_kills]
        write_all(client, here[:1], mine, [], [])
        timer = threading.Timer(rng.uniform(0.5, 2.5), client.client.kill)
        timer.start()
        write_until_end(client, here[1:], mine)
        timer.join()
        kept += mine
        lost = len(kept) - len(in_files(client.home, kept))
        n_found += reopened(connect, mine[-1:])
    return {"kills": n_kills, "acknowledged": len(kept), "lost": lost, "last_write_found": f"{n_found} of {n_kills}"}


def reopened(connect, tags: list[str]) -> bool:
    """Whether a new client opens the home and finds these words."""
    try:
        reader = connect()
        all_found = found(reader, tags) == len(tags)
        reader.client.close()
        return all_found
    except ServerError:
        return False


def write_until_end(client: Memory, notes, kept: list[str]) -> None:
    """Writes until the server has ended."""
    for tag, text in notes:
        try:
            client.remember(text)
        except Unsupported:
            continue
        except ServerError:
            return
        kept.append(tag)


def read_your_writes(connect, seed: int, count: int) -> dict:
    """Measures the time from an acknowledgement until a search finds the note, by the same client and by another."""
    notes = tagged(seed + 1, 2 * count)
    writer, other = connect(), connect()
    delays: dict[str, list[float]] = {"same": [], "other": []}
    never = {"same": 0, "other": 0}
    for (tag, text), (name, reader) in zip(notes, [("same", writer), ("other", other)] * count):
        try:
            writer.remember(text)
        except (ServerError, Unsupported):
            continue
        started = time.monotonic()
        while not found(reader, [tag]):
            if time.monotonic() - started > FOUND_S:
                never[name] += 1
                break
            time.sleep(POLL_S)
        else:
            delays[name].append(time.monotonic() - started)
    writer.client.close()
    other.client.close()
    return {
        f"{name}_{what}": value
        for name in delays
        for what, value in [
            ("p50_ms", milliseconds(delays[name], 0.5)), ("max_ms", milliseconds(delays[name], 1.0)),
            ("never", f"{never[name]} of {never[name] + len(delays[name])}"),
        ]
    }
