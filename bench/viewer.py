"""Pages of the viewer with 10,000 memories beside the same pages with 100: `python -m bench.viewer`.

Each page was opened before, as by a person who comes back to it. A prompt that was not asked before is
ranked anew. After a pause nothing but the kernel's word says that no file was edited meanwhile.
"""

import http.client
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from time import perf_counter, sleep

from bench.figures import Row, interleaved, table
from bench.topics import filled

from memdir.memory import Memory
from memdir.viewer.answer_cache import FRESH

__all__ = ["main"]

_SMALL, _LARGE = 100, 10_000
_ROUNDS = 20
_PAUSES = 5
_PAUSE = 0.1
"""Seconds before each page: what is looked at beside the pages comes and goes meanwhile."""
_AT_MOST = 3.0
_PAGES = {
    "memories": "/",
    "memories, filtered": "/?q=e",
    "memories, sorted by name": "/?order=name",
    "memories, most recalled": "/?order=recalled",
    "one memory": "/memory/{file}",
    "ask": "/ask",
    "timeline": "/timeline",
    "context bill": "/context",
    "inbox": "/inbox",
    "rules": "/rules",
    "doctor": "/doctor",
}
_PROMPT = "/ask?q=who+owns+the+nightly+deploy%3F"
_ANOTHER = "/ask?q=who+owns+the+nightly+deploy+number+{number}%3F"


class _Pages:
    """One viewer on one memory."""

    def __init__(self, address: str, file: str) -> None:
        host, _, self._token = address.removeprefix("http://").partition("/")
        self._host, self._file, self._cookie = host, file, ""
        self._cookie = self._answer(f"/{self._token}")[1].partition(";")[0]

    def warm(self, path: str) -> None:
        """Open a page until it is all there, with the claims of what it lists checked beside it."""
        while any(words in self._answer(path)[2] for words in ("reloads by itself", "checking …")):
            sleep(0.5)

    def seconds(self, path: str) -> float:
        """Return how long a page takes."""
        sleep(_PAUSE)
        begun = perf_counter()
        status = self._answer(path)[0]
        taken = perf_counter() - begun
        assert status == 200, path
        return taken

    def _answer(self, path: str) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection(self._host, timeout=120)
        try:
            connection.request("GET", path.format(file=self._file), headers={"Cookie": self._cookie})
            answer = connection.getresponse()
            return answer.status, answer.getheader("set-cookie", ""), answer.read().decode()
        finally:
            connection.close()


@contextmanager
def _viewer(folder: str, count: int) -> Iterator[_Pages]:
    """Serve a memory of that many, with some recalls and changes of its own."""
    home, project = os.path.join(folder, f"home-{count}"), os.path.join(folder, f"project-{count}")
    os.mkdir(home)
    os.mkdir(project)
    env = {"HOME": home, "PATH": os.environ["PATH"]}
    memory = Memory.open(project, env)
    filled(memory.directory, count)
    for number in range(10):
        memory.remember(f"The deploy {number} is nightly.", kind="project", name=f"deploy-{number}")
        memory.recall(f"when is the deploy {number}?", budget=10)
    command = [sys.executable, "-c", "import sys; from memdir.cli.main import main; sys.exit(main())", "ui"]
    with subprocess.Popen(
        [*command, "--no-open"], env=env, cwd=project, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            yield _Pages(process.stdout.readline().strip(), "project_deploy-3.md")
        finally:
            process.terminate()


def main() -> int:
    """Measure, print the table, and fail when a page takes more than three times as long."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _viewer(folder, _SMALL) as small,
        _viewer(folder, _LARGE) as large,
    ):
        rows = [_row(name, path, small, large) for name, path in _PAGES.items()]
        rows.append(_row("ask, the same prompt again", _PROMPT, small, large))
        rows.append(_another("ask, another prompt", small, large, 0.0, _ROUNDS))
        rows.append(_another("ask, another prompt after a pause", small, large, FRESH + 1, _PAUSES))
    print(table(rows))
    return 0 if all(row.met is not False for row in rows) else 1


def _row(name: str, path: str, small: _Pages, large: _Pages) -> Row:
    for pages in (small, large, small, large):
        pages.warm(path)
    pair = interleaved(lambda: large.seconds(path), lambda: small.seconds(path), _ROUNDS)
    return pair.row(name, _AT_MOST)


def _another(name: str, small: _Pages, large: _Pages, pause: float, rounds: int) -> Row:
    """Measure prompts that nobody asked before, each after a pause in seconds."""
    numbers = count()

    def asked(pages: _Pages) -> float:
        sleep(pause)
        return pages.seconds(_ANOTHER.replace("{number}", f"{bool(pause)}{next(numbers)}"))

    return interleaved(lambda: asked(large), lambda: asked(small), rounds).row(name, _AT_MOST)


if __name__ == "__main__":
    sys.exit(main())
