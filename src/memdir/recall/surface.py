"""The text that a prompt is shown: memories read, checked, cut and dated, with who said each, and charged."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from zlib import crc32

from memdir.conversation.receipts import NamedMemory, Receipt, ShownMemory, receipt_query
from memdir.conversation.state import Share
from memdir.disk.files import Folder
from memdir.errors import Conflict, LockTimeout, MemdirError
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import (
    Provenance,
    Topic,
    age_in_words,
    days_old,
    freshness_note,
    saved_time,
    topic_from,
)
from memdir.recall.fusion import Ranked
from memdir.recall.lexical.corpus import NO_TIME
from memdir.recall.limits import Late, RecallTurn
from memdir.recall.selector import Choice, newer_topics
from memdir.text.clip import TextClip, clip_text
from memdir.text.fast_escape import fast_escape
from memdir.text.frontmatter.header import parse, quote
from memdir.text.templates import Prose, Templates
from memdir.text.value import value_class

__all__ = [
    "RecallOutput",
    "Surfacer",
    "block_of",
    "content_mark",
    "is_checkable",
    "join_blocks",
    "rebuild",
    "shown_text",
    "who_said",
]

_TEXTS = Templates(__file__)

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 200
_SOURCES = frozenset({"user", "assistant", "tool", "import", "team"})
_ACTORS = frozenset({"host", "extractor", "dream", "sync"})

_LEAST_WAIT = 0.05
"""Least seconds to wait for a conversation's record, even when the time is up: others hold it for less."""

_CHECKING = 0.8
"""Share of the time left that may go into checking claims: what was found still has to be shown."""

_LINE = "line-"
"""Begins the mark of a memory of which only a line was shown: it may still be shown in full."""

_SIGNS = (
    r"[`/~#$]|\]\(|20\d\d|\w\.\w|(?<![\w.])\.\w|\w\(|::|->|\w_\w|(?<!\w)_\w|[a-z0-9][A-Z]"  # code, years
    r"|[Ff]ile\b|makefile|CODEOWNERS|LICENSE|CHANGELOG"
    r"|(?:npm|pnpm|yarn|bun|make|just|uv|poetry|pdm|rye|hatch|cargo) \S"
    r"|--[a-z]|[a-z0-9]-[a-z0-9]+-[a-z0-9]|\d{4}|\w:\w|:\d"  # options, names, ports, images
    r"|[\"\u201c]|(?i:tests?|specs?|it|describe|scenario|case)\b[^.\n]{0,12}'"  # titles of tests
    r"|(?:is|are|stays|remains|defaults|was|set|fixed|pinned|capped|limited|kept|now|to|at|=) [vV]?\d"
)


def is_checkable(topic: Topic) -> bool:
    """Return whether a memory may claim anything about a project; a text without these signs does not."""
    header = topic.header
    return bool(header.expires or re.search(_SIGNS, f"{header.description}\n{topic.body}"))


def content_mark(data: bytes) -> str:
    """Return a short mark that changes with the content of a file."""
    return f"{len(data):x}-{crc32(data):08x}"


def shown_text(topic: Topic) -> str:
    """Return what a memory has to say: its body, or where it has none its description."""
    return topic.body.strip("\n") if topic.body.strip() else topic.header.description


def who_said(topic: Topic, known: Provenance | None) -> str:
    """Return in words who said a memory: as history knows it, or as its header merely claims."""
    if known is not None and known.person:
        person = Prose(fast_escape(quote(known.person[:_LONGEST_NAME])))
        return _TEXTS.fill_escaped("who_person", person=person, day=known.sent)
    if known is not None and known.source in _SOURCES:
        who = _TEXTS.fill_escaped(f"who_{known.source}")
        through = known.actor in _ACTORS
        return _TEXTS.fill_escaped("who_through", who=who, actor=known.actor) if through else who
    claim = parse(topic.text).metadata.get("source", "")  # which anybody may write
    if claim in _SOURCES:
        return _TEXTS.fill_escaped("who_claimed", who=_TEXTS.fill_escaped(f"who_{claim}"))
    return _TEXTS.fill_escaped("who_unknown")


def block_of(topic: Topic, path: str, row: ShownMemory, *, max_lines: int, max_bytes: int) -> str:
    """Return a memory as one block: what memdir says of it, a blank line, and its own text, cut."""
    excerpt = _excerpt(shown_text(topic), max_lines, max_bytes)
    place = Prose(fast_escape(quote(path)))
    notes = [
        freshness_note(row.days),
        *[" ".join(fast_escape(finding).split()) for finding in row.findings],
        _TEXTS.fill_escaped("cut", path=place) if excerpt.cut else "",
    ]
    return _TEXTS.fill_escaped(
        "memory",
        path=place,
        kind=Prose(fast_escape(topic.header.kind or "none")),
        name=_shown_name(topic),
        age=age_in_words(row.days),
        who=Prose(row.who),
        notes=Prose("\n".join(filter(None, notes))),
        body=Prose(excerpt.text),
    )


