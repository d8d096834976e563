"""A glance lets through only what the whole judgement lets through, and that is most of what hosts run."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import on_row
from tests.unit.rules.corpus import FIXTURES, rows

from memdir.memories.enforce import rules_in
from memdir.rules.fast_check import cannot_concern
from memdir.rules.judge import judge
from memdir.text.program_names import OTHER_NAMES, SAME_AS_GIT

RULES = [line for row in rows("rules") for line in row["rule"].split(";")]
COMMANDS = [
    row["input"]["command"]
    for name in ("forbidden", "second_forbidden", "innocent", "second_innocent")
    for row in rows(name)
    if row["tool"] == "Bash"
]


def always(branch: str) -> Callable[[str], str]:
    return lambda _: branch


def test_what_a_glance_lets_through_no_rule_stops() -> None:
    wrong = [
        (rule, command, branch, said)
        for rule in RULES
        for parsed in [rules_in(rule)]
        for command in COMMANDS
        if on_row(cannot_concern, [rule], command)
        for branch in ("main", "topic")
        for said in [on_row(judge, parsed, "Bash", {"command": command}, "/p", branch=always(branch))]
        if said.verdict != "allow"
    ]
    assert not wrong, str(wrong)


def test_no_form_slips_past_a_glance() -> None:
    files = json.loads((FIXTURES / "file_forms.json").read_text())
    given = [(one["rule"], [*one["stopped"], *one["allowed"]]) for one in rows("forms")]
    given += [
        (rule, [one.replace("PATH", path) for one in files["stopped"]]) for rule, path in files["rules"]
    ]
    commands = [(rule, one) for rule, some in given for one in some if isinstance(one, str)]
    over = [(rule, one) for rule, one in commands if on_row(cannot_concern, [rule], one)]
    wrong = [
        (rule, one, said)
        for rule, one in over
        for said in [on_row(judge, rules_in(rule), "Bash", {"command": one}, "/p", branch=always("main"))]
        if said.verdict != "allow"
    ]
    assert not wrong, str(wrong)
    assert over  # some of what is allowed needs no more than a glance


FORMS = rows("forms")
FORM_COMMANDS = [one for row in FORMS for kind in ("stopped", "allowed") for one in row[kind]]


@settings(max_examples=5 * settings().max_examples)
@given(st.sampled_from(FORMS), st.sampled_from([one for one in FORM_COMMANDS if isinstance(one, str)]))
def test_a_glance_is_never_less_careful_than_the_whole_judgement(form: dict[str, Any], command: str) -> None:
    said = judge(rules_in(form["rule"]), "Bash", {"command": command}, "/p", branch=always("main"))
    assert said.verdict == "allow" or not cannot_concern([form["rule"]], command)


def test_no_program_slips_past_a_glance_under_another_name() -> None:
    assert [name for name, usual in OTHER_NAMES.items() if usual not in name] == []
    for name, usual in OTHER_NAMES.items():
        assert not cannot_concern([f"Bash: {name} x"], f"{usual} x"), name
    for name in (*SAME_AS_GIT, "bash", "gbase64"):
        assert not cannot_concern(["Bash: git push * main"], f"{name} push origin main")
    for name in ("gfind", "grm", "fdfind", "gxargs"):
        assert not cannot_concern(["Bash: git push * main"], f"{name} x", marks=["/memory"])


GIT = ("git", "push", "main", "/usr/bin/git", "GIT", "env", "sudo", "xargs", "make", "g=git")
OTHERS = (
    "docker",
    "docker-compose",
    "compose",
    "down",
    "-v",
    "pip3.11",
    "pip",
    "install",
    "python3",
    "-m",
    "npm@9",
)
WORDS = st.sampled_from([*GIT, *OTHERS, "rm", "-rf", "npx", "publish", "-c", "&&", ";", "|"])
PLAIN_RULES = (
    *(
        "Bash: git push * main",
        "Bash: rm -rf *",
        "Write: *.env",
        "Bash(docker-compose down:*)",
        "Bash:pip3 install",
    ),
    *(
        "Bash: docker compose down -v",
        "Bash: python -m pip install",
        "ask Bash(npm publish)",
        "Shell: git push",
    ),
)


@given(st.lists(WORDS, max_size=8), st.sampled_from(PLAIN_RULES))
def test_no_plain_command_slips_past_a_glance(words: list[str], rule: str) -> None:
    command = " ".join(words)
    said = judge(rules_in(rule), "Bash", {"command": command}, "/p", branch=lambda _: "main")
    assert said.verdict == "allow" or not cannot_concern([rule], command)


@pytest.mark.parametrize(
    "command",
    ["ls -la", "cd build && make test 2>&1 | tail -20", "npm run lint; npm test", "cargo build --release"],
)
def test_everyday_commands_need_no_more_than_a_glance(command: str) -> None:
    assert cannot_concern(["Bash: git push * main", "ask Bash: rm -rf *"], command)


@pytest.mark.parametrize(
    "rule", ["Bash: *deploy", "B*: git push", "mcp__*: x", "nonsense", "Bash:", 'Bash: "drop table"']
)
def test_a_rule_that_a_glance_cannot_read_is_judged_in_full(rule: str) -> None:
    assert not cannot_concern([rule], "ls")
