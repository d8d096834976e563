"""Of memories that contradict each other the newest is shown, and says what it replaces."""

from collections.abc import Sequence

from memdir.core.frontmatter import parse
from memdir.core.replacement import replacements
from memdir.core.topic import Topic
from memdir.core.word_starts import word_starts
from memdir.recall.wording import filled

__all__ = ["replaced_lines", "without_replaced"]


def replaced_lines(topic: Topic) -> tuple[str, ...]:
    """Return a line for each memory that this one says it replaces."""
    if "supersedes" not in topic.text:
        return ()
    named = replacements(parse(topic.text).metadata.get("supersedes", ""))
    return tuple([_line("replaces", name, day) for name, day in named])


def without_replaced(topics: Sequence[Topic]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return which of the chosen are not shown beside a newer one and why, and what that one says of it."""
    cuts: dict[str, str] = {}
    lines: dict[str, tuple[str, ...]] = {topic.header.file: replaced_lines(topic) for topic in topics}
    starts = {topic.header.file: word_starts(topic.header.description) for topic in topics}
    by_age = sorted(topics, key=lambda topic: topic.header.saved_at)
    for at, old in enumerate(by_age):
        for new in by_age[at + 1 :]:
            alike = starts[old.header.file] & starts[new.header.file]
            if new.header.saved_at == old.header.saved_at or not alike or not _contradict(old, new):
                continue
            cuts[old.header.file] = f"a newer memory says otherwise: {new.header.file}"
            day = f"{old.header.saved_at:%Y-%m-%d}"
            lines[new.header.file] += (_line("contradicts", old.header.name, day),)
            break
    return cuts, lines


def _contradict(one: Topic, two: Topic) -> bool:
    from memdir.core.contradiction import may_contradict  # whose rules few prompts need

    return bool(may_contradict(_said(one), _said(two)))


def _said(topic: Topic) -> str:
    return f"{topic.header.description}\n{topic.body}"


def _line(text: str, name: str, day: str) -> str:
    return filled(f"{text}_of" if day else text, name=name, day=day)
