"""A node of the hub as a real process, and a client that speaks plain HTTP to it."""

import base64
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import httpx2 as httpx

from memdir.memories.history.git import blob_id

START = "import sys; from memdir.cli.main import main; sys.exit(main())"


class HubProcess:
    """A process of the hub; its log is kept in a file."""

    def __init__(self, url: str, *options: str, code: str = START, env: Mapping[str, str]) -> None:
        self._log = tempfile.NamedTemporaryFile(prefix="memdir-hub-", suffix=".log")  # noqa: SIM115
        self.url, self._options, self._code, self._env = url, options, code, env
        self.start()

    def start(self, *more: str) -> None:
        """Start the process, and wait until it says its address."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", self._code, "serve", *more, *self._options],
            env={**os.environ, "MEMDIR_DATABASE": self.url, **self._env},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            log = self.log
            self.__exit__()
            raise AssertionError(log)

    @property
    def log(self) -> str:
        return Path(self._log.name).read_text()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(sign)  # which does nothing to one that has ended
        ended = self.process.wait(60)
        assert self.process.stdout
        self.process.stdout.close()
        return ended

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)
        self._log.close()


class Node(HubProcess):
    """`memdir serve` on a free port of 127.0.0.1."""

    _port = "0"

    def __init__(self, url: str, *options: str, env: Mapping[str, str] | None = None) -> None:
        super().__init__(url, *options, env=env or {})

    def start(self, *more: str) -> None:
        """Start the process; one that ended comes back on the port that it had."""
        super().start("--port", self._port, *more)
        self._port = self.address.rpartition(":")[2]

    def client(self, secret: str = "", **headers: str) -> httpx.Client:
        given = {"Authorization": f"Bearer {secret}"} if secret else {}
        return httpx.Client(base_url=self.address, headers=given | headers, timeout=30)


def change_shape(file: str, text: str | None, base: int = 0) -> dict[str, Any]:
    """Return a change as it is sent."""
    data = None if text is None else text.encode()
    content = "" if data is None else blob_id(data)
    sent = None if data is None else base64.b64encode(data).decode()
    about = {"saved_ns": 7, "who": "the laptop", "session": "s-1", "actor": "user"}
    return {"file": file, "base": base, "data": sent, "content": content, **about}


def publish_shape(*changes: dict[str, Any], request: str = "") -> dict[str, Any]:
    """Return the body of a publishing."""
    return {"request": request or str(uuid4()), "changes": list(changes)}
