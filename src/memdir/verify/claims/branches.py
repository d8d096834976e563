"""The git branches that a text names: beside the word "branch", in git commands, or behind `origin/`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdir.verify.claims.mentions import Claim

__all__ = ["branches_in"]


def branches_in(text: str) -> Iterator[tuple[Claim, int, int]]:
    """Yield each branch that a text takes for granted, with its place; one that it tells to create is none.

    It is sure when the words say that it exists here; a name such as `merge into x` may be something else.
    """
    for pattern, sure in _FORMS:
        for match in pattern.finditer(text):
            name = match["name"].rstrip(".,;:")
            remote = (_REMOTE.match(name) or _REMOTE.match(match[0]) or ("",))[0].rstrip("/")
            skipped = len(name) - len(name := _REMOTE.sub("", name))
            before = text[max(0, match.start() - _REACH) : match.start()]
            if _is_name(name) and (_ASKED.match(match[0]) or not _CREATED.search(before)):
                start = match.start("name") + skipped
                certain = sure and not (
                    _ELSEWHERE.search(before) or _MAY_BE_NEW.search(before) or _TAG.match(name)
                )
                yield Claim("branch", name, name, remote, sure=certain), start, start + len(name)


_REACH = 40
"""Characters before a name that can say that the branch is new, or one of another repository."""
_NAME = r"(?P<name>[A-Za-z][\w.-]*(?:/[\w.-]+)*)"
_QUOTED = rf"`{_NAME}`"
_PLAIN = (
    r"(?P<name>main|master|develop|development|dev|staging|production|trunk|next|stable|beta|gh-pages|nightly"
    r"|(?:releases?|feature|feat|fix|bugfix|hotfix|chore|support)/[\w.-]+|release-[\w.-]+)"
)
_ARGUMENT = rf"(?: -[\w-]++)*+ {_NAME}(?![\w/<>{{}}*:.])"
_LOCAL = rf"\bgit (?!checkout -[bB]|switch -[cC])(?:checkout|switch|merge|rebase){_ARGUMENT}"
_PULL, _PUSH = (rf"\bgit {verb}(?: -[\w-]++)*+ [\w.-]+{_ARGUMENT}" for verb in ("pull", "(?:fetch|push)"))
_ONTO = (
    r"\b(?:(?:merged?|merging|rebased?|push(?:ed)?|cherry-pick(?:ed)?|back-?port(?:ed)?) (?:in|on)?to"
    r"|cut from"
    r"|(?:PRs?|pull requests?) (?:go )?(?:to|into|against|target))(?: the)? "
)
_FORMS = (
    (re.compile(rf"{_QUOTED}(?: git)?[ -]branch(?!es\b)", re.IGNORECASE), True),
    (re.compile(rf"\bbranch (?:is |named |called |from |off (?:of |from )?)?{_QUOTED}", re.IGNORECASE), True),
    (re.compile(rf"{_QUOTED} is (?:the|our) (?:\w+ ){{0,2}}branch\b", re.IGNORECASE), True),
    (re.compile(rf"\b{_PLAIN}(?: git)?[ -]branch(?!es\b)"), True),
    (re.compile(rf"\bbranch(?:es|ed)? (?:off (?:of |from )?|from )?{_PLAIN}(?![\w/<>-])"), True),
    (re.compile(rf"\b(?:[Tt]he|[Oo]ur) {_NAME} branch(?!es\b)"), False),
    (
        re.compile(rf"\b(?:[Oo]n|[Ff]rom|in|off|(?:in|on)?to)(?: the| our)? branch {_NAME}(?![\w/<>{{}}*])"),
        False,
    ),
    (re.compile(rf"(?<![\w/.-])(?:origin|upstream)/{_NAME}(?![\w/<>{{}}*])"), False),
    (re.compile(_LOCAL), True),
    (re.compile(_PULL), True),
    (re.compile(_PUSH), False),
    (re.compile(rf"{_ONTO}{_QUOTED}", re.IGNORECASE), False),
    (re.compile(rf"{_ONTO}{_PLAIN}(?![\w/<>-])", re.IGNORECASE), False),
)
_CREATED = re.compile(
    r"\b(?:(?:nam(?:e|ed|ing)|call(?:ed)?|checkout -[bB]|switch -[cC]|e\.g\.|like|such as|for example)\b"
    r"[^.;!?\n]*"
    r"|(?:creat\w*|open|make|start)(?: (?:an?|the|your|its|one|another|new|own))*(?: [\w-]+)? ?"
    r"|new(?: [\w-]+)? )$",
    re.IGNORECASE,
)
"""Words that make a branch with the name that follows, or give an example of one."""
_ASKED = re.compile(r"(?:PRs?|pull requests?)\b", re.IGNORECASE)
"""What is opened then is not the branch."""
_MAY_BE_NEW = re.compile(r"\b(?:creat\w*|new|open|make|start)\b[^.;!?\n]*$", re.IGNORECASE)
"""Words that may speak of something else: "open work is on", "start from"."""
_ELSEWHERE = re.compile(r"\b(?:upstream|fork|repo|repository|submodule|their)\b[^.;!?\n]*$", re.IGNORECASE)
_FILE = re.compile(r"\.(?:py|[jt]sx?|go|rs|md|json|ya?ml|toml|lock|txt|java|kt|rb|css|html|sh)$")
_NO_BRANCH = re.compile(
    r"[A-Z]*HEAD|origin|upstream|the|this|that|an?|your|my|.*\b(?:branch|name|ticket|foo|bar)\b.*",
    re.IGNORECASE,
)
_REMOTE = re.compile(r"^(?:origin|upstream)/")
_TAG = re.compile(r"v?\d")


def _is_name(name: str) -> bool:
    return not _NO_BRANCH.fullmatch(name) and not _FILE.search(name) and ".." not in name
