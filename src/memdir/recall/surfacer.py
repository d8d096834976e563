"""What was chosen becomes what is shown: read, looked into, rendered, and charged to the conversation.

A host waits for this module: it imports late.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType

from memdir.conversation.receipts import NamedMemory, Receipt, ShownMemory, receipt_query
from memdir.conversation.state import Conversation, Share
from memdir.disk.files import Folder
from memdir.errors import Cancelled, Conflict, LockTimeout, MemdirError
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header, Provenance, Topic, days_old, saved_time, topic_from
from memdir.recall.lexical.corpus import NO_TIME
from memdir.recall.limits import Limits
from memdir.recall.surface import content_mark, joined, likely_lines, line_of, piece_of, shown_text, who_said
from memdir.recall.turn import RecallTurn
from memdir.text.suppress import suppress
from memdir.text.templates import Templates
from memdir.text.value import value_class

__all__ = ["RecallOutput", "Surfacer", "rebuild"]

_TEXTS = Templates(__file__)

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
        return joined([*self.blocks, *filter(None, [self.lines])])


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
        before, shown, named = self.conversation.shown(), set[str](), set[str]()
        if not before:
            return shown, named
        with self.memories.opened() as folder:
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
        read, replaced = self._newest(self._read(chosen, cuts), cuts)
        for one, (who, findings) in zip(read, self._looks(turn, read), strict=True):
            header = one.topic.header
            notes = (*older.get(header.file, ()), *replaced[header.file], *findings)
            row = ShownMemory(header.file, one.mark, days_old(header.saved_at, now), who, notes)
            try:
                blocks[row] = _block(self.memories, one.topic, row, self.limits.lines, self.limits.bytes)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                cuts[header.file] = f"it could not be shown: {_told(error)}"
        lines = self._lines(likely, cuts)
        cuts |= self._refused(turn, blocks, lines)
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
        with self.memories.opened() as folder:
            for header in chosen:
                try:
                    one = _read(folder, header.file)
                except OSError as error:
                    cuts[header.file] = f"it could not be read: {error.strerror or error}"
                    continue
                except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                    cuts[header.file] = f"it could not be read: {_told(error)}"
                    continue
                if shown_text(one.topic):
                    found.append(one)
                else:
                    cuts[header.file] = "it is empty"
        return found

    def _newest(
        self, read: list[_Read], cuts: dict[str, str]
    ) -> tuple[list[_Read], dict[str, tuple[str, ...]]]:
        """Leave out what a newer one contradicts; return what is said of that beside the newer ones."""
        from memdir.recall.superseded import without_replaced

        older, lines = without_replaced([one.topic for one in read])
        cuts |= older
        return [one for one in read if one.topic.header.file not in older], lines

    def _looks(self, turn: RecallTurn, read: Sequence[_Read]) -> list[tuple[str, tuple[str, ...]]]:
        """Find out who said each and whether it still holds, beside us: the prompt waits no longer for it."""
        from memdir.recall.turn import Late, within

        who, found = dict[int, str](), dict[int, tuple[str, ...]]()
        try:
            if read:
                within(turn.left(), turn.timer, lambda: self._look(turn, read, who, found), turn.called_off)
        except Late:
            turn.fallbacks.append(f"not everything was looked up about what is shown: {NO_TIME}")
            turn.unfinished = True
        unknown = _TEXTS.filled("who_unchecked")
        return [
            (who.get(n, unknown), found.get(n) or _unchecked(one.topic, n in found))
            for n, one in enumerate(read)
        ]

    def _look(
        self, turn: RecallTurn, read: Sequence[_Read], who: dict[int, str], found: dict[int, tuple[str, ...]]
    ) -> None:
        for number, one in enumerate(read):
            with _noted(turn, one, "who wrote it was not looked up"):
                who[number] = who_said(one.topic, self.writer_of(one.topic.header.file, one.status))
        for number, one in enumerate(read):
            seconds = _CHECKING * turn.left() / (len(read) - number)
            with _noted(turn, one, "its claims were not checked"):
                found[number] = tuple(self.findings(one.topic, seconds))

    def _refused(
        self, turn: RecallTurn, blocks: dict[ShownMemory, str], lines: dict[NamedMemory, str]
    ) -> dict[str, str]:
        """Charge what is shown to the conversation; return what it may not be shown."""
        if turn.called_off.is_set():
            raise Cancelled("The recall was called off.")
        shares = [Share(row.file, row.mark, len(joined([text]).encode())) for row, text in blocks.items()]
        frame = len(joined([likely_lines([])]).encode())
        for row, text in lines.items():  # the first line pays for the sentence above all of them
            shares.append(Share(row.file, row.mark, len(joined([text]).encode()) + frame))
            frame = 0
        try:
            wait = max(turn.left(), _LEAST_WAIT)
            return self.conversation.take(shares, self.limits.session_bytes, seconds=wait)
        except LockTimeout:
            busy = "another process kept the record of this conversation locked"
            return {share.file: busy for share in shares}
        except OSError as error:
            turn.fallbacks.append(f"what was shown could not be written down: {error.strerror or error}")
            return {}


def rebuild(memories: MemoryDir, receipt: Receipt) -> str:
    """Return the very text that a recall gave, from its receipt and the files as they were then."""
    with memories.opened() as folder:
        blocks = [
            _block(memories, _unchanged(folder, row).topic, row, receipt.max_lines, receipt.max_bytes)
            for row in receipt.shown
        ]
        lines = [
            line_of(_unchanged(folder, row).topic, memories.full_path(row.file)) for row in receipt.named
        ]
    return joined([*blocks, *([likely_lines(lines)] if lines else [])])


def _unchanged(folder: Folder | None, row: ShownMemory | NamedMemory) -> _Read:
    """Read a file that is as it was when it was shown; else a `Conflict`."""
    with suppress(OSError):
        one = _read(folder, row.file)
        if row.mark in {one.mark, _line_mark(one.mark)}:
            return one
    raise Conflict(f"{row.file} changed after this recall. `memdir history` shows how.")


@contextmanager
def _noted(turn: RecallTurn, one: _Read, what: str) -> Iterator[None]:
    """Note what went wrong with one memory: whatever it is, it costs no other."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - see above
        turn.fallbacks.append(f"{one.topic.header.file}: {what}: {_told(error)}")


def _unchecked(topic: Topic, looked: bool) -> tuple[str, ...]:
    """Return what is said of a memory whose claims nobody had the time to check; nothing if it has none."""
    from memdir.recall.working_tree import is_checkable

    return () if looked or not is_checkable(topic) else (_TEXTS.filled("unchecked"),)


def _told(error: Exception) -> str:
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


def _block(memories: MemoryDir, topic: Topic, row: ShownMemory, max_lines: int, max_bytes: int) -> str:
    piece = piece_of(topic, memories.full_path(row.file), max_lines=max_lines, max_bytes=max_bytes)
    return piece.block(row.days, row.who, row.findings)
