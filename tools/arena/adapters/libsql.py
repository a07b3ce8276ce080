"""npm `mcp-memory-libsql`: `--program node_modules/.bin/mcp-memory-libsql`."""
from __future__ import annotations

import json
import os

from memory import Memory, by_words, short_name


class LibsqlMemory(Memory):
    """Each note is an entity of its own; creating it again replaces its observations."""

    name = "mcp-memory-libsql"

    def environment(self):
        return {"LIBSQL_URL": "file:" + os.path.join(self.home, "memory.db")}

    def remember(self, text, day=None):
        self._write(short_name(text), text)

    def _write(self, name, text):
        entity = {"name": name, "entityType": "note", "observations": [text]}
        self.client.call("create_entities", {"entities": [entity]})

    def search(self, question, limit):
        return by_words(self._ask, question, limit)

    def _ask(self, query):
        found = json.loads(self.client.call("search_nodes", {"query": query, "limit": 50}))
        return ["\n".join(entity["observations"]) for entity in found["entities"]]

    def replace(self, old, new):
        self._write(short_name(old), new)

    def forget(self, text):
        self.client.call("delete_entity", {"name": short_name(text)})
