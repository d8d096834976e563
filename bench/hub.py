"""A node of the hub beside bare SQL that does the same reads and writes on the same server.

Usage: python -m bench.hub [--record] [--spaces N]... [--memories N]... [--quick]

A real node process on a private PostgreSQL that waits for its disk. The yardstick is one psycopg connection
that sends the statements themselves, in the role of a node: the space of the transaction is set by the token,
its row is locked, the version, its head and the request are written; or the rows of a list are read, a page
at a time, and the number up to which they are all. Both sides are measured in turns. Two ratios are kept:
that of the medians, and that of the quickest tenth of the tries. A machine that does other work too changes
the first more: the side that needs more processes waits for all of them.
"""

import argparse
import base64
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

import psycopg
from bench.figures import Pair, Row, interleaved, table
from bench.hub_data import Filling, secret_of
from bench.results import record
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres, why_no_postgres

from memdir.hub.database import Database
from memdir.memories.history.git import blob_id
from memdir.memory import Memory

__all__ = ["main"]

_PAGE = 500
_AT_ONCE = 8
_FRESH = 3.0
"""Seconds for which a connection that nobody used is kept."""

_WORDS = {"save": "save", "show": "list"}
_BODY = "A line of it.\n" * 30
_TEXT = f"---\nname: figure\ndescription: A memory of usual length\ntype: project\n---\n\n{_BODY}".encode()


