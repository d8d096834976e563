"""The vectors of the memories of one directory: kept beside the catalog, computed when there is time.

library = Library(memories, weights)
library.learn(headers)                       # after a save, or in a worker: encodes what is not known yet
library.toward(query, headers)               # at a prompt: what is known; None when that is nothing
"""

from collections.abc import Callable, Sequence

from memdir.disk.files import Folder
from memdir.memories.catalog.derived import Derived, content_key
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header, topic_from
from memdir.recall.semantic.model import encoder_in, semantic_missing
from memdir.recall.semantic.vectors import VERSION, packed_vectors, unpacked_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.recall.semantic.encoder import Encoder
    from memdir.recall.semantic.nearness import Nearness, Space
    from memdir.recall.semantic.vectors import Vectors

    Stand = tuple[tuple[str, int | None], ...]

__all__ = ["Library"]

_READ = 1 << 16
"""Bytes of a memory that are looked at; its passages end long before."""

_FIRST_STORED = 16
"""Memories learned before they are stored; then at each doubling, so that a kill costs half at the most."""


class Library:
    """Vectors by memory, in memory and in the state folder."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Remember the directory, and where model files lie; nothing is read yet."""
        self._memories, self._weights = memories, weights
        self._rows = Derived(memories.state, "vectors", VERSION)
        self._tokens = Derived(memories.state, "tokens", VERSION)
        self._built: tuple[Stand, Space] | None = None

    def toward(self, query: str, headers: Sequence[Header]) -> "Nearness | None":
        """Return how near these memories lie to a query; None without a model or without any vector."""
        if semantic_missing(self._weights):
            return None
        self._refresh()
        space = self._space(headers)
        encoder = encoder_in(self._weights) if len(space.known) else None
        return space.toward(encoder.prompt(query)) if encoder else None

    def missing(self, headers: Sequence[Header]) -> list[Header]:
        """Return the memories that have no vectors, or whose text changed since."""
        return [one for one in headers if not self._has(one.file, self._signature(one.file))]

    def learn(
        self,
        headers: Sequence[Header],
        most: int | None = None,
        late: Callable[[], bool] = lambda: False,
    ) -> int:
        """Compute what is missing, at most so many memories and until it is late, and return how many were.

        Without a model that is 0. Other threads use the directory between two memories.
        """
        with self._memories.threads:
            self._refresh()
            wanted = self.missing(headers)[:most]
        encoder = encoder_in(self._weights) if wanted else None
        if encoder is None:
            return 0
        learned, stored_at = 0, _FIRST_STORED
        try:
            for number, header in enumerate(wanted):
                if late():
                    break
                if number == stored_at:
                    self._store(headers)
                    stored_at *= 2
                learned += self._learn(encoder, header)
        finally:
            self._store(headers)
        return learned

    def _store(self, headers: Sequence[Header]) -> None:
        with self._memories.threads:
            files = {*self._memories.catalog, *[header.file for header in headers]}
            self._tokens.store(files)
            self._rows.store(files)

    def _refresh(self) -> None:
        """Take in what other processes have stored."""
        if self._rows.refresh() | self._tokens.refresh():
            self._built = None

    def _has(self, file: str, signature: int | None) -> bool:
        return self._rows.has(file, signature) and self._tokens.has(file, signature)

    def _learn(self, encoder: "Encoder", header: Header) -> int:
        with self._memories.opened() as folder:
            return self._learned(encoder, folder, header) if folder else 0

    def _learned(self, encoder: "Encoder", folder: Folder, header: Header) -> int:
        from memdir.recall.semantic.passages import passages

        signature = self._signature(header.file)
        try:
            data, _ = folder.read(header.file, _READ)
        except OSError:
            return 0  # gone or unreadable since it was listed
        key = content_key(data)
        if signature is None or self._adopted(header.file, signature, key):
            return 0
        body = topic_from(header.file, data.decode("utf-8", "replace"), header.saved_at).body
        encoded = encoder.all_encoded(passages(header.name, header.description, body))
        for rows, row in zip((self._rows, self._tokens), packed_vectors(encoded), strict=True):
            rows.put(header.file, signature, key, row)
        self._built = None
        return 1

    def _adopted(self, file: str, signature: int, key: str) -> bool:
        """Tell whether the same text was learned before, under another name or stat."""
        return None not in [rows.adopted(file, signature, key) for rows in (self._rows, self._tokens)]

    def _space(self, headers: Sequence[Header]) -> "Space":
        """Return the vectors of these memories in their order; built again only when one changed."""
        from memdir.recall.semantic.nearness import Space

        stand = tuple([(header.file, self._signature(header.file)) for header in headers])
        if self._built is None or self._built[0] != stand:
            self._built = stand, Space([self._vectors(*one) for one in stand])
        return self._built[1]

    def _vectors(self, file: str, signature: int | None) -> "Vectors | None":
        row = self._rows.view(file, signature) if self._tokens.has(file, signature) else None
        return None if row is None else unpacked_vectors(row, lambda: self._tokens.view(file, signature))

    def _signature(self, file: str) -> int | None:
        return self._memories.catalog.signature(file)
