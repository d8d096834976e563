"""What administrators do: spaces and tokens, their use, and what is removed because it is old or for good."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

from memdir.errors import Rejected
from memdir.hub.database import Database, PruneRule
from memdir.hub.spaces import SCOPES, SpaceSession, is_storable
from memdir.text.value import value_class
from memdir.transfer.purge import words_in

__all__ = [
    "AuditEntry",
    "HubToken",
    "PrunedSpace",
    "Spaces",
    "Tokens",
    "purge_space",
    "search_forms",
]

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


@value_class(frozen=True, slots=True)
class HubToken:
    """One token as it is listed: without its secret."""

    id: UUID
    space: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@value_class(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log."""

    at: datetime
    space: UUID | None
    token: UUID | None
    action: str
    detail: dict[str, Any]


@value_class(frozen=True, slots=True)
class PrunedSpace:
    """How much went from one space because it was old."""

    space: str
    versions: int
    requests: int
    jobs: int


class Spaces:
    """The spaces of a hub."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str) -> UUID:
        """Make an empty space."""
        if not _NAME.fullmatch(name):
            raise Rejected(
                f"{name!r} cannot be a space: use a-z, 0-9, dots, dashes and underscores, at most 100."
            )
        with self._database.administration() as connection:
            row = connection.execute(
                "INSERT INTO memdir.space (name) VALUES (%s) ON CONFLICT DO NOTHING RETURNING id", [name]
            ).fetchone()
            if row is None:
                raise Rejected(f"There is a space {name!r} already. Choose another name.")
            _record(connection, row[0], "space created", name=name)
        made: UUID = row[0]
        return made

    def names(self) -> list[str]:
        """Return the names of all spaces."""
        with self._database.administration() as connection:
            return [name for (name,) in connection.execute("SELECT name FROM memdir.space ORDER BY name")]

    def delete(self, name: str) -> None:
        """Delete a space with all that it holds."""
        with self._database.administration() as connection:
            space = _space(connection, name)
            connection.execute("DELETE FROM memdir.space WHERE id = %s", [space])
            _record(connection, space, "space deleted", name=name)

    def usage(self) -> list[dict[str, Any]]:
        """Return what each space holds, as the hub answers it for one of them."""
        with self._database.administration() as connection:
            spaces = connection.execute("SELECT id FROM memdir.space ORDER BY name").fetchall()
            return [json.loads(_open_space(connection, space).json_of("usage()")) for (space,) in spaces]

    def prune(self, rule: PruneRule, name: str | None = None) -> list[PrunedSpace]:
        """Remove what is old by a rule, from one space or from all, each in a transaction of its own."""
        names, done = [name] if name else self.names(), list[PrunedSpace]()
        for one in names:
            with self._database.administration() as connection:
                values = [_space(connection, one), rule.version_days, rule.versions, rule.request_days]
                row = connection.execute("SELECT memdir.prune_space(%s, %s, %s, %s)", values).fetchone()
                done += [PrunedSpace(one, **row[0])] if row else []
        return done

    def prune_audit(self, days: int) -> int:
        """Remove lines of the audit log that are older than so many days; a new line says how many went."""
        query = "DELETE FROM memdir.audit WHERE at < now() - make_interval(days => %s)"
        with self._database.administration() as connection:
            count = connection.execute(query, [days]).rowcount
            _record(connection, None, "audit pruned", days=days, lines=count)
        return count

    def audit(self, limit: int = 100) -> list[AuditEntry]:
        """Return the newest lines of the audit log."""
        query = "SELECT at, space, token, action, detail FROM memdir.audit ORDER BY id DESC LIMIT %s"
        with self._database.administration() as connection:
            return [AuditEntry(*row) for row in connection.execute(query, [limit])]


class Tokens:
    """The tokens of all spaces."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, space: str, name: str, scopes: Iterable[str] = ("write",), expires_at: datetime | None = None
    ) -> str:
        """Make a token and return it: nobody can see it again. A scope includes those before it."""
        highest = SCOPES[max(map(SCOPES.index, scopes), default=0)]
        with self._database.administration() as connection:
            return _open_space(connection, _space(connection, space)).create_token(name, highest, expires_at)

    def list_tokens(self, space: str | None = None) -> list[HubToken]:
        """Return the tokens of a space, or of all."""
        query = (
            "SELECT t.id, s.name, t.name, t.scopes, t.created_at, t.expires_at, t.revoked_at "
            "FROM memdir.token t JOIN memdir.space s ON s.id = t.space "
            "WHERE %s::uuid IS NULL OR s.id = %s ORDER BY s.name, t.created_at"
        )
        with self._database.administration() as connection:
            wanted = _space(connection, space) if space is not None else None
            rows = connection.execute(query, [wanted, wanted]).fetchall()
        return [HubToken(one, of, name, tuple(scopes), *times) for one, of, name, scopes, *times in rows]

    def revoke(self, token: UUID) -> None:
        """Revoke a token: every node refuses it from now on."""
        with self._database.administration() as connection:
            query = "SELECT space FROM memdir.token WHERE id = %s"
            row = connection.execute(query, [token]).fetchone()
            if row is None or not _open_space(connection, row[0]).revoke_token(token):
                raise Rejected(f"There is no token {token}. List them with: memdir hub token list")


def purge_space(
    session: SpaceSession, files: Sequence[str], contents: Sequence[str], words: Sequence[str]
) -> dict[str, Any]:
    """Remove files, texts by their hashes, and words; say what was cleaned, searched and left.

    The words of all texts that the files ever had in this space are looked for too: others may have written
    texts that whoever asks has never seen. The space is locked first, so that no text comes in between.
    """
    session.lock()
    written = [word for file, text in session.texts_of(files) for word in words_in(file, text)]
    cleaned = session.purge(files, contents, search_forms([*words, *written]))
    found = cleaned.pop("found")
    return cleaned | {"searched": sorted(found), "holding": {name: n for name, n in found.items() if n}}


def search_forms(words: Iterable[str]) -> list[str]:
    """Return what to look for: words as they are and as JSON writes them, none that holds another.

    The stop at the end of a sentence is left out: descriptions have none.
    """
    bare = [word.rstrip(".!?;") or word for word in words if word and is_storable(word)]
    forms = {form for word in bare for form in _forms(word)}
    shortest = list[str]()
    for form in sorted(forms, key=len):
        if not any(shorter in form for shorter in shortest):
            shortest.append(form)
    return shortest


def _forms(word: str) -> Iterator[str]:
    """Yield a word, and how it stands in JSON, also in JSON that stands in JSON."""
    yield word
    for ascii_only in (True, False):
        once = json.dumps(word, ensure_ascii=ascii_only)[1:-1]
        yield from (once, json.dumps(once, ensure_ascii=ascii_only)[1:-1])


def _space(connection: Connection, name: str) -> UUID:
    row = connection.execute("SELECT id FROM memdir.space WHERE name = %s", [name]).fetchone()
    if row is None:
        raise Rejected(f"There is no space {name!r}. List them with: memdir hub space list")
    found: UUID = row[0]
    return found


def _open_space(connection: Connection, space: UUID) -> SpaceSession:
    """Confine what follows to one space."""
    connection.execute("SELECT set_config('memdir.space', %s, true)", [str(space)])
    return SpaceSession(connection, space)


def _record(connection: Connection, space: UUID | None, action: str, **detail: Any) -> None:
    connection.execute(
        "INSERT INTO memdir.audit (space, action, detail) VALUES (%s, %s, %s)", [space, action, Jsonb(detail)]
    )
