"""Speaks MCP over the standard input and output of a server: one process, one client.

A request that the server sends to its client (a question to the owner) is answered with yes, and everything else that a
server may announce is ignored. A server that does not answer in time, or that ends, raises `ServerError`.
"""
from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time

PROTOCOL = "2025-06-18"
ANSWER_S = 120
CLOSE_S = 10


class ServerError(Exception):
    """The server ended, did not answer in time, or answered with an error."""


class Client:
    """One running server and the client that talks to it."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: str, log: str):
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            cwd=folder, env={**os.environ, **environment}, start_new_session=True,
        )
        self.last_id = 0
        self.replies: queue.Queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.request("initialize", {
            "protocolVersion": PROTOCOL,
            "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "arena", "version": "1"},
        })
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self) -> None:
        try:
            for line in self.process.stdout:
                self._take(line)
        except ValueError:
            pass  # The pipe was closed.
        self.replies.put(None)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return  # Some servers print banners on standard output.
        if isinstance(message, dict):
            self.replies.put(message)

    def _send(self, message: dict) -> None:
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError) as error:
            raise ServerError(f"the server does not read: {error}") from error

    def _answer_server(self, message: dict) -> None:
        result = {"action": "accept", "content": {}} if message["method"] == "elicitation/create" else {}
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def request(self, method: str, params: dict) -> dict:
        """Sends a request and returns its result."""
        self.last_id += 1
        self._send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        until = time.monotonic() + ANSWER_S
        while True:
            try:
                message = self.replies.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise ServerError(f"{method}: no answer in {ANSWER_S} s") from None
            if message is None:
                raise ServerError(f"{method}: the server ended")
            if "method" in message:
                if "id" in message:
                    self._answer_server(message)
            elif message.get("id") == self.last_id:
                if "error" in message:
                    raise ServerError(f"{method}: {message['error'].get('message')}")
                return message["result"]

    def call(self, tool: str, arguments: dict) -> str:
        """Calls a tool and returns the text of its result."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        if result.get("isError"):
            raise ServerError(f"{tool}: {text[:300]}")
        return text

    def tools(self) -> list[dict]:
        """Returns the tools that the server lists."""
        return self.request("tools/list", {})["tools"]

    def resident_kib(self) -> int:
        """Returns the resident memory of the server and of all processes that it started."""
        parents, sizes = {}, {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/status", encoding="utf-8", errors="replace") as status:
                    fields = dict(line.split(":", 1) for line in status if ":" in line)
            except OSError:
                continue
            parents[int(name)] = int(fields["PPid"])
            sizes[int(name)] = int(fields.get("VmRSS", "0").split()[0])
        total, wanted = 0, {self.process.pid}
        while wanted:
            pid = wanted.pop()
            total += sizes.get(pid, 0)
            wanted |= {child for child, parent in parents.items() if parent == pid}
        return total

    def kill(self) -> None:
        """Ends the server and what it started with SIGKILL, as a crash would."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                continue  # What was not yet sent cannot be sent any more.

    def close(self) -> None:
        """Ends the session as a client does: closes standard input, waits, and only then kills."""
        try:
            self.process.stdin.close()
            self.process.wait(timeout=CLOSE_S)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()
