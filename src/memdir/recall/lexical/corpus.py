"""The BM25 index of one memory directory, as up to date as the files.

Example: `corpus = Corpus(memories)` reads nothing yet; `headers = corpus.refresh()` looks at every file and
counts again what changed; `corpus.fit(query).scores` are then in the order of these headers.
"""

from collections.abc import Callable, Sequence

from memdir.conversation.receipts import receipt_query
from memdir.disk.files import Folder
from memdir.memories.catalog.derived import Derived, content_key
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header, topic_from
from memdir.recall.lexical.bm25 import BM25, LexicalFit, passages_of
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["NO_TIME", "Corpus"]

_VERSION = "4"
"""Raised when the same text would give other terms: rows of an older version are computed anew."""

_READ = 1 << 16
"""Bytes of a memory whose words count: a page of text has a few thousand."""

NO_TIME = "no time was left"

_HEADERS, _BODIES, _COUNTED = 0.3, 0.5, 0.7
"""Shares of a prompt's time: after the first no more headers are read, after the second no more whole texts,
after the third no more words are counted. Ranking and showing need the rest.
"""

_BETWEEN_LOOKS = 16
"""Memories between two looks at the time: that many are read in some milliseconds."""

_IN_ANY_CASE = 208
"""The newest memories, so many of which are ranked even when it is late: that takes milliseconds."""

_NAMED = 3
"""Memories that are named one by one where they cannot be ranked."""

_MOST_DROPPED = 4
"""The index is built anew when one document in this many is no longer there."""


class Corpus:
    """Every memory of a directory, and how well its words fit a query."""

    def __init__(self, memories: MemoryDir) -> None:
        self._memories = memories
        self._derived = Derived(memories.state, "terms", _VERSION)
        self._generation = -1
        self._headers: list[Header] = []
        self._late = self._brief = 0
        """Memories that were not ranked for want of time, and those ranked by their headers alone."""
        self._broken: dict[str, str] = {}
        """Files that cannot be ranked, with the reason."""
        self._documents: dict[str, tuple[int, int | None]] = {}
        """The number in the index of each file, and the signature that it was counted at."""
        self._order: list[int] = []
        """The number in the index of each header."""
        self._index = BM25()

    def refresh(self, spent: Callable[[], float] = lambda: 0.0, recent: float = 0.0) -> Sequence[Header]:
        """Look at the stat of every memory, count again what changed, and return all headers, newest first.

        `spent` tells which share of the time is gone: what there is no time for is left out, and the next
        call goes on. A look no older than `recent` seconds is not repeated. Where nothing changed, the answer
        is the same object as before.
        """
        catalog = self._memories.catalog
        with self._memories.open_folder() as folder:
            if folder is None:
                self._headers, self._order, self._generation = [], [], -1
                return []
            if not catalog.is_fresh(folder, recent):
                catalog.refresh(folder, lambda: spent() > _HEADERS)
            if catalog.generation != self._generation:
                complete = self._take_changes(folder, catalog.headers(), spent)
                self._order = [self._documents[header.file][0] for header in self._headers]
                self._generation = catalog.generation if complete else -1
        return self._headers

    def limitations(self) -> list[str]:
        """Say which memories the headers last returned do without, and why."""
        late, count = self._late, len(self._headers) + self._late + len(self._broken)
        lines = [f"{late:,} of {count:,} memories were not ranked: {NO_TIME}"] if late else []
        if self._brief:
            lines.append(
                f"{self._brief:,} of {count:,} memories were ranked by their headers alone: {NO_TIME}"
            )
        few = [f"{file} was left out: {because}" for file, because in list(self._broken.items())[:_NAMED]]
        more = len(self._broken) - len(few)
        return [*lines, *few, *([f"{more:,} more were left out for such reasons"] if more else [])]

    def fit(self, query: str, *, expand: bool = True) -> LexicalFit:
        """Return how well the words of each memory fit, in the order of the headers last returned."""
        return self._index.fit(query, self._order, expand=expand)

    def _take_changes(self, folder: Folder, headers: list[Header], spent: Callable[[], float]) -> bool:
        """Bring the index up to date; return whether every memory could be read."""
        catalog, documents = self._memories.catalog, self._documents
        self._headers, self._late, self._brief, self._broken = [], catalog.unread, 0, {}
        for file in [file for file in documents if file not in catalog]:
            self._index.drop(documents.pop(file)[0])
        for number, header in enumerate(headers):
            if not number % _BETWEEN_LOOKS:
                share = spent()
                if share > _COUNTED and number >= _IN_ANY_CASE:
                    self._late += len(headers) - number
                    break
            try:
                self._take(folder, header, hurry=share > _BODIES)
                self._headers.append(header)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
                self._broken[header.file] = receipt_query(f"{type(error).__name__}: {error}")
        if self._late or self._brief:
            return False  # it is stored by a call that has time for all of it
        self._derived.store(catalog)
        if self._index.dropped * _MOST_DROPPED > len(documents):
            self._index, self._documents = BM25(), {}
            return self._take_changes(folder, headers, spent)
        return all(signature is not None for _, signature in documents.values())

    def _take(self, folder: Folder, header: Header, *, hurry: bool) -> None:
        """Count the words of one memory if it changed; in a hurry, only those of its header."""
        file, documents = header.file, self._documents
        signature, known = self._memories.catalog.signature(file), documents.get(file)
        if known and known[1] == signature:
            return
        if known:
            self._index.drop(documents.pop(file)[0])
        row = self._derived.row(file, signature)
        if not row and not hurry:
            row = self._count(folder, header, signature or 0)
        if row:
            passages = row.decode("utf-8", "surrogatepass")
        else:
            passages = passages_of(header.name, header.description)
            self._brief += hurry
        documents[file] = self._index.add(passages), signature if row else None

    def _count(self, folder: Folder, header: Header, signature: int) -> bytes:
        """Read one memory and count its words; empty when it cannot be read now."""
        file = header.file
        try:
            data, _ = folder.read(file, _READ)
        except OSError:
            return b""
        finally:
            folder.let_go(file.partition("/")[0])  # a wide tree must not run out of descriptors
        key = content_key(f"{header.name}\n".encode("utf-8", "surrogatepass") + data)
        row = self._derived.adopt(file, signature, key)
        if row is None:
            body = topic_from(file, data.decode("utf-8", "replace"), header.saved_at).body
            # Rows may be stored elsewhere than the memory, so they hold no credentials.
            texts = map(without_secrets, (header.name, header.description, body))
            row = passages_of(*texts).encode("utf-8", "surrogatepass")
            self._derived.put(file, signature, key, row)
        return row
