"""Many clients save into a hub while its nodes are killed and PostgreSQL is restarted: nothing is lost.

    python -m tests.hub.crowd                        20,032 acknowledged saves of 64 clients over 2 nodes
    python -m tests.hub.crowd --saves 600 --seed 7   fewer of them, in another order
    python -m tests.hub.crowd --saves 2048 --spaces 1    all clients in one space: each holds all memories

Every save writes a word that occurs nowhere else. It counts once the hub answered that it is published. At
the end each word is in the hub's log; no text of a file is there twice; the last word of each client in each
file is in the file; and all clients of a space hold the same bytes, those of the hub.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from bench.results import record

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from tests.environment import WORDS_ALONE
from tests.hub.laptop import SHARED, WORD, ClientSettings, Laptop, directory_bytes
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres, why_no_postgres
from tests.reliability.harness.figure import Figure, not_run

__all__ = ["Crowd", "crowd_figure"]

_ROUNDS = 20
"""Syncs of each client in which all of a space have to agree at the end."""


@dataclass(frozen=True)
class Crowd:
    """How many of everything."""

    saves: int = 20_032
    """Acknowledged ones; each client has as many."""
    clients: int = 64
    spaces: int = 8
    processes: int = 4
    seed: int = 1
    kills: int = 24
    restarts: int = 6


def crowd_figure(crowd: Crowd, keep: Callable[[dict[str, int]], None] | None = None) -> Figure:
    """Run it and say what was lost, doubled or different; `keep` is told the figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="memdir-crowd-")))
        postgres = PrivatePostgres(fsync=True)
        stack.callback(postgres.stop)
        hub = _Hub(postgres, crowd)
        stack.callback(hub.close)
        run = _CrowdRun(hub, crowd, folder)
        begun = time.monotonic()
        workers = run.started()
        for worker in workers:
            stack.callback(worker.kill)
        hub.disturb(workers)
        for worker in workers:
            worker.wait()
        seconds = time.monotonic() - begun
        problems = [*run.problems(workers)]
        told = run.told(seconds) | {"lost, doubled or different": len(problems)}
    if keep is not None:
        keep(told)
    return Figure(
        f"seed {crowd.seed}", ", ".join(f"{name} {count:,}" for name, count in told.items()), problems
    )


