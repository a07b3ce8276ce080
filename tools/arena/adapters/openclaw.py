"""This program: `--program target/release/openclaw`."""
from __future__ import annotations

import json
import re
import subprocess

from memory import Memory, Unsupported

PASSAGE = re.compile(r'<recalled source="([^"]*)"[^>]*>\n(.*?)\n</recalled>', re.S)
PLACE = re.compile(r"(.*):(\d+)(?:-\d+)?$")


class Openclaw(Memory):
    """Notes go through `remember`, corrections name the place that they replace, and the owner agrees to a `forget`."""

    name = "openclaw"

    def command(self):
        return [*self.program, "--home", self.home, "mcp"]

    def remember(self, text, day=None):
        self.client.call("remember", {"text": text, **({"day": day} if day else {})})

    def search(self, question, limit):
        return [text for _, text in self._passages(question, limit)]

    def _passages(self, question, limit):
        return PASSAGE.findall(self.client.call("memory_search", {"query": question, "limit": min(limit, 20)}))

    def replace(self, old, new):
        for source, text in self._passages(old, 10):
            place = PLACE.match(source)
            lines = [number for number, line in enumerate(text.split("\n")) if old in line]
            if place and lines:
                line = int(place[2]) + lines[0]
                self.client.call("remember", {"text": new, "replaces": f"{place[1]}:{line}"})
                return
        raise Unsupported

    def forget(self, text):
        self.client.call("forget", {"what": text})

    def injected(self, prompt):
        event = {"session_id": "arena", "cwd": self.home, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
        command = [*self.program, "--home", self.home, "hook", "claude-code", "UserPromptSubmit"]
        output = subprocess.run(command, input=json.dumps(event), capture_output=True, text=True, check=True).stdout
        return json.loads(output).get("hookSpecificOutput", {}).get("additionalContext", "") if output.strip() else ""
