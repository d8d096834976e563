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
from memdir.progress import count_progress
from memdir.recall.semantic.encoder import encoder_in
from memdir.recall.semantic.weights import ENCODER, weights_missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.recall.rank import Best, Near
    from memdir.recall.semantic.encoder import Encoder
    from memdir.recall.semantic.nearness import Space, Vectors

__all__ = ["VERSION", "Meaning", "passages"]

VERSION = "3"
"""Raised whenever the same text would give other rows: rows of the old kind are then computed anew."""

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
        mark = "" if description.strip() else ":"
        head = f"{head}{mark} {pieces.pop(0)}" if head else pieces.pop(0)
    return [head, *(f"{spoken}: {piece}" if spoken else piece for piece in pieces)][:_MOST]


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


_TROUBLE = (MemdirError, OSError, ValueError, LookupError)
"""What a model file or vectors that are damaged may raise: no recall and no save fails for it."""


class Meaning:
    """The vectors of one directory, in memory and in its state folder; numpy is loaded when they are used."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Remember where vectors and the encoder lie; nothing is read yet."""
        self._memories, self._weights = memories, weights
        self._rows = Derived(memories.state, "vectors", VERSION)
        self._tokens = Derived(memories.state, "tokens", VERSION)
        self._built: tuple[Sequence[Header], Space] | None = None
        self._failed = ""

    @property
    def ready(self) -> bool:
        """Whether there is a model to compute vectors with."""
        # One look before the search for numpy: every save passes here.
        return os.path.exists(os.path.join(self._weights, ENCODER)) and not weights_missing(self._weights)

    def nearness_to(self, query: str, headers: Sequence[Header]) -> "Near | None":
        """Return how near these memories lie to a query.

        None without a model or vectors, and when anything about them fails: then words alone count.
        """
        self._failed = ""
        vectors = os.path.join(self._memories.state, "vectors")
        if not os.path.exists(vectors) or weights_missing(self._weights):
            return None
        try:
            self._refresh()
            space = self._space(headers)
            encoder = encoder_in(self._weights) if len(space.known) else None
            return space.nearness_to(encoder.prompt(query)) if encoder else None
        except _TROUBLE as error:
            self._failed = str(error)
        return None

    def limitations(self, best: "Best") -> list[str]:
        """Say what the last ranking had to do without although there is a model."""
        if self._failed:
            return [f"meanings: {self._failed}"]
        count = best.without_vectors
        if not count or (count == best.total and not self.ready):
            return []
        return [f"{count:,} of {best.total:,} memories {'has' if count == 1 else 'have'} no vectors yet"]

    def missing(self, headers: Sequence[Header] | None = None) -> list[Header]:
        """Return the memories that have no vectors, or whose text changed since; none without a model."""
        if not self.ready:
            return []
        self._refresh()
        signature = self._memories.catalog.signature
        kept = (self._rows, self._tokens)
        return [
            one
            for one in (self._memories.scan() if headers is None else headers)
            if not all(rows.has(one.file, signature(one.file)) for rows in kept)
        ]

    def learn(
        self,
        headers: Sequence[Header] | None = None,
        most: int | None = None,
        late: Callable[[], bool] = lambda: False,
    ) -> int:
        """Compute what is missing of these or all memories, at most so many and until it is late.

        Return how many were computed; 0 without a model, or when anything fails. Other threads use the
        directory between two memories.
        """
        with suppress(*_TROUBLE):
            with self._memories.threads:
                wanted = self.missing(headers)[:most]
            encoder = encoder_in(self._weights) if wanted else None
            return self._learn(encoder, wanted, late) if encoder else 0
        return 0

    def _learn(self, encoder: "Encoder", wanted: Sequence[Header], late: Callable[[], bool]) -> int:
        learned, stored_at = 0, _FIRST_STORED
        try:
            for number, header in enumerate(count_progress(wanted)):
                if late():
                    break
                if number == stored_at:
                    self._store(wanted)
                    stored_at *= 2
                learned += self._learn_one(encoder, header)
        finally:
            self._store(wanted)
        return learned

    def _learn_one(self, encoder: "Encoder", header: Header) -> bool:
        """Compute the vectors of a memory; tell whether that was needed: the same text may be known."""
        from memdir.recall.semantic.nearness import packed_vectors

        file, kept = header.file, (self._rows, self._tokens)
        with self._memories.open_folder() as folder:
            signature = self._memories.catalog.signature(file)
            if folder is None or signature is None:
                return False
            try:
                data, _ = folder.read(file, _READ)
            except OSError:
                return False  # gone or unreadable since it was listed
            key = content_key(data)
            if None not in [rows.adopt(file, signature, key) for rows in kept]:
                return False
            body = topic_from(file, data.decode("utf-8", "replace"), header.saved_at).body
            encoded = encoder.all_encoded(passages(header.name, header.description, body))
            for rows, row in zip(kept, packed_vectors(encoded), strict=True):
                rows.put(file, signature, key, row)
        self._built = None
        return True

    def rows(self, file: str) -> "tuple[bytes, bytes] | None":
        """Return the vectors of a memory as they are stored, to be taken over elsewhere; None without any."""
        signature = self._memories.catalog.signature(file)
        found = self._rows.row(file, signature), self._tokens.row(file, signature)
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    def take(self, found: "Mapping[str, tuple[bytes, bytes]]") -> None:
        """Take over vectors that were computed elsewhere from the same texts."""
        with self._memories.open_folder() as folder:
            for file, rows in found.items() if folder else ():
                signature = self._memories.catalog.signature(file)
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

    def _space(self, headers: Sequence[Header]) -> "Space":
        """Return the vectors of these memories in their order; built once for the same sequence of headers.

        Headers of files that changed are another sequence, and after other vectors came none is kept.
        """
        from memdir.recall.semantic.nearness import Space

        if self._built is None or self._built[0] is not headers:
            signature = self._memories.catalog.signature
            self._built = headers, Space([self._vectors(one.file, signature(one.file)) for one in headers])
        return self._built[1]

    def _vectors(self, file: str, signature: int | None) -> "Vectors | None":
        from memdir.recall.semantic.nearness import unpacked_vectors

        row = self._rows.view(file, signature) if self._tokens.has(file, signature) else None
        return None if row is None else unpacked_vectors(row, lambda: self._tokens.view(file, signature))
