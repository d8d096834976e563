"""How near memories lie to a query in meaning, where vectors were computed before; a prompt computes none.

A host waits for this module: it imports late and does without `typing`.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from memdir.errors import MemdirError
from memdir.memories.catalog.derived import Derived, content_key
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header, topic_from
from memdir.progress import counted
from memdir.recall.semantic.encoder import encoder_in
from memdir.recall.semantic.weights import semantic_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.recall.rank import Best, Near
    from memdir.recall.semantic.encoder import Encoder
    from memdir.recall.semantic.nearness import Nearness, Space, Vectors

__all__ = ["Library", "Meaning", "passages"]

_WORDS = 110
"""Of a piece of body: about sixty word pieces, the length at which one vector still says what is meant."""

_MOST = 8
"""Passages of one memory: a body that is longer than this is found by its words."""

_SENTENCE_END = r"(?<=[.!?])\s+|\n+"
_JOINT = r"(?<=[a-z0-9])(?=[A-Z])|[-_]+"


def passages(name: str, description: str, body: str = "") -> list[str]:
    """Return what to encode, at least one text; each piece of the body begins with the name."""
    spoken = re.sub(_JOINT, " ", name).strip()
    head = ": ".join(part for part in (spoken, description.strip()) if part)
    pieces = _pieces(body)
    if pieces and _size(head) + _size(pieces[0]) <= _WORDS + _WORDS // 3:
        head = _led(head, pieces.pop(0), "" if description.strip() else ":")
    return [head, *(_led(spoken, piece, ":") for piece in pieces)][:_MOST]


def _led(head: str, text: str, mark: str) -> str:
    return f"{head}{mark} {text}" if head else text


def _size(text: str) -> int:
    return text.count(" ") + 1


def _pieces(body: str) -> list[str]:
    """Return the body in pieces that end where a sentence or a line does."""
    pieces: list[list[str]] = []
    room = 0
    for sentence in filter(None, map(str.strip, re.split(_SENTENCE_END, body))):
        if not pieces or _size(sentence) > room:
            pieces.append([])
            room = _WORDS
        pieces[-1].append(sentence)
        room -= _size(sentence)
    return [" ".join(piece) for piece in pieces]


_READ = 1 << 16
"""Bytes of a memory that are looked at; its passages end long before."""

_FIRST_STORED = 16
"""Memories learned before they are stored; then at each doubling, so that a kill costs half at the most."""


class Library:
    """Vectors by memory, in memory and in the state folder."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Remember the directory, and where model files lie; nothing is read yet."""
        from memdir.recall.semantic.nearness import VERSION

        self._memories, self._weights = memories, weights
        self._rows = Derived(memories.state, "vectors", VERSION)
        self._tokens = Derived(memories.state, "tokens", VERSION)
        self._built: tuple[Sequence[Header], Space] | None = None

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
        signed = [(one, self._signature(one.file)) for one in headers]
        kept = self._rows, self._tokens
        return [one for one, mark in signed if not all(rows.has(one.file, mark) for rows in kept)]

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
            for number, header in enumerate(counted(wanted)):
                if late():
                    break
                if number == stored_at:
                    self._store(headers)
                    stored_at *= 2
                learned += self._learn(encoder, header)
        finally:
            self._store(headers)
        return learned

    def rows(self, file: str) -> "tuple[bytes, bytes] | None":
        """Return the vectors of a memory as they are stored, to be taken over elsewhere; None without any."""
        signature = self._signature(file)
        found = self._rows.row(file, signature), self._tokens.row(file, signature)
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    def take(self, found: "Mapping[str, tuple[bytes, bytes]]") -> None:
        """Take over vectors that were computed elsewhere from the same texts."""
        with self._memories.opened() as folder:
            for file, rows in found.items() if folder else ():
                signature = self._signature(file)
                if folder and signature is not None:
                    key = content_key(folder.read(file, _READ)[0])
                    for kept, row in zip((self._rows, self._tokens), rows, strict=True):
                        kept.put(file, signature, key, row)
        self._built = None
        self._store(())

    def _store(self, headers: Sequence[Header]) -> None:
        with self._memories.threads:
            files = {*self._memories.catalog, *[header.file for header in headers]}
            self._tokens.store(files)
            self._rows.store(files)

    def _refresh(self) -> None:
        """Take in what other processes have stored."""
        if self._rows.refresh() | self._tokens.refresh():
            self._built = None

    def _learn(self, encoder: "Encoder", header: Header) -> int:
        from memdir.recall.semantic.nearness import packed_vectors

        kept, signature, data = (self._rows, self._tokens), self._signature(header.file), None
        with self._memories.opened() as folder, suppress(OSError):
            data = folder.read(header.file, _READ)[0] if folder else None
        if data is None or signature is None:
            return 0  # gone or unreadable since it was listed
        key = content_key(data)
        if None not in [rows.adopted(header.file, signature, key) for rows in kept]:
            return 0  # the same text was learned before, under another name or stat
        body = topic_from(header.file, data.decode("utf-8", "replace"), header.saved_at).body
        encoded = encoder.all_encoded(passages(header.name, header.description, body))
        for rows, row in zip(kept, packed_vectors(encoded), strict=True):
            rows.put(header.file, signature, key, row)
        self._built = None
        return 1

    def _space(self, headers: Sequence[Header]) -> "Space":
        """Return the vectors of these memories in their order; built once for the same sequence of headers.

        Headers of files that changed are another sequence, and after other vectors came none is kept.
        """
        from memdir.recall.semantic.nearness import Space

        if self._built is None or self._built[0] is not headers:
            found = [self._vectors(one.file, self._signature(one.file)) for one in headers]
            self._built = headers, Space(found)
        return self._built[1]

    def _vectors(self, file: str, signature: int | None) -> "Vectors | None":
        from memdir.recall.semantic.nearness import unpacked_vectors

        row = self._rows.view(file, signature) if self._tokens.has(file, signature) else None
        return None if row is None else unpacked_vectors(row, lambda: self._tokens.view(file, signature))

    def _signature(self, file: str) -> int | None:
        return self._memories.catalog.signature(file)


