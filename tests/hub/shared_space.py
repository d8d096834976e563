"""A space of a hub as a remote for the machines of the conformance tests: real nodes, real PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from memdir.models.vendors.http import Backoff
from memdir.sync.hub_client import HubClient
from memdir.sync.hub_remote import HubRemote
from memdir.sync.remotes import AnyRemote
from tests.conformance.remotes import Shared
from tests.hub.node import Node

__all__ = ["SharedSpace"]

_REWIND = """
DELETE FROM memdir.version v USING memdir.space s
    WHERE v.space = s.id AND s.name = %(name)s AND v.seq > %(seq)s;
DELETE FROM memdir.request r USING memdir.space s WHERE r.space = s.id AND s.name = %(name)s
    AND NOT EXISTS (SELECT FROM memdir.version v WHERE v.space = s.id AND v.request = r.id);
DELETE FROM memdir.head h USING memdir.space s WHERE h.space = s.id AND s.name = %(name)s;
INSERT INTO memdir.head (space, file, seq, deleted)
    SELECT DISTINCT ON (v.file) v.space, v.file, v.seq, v.content = ''
    FROM memdir.version v JOIN memdir.space s ON s.id = v.space WHERE s.name = %(name)s
    ORDER BY v.file, v.seq DESC;
UPDATE memdir.space SET seq = %(seq)s WHERE name = %(name)s;
"""


class SharedSpace(Shared):
    """A new space of a running hub."""

    sent_at = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"

    def __init__(self, node: Node, url: str, top: Path, clock: Callable[[], datetime]) -> None:
        """Make the space on the database of the node, and a token that may write."""
        self.kind, self.top, self.clock, self.folder = "hub", top, clock, ""
        self.node, self.url, self.name = node, url, f"space-{uuid4().hex[:12]}"
        self.database = Database(url)
        Spaces(self.database).create(self.name)
        self.token = self.new_token()
        self.address = f"{node.address}/{self.name}"

    def new_token(self, *scopes: str, **more: Any) -> str:
        """Return another token for the space."""
        return Tokens(self.database).create(self.name, "test", scopes or ("write",), **more)

    def remote(self, place: str = "", token: str = "") -> AnyRemote:
        """Return the space as a machine sees it."""
        del place
        backoff = Backoff(3, 0.05, 0.2)
        return HubRemote(HubClient(self.address, token or self.token, {}, backoff=backoff))

    def contents(self) -> Iterator[bytes]:
        """Yield every byte that the database holds about this space."""
        named = "FROM memdir.{} t JOIN memdir.space s ON s.id = t.space WHERE s.name = %s"
        with psycopg.connect(self.url) as connection:
            for table in ("version", "head", "request", "audit", "token"):
                query = SQL(f"SELECT t::text {named}").format(Identifier(table))
                for (row,) in connection.execute(query, [self.name]):
                    yield row.encode("utf-8", "surrogateescape")
            query = SQL(f"SELECT t.data {named}").format(Identifier("version"))
            for (data,) in connection.execute(query, [self.name]):
                yield bytes(data or b"")

    def empty(self) -> None:
        """Lose everything."""
        self.rewind(0)

    def state(self) -> object:
        """Return the number of the newest version."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute("SELECT seq FROM memdir.space WHERE name = %s", [self.name]).fetchone()
        return row[0] if row else 0

    def rewind(self, state: object) -> None:
        """Go back to an earlier state, as after a restore from a backup."""
        with psycopg.connect(self.url) as connection:
            for step in _REWIND.split(";\n")[:-1]:
                connection.execute(step.encode(), {"name": self.name, "seq": state})

    @contextmanager
    def away(self) -> Iterator[None]:
        """Be out of reach for a while: no node listens there."""
        self.node.end()
        yield
        self.node.start()
