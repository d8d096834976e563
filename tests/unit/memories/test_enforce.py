"""The `enforce:` key of a memory is read as rules, and what cannot be a rule is refused with what to do."""

import pytest

from memdir.errors import Rejected
from memdir.memories.enforce import Rule, holds_rule, rule_lines, rules_in


def test_a_rule_is_read_with_its_verb_its_tools_and_its_pattern() -> None:
    assert rules_in("ask Edit|Write: migrations/**", memory="m", reason="r", bound=False) == (
        Rule(
            "ask", ("Edit", "Write"), "migrations/**", "ask Edit|Write: migrations/**", "m", "r", bound=False
        ),
    )
    assert rules_in("deny mcp__db__*: *")[0].tools == ("mcp__db__*",)
    assert rules_in("Bash: x")[0].verb == "deny"


@pytest.mark.parametrize(
    ("text", "verb", "tools", "pattern"),
    [
        ("Bash(rm -rf *)", "deny", ("Bash",), "rm -rf *"),
        ("ask Bash(npm run:*)", "ask", ("Bash",), "npm run"),
        ("Bash:rm -rf *", "deny", ("Bash",), "rm -rf *"),
        ("Edit|Write(src/**)", "deny", ("Edit", "Write"), "src/**"),
        ("Read(//etc/passwd)", "deny", ("Read",), "/etc/passwd"),
        ("WebFetch(domain:example.com)", "deny", ("WebFetch",), "example.com"),
        ("Bash: f (x)", "deny", ("Bash",), "f (x)"),
    ],
)
def test_the_spelling_of_hosts_is_understood(
    text: str, verb: str, tools: tuple[str, ...], pattern: str
) -> None:
    assert rules_in(text) == (Rule(verb, tools, pattern, text),)


def test_several_rules_stand_behind_each_other() -> None:
    assert rule_lines('Bash: a; Write: *.py "x; y"\nask Bash: b;') == [
        "Bash: a",
        'Write: *.py "x; y"',
        "ask Bash: b",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("git push * main", "names no tool"),
        ("", "no rule"),
        (" ; ", "no rule"),
        ("Bash:", "no pattern"),
        ("allow Bash: ls", "Begin with ask, or deny"),
        ("Bash: a && b", "write a rule for each"),
        ("Bash: a | b", "write a rule for each"),
        ("Bash: --force", "begin with the program"),
        ("Write: [a", "bracket is never closed"),
        ("Write: ../x", "can never match"),
        ("Bash: x;" * 21, "20 rules"),
        ("Bash: " + "x" * 1_001, "1,000 characters"),
    ],
)
def test_a_rule_that_cannot_be_taken_is_refused_with_what_to_do(text: str, told: str) -> None:
    with pytest.raises(Rejected, match=told):
        rules_in(text)


@pytest.mark.parametrize(
    ("metadata", "holds"),
    [
        ("  enforce: Bash: git push", True),
        ("  enforce: nonsense that is no rule", True),
        ("  enforce:", False),
        ("  enforce: '  '", False),
        ("  source: enforce", False),
    ],
)
def test_a_memory_holds_a_rule_when_its_header_has_one_readable_or_not(metadata: str, holds: bool) -> None:
    assert holds_rule(f"---\nname: x\nmetadata:\n{metadata}\n---\n\nenforce: in the body\n") is holds


def test_a_rule_outside_the_metadata_is_none() -> None:
    assert not holds_rule("---\nname: x\nenforce: Bash: git push\n---\n")