class _Hub:
    """Two nodes on one PostgreSQL, and what is done to them."""

    def __init__(self, postgres: PrivatePostgres, crowd: Crowd) -> None:
        self.postgres, self.crowd, self.chance = postgres, crowd, random.Random(crowd.seed)
        self.url, self.killed, self.restarted = postgres.database(), 0, 0
        self.administration = Database(self.url)
        self.administration.migrate()
        self.nodes = [Node(self.url), Node(self.url)]
        self.addresses = [node.address for node in self.nodes]

    def disturb(self, workers: "Sequence[subprocess.Popen[bytes]]") -> None:
        """Kill nodes and restart PostgreSQL, spread over the run, until the workers are done."""
        events = ["kill"] * self.crowd.kills + ["restart"] * self.crowd.restarts
        self.chance.shuffle(events)
        for number, event in enumerate(events, 1):
            due = self.crowd.saves * number / (len(events) + 1)
            while any(worker.poll() is None for worker in workers) and self._published() < due:
                time.sleep(0.1)
            if event == "kill":
                self._kill()
            else:
                self._restart()

    def rows(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        """Ask the database beside the hub, as its administrator."""
        with psycopg.connect(self.url, connect_timeout=5) as connection:
            return connection.execute(query.encode(), given).fetchall()

    def close(self) -> None:
        """End the nodes."""
        for node in self.nodes:
            node.__exit__()

    def _published(self) -> int:
        ((count,),) = self.rows("SELECT coalesce(sum(seq), 0)::bigint FROM memdir.space")
        return int(count)

    def _kill(self) -> None:
        """End one node as a power cut does, and start it again on its port."""
        which = self.chance.randrange(len(self.nodes))
        self.nodes[which].end(signal.SIGKILL)
        self.killed += 1
        time.sleep(self.chance.random())
        self.nodes[which].start()

    def _restart(self) -> None:
        """Restart PostgreSQL: as an administrator does, or as a crash."""
        self.postgres.restart(self.chance.choice([signal.SIGINT, signal.SIGQUIT]))
        self.restarted += 1


class _CrowdRun:
    """The clients, what they did, and what has to be left of it."""

    def __init__(self, hub: _Hub, crowd: Crowd, folder: Path) -> None:
        self.hub, self.crowd, self.folder = hub, crowd, folder
        names = [f"space-{number}" for number in range(crowd.spaces)]
        spaces, tokens = Spaces(hub.administration), Tokens(hub.administration)
        for name in names:
            spaces.create(name)
        self.clients = [
            ClientSettings(
                number,
                space := names[number % len(names)],
                tokens.create(space, f"client {number}"),
                hub.addresses,
                str(folder),
            )
            for number in range(crowd.clients)
        ]
        self.reports: list[dict[str, Any]] = []

    def started(self) -> "list[subprocess.Popen[bytes]]":
        """Give each space the memory that all share, and start the processes of the clients."""
        for client in self.clients[: self.crowd.spaces]:
            paragraphs = [
                f"Client {one.number}: nothing." for one in self.clients if one.space == client.space
            ]
            first = Laptop(client, self.crowd.seed)
            first.memory.remember(
                "\n\n".join(paragraphs), kind="reference", name=SHARED, description="Of all"
            )
            first.sync()
        return [self._process(number) for number in range(self.crowd.processes)]

    def _process(self, number: int) -> "subprocess.Popen[bytes]":
        clients = [asdict(client) for client in self.clients[number :: self.crowd.processes]]
        quota = self.crowd.saves // self.crowd.clients
        task = self.folder / f"{number}.task"
        task.write_text(json.dumps({"seed": self.crowd.seed, "quota": quota, "clients": clients}))
        command = [sys.executable, "-m", "tests.hub.laptop", str(task)]
        return subprocess.Popen(command, env={**os.environ, **WORDS_ALONE})

    def problems(self, workers: "Sequence[subprocess.Popen[bytes]]") -> Iterator[str]:
        """Yield what was lost, doubled or differs."""
        yield from (f"a process of clients ended with {one.returncode}" for one in workers if one.returncode)
        for number in range(self.crowd.processes):
            report = self.folder / f"{number}.report"
            self.reports += json.loads(report.read_text()) if report.exists() else []
        yield from self._different()
        yield from self._lost()
        yield from self._doubled()

    def told(self, seconds: float) -> dict[str, int]:
        """Return the figures."""
        ((versions,),) = self.hub.rows("SELECT count(*) FROM memdir.version")
        return {
            "clients": self.crowd.clients,
            "spaces": self.crowd.spaces,
            "nodes": len(self.hub.nodes),
            "saves acknowledged": sum(len(one["acknowledged"]) for one in self.reports),
            "seconds": int(seconds),
            "versions": versions,
            "kills of nodes": self.hub.killed,
            "restarts of PostgreSQL": self.hub.restarted,
            "syncs tried again": sum(one["failed"] for one in self.reports),
        }

    def _different(self) -> Iterator[str]:
        """Sync all clients until nothing is new, and compare their bytes with those of the hub."""
        laptops = [Laptop(client, self.crowd.seed) for client in self.clients]
        for _ in range(_ROUNDS):
            results = [laptop.sync() for laptop in laptops]
            if not any(result.changed for result in results):
                break
        else:
            yield f"clients still change something after {_ROUNDS} syncs each"
        for laptop in laptops:
            if directory_bytes(laptop.directory) != self._held(laptop.settings.space):
                yield f"client {laptop.settings.number} does not hold what the hub holds"

    def _held(self, space: str) -> dict[str, bytes]:
        query = """
            SELECT h.file, v.data FROM memdir.head h
            JOIN memdir.version v ON v.space = h.space AND v.seq = h.seq
            JOIN memdir.space s ON s.id = h.space WHERE s.name = %s AND NOT h.deleted
        """
        return {file: bytes(data) for file, data in self.hub.rows(query, space)}

    def _lost(self) -> Iterator[str]:
        """Yield acknowledged words that are not in the log, and last words that are not in their file."""
        texts = [
            bytes(data).decode()
            for (data,) in self.hub.rows("SELECT data FROM memdir.version WHERE data IS NOT NULL")
        ]
        logged = {word for text in texts for word in WORD.findall(text)}
        present = {
            client.space: {
                word for data in self._held(client.space).values() for word in WORD.findall(data.decode())
            }
            for client in self.clients[: self.crowd.spaces]
        }
        for report in self.reports:
            space = self.clients[report["number"]].space
            last = {name: word for word, name in report["saved"].items()}
            yield from (f"{word} is not in the log" for word in report["acknowledged"] if word not in logged)
            yield from (
                f"{word}, the last of {name!r}, is in no file"
                for name, word in last.items()
                if word not in present[space]
            )
            if len(report["acknowledged"]) < self.crowd.saves // self.crowd.clients:
                yield f"client {report['number']} got {len(report['acknowledged'])} saves acknowledged"

    def _doubled(self) -> Iterator[str]:
        """Yield texts that were published twice, and words that stand in two files."""
        query = """
            SELECT s.name, v.file, count(*) FROM memdir.version v JOIN memdir.space s ON s.id = v.space
            GROUP BY s.name, v.file, v.content HAVING count(*) > 1
        """
        for space, file, count in self.hub.rows(query):
            yield f"{file} of {space} was published {count} times with the same text"
        for client in self.clients[: self.crowd.spaces]:
            seen: dict[str, str] = {}
            for file, data in self._held(client.space).items():
                for word in WORD.findall(data.decode()):
                    if seen.setdefault(word, file) != file:
                        yield f"{word} stands in {seen[word]} and in {file}"


def main() -> int:
    """Run it as the options say, and print one line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, usual in asdict(Crowd()).items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument(
        "--record", action="store_true", help="keep the figures as bench/recorded/hub-crowd.json"
    )
    os.environ |= WORDS_ALONE  # no save computes a vector
    given = vars(parser.parse_args())
    keep = partial(record, "hub-crowd", "python -m tests.hub.crowd --record") if given.pop("record") else None
    crowd = Crowd(**given)
    because = why_no_postgres()
    figure = not_run("the crowd", because) if because else crowd_figure(crowd, keep)
    print(figure)
    return 1 if figure.problems else 0


if __name__ == "__main__":
    sys.exit(main())
