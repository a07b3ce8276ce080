"""PyPI `basic-memory`: `--program ".../bin/basic-memory mcp"`. Each note is a Markdown file of its own."""
from __future__ import annotations

import json
import os

from memory import Memory, short_name


class BasicMemory(Memory):
    """Without its embedding model, which it would download, it searches words."""

    name = "basic-memory"

    def environment(self):
        return {"BASIC_MEMORY_HOME": os.path.join(self.home, "notes"), "BASIC_MEMORY_AUTO_UPDATE": "false"}

    def remember(self, text, day=None):
        self.client.call("write_note", {"title": short_name(text), "content": text, "directory": "notes"})

    def search(self, question, limit):
        arguments = {"query": question, "page_size": limit, "output_format": "json"}
        found = json.loads(self.client.call("search_notes", arguments))
        return [result.get("content") or result["title"] for result in found["results"]]

    def replace(self, old, new):
        arguments = {"identifier": short_name(old), "operation": "find_replace", "find_text": old, "content": new}
        self.client.call("edit_note", arguments)

    def forget(self, text):
        self.client.call("delete_note", {"identifier": short_name(text)})
