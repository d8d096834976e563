"""The vectors of a memory directory: computed after a change, stored, and compared with a prompt.

A prompt computes no vector of a memory. It is compared by mean vectors first, then by MaxSim over tokens with
the memories that come nearest:

    space = VectorSpace([vectors of a memory, or None, …])    # the memories in their order
    near = MaxSim(space, encoder.prompt(query))
    near.cosines                                              # one cosine a memory; None without vectors
    near.tokens([4, 17, …])                                   # MaxSim both ways, for those that deserve it

A host waits for this module: it imports late and does without `typing`.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from memdir.errors import MemdirError
from memdir.memories.catalog.derived import Derived, content_key
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header
from memdir.progress import count_progress
from memdir.recall.semantic.weights import ENCODER, WIDTH, full_numpy, numpy_core, weights_missing
from memdir.text.frontmatter.header import body_start
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memdir.recall.semantic.encoder import Encoded, Encoder

__all__ = [
    "VERSION",
    "MaxSim",
    "VectorSpace",
    "VectorStore",
    "Vectors",
    "pack_vectors",
    "passages",
    "rounded_vectors",
    "unpack_vectors",
]

VERSION = "3"
"""Raised when the same text would give other rows: rows of an older version are computed anew."""

_WORDS = 110
"""Words of a passage: about sixty tokens, as many as one vector can represent well."""

_MOST = 8
"""Passages of one memory: the rest of a longer body is found by its words alone."""

_VOCABULARY = 1 << 16

_TOKENS = 8_000
"""Tokens of memories that one query is compared with: it takes as long as encoding the query itself."""

_SENTENCE_END = r"(?<=[.!?])\s+|\n+"
_JOINT = r"(?<=[a-z0-9])(?=[A-Z])|[-_]+"

_READ = 1 << 16
"""Bytes of a memory that are looked at; its passages end long before."""

_FIRST_STORED = 16
"""Memories learned before they are stored; then at each doubling, so that a kill costs half at the most."""

_TROUBLE = (MemdirError, OSError, ValueError, LookupError)
"""What damaged weights or vectors may raise: no recall and no save fails for it."""


def passages(name: str, description: str, body: str = "") -> list[str]:
    """Return the texts to encode, at least one; each passage of the body begins with the name.

    Passages end where a sentence or a line does.
    """
    parts, room = list[list[str]](), 0
    for sentence in filter(None, map(str.strip, re.split(_SENTENCE_END, body))):
        if not parts or _size(sentence) > room:
            parts.append([])
            room = _WORDS
        parts[-1].append(sentence)
        room -= _size(sentence)
    pieces = [" ".join(part) for part in parts]
    spoken = re.sub(_JOINT, " ", name).strip()
    head = ": ".join(part for part in (spoken, description.strip()) if part)
    if pieces and _size(head) + _size(pieces[0]) <= _WORDS + _WORDS // 3:
        mark = "" if description.strip() else ":"
        head = f"{head}{mark} {pieces.pop(0)}" if head else pieces.pop(0)
    return [head, *(f"{spoken}: {piece}" if spoken else piece for piece in pieces)][:_MOST]


def _size(text: str) -> int:
    return text.count(" ") + 1


@value_class(frozen=True, slots=True)
class Vectors:
    """The vectors of one memory."""

    lengths: "NDArray[np.uint16]"
    """Tokens of each passage."""
    means: "NDArray[np.float16]"
    """A row a passage."""
    token_ids: "NDArray[np.uint16]"
    """Of all tokens, one passage after the other."""
    token_row: Callable[[], bytes | memoryview | None]
    """Reads the vectors of the tokens, when they are needed."""

    def tokens(self) -> "tuple[NDArray[np.float16], NDArray[np.int8]]":
        """Return a scale and a row for each token; a row times its scale has length one.

        Where they are lost, all are zero, so that no query is near.
        """
        np = numpy_core()
        row, count = self.token_row(), len(self.token_ids)
        if row is None or len(row) != count * (2 + WIDTH):
            return np.zeros(count, "<f2"), np.zeros((count, WIDTH), "i1")
        return np.frombuffer(row, "<f2", count), np.frombuffer(row, "i1", -1, 2 * count).reshape(count, WIDTH)


def pack_vectors(encoded: "Sequence[Encoded]") -> tuple[bytes, bytes]:
    """Return the two rows of one memory from its encoded passages: of the passages, and of their tokens."""
    np = full_numpy()
    tokens = np.concatenate([one.tokens for one in encoded])
    scales = (np.abs(tokens).max(1, initial=0) / np.float32(127) + np.float32(1e-8)).astype("<f2")
    rounded = np.rint(tokens / scales.astype("f4")[:, None]).clip(-127, 127).astype("i1")
    passages = (
        np.array([len(encoded), *(len(one.token_ids) for one in encoded)], "<u2"),
        np.stack([one.mean for one in encoded]).astype("<f2"),
        np.array([number for one in encoded for number in one.token_ids], "<u2"),
    )
    return b"".join(part.tobytes() for part in passages), scales.tobytes() + rounded.tobytes()


def unpack_vectors(row: bytes | memoryview, token_row: Callable[[], bytes | memoryview | None]) -> Vectors:
    """Return the vectors of one memory; nothing is copied."""
    np = numpy_core()
    passages = int.from_bytes(row[:2], "little")
    lengths = np.frombuffer(row, "<u2", passages, 2)
    place = 2 + 2 * passages
    means = np.frombuffer(row, "<f2", passages * WIDTH, place).reshape(passages, WIDTH)
    token_ids = np.frombuffer(row, "<u2", -1, place + 2 * passages * WIDTH)
    return Vectors(lengths, means, token_ids, token_row)


def rounded_vectors(encoded: "Sequence[Encoded]") -> Vectors:
    """Return the vectors of one memory as they are read back after they were stored."""
    row, tokens = pack_vectors(encoded)
    return unpack_vectors(row, lambda: tokens)


class VectorSpace:
    """The vectors of many memories, side by side."""

    def __init__(self, memories: Sequence[Vectors | None], budget: int = _TOKENS) -> None:
        """Put the passages of all memories that have vectors one after the other."""
        np = numpy_core()
        self.size, self.budget = len(memories), budget
        known = {number: one for number, one in enumerate(memories) if one is not None}
        self.bounds: dict[int, tuple[int, int]] = {}
        """Where the passages of each memory with vectors begin and end."""
        self.passages: list[tuple[Vectors, int, int]] = []
        """Each passage: its memory, and where its tokens begin and end there."""
        holders = np.zeros(_VOCABULARY, "i4")
        for number, one in known.items():
            begin, end = len(self.passages), 0
            for length in one.lengths.tolist():
                self.passages.append((one, end, end + length))
                end += length
            self.bounds[number] = begin, len(self.passages)
            holders[one.token_ids] += 1  # a token that occurs twice in the index counts once
        empty = np.zeros((0, WIDTH), "f4")
        self.means = np.concatenate(
            [empty, *[one.means for one in known.values()]], dtype="f4", casting="unsafe"
        )
        self.idf = np.log(1 + (len(known) - holders + 0.5) / (holders + 0.5)).astype("f4")
        """The inverse document frequency of each token of the vocabulary."""


class MaxSim:
    """How near the memories of a space lie to one query."""

    def __init__(self, space: VectorSpace, query: "Encoded") -> None:
        """Compare the mean vectors at once: it is one multiplication."""
        np = numpy_core()
        self._space, self._query = space, query
        self._passage_cosines = space.means @ query.mean
        self.nothing = query.nothing
        """The encoder's score for showing nothing."""
        self.cosines: list[float | None] = [None] * space.size
        """The cosine of each memory's nearest passage, in their order; None without a vector."""
        if space.bounds:
            best = np.maximum.reduceat(self._passage_cosines, [begin for begin, _ in space.bounds.values()])
            for number, cosine in zip(space.bounds, best.tolist(), strict=True):
                self.cosines[number] = cosine

    def tokens(self, numbers: Sequence[int]) -> list[tuple[float, float]]:
        """Return the MaxSim of the query's tokens in these memories, and of theirs in the query.

        Each token finds its nearest one on the other side; the mean of these cosines is weighted by IDF. The
        answer ends early where so many tokens would take too long.
        """
        np = numpy_core()
        space, query, found = self._space, self._query, list[tuple[float, float]]()
        weights, left = space.idf[np.array(query.token_ids, "u2")], space.budget
        total = np.add.reduce(weights)
        passages = [space.passages[at] for at in self._nearest_passages(numbers)]
        # All are unpacked into the same memory: fresh memory for each would cost more.
        room = np.empty((max([end - begin for _, begin, end in passages], default=0), WIDTH), "f4")
        for memory, begin, end in passages:
            left -= end - begin
            if found and left < 0:
                break
            scales, tokens = memory.tokens()
            unpacked, theirs = room[: end - begin], space.idf[memory.token_ids[begin:end]]
            np.copyto(unpacked, tokens[begin:end])
            match = unpacked @ query.tokens.T
            match *= scales[begin:end, None]
            forth = np.maximum.reduce(match, 0) @ weights / total
            back = np.maximum.reduce(match, 1) @ theirs / np.add.reduce(theirs)
            found.append((float(forth), float(back)))
        return found

    def similarities(self, numbers: Sequence[int]) -> list[list[float]]:
        """Return the cosines between these memories, each taken as its nearest passage."""
        means = self._space.means[self._nearest_passages(numbers)]
        cosines: list[list[float]] = (means @ means.T).tolist()
        return cosines

    def _nearest_passages(self, numbers: Sequence[int]) -> list[int]:
        """Return the nearest passage of each of these memories, of equally near ones the last."""
        nearest = []
        for number in numbers:
            begin, end = self._space.bounds[number]
            nearest.append(end - 1 - int(self._passage_cosines[begin:end][::-1].argmax()))
        return nearest


