"""PostgreSQL as the hub uses it: a pool of connections, one transaction a space, numbered migrations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
from procrastinate.schema import SchemaManager
from psycopg import Connection
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from memdir.errors import Rejected, RemoteError
from memdir.hub.spaces import ENTER, ENTRY, Grant, SpaceSession, TokenSession, grant_from, secret_hash
from memdir.resources import resource_path
from memdir.text.value import value_class

__all__ = ["Database", "PruneRule", "migrations"]

_WAIT = 5.0
"""Seconds to wait for a connection: whoever asked should hear of the trouble, not hang."""

_LOCK = 7_236_104
"""The advisory lock under which one process migrates: any number that nobody else uses."""

_MIGRATE = "This database holds no hub, or one of an older memdir. Make it with: memdir serve --migrate"

_AWAY = "PostgreSQL cannot be used now. Look whether it runs, and try again."

_TABLE = """
CREATE SCHEMA IF NOT EXISTS memdir;
CREATE TABLE memdir.migration
    (number int PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
"""

_QUEUE_TABLE = "CREATE TABLE IF NOT EXISTS memdir.queue_migration (name text PRIMARY KEY)"

_QUEUE_GRANTS = """
GRANT SELECT, INSERT, UPDATE, DELETE
ON procrastinate_jobs, procrastinate_events, procrastinate_periodic_defers, procrastinate_workers
TO memdir_node;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO memdir_node;
"""
"""The queue holds ids only; what jobs are about is confined to their spaces."""

_NO_HUB = (
    psycopg.errors.InvalidSchemaName,
    psycopg.errors.UndefinedFunction,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedColumn,
)


@value_class(frozen=True, slots=True)
class PruneRule:
    """What counts as old: it is removed from a space for good."""

    version_days: int = 90
    """Days after which a version is removed that was replaced, or whose memory was forgotten."""
    versions: int = 10
    """So many newest versions of a memory stay however old they are."""
    request_days: int = 30
    """Days for which a request that comes again is answered as the first time, and an ended job is known."""


class Database:
    """A PostgreSQL database that nodes share."""

    def __init__(self, url: str, *, connections: int = 10) -> None:
        self.url = url
        self._pool = ConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=_WAIT,
            open=False,
            configure=_as_node,
            kwargs={"autocommit": True, "connect_timeout": 5},
        )

    def open(self) -> None:
        """Open the pool; while PostgreSQL cannot be reached, it goes on trying."""
        self._pool.open()

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    @contextmanager
    def space(self, space: UUID, *, locking: bool = False) -> Iterator[SpaceSession]:
        """Open one transaction that is confined to one space; it is committed at the end."""
        query = "SELECT set_config('memdir.space', %s, true), set_config('memdir.token', '', true)"
        with self._transaction() as connection:
            connection.execute(query, [str(space)], prepare=True)
            session = SpaceSession(connection, space)
            if locking:
                session.lock()
            yield session

    @contextmanager
    def enter_space(
        self, secret: str, name: str | None, scope: str, *, entry: str = ENTER, locking: bool = False
    ) -> Iterator[SpaceSession]:
        """Open one transaction that is confined to the space of a token; `Denied` where it may not.

        With another entry the secret is a cookie. With `locking` the space is locked in the same round trip.
        """
        locked = "CASE WHEN denied IS NULL THEN memdir.locked() END" if locking else "NULL"
        query = f"SELECT {ENTRY}, {locked} {entry}".encode()
        with self._transaction() as connection:
            row = connection.execute(query, [secret_hash(secret), name, scope], prepare=True).fetchone()
            grant = grant_from(row, scope)
            yield SpaceSession(connection, grant.space, grant.token, row[-1] if row else None)

    @contextmanager
    def direct(self, secret: str, name: str | None, scope: str) -> Iterator[TokenSession]:
        """Open the space of a token; each call is a transaction of its own that checks the token first.

        A name must be that of the space; without one the token names the space.
        """
        with self._connection() as connection:
            yield TokenSession(connection, secret, name, scope)

    def check(self, secret: str, name: str | None, scope: str) -> Grant:
        """Return what a token grants; `Denied` where it may not."""
        query = f"SELECT {ENTRY} {ENTER}".encode()
        with self._connection() as connection:
            row = connection.execute(query, [secret_hash(secret), name, scope], prepare=True).fetchone()
            return grant_from(row, scope)

    def spaces_without_vectors(self, most: int = 100) -> list[UUID]:
        """Return spaces with memories that have no vectors yet."""
        with self._transaction() as connection:
            return [space for (space,) in connection.execute("SELECT memdir.unlearned(%s)", [most])]

    def prune_due(self, rule: PruneRule) -> bool:
        """Remove what is old from one space that was not pruned for a day; tell whether there was one."""
        values = [rule.version_days, rule.versions, rule.request_days]
        with self._transaction() as connection:
            row = connection.execute("SELECT memdir.prune_due(%s, %s, %s)", values).fetchone()
        return bool(row and row[0])

    @contextmanager
    def administration(self) -> Iterator[Connection]:
        """Open one transaction on a connection of its own that sees all spaces."""
        with _reach_database(), psycopg.connect(self.url, connect_timeout=5) as connection:
            try:
                connection.execute("SET LOCAL ROLE memdir_admin")
                yield connection
            except (psycopg.errors.InvalidParameterValue, *_NO_HUB):  # there is no such role, or table
                raise Rejected(_MIGRATE) from None
            except psycopg.errors.InsufficientPrivilege:
                raise Rejected("This login may not administer the hub. Use the one that made it.") from None

    def migrate(self) -> list[str]:
        """Apply the migrations that are missing, each in its own transaction, and return their names."""
        done: list[str] = []
        with _reach_database(), psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
            row = connection.execute("SELECT to_regclass('memdir.migration')").fetchone()
            if not row or row[0] is None:
                connection.execute(_TABLE)
            applied = {number for (number,) in connection.execute("SELECT number FROM memdir.migration")}
            for number, file in migrations():
                if number not in applied:
                    with connection.transaction():
                        connection.execute(file.read_bytes())
                        query = "INSERT INTO memdir.migration (number, name) VALUES (%s, %s)"
                        connection.execute(query, [number, file.name])
                    done.append(file.name)
            done += _migrate_queue(connection)
        return done

    def problem(self) -> str | None:
        """Return why requests cannot be answered now, None when they can."""
        try:
            with self._transaction() as connection:
                row = connection.execute("SELECT max(number) FROM memdir.migration").fetchone()
        except RemoteError as error:
            return str(error)
        newest, _ = migrations()[-1]
        return None if row and row[0] and row[0] >= newest else _MIGRATE

    def connection_error(self) -> RemoteError:
        """Return why no connection could be had, or none to a hub: a pool knows only that it waited."""
        try:
            with psycopg.connect(self.url, connect_timeout=5) as connection:
                _as_node(connection)
                connection.execute("SELECT max(number) FROM memdir.migration")
        except (psycopg.errors.InvalidParameterValue, *_NO_HUB):  # there is no such role, or table
            return RemoteError(_MIGRATE)
        except psycopg.errors.InsufficientPrivilege:
            return RemoteError("This login may not work for the hub. Use the one that made it.")
        except psycopg.Error:
            pass
        return RemoteError(_AWAY)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._connection() as connection, connection.transaction():
            yield connection

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Yield a connection that commits each statement by itself."""
        with _reach_database():
            connection = self._pool.getconn()
            try:
                yield connection
            finally:
                self._pool.putconn(connection)


def migrations() -> list[tuple[int, Path]]:
    """Return the steps of the schema in order, each with its number."""
    files = sorted(Path(resource_path(__file__, "migrations")).glob("[0-9]*.sql"))
    return [(int(file.name[:4]), file) for file in files]


def _migrate_queue(connection: Connection) -> list[str]:
    """Make the tables of procrastinate, or apply the steps that a newer version of it brings."""
    with connection.transaction():
        connection.execute("SET LOCAL search_path TO public")  # or that of a user called like our schema
        connection.execute(_QUEUE_TABLE)
        steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
        applied = {name for (name,) in connection.execute("SELECT name FROM memdir.queue_migration")}
        missing = [path for path in steps if path.name not in applied]
        if not applied:
            connection.execute(SchemaManager.get_schema().encode())
        for path in missing:
            if applied:
                connection.execute(path.read_bytes())
            connection.execute("INSERT INTO memdir.queue_migration VALUES (%s)", [path.name])
        if missing:
            connection.execute(_QUEUE_GRANTS)
    return [path.name for path in missing] if applied else ["the queue"]


def _as_node(connection: Connection) -> None:
    """Give up every right but those of a node, and let each statement be planned once.

    Spaces differ in size so much that PostgreSQL would plan again for each, which takes longer than the work;
    every statement finds its rows by an index that begins with the space, however many they are.
    """
    connection.execute("SET ROLE memdir_node; SET plan_cache_mode = force_generic_plan")


@contextmanager
def _reach_database() -> Iterator[None]:
    """Say in one way that PostgreSQL is away."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed) as error:
        raise RemoteError(_AWAY) from error
    except _NO_HUB as error:
        raise RemoteError(_MIGRATE) from error
