"""The tables of the queue: procrastinate's own, made and brought up to date with ours."""

from pathlib import Path

from procrastinate.schema import SchemaManager
from psycopg import Connection

__all__ = ["migrate_queue"]

_KNOWN = "CREATE TABLE IF NOT EXISTS memdir.queue_migration (name text PRIMARY KEY)"

_GRANTS = """
GRANT SELECT, INSERT, UPDATE, DELETE
ON procrastinate_jobs, procrastinate_events, procrastinate_periodic_defers, procrastinate_workers
TO memdir_node;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO memdir_node;
"""
"""The queue holds ids only; what jobs are about is confined to their spaces."""


def migrate_queue(connection: Connection) -> list[str]:
    """Make the queue, or apply the steps that a newer version of it brings; return what was done."""
    with connection.transaction():
        connection.execute("SET LOCAL search_path TO public")  # or that of a user called like our schema
        connection.execute(_KNOWN)
        steps = sorted(path for path in Path(SchemaManager.get_migrations_path()).glob("*.sql"))
        applied = {name for (name,) in connection.execute("SELECT name FROM memdir.queue_migration")}
        if not applied:
            connection.execute(SchemaManager.get_schema().encode())
            done = ["the queue"]
        else:
            missing = [path for path in steps if path.name not in applied]
            for path in missing:
                connection.execute(path.read_bytes())
            done = [path.name for path in missing]
        if done:
            connection.execute(_GRANTS)
            for path in steps:
                connection.execute(
                    "INSERT INTO memdir.queue_migration VALUES (%s) ON CONFLICT DO NOTHING", [path.name]
                )
    return done