class VectorStore:
    """The vectors of one directory, in memory and in its state folder; numpy is loaded when they are used."""

    def __init__(self, memories: MemoryDir, weights: str) -> None:
        """Take the directory and the folder of the encoder's weights; nothing is read yet."""
        self._memories, self._weights = memories, weights
        self._rows = (Derived(memories.state, "vectors", VERSION), Derived(memories.state, "tokens", VERSION))
        """Of the passages, and of their tokens."""
        self._built: tuple[Sequence[Header], VectorSpace] | None = None
        """The last space, of these headers: other ones stand for files that changed."""
        self._failed = ""

    @property
    def ready(self) -> bool:
        """Whether there is an encoder to compute vectors with."""
        # One look before the search for numpy: every save passes here.
        return os.path.exists(os.path.join(self._weights, ENCODER)) and not weights_missing(self._weights)

    def nearness_to(self, query: str, headers: Sequence[Header]) -> MaxSim | None:
        """Return how near these memories lie to a query.

        None without an encoder or vectors, and when anything about them fails: then words alone count.
        """
        self._failed = ""
        vectors = os.path.join(self._memories.state, "vectors")
        if not os.path.exists(vectors) or weights_missing(self._weights):
            return None
        from memdir.recall.semantic.encoder import encoder_in

        try:
            self._refresh()
            if self._built is None or self._built[0] is not headers:
                self._built = headers, VectorSpace([self._vectors(one.file) for one in headers])
            space = self._built[1]
            encoder = encoder_in(self._weights) if space.bounds else None
            return MaxSim(space, encoder.prompt(query)) if encoder else None
        except _TROUBLE as error:
            self._failed = str(error)
        return None

    def limitations(self, without: int, total: int) -> list[str]:
        """Say what the last ranking lacked although there is an encoder."""
        if self._failed:
            return [f"meanings: {self._failed}"]
        if not without or (without == total and not self.ready):
            return []
        return [f"{without:,} of {total:,} memories {'has' if without == 1 else 'have'} no vectors yet"]

    def missing(self, headers: Sequence[Header] | None = None) -> list[Header]:
        """Return the memories that have no vectors, or whose text changed since; none without an encoder."""
        if not self.ready:
            return []
        self._refresh()
        signature = self._memories.catalog.signature
        return [
            one
            for one in (self._memories.scan() if headers is None else headers)
            if not all(rows.has(one.file, signature(one.file)) for rows in self._rows)
        ]

    def learn(
        self,
        headers: Sequence[Header] | None = None,
        most: int | None = None,
        late: Callable[[], bool] = lambda: False,
    ) -> int:
        """Compute what is missing of these or all memories, at most so many and until it is late.

        Return how many were computed; 0 without an encoder, or when anything fails. Other threads use the
        directory between two memories.
        """
        with suppress(*_TROUBLE):
            with self._memories.threads:
                wanted = self.missing(headers)[:most]
            if wanted:
                from memdir.recall.semantic.encoder import encoder_in

                encoder = encoder_in(self._weights)
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
        """Compute the vectors of a memory; return whether that was needed: the same text may be known."""
        file = header.file
        with self._memories.open_folder() as folder:
            signature = self._memories.catalog.signature(file)
            if folder is None or signature is None:
                return False
            try:
                data, _ = folder.read(file, _READ)
            except OSError:
                return False  # gone or unreadable since it was listed
            key = content_key(data)
            if None not in [rows.adopt(file, signature, key) for rows in self._rows]:
                return False  # a file of the same text left its vectors
            text = data.decode("utf-8", "replace")
            body = text[body_start(text) :].strip("\r\n")
            encoded = encoder.encode(passages(header.name, header.description, body))
            self._put(file, signature, key, pack_vectors(encoded))
        return True

    def _put(self, file: str, signature: int, key: str, found: tuple[bytes, bytes]) -> None:
        for rows, row in zip(self._rows, found, strict=True):
            rows.put(file, signature, key, row)
        self._built = None

    def rows(self, file: str) -> "tuple[bytes, bytes] | None":
        """Return the vectors of a memory as they are stored, to be taken over elsewhere; None without any."""
        signature = self._memories.catalog.signature(file)
        vectors, tokens = [rows.row(file, signature) for rows in self._rows]
        return None if vectors is None or tokens is None else (vectors, tokens)

    def take(self, found: "Mapping[str, tuple[bytes, bytes]]") -> None:
        """Take over vectors that were computed elsewhere from the same texts."""
        with self._memories.open_folder() as folder:
            for file, rows in found.items() if folder else ():
                signature = self._memories.catalog.signature(file)
                if folder and signature is not None:
                    self._put(file, signature, content_key(folder.read(file, _READ)[0]), rows)
        self._store(())

    def _store(self, headers: Sequence[Header]) -> None:
        with self._memories.threads:
            files = {*self._memories.catalog, *[header.file for header in headers]}
            for rows in reversed(self._rows):  # tokens first: vectors without their tokens would be of no use
                rows.store(files)

    def _refresh(self) -> None:
        """Take in what other processes have stored."""
        changed = [rows.refresh() for rows in self._rows]
        if any(changed):
            self._built = None

    def _vectors(self, file: str) -> Vectors | None:
        signature, (rows, tokens) = self._memories.catalog.signature(file), self._rows
        row = rows.view(file, signature) if tokens.has(file, signature) else None
        return None if row is None else unpack_vectors(row, lambda: tokens.view(file, signature))
