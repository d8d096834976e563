"""Let nodes and workers wait at the one moment between a write on their copy and its commit."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

WAITING = """
SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%memdir.publish%'
"""


@contextmanager
def publishing_waits(url: str) -> Iterator[psycopg.Connection]:
    """Let publishing wait just before it stores anything, until the block ends."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE memdir.version IN EXCLUSIVE MODE")
        yield connection


def until_one_waits(url: str) -> int:
    """Wait until somebody waits to publish; return the process of PostgreSQL that serves it."""
    with psycopg.connect(url, autocommit=True) as connection:
        while not (row := connection.execute(WAITING).fetchone()):
            time.sleep(0.02)
    return int(row[0])
