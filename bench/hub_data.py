"""Spaces full of made-up memories, written straight into the database of a hub: the figures need many."""

import os

import psycopg
from bench.topics import filled

from memdir.memories.history.git import blob_id

__all__ = ["Filling", "secret_of"]

_TEXTS = 500
"""Different texts; the names of memories all differ."""


def secret_of(space: str) -> str:
    """Return the token of a space."""
    return f"memdir_bench-{space}"


class Filling:
    """Fills a migrated database."""

    def __init__(self, url: str) -> None:
        """Take its address, and put a few hundred texts there to copy from."""
        self._url = url
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE public.texts (n int PRIMARY KEY, content text, data bytea)")
            with connection.cursor() as cursor, cursor.copy("COPY public.texts FROM STDIN") as copy:
                for number in range(_TEXTS):
                    data = f"---\nname: n{number}\ntype: project\n---\n\n".encode() + b"A line of it.\n" * (
                        number % 60
                    )
                    copy.write_row([number, blob_id(data), data])

    def spaces(self, count: int, memories: int) -> None:
        """Make spaces s-0, s-1, … until there are so many, each with a token and so many memories."""
        self._filled("SELECT 's-' || n FROM generate_series(0, %(most)s - 1) n", {"most": count}, memories)

    def space(self, name: str, memories: int) -> None:
        """Make one space."""
        self._filled("SELECT %(name)s", {"name": name}, memories)

    def real_space(self, name: str, memories: int, directory: str) -> str:
        """Make a space that holds what a directory of made-up memories holds, and return the directory."""
        filled(directory, memories)
        self._filled("SELECT %(name)s", {"name": name}, 0)
        with psycopg.connect(self._url) as connection:
            for number, file in enumerate(sorted(os.listdir(directory)), 1):
                with open(os.path.join(directory, file), "rb") as opened:
                    data = opened.read()
                saved_ns = os.stat(os.path.join(directory, file)).st_mtime_ns
                row = {"name": name, "file": file, "content": blob_id(data), "data": data}
                connection.execute(_ONE.encode(), row | {"seq": number, "saved_ns": saved_ns})
            connection.execute("UPDATE memdir.space SET seq = %s WHERE name = %s", [memories, name])
        return directory

    def _filled(self, names: str, given: dict[str, object], memories: int) -> None:
        with psycopg.connect(self._url) as connection:
            for step in _STEPS:
                connection.execute(step.replace("NAMES", names).encode(), {**given, "memories": memories})
            connection.execute("DROP TABLE made")
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


_STEPS = (
    """CREATE TEMPORARY TABLE made AS
       WITH new AS (INSERT INTO memdir.space (name, seq) SELECT name, %(memories)s FROM (NAMES) wanted (name)
                    ON CONFLICT DO NOTHING RETURNING id, name) SELECT id, name FROM new""",
    """INSERT INTO memdir.token (space, name, hash, scopes)
       SELECT id, 'bench', sha256(convert_to('memdir_bench-' || name, 'UTF8')), ARRAY['read', 'write']
       FROM made""",
    """INSERT INTO memdir.version (space, seq, file, content, data, saved_ns, who, session, actor, request)
       SELECT id, i, 'project_note-' || i || '.md', content, data, 7, 'East', 's', 'user', gen_random_uuid()
       FROM made, generate_series(1, %(memories)s) i JOIN public.texts ON n = i %% 500""",
    """INSERT INTO memdir.head SELECT space, file, seq, false
       FROM memdir.version WHERE space IN (SELECT id FROM made)""",
)

_ONE = """
WITH s AS (SELECT id FROM memdir.space WHERE name = %(name)s),
v AS (INSERT INTO memdir.version (space, seq, file, content, data, saved_ns, who, session, actor, request)
      SELECT id, %(seq)s, %(file)s, %(content)s, %(data)s, %(saved_ns)s, 'East', 's', 'user',
             gen_random_uuid() FROM s)
INSERT INTO memdir.head SELECT id, %(file)s, %(seq)s, false FROM s
"""
