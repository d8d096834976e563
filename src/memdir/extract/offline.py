"""Extraction with no language model: what the tagger and the rules find, without what memory itself said."""

from collections.abc import Sequence
from datetime import date

from memdir.conversation.turns import Spoken
from memdir.extract.heuristics.extraction import Extraction, extracted
from memdir.extract.heuristics.findings import Judge
from memdir.extract.heuristics.known import Similar
from memdir.memories.echo import Echoes
from memdir.memories.topic import Topic
from memdir.text.value import replace

__all__ = ["found_offline"]


def found_offline(
    heard: Sequence[Spoken],
    known: Sequence[Topic],
    today: date,
    similar: Similar,
    *,
    judge: Judge,
    literal: bool = False,
) -> Extraction:
    """Return what is found in the messages; who only repeats what was recalled says nothing new."""
    found = extracted(heard, known, today, similar, judge=judge, literal=literal)
    echoes = Echoes([one.text for one in heard if one.recalled])
    repeated = [one for one in found.drafts if echoes.repeats(one.body.partition("\n\n")[0], typed=True)]
    return replace(
        found,
        drafts=tuple(one for one in found.drafts if one not in repeated),
        skipped=(*found.skipped, *((one.message, "it repeats what was recalled") for one in repeated)),
    )
