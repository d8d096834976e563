"""Tokens: what one allows, or why it is refused. `memdir.enter` in the database decides; hashes are kept."""

import hashlib
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from memdir.errors import MemdirError
from memdir.text.value import value_class

__all__ = ["ENTER", "ENTER_BY_COOKIE", "ENTRY", "SCOPES", "Denied", "Grant", "grant_from", "secret_hash"]

SCOPES = ("read", "write", "admin")
"""Each includes those before it."""

ENTRY = "denied, token, space, name, scopes"
"""The columns of `memdir.enter`, as `grant_from` reads them."""

ENTER = "FROM memdir.enter(%s, %s, %s)"
"""Its call, with the hash of a token, the name of a space or none, and a scope."""

ENTER_BY_COOKIE = "FROM memdir.enter(memdir.signed_in(%s), %s, %s)"
"""The same with the hash of a browser's cookie."""

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


def grant_from(row: Sequence[Any] | None, scope: str) -> Grant:
    """Return what a token allows, by what `memdir.enter` found; `Denied` where it may not."""
    columns: Sequence[Any] = row[:5] if row else ("token", None, None, None, ())
    denied, token, space, called, scopes = columns
    if denied:
        status, message = _DENIALS[denied]
        raise Denied(status, message.format(scope=scope))
    return Grant(token, space, called, tuple(scopes))


def secret_hash(secret: str) -> bytes:
    """Return what is kept of a token: it is random, so a plain hash cannot be guessed from."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
