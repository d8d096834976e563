"""The working tree that the memories of a conversation speak about, and what it says to one of them.

A host waits for this module: it imports late and does without `typing`.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from memdir.config.world import World
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.memories.topic import Topic
    from memdir.verify.project import Project

__all__ = ["Tree", "is_checkable"]


@value_class(frozen=True, slots=True)
class Tree:
    """Where a conversation takes place; what looks at files and git is loaded by the first claim."""

    world: World

    def findings(self, topic: "Topic", now: datetime, seconds: float) -> Sequence[str]:
        """Return one line for each claim of a memory that could be checked in time."""
        if not is_checkable(topic):
            return ()
        from memdir.verify.check import verify
        from memdir.verify.verdicts import finding_lines

        return finding_lines(verify(topic, self.project(), now, seconds))

    def project(self) -> "Project":
        """Return the checkout, looked at anew."""
        from memdir.config.identity import checkout_root
        from memdir.memories.history.git import git_path
        from memdir.verify.project import Project

        world = self.world
        return Project.at(checkout_root(world.cwd), git_path(world.env.get("PATH", "")), home=world.home)


def is_checkable(topic: "Topic") -> bool:
    """Say whether a memory may claim anything about a project; a text without these signs does not."""
    header = topic.header
    return bool(header.expires or re.search(_SIGNS, f"{header.description}\n{topic.body}"))


_SIGNS = (
    r"[`/~#$]|\]\(|20\d\d|\w\.\w|(?<![\w.])\.\w|\w\(|::|->|\w_\w|(?<!\w)_\w|[a-z0-9][A-Z]"  # code, years
    r"|[Ff]ile\b|makefile|CODEOWNERS|LICENSE|CHANGELOG"
    r"|(?:npm|pnpm|yarn|bun|make|just|uv|poetry|pdm|rye|hatch|cargo) \S"
    r"|--[a-z]|[a-z0-9]-[a-z0-9]+-[a-z0-9]|\d{4}|\w:\w"  # options, names, ports, images
    r"|[\"\u201c]|(?i:tests?|specs?|it|describe|scenario|case)\b[^.\n]{0,12}'"  # titles of tests
    r"|(?:is|are|stays|remains|defaults|was|set|fixed|pinned|capped|limited|kept|now|to|at|=) \d"  # values
)
