"""Where terms stand among the passages of a store, noted when the first query comes."""

from collections import defaultdict

from memdir.recall.lexical.bm25 import MANY

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.recall.lexical.bm25 import Numbers

__all__ = ["Postings"]


class Postings:
    """The passages of a store, each found again by its terms.

    A passage is a line of text: groups parted by tabs, of terms that stand in it once, twice, and so on.
    """

    def __init__(self) -> None:
        """Begin without a passage."""
        self.passages: list[str] = []
        self._noted = 0
        self._once: defaultdict[str, Numbers] = defaultdict(list)
        self._more: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)

    def places(self, term: str) -> "tuple[Numbers, Sequence[tuple[int, int]]]":
        """Return the passages that have a term once, and those that have it more often with how often."""
        self.note()
        return self._once.get(term, []), self._more.get(term, ())

    def among(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return sum(map(len, self.places(term)))

    def note(self) -> None:
        """Take in the passages that came since the last time."""
        once, more = self._once, self._more
        if len(self.passages) > MANY:
            from array import array

            once.default_factory = lambda: array("i")
        for number in range(self._noted, len(self.passages)):
            first, *others = self.passages[number].split("\t")
            for term in first.split():
                once[term].append(number)
            for times, group in enumerate(others, 2):
                for term in group.split():
                    more[term].append((number, times))
        self._noted = len(self.passages)
