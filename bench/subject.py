"""The side of memdir in every comparison: a process of the clean environment that does what a line asks.

Run as `python -I subject.py DIRECTORY STATE`; every answer is one line of JSON with the seconds it took.
"""

import sys
from time import perf_counter

_BEGUN = perf_counter()

from memdir.memory import Memory  # noqa: E402 - the import is part of what a fresh process pays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.recall.lexical.corpus import Corpus

__all__ = ["Subject"]


class Subject:
    """One handle on one directory, each verb timed."""

    def __init__(self, directory: str, state: str) -> None:
        """Open the directory and note what import and opening took."""
        self._memory = Memory.at(directory, state)
        self._place = directory, state
        self._corpus: Corpus | None = None
        self._opening = perf_counter() - _BEGUN
        self._after = {"history": 0.0, "vectors": 0.0}

    def open(self) -> dict[str, object]:
        """Tell what importing memdir and opening the directory took."""
        return {"seconds": self._opening}

    def list(self, limit: int | None = None) -> dict[str, object]:
        """List headers, and prove by a digest which ones in which order."""
        begun = perf_counter()
        headers = self._memory.list(limit=limit)
        seconds = perf_counter() - begun
        from hashlib import sha256

        digest = sha256()
        for header in headers:
            digest.update(f"{header.file}\n".encode())
        return {"seconds": seconds, "count": len(headers), "digest": digest.hexdigest()}

    def index(self) -> dict[str, object]:
        """Heal the view of the index."""
        begun = perf_counter()
        view = self._memory.context.index()
        return {"seconds": perf_counter() - begun, "lines": view.lines, "bytes": view.bytes}

    def rank(self, query: str) -> dict[str, object]:
        """Rank every memory for a query."""
        begun = perf_counter()
        ranked = self._memory.recalls.rank(query)
        return {"seconds": perf_counter() - begun, "count": len(ranked)}

    def fit(self, query: str) -> dict[str, object]:
        """Compare the words of a query with those of every memory, without a look at the files."""
        from heapq import nlargest

        corpus = self._corpus = self._corpus or self._opened_corpus()
        begun = perf_counter()
        scores = corpus.fit(query).scores
        best = nlargest(5, zip(scores, range(len(scores)), strict=True))
        return {"seconds": perf_counter() - begun, "count": len(scores), "best": best[0][1]}

    def _opened_corpus(self) -> "Corpus":
        from memdir.memories.directory import MemoryDir
        from memdir.recall.lexical.corpus import Corpus

        corpus = Corpus(MemoryDir(*self._place))
        corpus.refresh()
        return corpus

    def save(
        self, body: str, *, kind: str, name: str, description: str, why: str, how: str
    ) -> dict[str, object]:
        """Save one memory; the time up to the acknowledgement and that of history apart."""
        self._after = dict.fromkeys(self._after, 0.0)
        begun = perf_counter()
        saved = self._memory.remember(body, kind=kind, name=name, description=description, why=why, how=how)
        seconds = perf_counter() - begun
        return {"seconds": seconds - sum(self._after.values()), **self._after, "file": saved.file}

    def watch(self, *, follow: bool) -> dict[str, object]:
        """Time apart what follows the acknowledgement in the same call, history and vectors; or skip both."""
        from memdir.memories.history.recorder import Recorder
        from memdir.recall.semantic.vectors import VectorStore

        for owner, verb, part in ((Recorder, "follow", "history"), (VectorStore, "learn", "vectors")):
            setattr(owner, verb, self._timed(getattr(owner, verb), part, follow=follow))
        return {"seconds": 0.0}

    def _timed(
        self, original: "Callable[..., object]", part: str, *, follow: bool
    ) -> "Callable[..., object]":
        def timed(*arguments: object) -> object:
            begun = perf_counter()
            done = original(*arguments) if follow else 0
            self._after[part] += perf_counter() - begun
            return done

        return timed

    def adopt(self) -> dict[str, object]:
        """Mend the index on disk and have history know every file, as after years of use."""
        begun = perf_counter()
        self._memory.doctor.examine(fix=True)
        self._memory.history.list(limit=1)
        return {"seconds": perf_counter() - begun}

    def sync(self, url: str) -> dict[str, object]:
        """Sync with a remote, which is chosen first where none was."""
        if self._memory.sync.settings is None:
            self._memory.sync.init(url, folder="project", who="Ann")
        begun = perf_counter()
        done = self._memory.sync.run()
        return {"seconds": perf_counter() - begun, "sent": len(done.pushed), "received": len(done.pulled)}

    def peak(self) -> dict[str, object]:
        """Tell how many bytes were resident at most."""
        # Linux passes the peak of the starting process on in `ru_maxrss`; its own file knows better.
        try:
            with open("/proc/self/status", encoding="ascii") as status:
                return {
                    "bytes": 1024 * next(int(row.split()[1]) for row in status if row.startswith("VmHWM"))
                }
        except FileNotFoundError:
            import resource

            return {"bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def main() -> None:
    """Answer line by line until the input ends."""
    subject = Subject(sys.argv[1], sys.argv[2])
    import json

    for line in sys.stdin:
        verb, _, argument = line.rstrip("\n").partition(" ")
        answer = getattr(subject, verb)(**(json.loads(argument) if argument else {}))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
