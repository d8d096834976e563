"""The memories of one directory with their term statistics, as up to date as the files.

Example: `corpus = Corpus(memories)` reads nothing yet; `headers = corpus.refresh()` looks at every file and
counts again what changed; `corpus.score(query).scores` are then in the order of these headers.
"""

from collections.abc import Callable, Sequence

from memdir.conversation.receipts import receipt_query
from memdir.disk.files import Folder
from memdir.memories.catalog.derived import Derived, content_key
from memdir.memories.directory import MemoryDir
from memdir.memories.topic import Header, topic_from
from memdir.recall.lexical.statistics import Fit, Overlap, Profile, Statistics
from memdir.text.secrets.fast_search import without_secrets

__all__ = ["NO_TIME", "Corpus"]

_VERSION = "4"
"""Raised whenever the same text would give other terms: rows of the old kind are then computed anew."""

_READ = 1 << 16
"""Bytes of a memory whose words count: a page of text has a few thousand."""

NO_TIME = "no time was left"

_HEADERS, _BODIES, _COUNTED = 0.3, 0.5, 0.7
"""Shares of a prompt's time until which headers are read, then whole texts, then words counted at all.

What comes after them, ranking and showing, needs the rest.
"""

_BETWEEN_LOOKS = 16
"""Memories between two looks at the time: that many are read in some milliseconds."""

_IN_ANY_CASE = 208
"""Memories, the newest, that are ranked however late it is: they take some milliseconds."""

_NAMED = 3
"""Memories that are named one by one where they cannot be ranked."""

_MOST_DROPPED = 4
"""The statistics are built anew when one document in this many is no longer there."""


class Corpus:
    """What is ranked: every memory of a directory, and how well its words fit a query."""

    def __init__(self, memories: MemoryDir) -> None:
        """Remember the directory."""
        self._memories = memories
        self._derived = Derived(memories.state, "terms", _VERSION)
        self._generation = -1
        self._headers: list[Header] = []
        self._late = self._brief = 0
        self.broken: dict[str, str] = {}
        """Files that cannot be ranked, with the reason."""
        self._places: dict[str, tuple[int, int | None]] = {}
        self._order: list[int] = []
        self._statistics = Statistics()

    def refresh(self, spent: Callable[[], float] = lambda: 0.0, recent: float = 0.0) -> Sequence[Header]:
        """Look at the stat of every memory, take in what changed, and return all headers, newest first.

        Told which share of a time is gone, it leaves out what it has no time for; the next call goes on. A
        look no older than `recent` seconds is not repeated. Where nothing changed, the answer is the same
        object as before.
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
                self._order = [self._places[header.file][0] for header in self._headers]
                self._generation = catalog.generation if complete else -1
        return self._headers

    def limitations(self) -> list[str]:
        """Say which memories the headers last returned do without, and why."""
        late, count = self._late, len(self._headers) + self._late + len(self.broken)
        told = [f"{late:,} of {count:,} memories were not ranked: {NO_TIME}"] if late else []
        if self._brief:
            told.append(
                f"{self._brief:,} of {count:,} memories were ranked by their headers alone: {NO_TIME}"
            )
        few = [f"{file} was left out: {because}" for file, because in list(self.broken.items())[:_NAMED]]
        more = len(self.broken) - len(few)
        return [*told, *few, *([f"{more:,} more were left out for such reasons"] if more else [])]

    def score(self, query: str, *, widen: bool = True) -> Fit:
        """Return how well the words of each memory fit, in the order of the headers last returned."""
        with self._memories.threads:
            fit = self._statistics.score(query, widen=widen)
            plain = [*map(fit.plain.__getitem__, self._order)]
            same = fit.scores is fit.plain
            return Fit(plain if same else [*map(fit.scores.__getitem__, self._order)], plain, fit.terms)

    def overlaps(self, query: str, numbers: Sequence[int]) -> list[Overlap]:
        """Return which words of a query these headers share, by their places in the last answer."""
        with self._memories.threads:
            return self._statistics.overlaps(query, [self._order[number] for number in numbers])

    def similarities(self, numbers: Sequence[int], least: float = 0.0) -> list[list[float]]:
        """Return for each two headers, by their places in the last answer, which share of terms both have.

        Less than `least` may be given as nothing.
        """
        with self._memories.threads:
            return self._statistics.similarities([self._order[number] for number in numbers], least)

    def _take_changes(self, folder: Folder, headers: list[Header], spent: Callable[[], float]) -> bool:
        """Bring the statistics up to date; tell whether every memory could be read."""
        catalog, places, statistics = self._memories.catalog, self._places, self._statistics
        self._headers, self._late, self._brief, self.broken = [], catalog.unread, 0, {}
        for file in [file for file in places if file not in catalog]:
            statistics.drop(places.pop(file)[0])
        for number, header in enumerate(headers):
            if not number % _BETWEEN_LOOKS:
                statistics.note()
                share = spent()
                if share > _COUNTED and number >= _IN_ANY_CASE:
                    self._late += len(headers) - number
                    break
            if self._takes_in(folder, header, hurry=share > _BODIES):
                self._headers.append(header)
        if self._late or self._brief:
            return False  # whoever has the time for all of it writes it down
        self._derived.store(catalog)
        if statistics.dropped * _MOST_DROPPED > len(places):
            self._statistics, self._places = Statistics(), {}
            return self._take_changes(folder, headers, spent)
        return all(signature is not None for _, signature in places.values())

    def _takes_in(self, folder: Folder, header: Header, *, hurry: bool) -> bool:
        """Count the words of one memory if it changed; tell whether it can be ranked.

        In a hurry, those of its header have to do.
        """
        file, places = header.file, self._places
        signature, known = self._memories.catalog.signature(file), places.get(file)
        if known and known[1] == signature:
            return True
        if known:
            self._statistics.drop(places.pop(file)[0])
        try:
            row = self._derived.row(file, signature)
            if not row and not hurry:
                row = self._compute_statistics(folder, header, signature or 0)
            if row:
                profile = Profile(tuple(row.decode("utf-8", "surrogatepass").split("\n")))
            else:
                profile = Profile.of(header.name, header.description)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one memory costs no other
            self.broken[file] = receipt_query(f"{type(error).__name__}: {error}")
            return False
        self._brief += hurry and not row
        places[file] = self._statistics.add(profile), signature if row else None
        return True

    def _compute_statistics(self, folder: Folder, header: Header, signature: int) -> bytes:
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
            # What is derived from a memory may be kept where the memory is not.
            texts = map(without_secrets, (header.name, header.description, body))
            row = "\n".join(Profile.of(*texts).passages).encode("utf-8", "surrogatepass")
            self._derived.put(file, signature, key, row)
        return row
