"""A port that only this machine can reach, for the servers that we start."""

from __future__ import annotations

import socket

from memdir.errors import Rejected

__all__ = ["LOOPBACK", "bind_loopback"]

LOOPBACK = "127.0.0.1"


def bind_loopback(port: int) -> socket.socket:
    """Return a socket that listens on a port of this machine, 0 for any that is free."""
    # Told to be TCP, asyncio sends answers without the delay of 40 ms that joins small packets.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((LOOPBACK, port))
        bound.listen()  # who connects from now on waits until the server is up
    except OSError as error:
        bound.close()
        raise Rejected(f"Port {port} cannot be used: {error.strerror}. Choose another, or 0.") from error
    return bound
