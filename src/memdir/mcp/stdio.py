"""MCP over the standard streams of a process that a host started: one line a message."""

from __future__ import annotations

import json
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Any

from memdir.mcp.server import McpServer, ProtocolError, failure, parse_message

__all__ = ["serve_stdio"]

_CALLS = 4
"""Calls that are answered at once; a slow one does not hold up a ping."""

_SLOW = ("tools/call", "resources/read")


def serve_stdio(server: McpServer) -> None:
    """Serve until the host closes our standard input; what is being answered then is finished."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else an interrupt would wait for the host's next line
    lock = Lock()

    def send(message: dict[str, Any] | None) -> None:
        if message is not None:
            with lock:
                sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
                sys.stdout.buffer.flush()

    def answer(message: dict[str, Any]) -> None:
        send(server.reply(message))

    with suppress(BrokenPipeError), ThreadPoolExecutor(_CALLS) as calls:  # who is gone needs no answer
        for line in filter(bytes.strip, sys.stdin.buffer):
            try:
                message = parse_message(line)
            except ProtocolError as error:
                send(failure(None, error))
                continue
            if message.get("method") in _SLOW:
                calls.submit(answer, message)
            else:
                answer(message)