class HubSide:
    """One client of a node, over a connection that it keeps."""

    def __init__(self, node: Node) -> None:
        """Connect."""
        self._line, self._used = HTTPConnection(node.address.removeprefix("http://")), time.monotonic()

    def save(self, space: str) -> None:
        """Publish one new memory."""
        file = f"{uuid4().hex}.md"
        change = {
            "file": file,
            "base": 0,
            "data": base64.b64encode(_TEXT).decode(),
            "content": blob_id(_TEXT),
        }
        change |= {"saved_ns": 7, "who": "East", "session": "s", "actor": "user"}
        answer = self.asked("POST", space, "publish", {"request": str(uuid4()), "changes": [change]})
        assert answer["files"][file]

    def remember(self, space: str) -> None:
        """Save one new memory as an agent without a disk does."""
        name = f"note {uuid4().hex}"
        about = {"text": f"This is {name}.\n\n{_BODY}", "kind": "project", "name": name}
        assert self.asked("POST", space, "memory/remember", about)["created"]

    def show(self, space: str) -> int:
        """List all memories, page by page."""
        found, since, more = 0, 0, True
        while more:
            answer = self.asked("GET", space, f"changes?since={since}&limit={_PAGE}")
            found, since, more = found + len(answer["changes"].get("file", ())), answer["seq"], answer["more"]
        return found

    def recall(self, space: str, query: str) -> list[str]:
        """Ask for what belongs to a prompt."""
        found: list[str] = self.asked("POST", space, "memory/recall", {"query": query})["files"]
        return found

    def asked(self, method: str, space: str, path: str, body: object = None) -> dict[str, Any]:
        """Send one request and return the answer."""
        headers = {"Authorization": f"Bearer {secret_of(space)}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        if time.monotonic() - self._used > _FRESH:
            self._line.close()  # the node may have done so on its side; the next request connects again
        self._line.request(method, f"/v1/spaces/{space}/{path}", data, headers)
        answer = self._line.getresponse()
        self._used = time.monotonic()
        said: dict[str, Any] = json.loads(answer.read())
        assert answer.status == 200, said
        return said


class SqlSide:
    """One connection that does the same with statements of its own."""

    def __init__(self, url: str) -> None:
        """Connect with the rights of a node; statements are prepared and planned once."""
        self._line = psycopg.connect(url, autocommit=True, prepare_threshold=0)
        self._line.execute(
            "SET ROLE memdir_node; SET plan_cache_mode = force_generic_plan",
            prepare=False,
        )

    def save(self, space: str) -> None:
        """Write one new memory with all that belongs to it, in one transaction."""
        request, file = uuid4(), f"{uuid4().hex}.md"
        with self._line.transaction():
            at = self._entered(space)
            ask = self._line.execute
            (seq,) = ask("SELECT seq FROM memdir.space WHERE id = %s FOR UPDATE", [at]).fetchone() or (0,)
            ask("SELECT answer FROM memdir.request WHERE space = %s AND id = %s", [at, request]).fetchone()
            ask("SELECT seq FROM memdir.head WHERE space = %s AND file = %s", [at, file]).fetchone()
            ask(
                "INSERT INTO memdir.version (space, seq, file, content, data, saved_ns, who, session, actor, "
                "request) VALUES (%s, %s, %s, %s, %s, 7, 'East', 's', 'user', %s)",
                [at, seq + 1, file, blob_id(_TEXT), _TEXT, request],
            )
            ask(
                "INSERT INTO memdir.head VALUES (%s, %s, %s, false) "
                "ON CONFLICT (space, file) DO UPDATE SET seq = excluded.seq, deleted = excluded.deleted",
                [at, file, seq + 1],
            )
            ask("UPDATE memdir.space SET seq = %s WHERE id = %s", [seq + 1, at])
            answer = json.dumps({"seq": seq + 1, "files": {file: seq + 1}})
            ask("INSERT INTO memdir.request (space, id, answer) VALUES (%s, %s, %s)", [at, request, answer])

    def show(self, space: str) -> int:
        """Read the rows of all memories, page by page."""
        found, since = 0, 0
        while True:
            with self._line.transaction():
                at = self._entered(space)
                rows = self._line.execute(
                    "SELECT h.file, h.seq, v.content, octet_length(v.data), h.deleted, v.saved_ns, v.who, "
                    "v.at, v.session, v.actor, v.request "
                    "FROM (SELECT * FROM memdir.head WHERE space = %s AND seq > %s ORDER BY seq LIMIT %s) h "
                    "CROSS JOIN LATERAL "
                    "(SELECT * FROM memdir.version WHERE space = h.space AND seq = h.seq LIMIT 1) v "
                    "ORDER BY h.seq",
                    [at, since, _PAGE],
                ).fetchall()
                newest = self._line.execute("SELECT seq FROM memdir.space WHERE id = %s", [at]).fetchone()
            found += len(rows)
            if len(rows) < _PAGE:
                assert newest
                return found
            since = rows[-1][1]

    def _entered(self, space: str) -> Any:
        row = self._line.execute(
            "SELECT space FROM memdir.enter(%s, %s, 'write')",
            [sha256(secret_of(space).encode()).digest(), space],
        ).fetchone()
        return row[0] if row else None


class Figures:
    """A hub that is filled step by step, and measured after each."""

    def __init__(self, postgres: PrivatePostgres, *, quick: bool) -> None:
        """Make the database and start one node."""
        self.url, self.quick = postgres.database(), quick
        Database(self.url).migrate()
        self.filling = Filling(self.url)
        self.node = Node(self.url, "--rate", "100000")
        self.hub, self.sql = HubSide(self.node), SqlSide(self.url)
        self.dice = random.Random(1)
        self.medians: dict[str, float] = {}
        """The ratio of the medians of each work."""

    def by_spaces(self, counts: Sequence[int]) -> Iterator[Row]:
        """Measure with so many spaces of ten memories each."""
        for count in counts:
            self.filling.spaces(count, 10)
            names = [f"s-{self.dice.randrange(count)}" for _ in range(1_000)]
            yield from self._measured(f"{count:,} spaces of 10", partial(self.dice.choice, names), 100)

    def by_memories(self, counts: Sequence[int]) -> Iterator[Row]:
        """Measure in a space of so many memories."""
        for count in counts:
            name = f"m-{count}"
            self.filling.space(name, count)
            yield from self._measured(
                f"1 space of {count:,}", partial(str, name), 100 if count < 1_000 else 5
            )

    def throughput(self, space_count: int) -> Iterator[Row]:
        """Measure what eight clients get done at once, as seconds for one."""
        names = [f"s-{number}" for number in range(min(space_count, 100))]
        for verb, at_most in (("save", 3), ("show", 2)):
            ours = [HubSide(self.node) for _ in range(_AT_ONCE)]
            others = [SqlSide(self.url) for _ in range(_AT_ONCE)]
            pair = interleaved(partial(_each, ours, verb, names), partial(_each, others, verb, names), 3)
            rate = f"{1 / min(pair.ours):,.0f} a second, bare SQL {1 / min(pair.yardstick):,.0f}"
            yield self._row(pair, f"{_WORDS[verb]}, {_AT_ONCE} clients at once", at_most, rate)

    def remember(self) -> Iterator[Row]:
        """Measure what an agent without a disk waits for when it saves, in a space of ten memories."""
        for name in ("remember", "sql"):
            self.filling.space(name, 10)  # each side has its own: neither waits for news of the other
        self.hub.remember("remember")  # the node's copy is made
        ours, other = (
            _timed(work, partial(str, name))
            for work, name in ((self.hub.remember, "remember"), (self.sql.save, "sql"))
        )
        pair = interleaved(ours, other, 10 if self.quick else 60)
        yield self._row(pair, "remember over HTTP", 3)

    def recall(self, folder: str) -> Iterator[Row]:
        """Measure recall over 200 memories beside the same code in this process."""
        directory = self.filling.real_space("recall", 200, os.path.join(folder, "local"))
        local = Memory.at(directory, state=os.path.join(folder, "state"))
        prompts = [
            f"How is the {one} handled, and what does it need?" for one in ("nightly schema", "flaky search")
        ]
        assert self.hub.recall("recall", prompts[0])  # its copy is made, and there is something to show
        shown = partial(local.recalls.preview, seconds=5.0)  # in a new conversation, as in a node
        shown(prompts[0])
        choose = partial(self.dice.choice, prompts)
        ours = _timed(partial(self.hub.recall, "recall"), choose)
        other = _timed(shown, choose)
        pair = interleaved(ours, other, 10 if self.quick else 60)
        yield self._row(pair, "recall over 200 memories, against in process", 2)

    def idle(self, spaces: int) -> Row:
        """Count the processes that a node has for spaces that nobody uses."""
        tasks = Path(f"/proc/{self.node.process.pid}/task")
        children = [path.read_text().split() for path in tasks.glob("*/children")]
        return Row(
            f"processes for {spaces:,} idle spaces", float(sum(map(len, children))), "processes", at_most=0
        )

    def stored(self) -> Row:
        """Return what one version of a memory takes on the disk of PostgreSQL, with its indexes."""
        query = (
            "SELECT sum(pg_total_relation_size(c.oid)), (SELECT count(*) FROM memdir.version) "
            "FROM pg_class c WHERE c.relnamespace = 'memdir'::regnamespace AND c.relkind = 'r'"
        )
        with psycopg.connect(self.url) as connection:
            whole, count = connection.execute(query).fetchone() or (0, 1)
        return Row("bytes on disk for a version of a memory", float(whole) / count, "bytes")

    def _row(self, pair: Pair, work: str, at_most: float, note: str = "") -> Row:
        """Return the quickest tenth of both sides as one figure, and keep the ratio of the medians."""
        self.medians[work] = median(pair.ours) / median(pair.yardstick)
        ours, yardstick = (sorted(side)[len(side) // 10] for side in (pair.ours, pair.yardstick))
        return Row(work, ours, "s", yardstick, at_most, note)

    def _measured(self, where: str, choose: Callable[[], str], rounds: int) -> Iterator[Row]:
        rounds = max(3, rounds // 5) if self.quick else rounds
        for verb, at_most, count in (("show", 2, rounds), ("save", 3, max(rounds, 30))):
            ours, other = getattr(self.hub, verb), getattr(self.sql, verb)
            for side in (ours, other):
                side(choose())
            pair = interleaved(_timed(ours, choose), _timed(other, choose), count)
            yield self._row(pair, f"{_WORDS[verb]}, {where}", at_most)

    def close(self) -> None:
        """End the node."""
        self.node.__exit__()


def _timed(work: Callable[[str], object], choose: Callable[[], str]) -> Callable[[], float]:
    """Return what does some work with a choice and says how long it took."""

    def seconds() -> float:
        chosen, begun = choose(), time.perf_counter()
        work(chosen)
        return time.perf_counter() - begun

    return seconds


def _each(sides: Sequence[Any], verb: str, names: Sequence[str], seconds: float = 2.0) -> float:
    """Return the seconds that one piece of work takes when all sides work at once."""
    end = time.perf_counter() + seconds

    def work(side: Any) -> int:
        dice, done = random.Random(id(side)), 0
        while time.perf_counter() < end:
            getattr(side, verb)(dice.choice(names))
            done += 1
        return done

    with ThreadPoolExecutor(len(sides)) as threads:
        return seconds / sum(threads.map(work, sides))


@contextmanager
def _figures(*, quick: bool) -> Iterator[Figures]:
    postgres = PrivatePostgres(fsync=True)
    try:
        figures = Figures(postgres, quick=quick)
        try:
            yield figures
        finally:
            figures.close()
    finally:
        postgres.stop()


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table, and record it if that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.hub", description=__doc__.partition("\n")[0])
    parser.add_argument("--spaces", type=int, action="append", help="numbers of spaces; 1, 100 and 10,000")
    parser.add_argument("--memories", type=int, action="append", help="memories of a space; 10 to 100,000")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--record", action="store_true", help="keep the figures as bench/recorded/hub.json")
    options = parser.parse_args(arguments)
    if because := why_no_postgres():
        print(because)
        return 0
    spaces = options.spaces or [1, 100, 10_000]
    with _figures(quick=options.quick) as figures, tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        rows = [*figures.by_spaces(spaces)]
        rows += figures.by_memories(options.memories or [10, 1_000, 10_000, 100_000])
        rows += figures.throughput(spaces[-1])
        rows += figures.remember()
        rows += figures.recall(folder)
        rows += [figures.idle(spaces[-1]), figures.stored()]
    print(table(rows))
    print(
        "Ratios of the medians:",
        *(f"{work}: {ratio:.2f}" for work, ratio in figures.medians.items()),
        sep="\n",
    )
    if options.record:
        kept = {row.work: _kept(row, figures.medians) for row in rows}
        record("hub", " ".join(("python -m bench.hub", *arguments)), kept)
    return 0


def _kept(row: Row, medians: Mapping[str, float]) -> Any:
    if row.yardstick is None:
        return int(row.ours)
    times = {"ours, ms": row.ours * 1e3, "yardstick, ms": row.yardstick * 1e3}
    return times | {"ratio": row.ratio, "ratio of medians": medians[row.work]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
