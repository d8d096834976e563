"""The `enforce:` key of a memory: rules for tool calls, one a line, read and checked.

A rule is one line, `Bash: git push * main`: a tool, a colon, a pattern on what the tool is given; `ask` in
front asks the user instead of refusing. Several rules stand behind each other with `;` between them.

A host waits for this module: it imports late and does without `typing`.
"""

from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdir.errors import Rejected
    from memdir.text.frontmatter.header import Frontmatter

__all__ = [
    "TOOL_SIGNS",
    "Rule",
    "holds_rule",
    "path_and_phrases",
    "read_rule",
    "rule_lines",
    "rules_in",
    "rules_of",
]

MOST_RULES = 20
"""Rules of one memory: more than that is a policy, and belongs into several memories."""

MOST_CHARACTERS = 1_000


@value_class(frozen=True, slots=True)
class Rule:
    """One rule: which tools, which inputs, and what then."""

    verb: str
    """deny or ask."""
    tools: tuple[str, ...]
    """Names of tools; `*` in them is any run of characters."""
    pattern: str
    text: str
    """The rule as it was written: what an approval is about."""
    memory: str = ""
    """The name of the memory that holds it."""
    reason: str = ""
    bound: bool = True
    """False until the user approves a rule that someone else wrote; then it only asks."""
    file: str = ""
    """Where it stands in the memory directory."""
    whose: str = ""
    """Who wrote it, in words; empty for the user."""


def rules_in(
    text: str, *, memory: str = "", reason: str = "", bound: bool = True, file: str = ""
) -> tuple[Rule, ...]:
    """Read the rules of one memory, or raise with what to write instead."""
    lines = rule_lines(text)
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_RULES:
        limit = f"{MOST_RULES} rules or {MOST_CHARACTERS:,} characters"
        raise _rejection(f"These are more than {limit}. Spread them over several memories.")
    if not lines:
        raise _rejection(f"There is no rule in {text!r}. {_EXAMPLE}")
    rules = [read_rule(line, memory=memory, reason=reason, bound=bound, file=file) for line in lines]
    for rule in rules:
        if problem := _problem_of(rule.tools, rule.pattern):
            raise _rejection(f"{rule.text!r} can never match: {problem}.")
    return tuple(rules)


def read_rule(
    line: str, *, memory: str = "", reason: str = "", bound: bool = True, file: str = "", whose: str = ""
) -> Rule:
    """Return the rule that one line is, or raise with what to write instead.

    `Bash(rm -rf *)` is how hosts write it, and `Bash(npm run:*)` what begins with these words.
    """
    head, sign, pattern = line.partition(":")
    if "(" in head and line.endswith(")"):
        head, sign, pattern = line[:-1].partition("(")
        pattern = pattern.removesuffix(":*").removeprefix("domain:")
        pattern = pattern[1:] if pattern.startswith("//") else pattern
    first, *others = head.split("|")
    words = first.split()
    verb = words.pop(0) if len(words) > 1 else "deny"
    tools = (*words, *[other.strip() for other in others])
    is_rule = sign and not line[:1].isspace() and verb.replace("_", "a").isalnum() and len(words) == 1
    if not is_rule or not all(tool.translate(TOOL_SIGNS).isalnum() for tool in tools):
        raise _rejection(f"{line!r} names no tool. {_EXAMPLE}")
    if verb not in ("deny", "ask"):
        raise _rejection(
            f"{verb!r} in {line!r} is not what a rule can do. Begin with ask, or deny, or the tool."
        )
    if not pattern.strip():
        raise _rejection(f"{line!r} has no pattern. Say which calls are meant, or write * for all of them.")
    return Rule(verb, tools, pattern.strip(), line, memory, reason, bound, file, whose)


def holds_rule(memory: str) -> bool:
    """Tell whether the text of a memory has a rule in its header, one that can be read or not."""
    if "enforce" not in memory:
        return False
    from memdir.errors import Rejected
    from memdir.text.frontmatter.header import parse  # a hook that only judges never needs it

    try:
        return bool(rules_of(parse(memory)))
    except Rejected:
        return True


def rules_of(header: "Frontmatter") -> str:
    """Return what a header enforces, unread; empty for nothing, an error where it goes on unread."""
    from memdir.text.frontmatter.header import TOO_LONG

    rules = header.metadata.get("enforce", "").strip()
    if not rules and TOO_LONG in header.problems:
        raise _rejection(TOO_LONG)
    return rules


def rule_lines(text: str) -> list[str]:
    """Return the rules of a text one by one, unread: line ends and `;` part them, except inside quotes."""
    text = text.replace("\n", ";")
    if '"' not in text and "'" not in text:
        return [line for part in text.split(";") if (line := part.strip())]
    lines, begun, at = list[str](), 0, 0
    while at < len(text):
        if text[at] in "\"'":
            at = max(at, text.find(text[at], at + 1))
        elif text[at] == ";":
            lines.append(text[begun:at])
            begun = at + 1
        at += 1
    return [line for part in (*lines, text[begun:]) if (line := part.strip())]


def path_and_phrases(pattern: str) -> tuple[str, list[str]]:
    """Return the glob of a rule about files and the texts in quotes after it."""
    pattern = pattern.strip().removeprefix("./")
    if '"' not in pattern and "'" not in pattern:
        return pattern or "*", []
    import re

    phrases = [found[1:-1] for found in re.findall(_PHRASE, pattern)]
    return re.sub(_PHRASE, "", pattern).strip() or "*", phrases


_EXAMPLE = "Write TOOL: PATTERN, for example 'Bash: git push * main', 'ask Bash: rm -rf *' or 'Write: *.env'."


TOOL_SIGNS = str.maketrans("_*.-", "aaaa")


def _rejection(message: str) -> "Rejected":
    from memdir.errors import Rejected  # a hook that only judges never needs it

    return Rejected(message)


def _problem_of(tools: "Iterable[str]", pattern: str) -> str:
    """Say why a rule on these tools can match nothing: one that stops nothing only looks like protection."""
    import re  # a hook that only judges has no time for it

    from memdir.text.globs import Globs
    from memdir.text.program_names import SHELL_TOOLS, WRITING_TOOLS

    names = {tool.lower() for tool in tools}
    if names & SHELL_TOOLS:
        if re.search(_OPERATOR, re.sub(_QUOTED, "", pattern)):
            return "commands are judged one by one; write a rule for each, and put operators in quotes"
        if pattern.startswith("-"):
            return "it begins with an option; begin with the program, or with * for any"
    elif names <= WRITING_TOOLS | {"read", "glob", "grep", "ls"} and not pattern.startswith(("/", "~/")):
        return " ".join(Globs((path_and_phrases(pattern)[0],)).problems).rstrip(".")
    return ""


_OPERATOR = r"&&|\|\||[|&<>`]|\$\("
_PHRASE = r'(?<=\s)"[^"]*"|(?<=\s)\'[^\']*\'|\A"[^"]*"\Z'
_QUOTED = r""""[^"]*"|'[^']*'"""
