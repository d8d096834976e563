"""What was chosen becomes what is shown: read, looked into, cut, dated, with who said it, and charged."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from types import MappingProxyType
from zlib import crc32

from memdir.conversation.receipts import NamedMemory, Receipt, ShownMemory, receipt_query
from memdir.conversation.state import Conversation, Share
from memdir.disk.files import Folder
from memdir.errors import Cancelled, Conflict, LockTimeout, MemdirError
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import (
    Header,
    Provenance,
    Topic,
    age_in_words,
    days_old,
    freshness_note,
    saved_time,
    topic_from,
)
from memdir.recall.lexical.corpus import NO_TIME
from memdir.recall.superseded import without_replaced
from memdir.recall.turn import Late, Limits, RecallTurn, run_within
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
    "likely_lines",
    "line_of",
    "rebuild",
    "said_by",
    "shown_text",
    "who_said",
]

_TEXTS = Templates(__file__)

_LONGEST_NAME = 100
_LONGEST_DESCRIPTION = 200
_SOURCES = frozenset({"user", "assistant", "tool", "import", "team"})
_ACTORS = frozenset({"host", "extractor", "dream", "sync"})


def content_mark(data: bytes) -> str:
    """Return a short mark that changes with the content of a file."""
    return f"{len(data):x}-{crc32(data):08x}"


def join_blocks(blocks: Sequence[str]) -> str:
    """Return the blocks as one text; each takes its own length and a line end of the budget."""
    return "".join([f"{one}\n" for one in blocks])


def said_by(actor: str, source: str, claim: str) -> str:
    """Return in words whose words a memory is: as history knows it, or as its header merely claims."""
    if source in _SOURCES:
        who = _TEXTS.fill_escaped(f"who_{source}")
        return _TEXTS.fill_escaped("who_through", who=who, actor=actor) if actor in _ACTORS else who
    if claim in _SOURCES:
        return _TEXTS.fill_escaped("who_claimed", who=_TEXTS.fill_escaped(f"who_{claim}"))
    return _TEXTS.fill_escaped("who_unknown")


def block_of(
    topic: Topic, path: str, days: int, who: str, findings: Sequence[str], *, max_lines: int, max_bytes: int
) -> str:
    """Return a memory as one block of structure; its own text, cut, is all after the first blank line."""
    excerpt = _excerpt(shown_text(topic), max_lines, max_bytes)
    place = Prose(fast_escape(quote(path)))
    notes = [
        freshness_note(days),
        *[" ".join(fast_escape(finding).split()) for finding in findings],
        _TEXTS.fill_escaped("cut", path=place) if excerpt.cut else "",
    ]
    return _TEXTS.fill_escaped(
        "memory",
        path=place,
        kind=Prose(fast_escape(topic.header.kind or "none")),
        name=Prose(_shown_name(topic.header.name)),
        age=age_in_words(days),
        who=Prose(who),
        notes=Prose("\n".join(filter(None, notes))),
        body=Prose(excerpt.text),
    )


def line_of(topic: Topic, path: str) -> Prose:
    """Return one line about a memory: its name, what it is about, and where it lies."""
    about = " ".join((topic.header.description or shown_text(topic)).split())[:_LONGEST_DESCRIPTION]
    name, place = Prose(_shown_name(topic.header.name)), Prose(fast_escape(quote(path)))
    return _TEXTS.fill_escaped("likely_line", name=name, description=about, path=place)


def likely_lines(lines: Sequence[str]) -> Prose:
    """Return such lines under their sentence."""
    return _TEXTS.fill_escaped("likely", lines=Prose("\n".join(lines)))


def shown_text(topic: Topic) -> str:
    """Return what a memory has to say: its body, or where it has none its description."""
    return topic.body.strip("\n") if topic.body.strip() else topic.header.description


def who_said(topic: Topic, known: Provenance | None) -> str:
    """Return in words whose words a memory is."""
    if known is None:
        return said_by("", "", _claimed_source(topic))
    if known.person:
        person = Prose(fast_escape(quote(known.person[:_LONGEST_NAME])))
        return _TEXTS.fill_escaped("who_person", person=person, day=known.sent)
    return said_by(known.actor, known.source, _claimed_source(topic))


def _claimed_source(topic: Topic) -> str:
    """Return whom the header names as the source: a claim, which anybody may write."""
    return parse(topic.text).metadata.get("source", "")


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


def _shown_name(name: str) -> str:
    """Return the name in quotes that it cannot close: what follows in the line is not the memory's to say."""
    return fast_escape(quote(name[:_LONGEST_NAME]))


_LEAST_WAIT = 0.05
"""Seconds that a conversation's record is waited for even when the time is up: it is held for less."""

_CHECKING = 0.8
"""Share of the time left that may go into checking claims: what was found still has to be shown."""


