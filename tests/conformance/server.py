"""A server on 127.0.0.1 that does to each request what a test asks for, byte by byte."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

__all__ = ["Act", "Request", "Server", "hang", "hang_inside", "http", "reset", "send_slowly", "served"]

Act = Callable[[socket.socket], None]
"""What the server does once it has read a request."""


class Request:
    """One request as it arrived."""

    def __init__(self, head: str, body: bytes) -> None:
        first, *lines = head.split("\r\n")
        self.method, self.path, _ = first.split(" ")
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        self.body: dict[str, Any] = json.loads(body)


class Server:
    """Answers with one act after the other; the last one for all that follow."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._last: Act = http(500)
        self.acts: SimpleQueue[Act] = SimpleQueue()
        self.requests: list[Request] = []
        self.received, self.gone = Event(), Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                Thread(target=self._answer, args=(self._listening.accept()[0],), daemon=True).start()

    def _answer(self, line: socket.socket) -> None:
        line.settimeout(10)  # nothing here outlives a failed test for long
        with suppress(OSError), line:
            self.requests.append(_read(line))
            with suppress(Empty):
                self._last = self.acts.get_nowait()
            self.received.set()
            self._last(line)
            while line.recv(1024):
                pass
        self.gone.set()


@contextmanager
def served() -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(listening)
        thread = Thread(target=server.serve, daemon=True)
        thread.start()
        yield server
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(5)


def http(status: int, body: bytes = b"", **headers: str) -> Act:
    """Answer properly: a status, headers, a body of its full length."""
    given = {"content-type": "application/json", "content-length": str(len(body))}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    return lambda line: line.sendall(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body)


def hang(_: socket.socket) -> None:
    """Say nothing at all."""


def hang_inside(line: socket.socket) -> None:
    """Promise a body and stop after the headers."""
    line.sendall(b"HTTP/1.1 200 X\r\ncontent-length: 100\r\n\r\n")


def send_slowly(line: socket.socket) -> None:
    """Send a body that never ends, so slowly that no single read takes long."""
    line.sendall(b"HTTP/1.1 200 X\r\ncontent-length: 1000000\r\n\r\n")
    pause = Event()
    while True:
        line.sendall(b" ")
        pause.wait(0.01)


def reset(line: socket.socket) -> None:
    """Break the connection."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    line.close()


def _read(line: socket.socket) -> Request:
    data = b""
    while b"\r\n\r\n" not in data:
        data += line.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(part[15:]) for part in head.lower().split(b"\r\n") if part.startswith(b"content-length:")
    )
    while len(body) < length:
        body += line.recv(65536)
    return Request(head.decode(), body)
