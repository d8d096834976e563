"""Detect sentences that only repeat a memory, so that they are not saved again.

A sentence is an echo when most of its runs of three words stand in one memory and it adds nothing of its own.
A changed day, number or negation is something of its own, however alike the rest is.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from memdir.resources import read_table

__all__ = ["Echoes", "is_echo", "sentences"]

_RUN = 3
"""Words of a run: two are chance, four no longer see a sentence through one changed word."""

_MOST = 0.6
"""Share of its runs that a sentence has in common with a memory when it is nearly verbatim."""

_ADDED = 0.3
"""Share of words a model may add around a memory it repeats: "as I remember, …"."""


class Echoes:
    """What was recalled or is saved, ready to be compared with what is said."""

    def __init__(self, memories: Iterable[str]) -> None:
        """Take the texts of the memories apart; a header counts like the rest."""
        self._sentences: list[tuple[int, frozenset[str]]] = []
        self._runs: dict[tuple[str, ...], list[int]] = {}
        self._telling: list[list[str]] = []
        for number, memory in enumerate(memories):
            for words in map(_words, sentences(memory)):
                for run in _runs(words):
                    self._runs.setdefault(run, []).append(len(self._sentences))
                self._sentences.append((number, frozenset(words)))
                self._telling.append(_telling(words))

    def repeats(self, text: str, *, typed: bool = False) -> bool:
        """Tell whether a text says nothing but what a memory says.

        A person who typed it may not add one word that matters; a model or a tool may add some around it.
        """
        told = map(_words, sentences(text))  # "Got it." is too short: it repeats nothing and adds nothing
        judged = [self._is_echo(words, typed=typed) for words in told if len(words) >= _RUN]
        return bool(judged) and all(judged)

    def hold(self, text: str) -> bool:
        """Tell whether each sentence of a text has all its telling words in one sentence, in their order."""
        said = [_telling(words) for words in map(_words, sentences(text))]
        return bool(said) and all(
            len(words) >= _FEWEST and any(_is_within(words, known) for known in self._telling)
            for words in said
        )

    def _is_echo(self, words: list[str], *, typed: bool) -> bool:
        """Compare a sentence with the sentences of one memory at a time that have a run in common with it."""
        runs = _runs(words)
        common: dict[int, set[tuple[str, ...]]] = {}
        near: dict[int, Counter[int]] = {}
        for run in runs:
            for place in self._runs.get(run, ()):
                memory = self._sentences[place][0]
                common.setdefault(memory, set()).add(run)
                near.setdefault(memory, Counter())[place] += 1
        return any(
            self._adds_nothing(words, near[memory], typed=typed)
            for memory, shared in common.items()
            if len(shared) >= _MOST * len(runs)
        )

    def _adds_nothing(self, words: list[str], near: Counter[int], *, typed: bool) -> bool:
        known = frozenset[str]().union(*(self._sentences[place][1] for place in near))
        nearest = self._sentences[near.most_common(1)[0][0]][1]
        if nearest & _NEGATIONS - set(words):
            return False
        new = [word for word in words if word not in known]
        if typed:
            return not set(new) - _FILLERS
        return len(new) <= _ADDED * len(words) and not any(
            word in _MEANING or any(map(str.isdigit, word)) for word in new
        )


def is_echo(text: str, memories: Iterable[str]) -> bool:
    """Tell whether a text only repeats one of these memories; for many texts make `Echoes` once."""
    return Echoes(memories).repeats(text)


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text, without marks of lists and quotations."""
    return [piece for piece in (part.strip(_EDGES) for part in _ENDS.split(text)) if piece]


_ENDS = re.compile(r"(?<=[.!?;:])[\"')*\]]*\s+|[\n。！？；，]+")  # noqa: RUF001 - full-width ends are meant
_EDGES = " \t\r-*>#`\"'"
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['\u2019][^\W_]+)*")
_TABLE = read_table(__file__, "repetition.txt")
_FILLERS, _NEGATIONS, _DAYS, _LINKS = (
    frozenset(_TABLE[name][0].split()) for name in ("fillers", "negations", "days", "links")
)
_MEANING = _NEGATIONS | _DAYS
_FEWEST = 4
"""Telling words of a sentence that is compared by them alone: fewer are in many sentences."""


def _words(text: str) -> list[str]:
    """Return the words in one form: composed, lower case, without the s of a plural or a third person."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'"))
    return [word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word for word in found]


def _telling(words: list[str]) -> list[str]:
    """Return the words that carry what is said, all negations as one; none of a script without spaces."""
    if any(len(word) == 1 and word > "\u3000" for word in words):
        return []
    kept = [word for word in words if word not in _FILLERS and word not in _LINKS]
    return ["not" if word in _NEGATIONS or word == "rather" else word for word in kept]


def _is_within(words: list[str], known: list[str]) -> bool:
    """Tell whether words stand in this order among the known ones, and as much is negated."""
    left = iter(known)
    return words.count("not") == known.count("not") and all(word in left for word in words)


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}