_TROUBLE = (MemdirError, OSError, ValueError, LookupError)
"""What a model file or vectors that are damaged may raise: no recall and no save fails for it."""


class Meaning:
    """The vectors of one directory; numpy is loaded by the first query that has any use for it."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Remember where vectors and the encoder lie; nothing is read yet."""
        self._memories, self._weights = memories, weights
        self._kept: Library | None = None
        self._failed = ""

    @property
    def ready(self) -> bool:
        """Whether there is a model to compute vectors with."""
        from memdir.recall.semantic.weights import model_path, semantic_missing

        # One look before the search for numpy: every save passes here, and few have a model.
        return os.path.exists(model_path(self._weights)) and not semantic_missing(self._weights)

    def toward(self, query: str, headers: Sequence[Header]) -> "Near | None":
        """Return it; None without vectors, and when anything about them fails: then words alone count."""
        self._failed = ""
        if not os.path.exists(os.path.join(self._memories.state, "vectors")):
            return None
        try:
            return self.library.toward(query, headers)
        except _TROUBLE as error:
            self._failed = str(error)
        return None

    def lacks(self, best: "Best") -> list[str]:
        """Say what the last ranking had to do without although there is a model."""
        if self._failed:
            return [f"meanings: {self._failed}"]
        count = best.without_vectors
        if not count or (count == best.total and not self.ready):
            return []
        return [f"{count:,} of {best.total:,} memories {'has' if count == 1 else 'have'} no vectors yet"]

    def missing(self) -> list[Header]:
        """Return the memories that have no vectors; none of them where there is no model."""
        return self.library.missing(self._memories.scan()) if self.ready else []

    def learn(
        self,
        headers: Sequence[Header] | None = None,
        most: int | None = None,
        late: Callable[[], bool] = lambda: False,
    ) -> int:
        """Compute what is missing, of these or all memories; 0 without a model, or when anything fails."""
        if not self.ready:
            return 0
        with suppress(*_TROUBLE):
            return self.library.learn(self._memories.scan() if headers is None else headers, most, late)
        return 0

    @property
    def library(self) -> "Library":
        """The vectors themselves."""
        if self._kept is None:
            self._kept = Library(self._memories, self._weights)
        return self._kept
