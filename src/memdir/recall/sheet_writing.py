"""How a sheet is made: every memory read once, its words counted, what is shown of it prepared."""

from zlib import crc32

from memdir.core.suppress import suppress
from memdir.core.topic import Header, topic_from
from memdir.recall.checkable import is_checkable
from memdir.recall.corpus import Corpus
from memdir.recall.documents import HEAD, ages, last_day, names_replaced, occasions
from memdir.recall.limits import Limits
from memdir.recall.postings import Postings
from memdir.recall.sheet import FIELD, NAME, START
from memdir.recall.surface import claimed_source, content_mark, piece_of, shown_text
from memdir.recall.words import everyday_terms
from memdir.store.files import Folder, folder_made
from memdir.store.memory_dir import MemoryDir

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["MOST", "write_sheet"]

MOST = 500
"""Memories that a sheet is made for: with more, reading it would take longer than ranking in full."""


def write_sheet(memories: MemoryDir, key: str, limits: Limits, holds: "Callable[[], bool]") -> None:
    """Leave a sheet under this key; none when there is a lot to write, or the key no longer holds after."""
    corpus = Corpus(memories)
    headers = corpus.refreshed()
    with suppress(OSError), memories.opened() as folder:
        if folder is None or not 0 < len(headers) <= MOST:
            return
        rows, shown = _memories(memories, folder, headers, limits)
        lines = _lines(key, [profile.passages for profile in corpus.profiles()], rows)
        if holds():
            with folder_made(memories.state) as state:
                state.replace_cache(NAME, START % (len(lines), crc32(lines)) + lines + shown)


def _memories(
    memories: MemoryDir, folder: Folder, headers: "Sequence[Header]", limits: Limits
) -> tuple[list[str], bytes]:
    """Return one line a memory, and what is shown of them, one after the other."""
    rows, shown = list[str](), b""
    for header, age, occasion in zip(headers, ages(headers), occasions(headers), strict=True):
        data, _ = folder.read(header.file)
        topic = topic_from(header.file, data.decode("utf-8", "replace"), header.saved_at)
        path = memories.full_path(header.file)
        piece = piece_of(topic, path, max_lines=limits.lines, max_bytes=limits.bytes)
        text = FIELD.join((piece.path, piece.kind, piece.name, piece.cut, piece.body))
        part = text.encode("utf-8", "surrogatepass")
        claim = claimed_source(topic)
        fields = (
            *(header.file, header.name, header.saved_at.timestamp(), "1" if header.pinned else ""),
            *(header.expires, last_day(header) or "", " ".join(names_replaced(data[:HEAD]))),
            *(age, "" if occasion is None else occasion, content_mark(data)),
            *("1" if shown_text(topic) and not is_checkable(topic) else "", claim if claim.isalpha() else ""),
            f"{len(shown)} {len(part)} {crc32(part)}",
        )
        rows.append(FIELD.join(map(str, fields)))
        shown += part
    return rows, shown


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