def _line_of(topic: Topic, path: str) -> Prose:
    """Return one line about a memory: its name, what it is about, and where it lies."""
    about = " ".join((topic.header.description or shown_text(topic)).split())[:_LONGEST_DESCRIPTION]
    place = Prose(fast_escape(quote(path)))
    return _TEXTS.fill_escaped("likely_line", name=_shown_name(topic), description=about, path=place)


def _shown_name(topic: Topic) -> Prose:
    """Return the name in quotes that it cannot close: so it cannot fake the rest of the line."""
    return Prose(fast_escape(quote(topic.header.name[:_LONGEST_NAME])))


def _excerpt(body: str, max_lines: int, max_bytes: int) -> TextClip:
    """Return the escaped beginning that fits; the cut comes first, so that a large text costs no more."""
    room = max_bytes
    while True:
        part = clip_text(body, max_lines=max_lines, max_bytes=room)
        shown = fast_escape(part.text).rstrip()
        size = len(shown.encode())
        if size <= max_bytes:
            return TextClip(shown, part.cut)
        room = min(room - 1, room * max_bytes // size)  # escaping made it longer


def join_blocks(blocks: Sequence[str], lines: Sequence[str] = ()) -> str:
    """Return blocks, and lines under their sentence, as one text.

    Each takes its own length and a line end of the budget.
    """
    likely = [_TEXTS.fill_escaped("likely", lines=Prose("\n".join(lines)))] if lines else []
    return "".join([f"{one}\n" for one in (*blocks, *likely)])


@value_class(frozen=True, slots=True)
class RecallOutput:
    """What a conversation is shown, and why not the rest of what was chosen."""

    blocks: dict[ShownMemory, str]
    """What is shown in full."""
    lines: dict[NamedMemory, str]
    """What is shown as one line each."""
    cuts: dict[str, str]
    """Why the others are not shown, by file."""

    @property
    def text(self) -> str:
        """All of it as one text."""
        return join_blocks([*self.blocks.values()], [*self.lines.values()])


@value_class(frozen=True, slots=True)
class _MemoryFile:
    file: str
    topic: Topic
    status: os.stat_result
    mark: str


@value_class(frozen=True, slots=True)
class Surfacer:
    """Shows memories of one directory in one turn."""

    memories: MemoryDir
    turn: RecallTurn
    writer_of: Callable[[str, os.stat_result], Provenance | None]
    """Who wrote the file with this stat through memdir."""
    findings: Callable[[Topic, float], Sequence[str]]
    """What checking a memory's claims against the project finds in so many seconds, one line each."""

    def already_shown(self) -> tuple[set[str], set[str]]:
        """Return the files that this conversation was shown as they now are: in full, and as a line."""
        before, shown, named = self.turn.conversation.shown_marks(), set[str](), set[str]()
        if not before:
            return shown, named
        with self.memories.open_folder() as folder:
            if folder is None:
                return shown, named
            for file, mark in before.items():
                with suppress(OSError):
                    now = content_mark(folder.read(file)[0])
                    if mark == now:
                        shown.add(file)
                    elif mark == _LINE + now:
                        named.add(file)
        return shown, named

    def surface(self, choice: Choice, now: datetime) -> RecallOutput:
        """Return what is shown of a choice; it counts as shown from here on."""
        cuts, blocks, limits = dict[str, str](), dict[ShownMemory, str](), self.turn.limits
        read = self._read(choice.certain, cuts)
        contradicted, replaced = newer_topics([one.topic for one in read])
        cuts |= contradicted
        read = [one for one in read if one.file not in contradicted]
        for one, (who, findings) in zip(read, self._check(read), strict=True):
            notes = (*choice.older.get(one.file, ()), *replaced[one.file], *findings)
            row = ShownMemory(one.file, one.mark, days_old(one.topic.header.saved_at, now), who, notes)
            try:
                path = self.memories.full_path(one.file)
                blocks[row] = block_of(one.topic, path, row, max_lines=limits.lines, max_bytes=limits.bytes)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                cuts[one.file] = f"it could not be shown: {_error_text(error)}"
        lines: dict[NamedMemory, str] = {
            NamedMemory(one.file, _LINE + one.mark): _line_of(one.topic, self.memories.full_path(one.file))
            for one in self._read(choice.likely, cuts)
        }
        cuts |= self._charge(blocks, lines)
        return RecallOutput(
            {row: text for row, text in blocks.items() if row.file not in cuts},
            {row: text for row, text in lines.items() if row.file not in cuts},
            cuts,
        )

    def _read(self, chosen: Sequence[Ranked], cuts: dict[str, str]) -> list[_MemoryFile]:
        """Return the memories that can be read and say something; note why not the others."""
        found: list[_MemoryFile] = []
        with self.memories.open_folder() as folder:
            for file in [one.header.file for one in chosen]:
                try:
                    one = _read_file(folder, file)
                except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                    why = (error.strerror or error) if isinstance(error, OSError) else _error_text(error)
                    cuts[file] = f"it could not be read: {why}"
                    continue
                if shown_text(one.topic):
                    found.append(one)
                else:
                    cuts[file] = "it is empty"
        return found

    def _check(self, read: Sequence[_MemoryFile]) -> list[tuple[str, tuple[str, ...]]]:
        """Return who said each and what checking its claims finds, as far as the prompt has time for it."""
        turn, who, found = self.turn, dict[str, str](), dict[str, tuple[str, ...]]()

        def look_up() -> None:
            for one in read:
                with _note_errors(turn, one.file, "who wrote it was not looked up"):
                    who[one.file] = who_said(one.topic, self.writer_of(one.file, one.status))
            for number, one in enumerate(read):
                seconds = _CHECKING * turn.seconds_left() / (len(read) - number)
                with _note_errors(turn, one.file, "its claims were not checked"):
                    found[one.file] = tuple(self.findings(one.topic, seconds))

        try:
            if read:
                turn.run(look_up, turn.seconds_left())
        except Late:
            turn.fallbacks.append(f"not everything was looked up about what is shown: {NO_TIME}")
            turn.unfinished = True
        unknown, unchecked = _TEXTS.fill_escaped("who_unchecked"), (_TEXTS.fill_escaped("unchecked"),)
        return [
            (
                who.get(one.file, unknown),
                found.get(one.file, unchecked if is_checkable(one.topic) else ()),
            )
            for one in read
        ]

    def _charge(self, blocks: dict[ShownMemory, str], lines: dict[NamedMemory, str]) -> dict[str, str]:
        """Charge what is shown to the conversation; return what it may not be shown."""
        turn = self.turn
        turn.check()
        shares = [
            Share(row.file, row.mark, len(join_blocks([text]).encode())) for row, text in blocks.items()
        ]
        heading = len(join_blocks([], [""]).encode())
        for row, text in lines.items():  # the first line pays for the sentence above all of them
            shares.append(Share(row.file, row.mark, len(join_blocks([text]).encode()) + heading))
            heading = 0
        try:
            wait = max(turn.seconds_left(), _LEAST_WAIT)
            return turn.conversation.take(shares, turn.limits.session_bytes, seconds=wait)
        except LockTimeout:
            busy = "another process kept the record of this conversation locked"
            return {share.file: busy for share in shares}
        except OSError as error:
            turn.fallbacks.append(f"what was shown could not be written down: {error.strerror or error}")
            return {}


def rebuild(memories: MemoryDir, receipt: Receipt) -> str:
    """Return the very text that a recall gave, from its receipt and the files as they were then.

    When a file changed since, this raises a `Conflict`.
    """
    size = {"max_lines": receipt.max_lines, "max_bytes": receipt.max_bytes}
    rows: list[ShownMemory | NamedMemory] = [*receipt.shown, *receipt.named]
    blocks, lines = list[str](), list[str]()
    with memories.open_folder() as folder:
        for row in rows:
            one, path = None, memories.full_path(row.file)
            with suppress(OSError):
                one = _read_file(folder, row.file)
            if one is None or row.mark not in {one.mark, _LINE + one.mark}:
                raise Conflict(f"{row.file} changed after this recall. `memdir history` shows how.")
            if isinstance(row, ShownMemory):
                blocks.append(block_of(one.topic, path, row, **size))
            else:
                lines.append(_line_of(one.topic, path))
    return join_blocks(blocks, lines)


def _read_file(folder: Folder | None, file: str) -> _MemoryFile:
    if folder is None:
        raise FileNotFoundError(file)
    data, status = folder.read(file)
    topic = topic_from(file, data.decode("utf-8", "replace"), saved_time(status.st_mtime_ns))
    return _MemoryFile(file, topic, status, content_mark(data))


@contextmanager
def _note_errors(turn: RecallTurn, file: str, what: str) -> Iterator[None]:
    """Note what went wrong with one memory; the others are shown all the same."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - see above
        turn.fallbacks.append(f"{file}: {what}: {_error_text(error)}")


def _error_text(error: Exception) -> str:
    return receipt_query(str(error) if isinstance(error, MemdirError) else f"{type(error).__name__}: {error}")
