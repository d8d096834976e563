"""How a sheet is made: every memory read once, its words counted, and where its text stands noted."""

import os
from zlib import crc32

from memdir.core.suppress import suppress
from memdir.core.topic import Header, Topic, topic_from
from memdir.recall.block import Piece, content_mark
from memdir.recall.checkable import is_checkable
from memdir.recall.corpus import Corpus
from memdir.recall.documents import ages, last_day, names_replaced, occasions
from memdir.recall.limits import Limits
from memdir.recall.postings import Postings
from memdir.recall.sheet import FIELD, NAME, START
from memdir.recall.surface import claimed_source, piece_of
from memdir.recall.words import everyday_terms
from memdir.store.catalog_entry import LONGEST_HEADER
from memdir.store.files import Folder, folder_made
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["MOST", "write_sheet"]

MOST, LARGEST = 500, 1_000_000
"""Memories, and bytes of all of them, that a sheet is made for: making and reading it must stay quick."""


def write_sheet(memories: MemoryDir, key: str, limits: Limits, holds: "Callable[[], bool]") -> None:
    """Leave a sheet under this key; none when there is a lot to read, or the key no longer holds after."""
    with suppress(OSError), memories.opened() as folder:
        if folder is None or not 0 < len(memories.scan()) <= MOST or _size(memories) > LARGEST:
            return
        corpus = Corpus(memories)
        headers = corpus.refreshed()
        rows = _memories(memories, folder, headers, limits)
        data = _lines(key, [profile.passages for profile in corpus.profiles()], rows)
        if holds():
            with folder_made(memories.state) as state:
                state.replace_cache(NAME, START % crc32(data) + data)


def _size(memories: MemoryDir) -> int:
    return sum(os.stat(memories.full_path(file)).st_size for file in memories.catalog)


def _memories(memories: MemoryDir, folder: Folder, headers: "Sequence[Header]", limits: Limits) -> list[str]:
    """Return one line a memory."""
    rows: list[str] = []
    for header, age, occasion in zip(headers, ages(headers), occasions(headers), strict=True):
        data, _ = folder.read(header.file)
        folder.let_go(header.file.partition("/")[0])  # a wide tree must not run out of descriptors
        topic = topic_from(header.file, data.decode("utf-8", "replace"), header.saved_at)
        path = memories.full_path(header.file)
        piece = piece_of(topic, path, max_lines=limits.lines, max_bytes=limits.bytes)
        claim = claimed_source(topic)
        fields = (
            *(header.file, header.name, header.saved_at.timestamp(), "1" if header.pinned else ""),
            *(header.expires, last_day(header) or "", " ".join(names_replaced(data[:LONGEST_HEADER]))),
            *(age, "" if occasion is None else occasion, content_mark(data)),
            *(claim if claim.isalpha() else "", piece.path, piece.kind, piece.name),
            _body(topic, piece, data),
        )
        rows.append(FIELD.join(map(str, fields)))
    return rows


def _body(topic: Topic, piece: Piece, data: bytes) -> str:
    """Return where the shown text stands in the file; empty unless it stands there letter by letter.

    What is cut, escaped, empty or claims something that could be checked takes a closer look to be shown.
    """
    body = piece.body.encode("utf-8", "replace")
    start = data.rfind(body)
    if not body or start < 0 or piece.cut or is_checkable(topic):
        return ""
    return f"{start} {start + len(body)}"


def _lines(key: str, profiles: "Sequence[Sequence[str]]", memories: "Sequence[str]") -> bytes:
    postings, lengths, starts = Postings(), list[str](), list[str]()
    for passages in profiles:
        starts.append(str(len(lengths)))
        for passage in passages:
            length, _, groups = passage.partition("\t")
            lengths.append(length)
            postings.passages.append(groups)
    lines = [
        f"{len(memories)} {len(lengths)}",
        *(key, " ".join(sorted(everyday_terms())), " ".join(lengths), " ".join(starts)),
        *memories,
        *postings.passages,
        "\n".join([_term_line(*row) for row in postings.rows()]),
    ]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _term_line(term: str, once: "Sequence[int]", more: "Sequence[tuple[int, int]]") -> str:
    pairs = " ".join([f"{number}:{times}" for number, times in more])
    return f"{term}\t{len(once) + len(more)}\t{' '.join(map(str, once))}\t{pairs}"
