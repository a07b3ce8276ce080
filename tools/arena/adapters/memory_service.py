"""PyPI `mcp-memory-service`: `--program ".../bin/memory server"`, with a Python that loads SQLite extensions.

Its embedding model is a download. Without it, it falls back to hashed words, which it calls reduced quality.
"""
from __future__ import annotations

import re

from memory import Memory, Unsupported

PASSAGE = re.compile(r"^\d+\. (.*?)\n   Hash: (\w+)", re.S | re.M)


class MemoryService(Memory):
    """Search uses its mode `hybrid`."""

    name = "mcp-memory-service"

    def environment(self):
        return {
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_MEMORY_BASE_DIR": self.home,
            "MCP_MEMORY_ALLOW_HASH_EMBEDDINGS": "1",
        }

    def remember(self, text, day=None):
        answer = self.client.call("memory_store", {"content": text})
        if "stored successfully" not in answer:
            raise Unsupported(answer)

    def search(self, question, limit):
        return [text for text, _ in self._found(question, limit)]

    def _found(self, question, limit):
        arguments = {"query": question, "limit": limit, "mode": "hybrid"}
        return PASSAGE.findall(self.client.call("memory_search", arguments))

    def _hash(self, text):
        for found, name in self._found(text, 10):
            if found.strip() == text:
                return name
        raise Unsupported

    def replace(self, old, new):
        updates = {"content": new}
        self.client.call("memory_update", {"content_hash": self._hash(old), "updates": updates, "versioned": True})

    def forget(self, text):
        self.client.call("memory_delete", {"content_hash": self._hash(text)})
