"""Rules that a memory enforces, and what they say about one tool call: allow, ask or deny, and why.

A rule is one line, `Bash: git push * main`: a tool, a colon, a pattern on what the tool is given; `ask` in
front asks the user instead of refusing. Several rules stand behind each other with `;` between them. Commands
are judged as commands (see `shell` and `enforce_words`), files by gitignore-like globs, all else as text.
"""

from memdir.rules.match import NO, YES, text_fits
from memdir.rules.paths import Ground, file_fits
from memdir.text.program_names import READING_TOOLS, SHELL_TOOLS, WRITING_TOOLS, tools_like
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from memdir.errors import Rejected
    from memdir.rules.paths import Kept

__all__ = ["ALLOWED", "Decision", "Rule", "higher", "judged", "rule_lines", "rules_in"]

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


@value_class(frozen=True, slots=True)
class Decision:
    """What the rules say about a tool call."""

    verdict: str
    """allow, ask or deny."""
    rule: Rule | None = None
    because: str = ""


ALLOWED = Decision("allow")


def rules_in(
    text: str,
    *,
    memory: str = "",
    reason: str = "",
    bound: bool = True,
    file: str = "",
    whose: str = "",
    checked: bool = False,
) -> tuple[Rule, ...]:
    """Read the rules of one memory, or raise with what to write instead; what was checked once is quicker."""
    lines = rule_lines(text)
    if len(text) > MOST_CHARACTERS or len(lines) > MOST_RULES:
        limit = f"{MOST_RULES} rules or {MOST_CHARACTERS:,} characters"
        raise _rejected(f"These are more than {limit}. Spread them over several memories.")
    if not lines:
        raise _rejected(f"There is no rule in {text!r}. {_EXAMPLE}")
    rules = [_rule(line, memory, reason, file, whose, bound=bound) for line in lines]
    for rule in rules if not checked else ():
        from memdir.rules.problems import problem_of  # which a hook that only judges has no time for

        if problem := problem_of(rule.tools, rule.pattern):
            raise _rejected(f"{rule.text!r} can never match: {problem}.")
    return tuple(rules)


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


def judged(
    rules: "Iterable[Rule]",
    tool_name: str,
    tool_input: "Mapping[str, Any]",
    cwd: str,
    *,
    root: str = "",
    home: str = "",
    tops: tuple[str, ...] = (),
    branch: "Callable[[str], str] | None" = None,
    kept: "Kept | None" = None,
) -> Decision:
    """Return what the rules say about one call; never raises, and takes time in step with the input.

    Paths are compared as text, from `cwd`, `root` and each of `tops`: the caller resolves links and asks
    again. `branch` tells which branch is checked out in a directory, empty if unknown. A command that changes
    what is kept is asked about, without a rule and with the words alone.
    """
    rules, ground = [*rules], Ground(cwd, root, home, tops)
    concerned = [rule for rule in rules if _concerns(rule, tool_name)]
    command = _command(tool_name, tool_input)
    if command is not None:
        files = [rule for rule in rules if any(_concerns(rule, tool) for tool in _FILE_TOOLS)]
        if not concerned and not files and not kept:
            return ALLOWED
        try:
            return _highest(_verdicts(command, concerned, files, ground, branch=branch, kept=kept))
        except Exception:  # noqa: BLE001 - what cannot be judged is not let through
            return Decision(
                "ask", next(iter((*concerned, *files)), None), f"It cannot be judged: {command[:80]}"
            )
    if not concerned:
        return ALLOWED
    from memdir.rules.inputs import fitting

    return _highest([_decision(rule, YES, "") for rule in fitting(concerned, tool_name, tool_input, ground)])


def higher(one: Decision, other: Decision) -> Decision:
    """Return the stricter of two decisions: deny before ask before allow."""
    return other if _RANKS.index(other.verdict) > _RANKS.index(one.verdict) else one


_RANKS = ("allow", "ask", "deny")
_EXAMPLE = "Write TOOL: PATTERN, for example 'Bash: git push * main', 'ask Bash: rm -rf *' or 'Write: *.env'."
_FILE_TOOLS = ("Read", "Write")
"""What commands do to files, as the tools that would do it."""


def _rule(line: str, memory: str, reason: str, file: str, whose: str, *, bound: bool) -> Rule:
    verb, tools, pattern = _head(line)
    if not tools:
        raise _rejected(f"{line!r} names no tool. {_EXAMPLE}")
    if verb not in ("deny", "ask"):
        raise _rejected(
            f"{verb!r} in {line!r} is not what a rule can do. Begin with ask, or deny, or the tool."
        )
    if not pattern:
        raise _rejected(f"{line!r} has no pattern. Say which calls are meant, or write * for all of them.")
    return Rule(verb, tools, pattern, line, memory, reason, bound, file, whose)


