"""Pairs of memories that say the same: one contains the other, or they share most words."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence

from memdir.dream.statements import statements
from memdir.memories.contradiction.judge import may_contradict
from memdir.memories.topic import Topic
from memdir.text.likeness import likeness, words
from memdir.text.value import value_class
from memdir.text.word_starts import word_starts

__all__ = ["ALIKE", "Pair", "contained_pairs", "contradicting_pairs", "near_pairs"]

ALIKE = 0.6
"""The share of common words at which a person should compare two memories."""


@value_class(frozen=True, slots=True)
class Pair:
    """One memory that may go, and the one that says it too."""

    gone: Topic
    stays: Topic
    because: str = ""


def contained_pairs(topics: Sequence[Topic], untouchable: Container[str]) -> list[Pair]:
    """Return the memories whose every statement stands in another of their kind; each goes once."""
    keys = {topic.header.file: _keys(topic) for topic in topics}
    where: dict[str, set[str]] = defaultdict(set)
    for file, own in keys.items():
        for key in own:
            where[key].add(file)
    by_file = {topic.header.file: topic for topic in topics}
    gone: set[str] = set()
    found: list[Pair] = []
    # The shortest first and, of equal ones, the oldest: what stays is the longest and newest.
    for topic in sorted(topics, key=lambda one: (len(keys[one.header.file]), one.header.saved_at)):
        file = topic.header.file
        if not keys[file] or file in untouchable:
            continue
        holders = set.intersection(*(where[key] for key in keys[file])) - gone - {file}
        alike = [by_file[one] for one in holders if by_file[one].header.kind == topic.header.kind]
        if alike:
            gone.add(file)
            found.append(
                Pair(topic, max(alike, key=lambda one: (len(keys[one.header.file]), one.header.file)))
            )
    return found


def contradicting_pairs(topics: Sequence[Topic], untouchable: Container[str]) -> Iterator[Pair]:
    """Yield pairs that may contradict each other, the newer to take the older's place; each memory once."""
    texts = {one.header.file: f"{one.header.description}\n{one.body}" for one in topics}
    said = {file: word_starts(text) for file, text in texts.items()}
    common = Counter(word for words_of in said.values() for word in words_of)
    by_word: dict[str, list[Topic]] = defaultdict(list)
    paired: set[str] = set()
    for topic in sorted(topics, key=lambda one: one.header.saved_at, reverse=True):
        file = topic.header.file
        telling = [word for word in said[file] if common[word] <= _COMMON]
        newer = {one.header.file: one for word in telling for one in by_word[word]}
        for word in telling:
            by_word[word].append(topic)
        for other in newer.values() if file not in untouchable else ():
            free = not {file, other.header.file} & paired and other.header.file not in untouchable
            later = other.header.saved_at > topic.header.saved_at
            because = may_contradict(texts[file], texts[other.header.file]) if free and later else ""
            if because:
                paired |= {file, other.header.file}
                yield Pair(topic, other, because)
                break


_COMMON = 60
"""The most memories that may share a word that pairs two of them: a more common word says little."""


def near_pairs(topics: Sequence[Topic], untouchable: Container[str]) -> Iterator[Pair]:
    """Yield pairs of one kind that are much alike, the newer to take in the older; each memory once."""
    bags = {topic.header.file: words(f"{topic.header.description}\n{topic.body}") for topic in topics}
    rarity = Counter(word for bag in bags.values() for word in bag)
    by_word: dict[str, list[Topic]] = defaultdict(list)
    paired: set[str] = set()
    for topic in sorted(topics, key=lambda one: one.header.saved_at, reverse=True):
        file, bag = topic.header.file, bags[topic.header.file]
        # Two bags this much alike share one of so many of their rarest words.
        rare = sorted(bag, key=lambda word: (rarity[word], word))[: len(bag) - int(ALIKE * len(bag)) + 1]
        newer = {one.header.file: one for word in rare for one in by_word[word]}
        for word in rare:
            by_word[word].append(topic)
        if file in paired or file in untouchable:
            continue
        for other in newer.values():
            same_kind = other.header.kind == topic.header.kind and other.header.file not in untouchable
            if (
                same_kind
                and other.header.file not in paired
                and likeness(bag, bags[other.header.file]) >= ALIKE
            ):
                paired |= {file, other.header.file}
                yield Pair(topic, other)
                break


def _keys(topic: Topic) -> frozenset[str]:
    return frozenset(one.key for one in statements(topic.header.file, topic.text))
