"""A quick look whether a memory can claim anything about a project: the rules that find out load slowly."""

import re

from memdir.memories.topic import Topic

__all__ = ["is_checkable"]


def is_checkable(topic: Topic) -> bool:
    """Say whether it may be worth looking for claims; a text without any of these signs makes none."""
    header = topic.header
    return bool(header.expires or _SIGNS.search(header.description) or _SIGNS.search(topic.body))


_SIGNS = re.compile(
    r"[`/~#$]|\]\(|20\d\d|\w\.\w|(?<![\w.])\.\w|\w\(|::|->|\w_\w|(?<!\w)_\w|[a-z0-9][A-Z]"  # code, years
    r"|[Ff]ile\b|makefile|CODEOWNERS|LICENSE|CHANGELOG"
    r"|(?:npm|pnpm|yarn|bun|make|just|uv|poetry|pdm|rye|hatch|cargo) \S"
)
