"""Compiles the rules of a memory directory: every file is looked at, and read when it is not as it was.

What is found in memory decides. The cache holds one line for each file; it is believed as a whole or not at
all, and what may still change without showing it is not written to it.

A host waits for this module: it imports late.
"""

import os
from contextlib import suppress
from hashlib import sha256
from time import time_ns
from typing import TYPE_CHECKING
from zlib import crc32

from memdir.disk.files import NO_FILE, Folder, Unreadable, make_folder
from memdir.errors import HistoryError, NoSuchMemory, Rejected
from memdir.memories.enforce import rule_lines, rules_in, rules_of
from memdir.memories.names import TEAM_FOLDER
from memdir.memories.scan import ScanReport, topic_files
from memdir.rules.store import FIELD, Row
from memdir.text.frontmatter.header import LONGEST_HEADER, TOO_LONG, parse
from memdir.text.value import field, value_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memdir.memories.history.recorder import Recorder
    from memdir.memories.writer import Writer

__all__ = ["CompiledRules", "compile_rules"]

_FILE, _VERSION = "rules", b"memdir rules 5"
"""The version is another one whenever rules are read in another way than before."""
_SIGNATURE = "{0.st_mtime_ns} {0.st_ctime_ns} {0.st_size} {0.st_ino}"
"""Differs for a file that changed."""
_FIELDS = 8
"""Those of a row; a file that holds no rule has two, its name and its signature."""

_HEADER_BYTES = 4 * LONGEST_HEADER + 1
"""What the longest header may take, and one more to see that it goes on: a character has four at the most."""

_TRIES = 3
"""Looks at a directory in which names come and go meanwhile: what one look misses, another finds."""

_TICK_NS, _SECOND_NS = 20_000_000, 1_000_000_000
"""A file may change once more within a tick of the clock and show the same time: 10 ms at the longest, or a
second where the file system counts in seconds."""

_RECORDED_NS = 10 * _SECOND_NS
"""After that, history knows who wrote a file: a save puts it in place first and writes it down next."""

_WHY, _LONGEST_WHY = "**Why:**", 200
"""How a memory begins the line with its reason, and characters of it that a stopped call is told."""

_SOMEBODY = "somebody that cannot be looked up: the history cannot be read"


@value_class(frozen=True, slots=True)
class CompiledRules:
    """The rules of a directory as its files say them now."""

    rows: tuple[Row, ...] = ()
    unknown: str = ""
    """Why there may be more rules than these; empty when all are known."""
    settled: bool = True
    """Whether this holds until the directory shows a change."""
    memories: int = 0


def compile_rules(
    recorder: "Callable[[], Recorder]", directory: str, state: str, team: "Writer | None" = None
) -> CompiledRules:
    """Return all rules as the files of a directory say them now, the team's too, and what is unknown."""
    own = _compile_directory(recorder, directory, state)
    if team is None:
        return own
    theirs = _compile_directory(lambda: team.recorder, team.memories.path, team.memories.state)
    rows = [(f"{TEAM_FOLDER}{row[0]}", row[1], f"{TEAM_FOLDER}{row[2]}", *row[3:]) for row in theirs.rows]
    return CompiledRules(
        (*own.rows, *rows),
        own.unknown or theirs.unknown,
        own.settled and theirs.settled,
        own.memories + theirs.memories,
    )


def _compile_directory(recorder: "Callable[[], Recorder]", directory: str, state: str) -> CompiledRules:
    """Look at every memory of one directory."""
    try:
        folder = Folder(directory)
    except FileNotFoundError:
        return CompiledRules()
    except OSError as error:
        return CompiledRules(unknown=f"{directory} cannot be read ({error.strerror})", settled=False)
    known = _cached_rows(state)
    with folder:
        look, steady = _Look(recorder, folder, known), False
        for _ in range(_TRIES):
            before = os.stat(folder.fd if folder.fd >= 0 else folder.path)
            look.scan()
            after = os.stat(folder.fd if folder.fd >= 0 else folder.path)
            steady = (after.st_mtime_ns, after.st_ctime_ns) == (before.st_mtime_ns, before.st_ctime_ns)
            if steady:
                break
    lasting = {file: row for file, row in look.rows.items() if file not in look.unsettled}
    if lasting != known:
        body = "\n".join(map(FIELD.join, lasting.values())).encode("utf-8", "replace")
        with suppress(OSError), make_folder(state) as cache:
            cache.replace_cache(_FILE, b"%s %08x\n%s" % (_VERSION, crc32(body), body))
    rows = tuple([row for row in look.rows.values() if len(row) == _FIELDS])
    unknown = next((f"{directory}/{file} cannot be read ({why})" for file, why in look.doubts.items()), "")
    return CompiledRules(rows, unknown, steady and not look.unsettled and not unknown, len(look.rows))


