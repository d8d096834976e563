"""Further processes that read headers: the same list as without them, whatever becomes of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from memdir.disk.files import Folder, folder_made
from memdir.memories.catalog.catalog import Catalog
from memdir.memories.catalog.readers import Readers
from memdir.memories.catalog.row import Entry, encoded, entry_read
from memdir.memories.scan import Findings, Skipped, topic_files
from memdir.memories.topic import Header

PACKAGE = str(Path(__file__).parents[4] / "src")
TEXT = '---\nname: "{name}"\ndescription: "{about}"\ntype: "feedback"\n---\n\nBody\n'
SECONDS = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    """Yield the directory that all but one only read."""
    with filled(tmp_path_factory.mktemp("readers")) as made:
        yield made


@contextmanager
def filled(outside: Path) -> Iterator[Folder]:
    """Yield a directory with every kind of file that a list comes across."""
    with folder_made(str(outside / "m")) as made:
        root = Path(made.path)
        for number in range(300):
            place = root / ("", "a", "a/b/c", "z")[number % 4]
            place.mkdir(parents=True, exist_ok=True)
            text = TEXT.format(name=f"n{number}", about="plain words" * (number % 50))
            (place / f"m{number}.md").write_text(text)
            os.utime(place / f"m{number}.md", (1000 + number // 3, 1000 + number // 3))
        plant(root, outside)
        yield made


def plant(root: Path, outside: Path) -> None:
    (outside / "outside.md").write_text("precious")
    (root / "link.md").symlink_to(outside / "outside.md")
    (root / "folder-link").symlink_to(outside)
    os.link(outside / "outside.md", root / "hard.md")
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    (root / "locked.md").write_text(TEXT.format(name="locked", about="x"))
    (root / "locked.md").chmod(0)
    name, about = b"\xff\xfe", b"caf\xe9 \xe3\x80\x80 x"
    (root / "bytes.md").write_bytes(
        b'---\nname: "%b"\ndescription: "%b"\ntype: "user"\n---\n' % (name, about)
    )
    Path(os.fsdecode(os.fsencode(root) + b"/bad-\xff.md")).write_text("x")
    (root / "yaml.md").write_text("---\nname: 'it''s'\ndescription: [one, two]\ntype: user\n---\n")
    (root / "odd.md").write_text(
        '---\nname: "a\\u2028b\\ud800"\nmetadata:\n  type: user\n  pinned: true\n---\n'
    )
    (root / "long.md").write_text(f'---\nname: "long"\ndescription: "{"x" * 20_000}"\n---\n')
    (root / "empty.md").write_text("")
    (root / "MEMORY.md").write_text("- index")
    (root / ".memdir-tmp-1-2").write_text("stale")
    (root / "logs").mkdir()
    (root / "logs" / "x.md").write_text("not one")
    os.utime(root / "odd.md", ns=(10**19 // 2, -(10**15)))


class Told(NamedTuple):
    """Everything that a refresh tells."""

    headers: list[Header]
    files: list[str]
    signatures: list[int | None]
    skipped: list[Skipped]
    litter: list[str]


def told(catalog: Catalog, folder: Folder) -> Told:
    catalog.refresh(folder)
    signatures = [catalog.signature(file) for file in catalog]
    return Told(catalog.headers(), [*catalog], signatures, catalog.findings.skipped, catalog.findings.litter)


def sent(folder: Folder, count: int) -> dict[str, Entry]:
    """Return all that so many readers send until they are done."""
    found: dict[str, Entry] = {}
    with Readers(folder, count) as readers:
        until = time.monotonic() + SECONDS
        while readers and time.monotonic() < until:
            for entries, rows in readers.answers():
                assert encoded(entries) == rows
                assert not found.keys() & {entry[2].file for entry in entries}
                found |= {entry[2].file: entry for entry in entries}
    return found


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended, though perhaps nobody has asked how."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except ProcessLookupError:
        return True
    except FileNotFoundError:
        return Path("/proc/self").exists()


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.01)


def program(folder: Path, script: str) -> Path:
    """Return a program that calls itself Python, says its number and does something else."""
    path = folder / "python-of-sorts"
    path.write_text(f'#!/bin/sh\necho $$ >> "{folder}/pids"\n{script}\n')
    path.chmod(0o755)
    return path


def pids(folder: Path) -> list[int]:
    """Return the numbers of all programs of that sort that were started."""
    path = folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_they_send_what_this_process_would_read(folder: Folder, count: int) -> None:
    files = [file for file, _ in topic_files(folder, Findings())]
    read = {file: entry_read(folder, file, Findings()) for file in files}
    expected = {file: entry for file, entry in read.items() if entry}
    found = sent(folder, count)
    # The package that reads lists may be out of their reach: such a header is left to this process.
    assert expected.keys() - found.keys() <= {"yaml.md"}
    assert found == {file: expected[file] for file in found}
    assert "hard.md" not in found


def test_a_list_with_help_equals_one_without(folder: Folder, tmp_path: Path) -> None:
    expected = told(Catalog(str(tmp_path / "s0")), folder)
    for many in (1, 7, 250):
        state = str(tmp_path / f"s{many}")
        assert told(Catalog(state, many=many), folder) == expected
        assert told(Catalog(state, many=many), folder).headers == expected.headers
    assert {"link.md", "hard.md", "pipe.md"} <= {item.file for item in expected.skipped}
    assert expected.litter == [".memdir-tmp-1-2"]


@pytest.mark.parametrize(
    "script",
    {
        "fails": "exit 3",
        "is killed": "kill -9 $$",
        "ends at once": "exit 0",
        "says nothing": "exec sleep 600",
        "talks nonsense": "exec yes nonsense",
        "sends noise": "exec cat /dev/urandom",
        "never ends a row": "exec tr '\\000' x < /dev/zero",
        "tells of other files": "exec printf '1\\0371\\037other.md\\037n\\037d\\037user\\037\\037\\037\\n'",
        "stops within a row": f'"{sys.executable}" "$@" | head -c 5000',
        "is killed on the way": f'"{sys.executable}" "$@" & sleep 0.05; kill -9 $!',
    }.items(),
    ids=lambda one: one[0],
)
def test_one_that_fails_costs_nothing_and_is_not_left_behind(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: tuple[str, str]
) -> None:
    expected = told(Catalog(str(tmp_path / "s0")), folder)
    monkeypatch.setattr(sys, "executable", str(program(tmp_path, script[1])))
    assert told(Catalog(str(tmp_path / "s1"), many=1), folder) == expected
    with Readers(folder, 2) as readers:
        wait_until(lambda: len(pids(tmp_path)) >= 2)
        said = {entry[2].file for _ in range(50) for entries, _ in readers.answers() for entry in entries}
    assert said <= {*expected.files, "other.md"}
    assert all(map(is_gone, pids(tmp_path)))


def test_none_is_left_behind_when_the_list_breaks_off(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(program(tmp_path, "exec sleep 600")))

    def break_off() -> None:
        with Readers(folder, 2):
            wait_until(lambda: len(pids(tmp_path)) == 2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert all(map(is_gone, pids(tmp_path)))


PARENT = """
import os, sys, time
package, sys.executable, directory, fork = sys.argv[1:]
sys.path.insert(0, package)
from memdir.disk.files import Folder
from memdir.memories.catalog.readers import Readers
with Folder.opened(directory) as folder, Readers(folder, 2):
    if fork and os.fork() == 0:
        print(os.getpid(), flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("fork", ["", "and somebody else holds the pipes"])
def test_they_end_by_themselves_when_the_parent_is_killed(tmp_path: Path, fork: str) -> None:
    (tmp_path / "m").mkdir()
    for number in range(700):  # more than the pipes hold
        (tmp_path / "m" / f"{number}.md").write_text(TEXT.format(name=number, about="x" * 3_900))
    python = program(tmp_path, f'exec "{sys.executable}" "$@"')
    command = [sys.executable, "-I", "-c", PARENT, PACKAGE, str(python), str(tmp_path / "m"), fork]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        holder = int(parent.stdout.readline()) if fork else 0
        try:
            wait_until(lambda: len(pids(tmp_path)) == 2)
            assert not any(map(is_gone, pids(tmp_path)))
            parent.kill()
            wait_until(lambda: all(map(is_gone, pids(tmp_path))))
        finally:
            parent.kill()
            if holder:
                os.kill(holder, signal.SIGKILL)


@pytest.mark.parametrize("name", [None, "", "/nowhere/python3", "editor"])
def test_a_program_that_is_no_python_is_never_started(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    started = program(tmp_path, "exit 0").rename(tmp_path / "editor")
    monkeypatch.setattr(sys, "executable", str(started) if name == "editor" else name)
    with Readers(folder, 2) as readers:
        assert not len(readers)
    assert not pids(tmp_path)
    assert told(Catalog(str(tmp_path / "s"), many=1), folder).files


FEW = """
import sys
sys.path.insert(0, sys.argv[1])
from memdir.memories.catalog.catalog import Catalog
from memdir.disk.files import Folder
with Folder.opened(sys.argv[2]) as folder:
    catalog = Catalog(sys.argv[3], many=10)
    catalog.refresh(folder)
print(len(catalog), len(catalog.findings.skipped))
"""


@pytest.mark.parametrize("descriptors", [8, 12, 24])
def test_few_descriptors_lose_nothing(tmp_path: Path, descriptors: int) -> None:
    for number in range(60):
        place = tmp_path / "m" / f"f{number}" / f"g{number % 3}"
        place.mkdir(parents=True)
        (place / "x.md").write_text(TEXT.format(name=number, about="x"))
    limited = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", sys.executable, "-I", "-c", FEW]
    done = subprocess.run(
        [*limited, PACKAGE, str(tmp_path / "m"), str(tmp_path / "s")],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    assert done.stdout.split() == ["60", "0"]


def test_files_that_change_meanwhile_are_told_as_they_are_at_the_end(tmp_path: Path) -> None:
    with filled(tmp_path) as folder:
        _change_meanwhile(folder, tmp_path)


def _change_meanwhile(folder: Folder, states: Path) -> None:
    done = threading.Event()

    def change() -> None:
        number = 0
        while not done.is_set():
            number += 1
            file = Path(folder.path) / f"m{4 * (number % 75)}.md"
            beside = file.with_suffix(".new")
            beside.write_text(TEXT.format(name=f"changed {number}", about="x"))
            beside.rename(file)
            (Path(folder.path) / f"come{number % 9}.md").write_text(f"{number}")
            (Path(folder.path) / f"come{(number + 4) % 9}.md").unlink(missing_ok=True)

    catalog, thread = Catalog(str(states / "s1"), many=1), threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(5):
            catalog.refresh(folder)
    finally:
        done.set()
        thread.join()
    assert told(catalog, folder) == told(Catalog(str(states / "s2")), folder)
