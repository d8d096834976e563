"""Sync of 2,000 memories with a git remote on this disk, against plain git doing the same."""

import os
import subprocess
from time import perf_counter

from bench.figures import Pair, Row, interleaved
from bench.ground import Ground
from bench.topics import filled

__all__ = ["rows"]

_COUNT, _QUIET_ROUNDS, _FIRST_ROUNDS = 2_000, 15, 3


def rows(ground: Ground) -> list[Row]:
    """Return a sync with nothing new, a first sync, and a first sync of the second machine."""
    sides = _Sides(ground)
    first = [sides.first(number) for number in range(_FIRST_ROUNDS)]
    sent, received = (Pair(*zip(*pairs, strict=True)) for pairs in zip(*first, strict=True))
    quiet = interleaved(sides.quiet, sides.fetch, _QUIET_ROUNDS)
    return [
        quiet.row("sync of 2,000 memories with nothing new, against `git fetch`", 3),
        sent.row("first sync of 2,000 memories, against add, commit and push", 3),
        received.row("first sync of 2,000 memories on a second machine, against `git clone`", 3),
    ]


class _Sides:
    """A remote for us and one for plain git, on the same disk."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def first(self, number: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Sync two new machines, and do the same with git: seconds to send and to receive, ours and git's."""
        top = self._ground.path(f"sync-{number}")
        for name in ("ours.git", "plain.git"):
            self._git("init", "--quiet", "--bare", "--initial-branch=main", os.path.join(top, name))
        memory, plain = os.path.join(top, "memory"), os.path.join(top, "plain")
        filled(memory, _COUNT)
        filled(plain, _COUNT)
        ours = [self._synced(top, name) for name in ("memory", "second")]
        self._git("init", "--quiet", "--initial-branch=main", plain)
        begun = perf_counter()
        for words in (
            ("add", "."),
            ("commit", "--quiet", "--message", "All"),
            ("push", "--quiet", *_to(top)),
        ):
            self._git("-C", plain, *words)
        sent = perf_counter() - begun
        begun = perf_counter()
        self._git("clone", "--quiet", _to(top)[0], os.path.join(top, "clone"))
        return (ours[0], sent), (ours[1], perf_counter() - begun)

    def quiet(self) -> float:
        """Sync a machine whose remote has nothing new, as a handle that was opened for it does."""
        return self._synced(self._ground.path("sync-0"), "memory")

    def fetch(self) -> float:
        """Fetch with git where there is nothing new."""
        begun = perf_counter()
        self._git("-C", self._ground.path("sync-0", "clone"), "fetch", "--quiet")
        return perf_counter() - begun

    def _synced(self, top: str, name: str) -> float:
        with self._ground.subject(os.path.join(top, name), os.path.join(top, f"{name}-state")) as subject:
            return float(subject.ask("sync", url=f"file://{os.path.join(top, 'ours.git')}")["seconds"])

    def _git(self, *words: str) -> None:
        who = ["-c", "user.name=East", "-c", "user.email=east@example.org"]
        subprocess.run(["git", *who, *words], check=True, env=self._ground.env, capture_output=True)


def _to(top: str) -> tuple[str, str]:
    return f"file://{os.path.join(top, 'plain.git')}", "HEAD:refs/heads/main"
