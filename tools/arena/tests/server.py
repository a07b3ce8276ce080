"""A memory server for the tests: it keeps notes in a file, and its faults are chosen by its arguments.

`forgetful` acknowledges every third note without keeping it, `late` writes only when standard input ends, and `stale`
keeps a deleted note.
"""
import json
import os
import sys

FAULTS = sys.argv[1:]
PATH = os.path.join(os.environ["HOME"], "notes.txt")
WAITING = []
TOOL = {"name": "remember", "inputSchema": {"type": "object"}}


def notes():
    """Returns the notes that are kept."""
    if not os.path.exists(PATH):
        return []
    with open(PATH, encoding="utf-8") as file:
        return file.read().splitlines()


def keep(texts):
    """Appends notes to the file."""
    with open(PATH, "a", encoding="utf-8") as file:
        file.writelines(text + "\n" for text in texts)


def call(name, arguments, number):
    """Carries out one tool and returns the text of its result."""
    if name == "remember":
        if "late" in FAULTS:
            WAITING.append(arguments["text"])
        elif "forgetful" not in FAULTS or number % 3:
            keep([arguments["text"]])
        return "stored"
    if name == "forget":
        left = [note for note in notes() if note != arguments["text"] or "stale" in FAULTS]
        with open(PATH, "w", encoding="utf-8") as file:
            file.writelines(note + "\n" for note in left)
        return "deleted"
    words = set(arguments["query"].lower().strip("?.").split())
    return json.dumps(sorted(notes(), key=lambda note: -len(words & set(note.lower().strip(".").split()))))


number = 0
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {}
    if message["method"] == "tools/list":
        result = {"tools": [TOOL]}
    elif message["method"] == "tools/call":
        number += 1
        text = call(message["params"]["name"], message["params"]["arguments"], number)
        result = {"content": [{"type": "text", "text": text}]}
    print("a banner that is no JSON", flush=True)
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
keep(WAITING)