@value_class(frozen=True, slots=True)
class _Look:
    """What is seen of the files of a directory, in one look or several."""

    recorder: "Callable[[], Recorder]"
    folder: Folder
    known: "Mapping[str, Row]"
    rows: dict[str, Row] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)
    """What cannot be read, and why."""
    unsettled: set[str] = field(default_factory=set)
    """Files that may say something else soon without showing it."""

    def scan(self) -> None:
        """Look at every file once; what was seen before and is still there counts although it was missed."""
        findings, seen = ScanReport(), set[str]()
        self.doubts.clear()
        for file, entry in topic_files(self.folder, findings):
            seen.add(file)
            with suppress(FileNotFoundError):
                self._take(file, entry.stat(follow_symlinks=False))
        ruled = [file for file, row in self.known.items() if len(row) == _FIELDS]
        for file in {*ruled, *self.rows} - seen:
            self.rows.pop(file, None)
            with suppress(FileNotFoundError, NotADirectoryError):
                within, name = self.folder.holder(file)
                self._take(file, within.at(os.lstat, name))
        self.doubts.update(findings.closed)

    def _take(self, file: str, status: os.stat_result) -> None:
        known, young = self.known.get(file), _is_young(status, _TICK_NS)
        self.unsettled.discard(file)
        if young:
            self.unsettled.add(file)
        elif known and known[1] == _SIGNATURE.format(status):
            self.rows[file] = known
            return
        try:
            self.rows[file] = self._read(file)
        except OSError as error:
            self.rows.pop(file, None)
            if not isinstance(error, Unreadable) and error.errno not in NO_FILE:
                self.doubts[file] = error.strerror or str(error)
        except Rejected as error:
            self.rows.pop(file, None)
            self.doubts[file] = str(error)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, there may be a rule in it
            self.rows.pop(file, None)
            self.doubts[file] = f"{type(error).__name__}: {error}"

    def _read(self, file: str) -> Row:
        """Return the compiled form of one file."""
        data, status = self.folder.read(file, _HEADER_BYTES, shared=True)
        if len(data) < status.st_size and data.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
            data, status = self.folder.read(file, shared=True)  # its header may go on
        signature = _SIGNATURE.format(status)
        if b"enforce" not in data:
            return (file, signature)
        text = data.decode("utf-8", "replace")
        front = parse(text)
        lines = [*_readable_rules(rules_of(front))]
        if TOO_LONG in front.problems:  # there may be more rules than these
            self.doubts[file] = TOO_LONG
            self.unsettled.add(file)
        if not lines:
            return (file, signature)
        claimed = front.metadata.get("source") or "user"  # a header may say that it is not the user's
        whose = self._rule_writer(file, lines) or f"another source ({claimed})" * (claimed != "user")
        if whose == _SOMEBODY or (whose and _is_young(status, _RECORDED_NS)):
            self.unsettled.add(file)
        name = front.fields.get("name") or file
        reason = "; why: ".join(filter(None, (front.fields.get("description", ""), _why(text))))
        texts = (name, reason, front.metadata.get("expires", ""), whose)
        plain = [" ".join(one.replace(FIELD, " ").split()) for one in texts]
        sha = sha256(data).hexdigest() if len(data) == status.st_size else ""
        return (file, signature, *plain, "; ".join(lines), sha)

    def _rule_writer(self, file: str, lines: list[str]) -> str:
        from memdir.memories.history.authorship import rules_writer  # which a file that is as it was spares

        before = self.known.get(file, ())
        whose, text, sha = before[-3:] if len(before) == _FIELDS else ("", "", "")
        known = (sha, rule_lines(text)) if not whose and sha else ("", ())
        try:
            return rules_writer(self.recorder(), file, lines, _readable_rules, known)
        except (HistoryError, NoSuchMemory, OSError):
            return _SOMEBODY


def _cached_rows(state: str) -> dict[str, Row]:
    """Return what was known of each file; nothing when the cache is not exactly what was written."""
    try:
        with open(os.path.join(state, _FILE), "rb") as file:
            head, _, body = file.read().partition(b"\n")
    except OSError:
        return {}
    if head != b"%s %08x" % (_VERSION, crc32(body)):
        return {}
    rows = [tuple(line.split(FIELD)) for line in body.decode("utf-8", "replace").split("\n") if line]
    return {row[0]: row for row in rows}


def _is_young(status: os.stat_result, margin: int) -> bool:
    """Tell whether a file changed so shortly ago that it may change again and show the same time."""
    changed = status.st_ctime_ns if os.name == "posix" else status.st_mtime_ns
    coarse = 2 * _SECOND_NS if changed % _SECOND_NS == 0 else 0
    return time_ns() - changed < max(margin, coarse)


def _why(text: str) -> str:
    """Return the reason that a memory gives for itself, short and without credentials; empty if none."""
    said = next((line for line in text.splitlines() if line.startswith(_WHY)), "")
    if not said:
        return ""
    from memdir.text.clip import shorten
    from memdir.text.secrets.search import mask_secrets

    return shorten(mask_secrets(said.removeprefix(_WHY).strip()), _LONGEST_WHY)


def _readable_rules(text: str) -> "Iterator[str]":
    """Yield the rules of a header that can be read; one that cannot be must not take the others with it."""
    for written in rule_lines(text):
        line = " ".join(written.replace(FIELD, " ").split())
        try:
            rules_in(line)
        except Rejected:
            continue
        yield line