def _head(line: str) -> tuple[str, tuple[str, ...], str]:
    """Return the verb, the tools and the pattern of a line; no tools when it is no rule.

    `Bash(rm -rf *)` is how hosts write it, and `Bash(npm run:*)` what begins with these words.
    """
    head, sign, pattern = line.partition(":")
    if "(" in head and line.endswith(")"):
        head, sign, pattern = line[:-1].partition("(")
        pattern = pattern.removesuffix(":*").removeprefix("domain:")
        pattern = pattern[1:] if pattern.startswith("//") else pattern
    first, *others = head.split("|")
    verb, *names = ["deny", *first.split()] if len(first.split()) < 2 else first.split()
    tools = (*names, *[other.strip() for other in others]) if len(names) == 1 else ()
    is_rule = sign and not line[:1].isspace() and verb.replace("_", "a").isalnum()
    letters = [tool.translate(_TOOL_SIGNS) for tool in tools]
    return verb, tools if is_rule and all(one.isalnum() for one in letters) else (), pattern.strip()


_TOOL_SIGNS = str.maketrans("_*.-", "aaaa")


def _rejected(message: str) -> "Rejected":
    from memdir.errors import Rejected  # a hook that only judges never needs it

    return Rejected(message)


def _concerns(rule: Rule, tool_name: str) -> bool:
    name = tool_name.lower()
    same = next((some for some in _SAME_TOOLS if name in some), tools_like(name))
    return any(
        tool == "*" or any(_tool_fits(tool.lower(), one) for one in (name, *same)) for tool in rule.tools
    )


_SAME_TOOLS = (("bash", *SHELL_TOOLS), WRITING_TOOLS, READING_TOOLS)


def _tool_fits(wanted: str, name: str) -> bool:
    return text_fits(wanted, name) if "*" in wanted else wanted == name


def _command(tool_name: str, tool_input: "Mapping[str, Any]") -> str | None:
    """Return the command of a shell tool as text."""
    if tool_name.lower() not in SHELL_TOOLS:
        return None
    command = tool_input.get("command", tool_input.get("cmd", ""))
    if isinstance(command, list):
        from memdir.rules.shell.programs import quoted

        return quoted([str(word) for word in command])
    return command if isinstance(command, str) else ""


def _verdicts(
    command: str,
    rules: "Sequence[Rule]",
    files: "Sequence[Rule]",
    ground: Ground,
    *,
    branch: "Callable[[str], str] | None",
    kept: "Kept | None",
) -> "Iterator[Decision]":
    """Yield what rules about commands say, and those about files of what the command reads and writes."""
    from memdir.rules.command_check import Hearing, shown

    texts = any('"' in rule.pattern or "'" in rule.pattern for rule in files)
    hearing = Hearing(rules, branch, kept, files=bool(files), texts=texts)
    touched = hearing.hear(command, ground)
    for rule, (fits, words) in hearing.found.items():
        yield _decision(rule, fits, words)
    for rule in files:
        for file in touched:
            if _concerns(rule, file.tool) and (fits := file_fits(rule.pattern, file, ground)) != NO:
                yield _decision(rule, fits, f"{'<' if file.tool == 'Read' else '>'} {shown(file.path)}")
    if change := hearing.change(command, ground):
        yield Decision("ask", None, change)


def _decision(rule: Rule, fits: int, words: str) -> Decision:
    whose = f"the memory {rule.memory!r}" if rule.memory else "a memory"
    said = f" ({rule.reason})" if rule.reason else ""
    found = f" Found: {words}." if words else ""
    ruled = f"the rule {rule.text!r} of {whose}{said}"
    if not rule.bound:
        forget, approve = _argument(rule.file or rule.memory), _argument(rule.memory)
        how = f"`memdir forget {forget}` removes it, `memdir rules approve {approve}` lets it bind."
        whose = rule.whose or "somebody else"
        return Decision("ask", rule, f"This meets {ruled}, written by {whose} and not by you.{found} {how}")
    if fits == YES:
        deed = "is forbidden by" if rule.verb == "deny" else "needs your consent because of"
        return Decision(rule.verb, rule, f"This {deed} {ruled}.{found}")
    return Decision("ask", rule, f"This may meet {ruled}: not all of it can be known before it runs.{found}")


def _argument(name: str) -> str:
    """Return a name as it can be typed: whoever wrote the header chose it."""
    from memdir.rules.shell.programs import quoted

    return name if name.translate(_TOOL_SIGNS).isalnum() and name[:1] != "-" else quoted([name])


def _highest(decisions: "Iterable[Decision]") -> Decision:
    found = ALLOWED
    for decision in decisions:
        found = higher(found, decision)
    return found
