"""A model server on 127.0.0.1 that speaks the Messages API, answers from a script and records requests."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

__all__ = ["FakeModelServer", "say", "served", "use"]

Block = dict[str, Any]
Answer = Callable[[Mapping[str, Any]], list[Block]]
"""What to answer to a request: the blocks of one message."""


def say(text: str) -> Block:
    """Return a block of text."""
    return {"type": "text", "text": text}


def use(name: str, /, **arguments: object) -> Block:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "name": name, "input": arguments}


class FakeModelServer:
    """The script and the record of one server."""

    def __init__(self, answer: Answer) -> None:
        """Answer each request with what the function gives for it."""
        self.answer, self.requests = answer, list[dict[str, Any]]()
        self.lock, self.address = Lock(), ""

    def texts(self) -> list[str]:
        """Return every request as one text, for looking whether something arrived."""
        with self.lock:
            return [json.dumps(request, ensure_ascii=False) for request in self.requests]

    def message(self, request: dict[str, Any]) -> dict[str, Any]:
        """Record a request and return the whole message that answers it."""
        with self.lock:
            self.requests.append(request)
            number = len(self.requests)
        blocks = self.answer(request)
        content = [
            {**block, "id": f"toolu_{number:04}{at:02}"} if block["type"] == "tool_use" else block
            for at, block in enumerate(blocks)
        ]
        stop = "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn"
        return {
            "id": f"msg_{number:06}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "fake"),
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }


@contextmanager
def served(answer: Answer) -> Iterator[FakeModelServer]:
    """Serve until the block ends."""
    fake = FakeModelServer(answer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    server.daemon_threads = True
    fake.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _handler(fake: FakeModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if "count_tokens" in self.path:
                self._send("application/json", b'{"input_tokens": 10}')
            elif body.get("stream"):
                self._send("text/event-stream", "".join(_events(fake.message(body))).encode())
            else:
                self._send("application/json", json.dumps(fake.message(body)).encode())

        def do_GET(self) -> None:
            self._send("application/json", b"{}")

        do_HEAD = do_GET  # noqa: N815 - the name is the library's

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
            del format, args

    return Handler


def _events(message: dict[str, Any]) -> Iterator[str]:
    start = {**message, "content": [], "stop_reason": None}
    yield _event("message_start", message=start)
    for at, block in enumerate(message["content"]):
        yield from _block_events(at, block)
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=ended, usage={"output_tokens": 5})
    yield _event("message_stop")


def _block_events(at: int, block: Block) -> Iterator[str]:
    if block["type"] == "text":
        empty: Block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield _event("content_block_start", index=at, content_block=empty)
    yield _event("content_block_delta", index=at, delta=delta)
    yield _event("content_block_stop", index=at)


def _event(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"
