"""Conversations in a few lines, for the tests of offline extraction, with the tagger that is shipped."""

from datetime import UTC, date, datetime

from memdir.conversation.messages import Spoken
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.result import Extracted
from memdir.extract.tagger import shipped_tagger
from memdir.memories.topic import Draft, Header, Kind, Topic

TODAY = date(2026, 11, 12)  # a Thursday
JUDGE = Judge(shipped_tagger())
RULES = Judge()
"""Where the tagger cannot be loaded: requests alone."""


def saved(kind: Kind, name: str, body: str) -> Topic:
    header = Header(
        f"{kind}_{name}.md", name, body.partition("\n")[0], kind, datetime(2026, 1, 1, tzinfo=UTC)
    )
    return Topic(header, body, body)


def talk(*said: str, known: tuple[Topic, ...] = (), judge: Judge = JUDGE) -> Extracted:
    """Extract a conversation of lines such as "user: hello"."""
    spoken = [
        Spoken(str(number), line.partition(": ")[0], line.partition(": ")[2])
        for number, line in enumerate(said, 1)
    ]
    return extract(spoken, known, TODAY, judge=judge)


def only(*said: str, known: tuple[Topic, ...] = (), judge: Judge = JUDGE) -> Draft:
    (draft,) = talk(*said, known=known, judge=judge).drafts
    return draft
