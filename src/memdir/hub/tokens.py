"""Tokens: who may use a space, and for what. A token is shown once; only its hash is kept."""

import hashlib
from uuid import UUID

from psycopg import Connection

from memdir.errors import MemdirError
from memdir.text.value import value_class

__all__ = ["SCOPES", "Denied", "Grant", "granted", "secret_hash"]

SCOPES = ("read", "write", "admin")
"""Each includes those before it."""

_DENIALS = {
    "token": (401, "This token is not valid: it is wrong, expired or revoked. Ask for a new one."),
    "space": (404, "There is no such space, or this token is not for it. Check the address."),
    "scope": (403, "This token may not do that. Ask for one with the scope {scope}."),
}


@value_class(frozen=True, slots=True)
class Grant:
    """What a valid token allows."""

    token: UUID
    space: UUID
    name: str
    """Of the space."""
    scopes: tuple[str, ...]


class Denied(MemdirError):
    """A token that may not do what it was sent for."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        """As HTTP has it."""


def granted(connection: Connection, secret: str, name: str | None, scope: str) -> Grant:
    """Confine the open transaction to the space of a token and return what it allows.

    A name must be that of the space; without one the token names the space. `Denied` where it may not.
    """
    row = connection.execute(
        "SELECT denied, token, space, name, scopes FROM memdir.enter(%s, %s, %s)",
        [secret_hash(secret), name, scope],
        prepare=True,
    ).fetchone()
    denied, token, space, called, scopes = row or ("token", None, None, None, None)
    if denied:
        status, message = _DENIALS[denied]
        raise Denied(status, message.format(scope=scope))
    return Grant(token, space, called, tuple(scopes))


def secret_hash(secret: str) -> bytes:
    """Return what is kept of a token: it is random, so a plain hash cannot be guessed from."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
