"""The reference server of MCP: npm `@modelcontextprotocol/server-memory`, `--program "node .../dist/index.js"`.

Each note is an entity of its own with one observation.
"""
from __future__ import annotations

import json
import os

from memory import Memory, by_words, short_name


class ServerMemory(Memory):
    """Its search finds a query only as a whole, so questions are also asked word by word."""

    name = "server-memory"

    def environment(self):
        return {"MEMORY_FILE_PATH": os.path.join(self.home, "memory.jsonl")}

    def remember(self, text, day=None):
        entity = {"name": short_name(text), "entityType": "note", "observations": [text]}
        self.client.call("create_entities", {"entities": [entity]})

    def search(self, question, limit):
        return by_words(self._ask, question, limit)

    def _ask(self, query):
        found = json.loads(self.client.call("search_nodes", {"query": query}))
        return ["\n".join(entity["observations"]) for entity in found["entities"]]

    def replace(self, old, new):
        name = short_name(old)
        self.client.call("delete_observations", {"deletions": [{"entityName": name, "observations": [old]}]})
        self.client.call("add_observations", {"observations": [{"entityName": name, "contents": [new]}]})

    def forget(self, text):
        self.client.call("delete_entities", {"entityNames": [short_name(text)]})