@value_class(frozen=True, slots=True)
class RecallOutput:
    """What a conversation is shown, and why not the rest of what was chosen."""

    blocks: tuple[str, ...]
    """What is shown of each."""
    shown: tuple[ShownMemory, ...]
    cuts: dict[str, str]
    named: tuple[NamedMemory, ...] = ()
    """Those of which one line is shown."""
    lines: str = ""
    """These lines under their sentence."""

    @property
    def text(self) -> str:
        """All of it as one text."""
        return join_blocks([*self.blocks, *filter(None, [self.lines])])


@value_class(frozen=True, slots=True)
class _Read:
    topic: Topic
    status: os.stat_result
    mark: str


@value_class(frozen=True, slots=True)
class Surfacer:
    """Shows memories of one directory to one conversation."""

    memories: MemoryDir
    conversation: Conversation
    limits: Limits
    writer_of: Callable[[str, os.stat_result], Provenance | None]
    """Who wrote the file with this stat through memdir."""
    findings: Callable[[Topic, float], Sequence[str]]
    """What checking a memory's claims against the project finds in so many seconds, one line each."""

    def already_shown(self) -> tuple[set[str], set[str]]:
        """Return the files that this conversation was shown as they now are: in full, and as a line."""
        before, shown, named = self.conversation.shown_marks(), set[str](), set[str]()
        if not before:
            return shown, named
        with self.memories.open_folder() as folder:
            for file, mark in before.items():
                with suppress(OSError):
                    now = content_mark(folder.read(file)[0]) if folder else ""
                    shown |= {file} if mark == now else set()
                    named |= {file} if mark == _line_mark(now) else set()
        return shown, named

    def surface(
        self,
        turn: RecallTurn,
        chosen: Sequence[Header],
        now: datetime,
        likely: Sequence[Header] = (),
        older: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> RecallOutput:
        """Return what is shown of these, and of the likely in lines; it counts as shown from here on.

        `older` is what is said of memories that were left out for one of these, by its file.
        """
        cuts: dict[str, str] = {}
        blocks: dict[ShownMemory, str] = {}
        read = self._read(chosen, cuts)
        left_out, replaced = without_replaced([one.topic for one in read])
        cuts |= left_out
        read = [one for one in read if one.topic.header.file not in left_out]
        for one, (who, findings) in zip(read, self._check_in_time(turn, read), strict=True):
            header = one.topic.header
            notes = (*older.get(header.file, ()), *replaced[header.file], *findings)
            row = ShownMemory(header.file, one.mark, days_old(header.saved_at, now), who, notes)
            try:
                path, size = self.memories.full_path(header.file), self.limits
                blocks[row] = block_of(
                    one.topic, path, row.days, who, notes, max_lines=size.lines, max_bytes=size.bytes
                )
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                cuts[header.file] = f"it could not be shown: {_error_text(error)}"
        lines = self._lines(likely, cuts)
        cuts |= self._charge(turn, blocks, lines)
        kept = {row: text for row, text in blocks.items() if row.file not in cuts}
        named = {row: text for row, text in lines.items() if row.file not in cuts}
        under = likely_lines(list(named.values())) if named else ""
        return RecallOutput(tuple(kept.values()), tuple(kept), cuts, tuple(named), under)

    def _lines(self, likely: Sequence[Header], cuts: dict[str, str]) -> dict[NamedMemory, str]:
        """Return one line of each of these that can be read."""
        return {
            NamedMemory(one.topic.header.file, _line_mark(one.mark)): line_of(
                one.topic, self.memories.full_path(one.topic.header.file)
            )
            for one in self._read(likely, cuts)
        }

    def _read(self, chosen: Sequence[Header], cuts: dict[str, str]) -> list[_Read]:
        found: list[_Read] = []
        with self.memories.open_folder() as folder:
            for header in chosen:
                try:
                    one = _read(folder, header.file)
                except OSError as error:
                    cuts[header.file] = f"it could not be read: {error.strerror or error}"
                    continue
                except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                    cuts[header.file] = f"it could not be read: {_error_text(error)}"
                    continue
                if shown_text(one.topic):
                    found.append(one)
                else:
                    cuts[header.file] = "it is empty"
        return found

    def _check_in_time(self, turn: RecallTurn, read: Sequence[_Read]) -> list[tuple[str, tuple[str, ...]]]:
        """Find out who said each and whether it still holds, beside us: the prompt waits no longer for it."""
        who, found = dict[int, str](), dict[int, tuple[str, ...]]()
        try:
            if read:
                run_within(
                    turn.seconds_left(),
                    turn.timer,
                    lambda: self._check_memories(turn, read, who, found),
                    turn.called_off,
                )
        except Late:
            turn.fallbacks.append(f"not everything was looked up about what is shown: {NO_TIME}")
            turn.unfinished = True
        unknown = _TEXTS.fill_escaped("who_unchecked")
        for n, one in enumerate(read):
            if n not in found and is_checkable(one.topic):
                found[n] = (_TEXTS.fill_escaped("unchecked"),)
        return [(who.get(n, unknown), found.get(n, ())) for n in range(len(read))]

    def _check_memories(
        self, turn: RecallTurn, read: Sequence[_Read], who: dict[int, str], found: dict[int, tuple[str, ...]]
    ) -> None:
        for number, one in enumerate(read):
            with _note_errors(turn, one, "who wrote it was not looked up"):
                who[number] = who_said(one.topic, self.writer_of(one.topic.header.file, one.status))
        for number, one in enumerate(read):
            seconds = _CHECKING * turn.seconds_left() / (len(read) - number)
            with _note_errors(turn, one, "its claims were not checked"):
                found[number] = tuple(self.findings(one.topic, seconds))

    def _charge(
        self, turn: RecallTurn, blocks: dict[ShownMemory, str], lines: dict[NamedMemory, str]
    ) -> dict[str, str]:
        """Charge what is shown to the conversation; return what it may not be shown."""
        if turn.called_off.is_set():
            raise Cancelled("The recall was called off.")
        shares = [
            Share(row.file, row.mark, len(join_blocks([text]).encode())) for row, text in blocks.items()
        ]
        frame = len(join_blocks([likely_lines([])]).encode()) if lines else 0
        for row, text in lines.items():  # the first line pays for the sentence above all of them
            shares.append(Share(row.file, row.mark, len(join_blocks([text]).encode()) + frame))
            frame = 0
        try:
            wait = max(turn.seconds_left(), _LEAST_WAIT)
            return self.conversation.take(shares, self.limits.session_bytes, seconds=wait)
        except LockTimeout:
            busy = "another process kept the record of this conversation locked"
            return {share.file: busy for share in shares}
        except OSError as error:
            turn.fallbacks.append(f"what was shown could not be written down: {error.strerror or error}")
            return {}


def rebuild(memories: MemoryDir, receipt: Receipt) -> str:
    """Return the very text that a recall gave, from its receipt and the files as they were then."""
    with memories.open_folder() as folder:
        blocks = [
            block_of(
                _read_unchanged(folder, row).topic,
                memories.full_path(row.file),
                row.days,
                row.who,
                row.findings,
                max_lines=receipt.max_lines,
                max_bytes=receipt.max_bytes,
            )
            for row in receipt.shown
        ]
        lines = [
            line_of(_read_unchanged(folder, row).topic, memories.full_path(row.file)) for row in receipt.named
        ]
    return join_blocks([*blocks, *([likely_lines(lines)] if lines else [])])


def _read_unchanged(folder: Folder | None, row: ShownMemory | NamedMemory) -> _Read:
    """Read a file that is as it was when it was shown; else a `Conflict`."""
    with suppress(OSError):
        one = _read(folder, row.file)
        if row.mark in {one.mark, _line_mark(one.mark)}:
            return one
    raise Conflict(f"{row.file} changed after this recall. `memdir history` shows how.")


@contextmanager
def _note_errors(turn: RecallTurn, one: _Read, what: str) -> Iterator[None]:
    """Note what went wrong with one memory: whatever it is, it costs no other."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - see above
        turn.fallbacks.append(f"{one.topic.header.file}: {what}: {_error_text(error)}")


def _error_text(error: Exception) -> str:
    return receipt_query(str(error) if isinstance(error, MemdirError) else f"{type(error).__name__}: {error}")


def _read(folder: Folder | None, file: str) -> _Read:
    if folder is None:
        raise FileNotFoundError(file)
    data, status = folder.read(file)
    topic = topic_from(file, data.decode("utf-8", "replace"), saved_time(status.st_mtime_ns))
    return _Read(topic, status, content_mark(data))


def _line_mark(mark: str) -> str:
    """Return the mark of a memory of which only a line was shown: it may still be shown in full."""
    return f"line-{mark}"


def is_checkable(topic: "Topic") -> bool:
    """Say whether a memory may claim anything about a project; a text without these signs does not."""
    header = topic.header
    return bool(header.expires or re.search(_SIGNS, f"{header.description}\n{topic.body}"))


_SIGNS = (
    r"[`/~#$]|\]\(|20\d\d|\w\.\w|(?<![\w.])\.\w|\w\(|::|->|\w_\w|(?<!\w)_\w|[a-z0-9][A-Z]"  # code, years
    r"|[Ff]ile\b|makefile|CODEOWNERS|LICENSE|CHANGELOG"
    r"|(?:npm|pnpm|yarn|bun|make|just|uv|poetry|pdm|rye|hatch|cargo) \S"
    r"|--[a-z]|[a-z0-9]-[a-z0-9]+-[a-z0-9]|\d{4}|\w:\w"  # options, names, ports, images
    r"|[\"\u201c]|(?i:tests?|specs?|it|describe|scenario|case)\b[^.\n]{0,12}'"  # titles of tests
    r"|(?:is|are|stays|remains|defaults|was|set|fixed|pinned|capped|limited|kept|now|to|at|=) \d"  # values
)
