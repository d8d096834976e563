"""The process that serves the viewer: one port of this machine, until its terminal is gone."""

import os
import select
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from threading import Thread
from time import sleep

import uvicorn

from memdir.loopback import bind_loopback
from memdir.memory import Memory
from memdir.viewer.app import viewer_app
from memdir.viewer.guard import Keys

__all__ = ["ViewerServer"]

_LOOK = 0.5
"""Seconds between two looks whether the terminal is still there."""


class ViewerServer:
    """A bound port, its keys, and what serves pages there."""

    def __init__(self, opened: Callable[[], Memory], port: int = 0) -> None:
        """Bind a port of this machine, 0 for any that is free."""
        self._socket = bind_loopback(port)
        self.keys = Keys.create(self._socket.getsockname()[1])
        config = uvicorn.Config(
            viewer_app(opened, self.keys),
            log_level="error",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)

    def serve(self, *, watch: Callable[[], bool] | None = None) -> None:
        """Serve until the process is told to stop, or until nobody is there any more."""
        is_gone = watch or _terminal_watch()
        Thread(target=self._end_when, args=(is_gone,), daemon=True).start()
        # Uvicorn raises an interrupt again once it has closed everything.
        with closing(self._socket), suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._socket])

    def stop(self) -> None:
        """End soon."""
        self._server.should_exit = True

    def _end_when(self, is_gone: Callable[[], bool]) -> None:
        while not is_gone():
            sleep(_LOOK)
        self.stop()


def _terminal_watch() -> Callable[[], bool]:
    """Return what tells whether whoever started us is gone: the parent process, or the terminal itself."""
    parent = os.getppid()
    terminal = select.poll()
    if sys.stdin is not None and sys.stdin.isatty():
        terminal.register(sys.stdin.fileno(), 0)  # a hang-up is told without being asked for
    return lambda: os.getppid() != parent or bool(terminal.poll(0))
