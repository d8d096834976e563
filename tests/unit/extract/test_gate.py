"""The gate says whether a turn is extracted, and every no has its reason."""

from pathlib import Path
from typing import Any

import pytest

from memdir.config.enabled import Verdict
from memdir.conversation.messages import Spoken, ToolUse
from memdir.extract.gate import Requested, Rules, Skip, Turn, at_turn_end, of_range

ON = Verdict(on=True, because="", rule="")
TURN = Turn("s1", "/sessions/s1.jsonl")
SAID = Spoken("u1", "user", "We deploy on Tuesdays.")


def test_a_finished_turn_of_the_main_conversation_is_asked_for() -> None:
    assert at_turn_end(TURN, ON, Rules()) == Requested("s1")


@pytest.mark.parametrize(
    ("turn", "verdict", "rules", "reason"),
    [
        (TURN, Verdict(on=False, because="a variable says so", rule=""), Rules(), "a variable says so"),
        (TURN, ON, Rules(enabled=False), "extract.enabled"),
        (Turn("s1", "/s1.jsonl", headless=True), ON, Rules(), "extract.headless"),
        (Turn("s1", "/s1/subagents/agent-7.jsonl"), ON, Rules(), "sub-agent"),
        (Turn("s1", "/s1.jsonl", turns=2), ON, Rules(every_turns=3), "turn 2 of 3"),
    ],
)
def test_every_no_says_why(turn: Turn, verdict: Verdict, rules: Rules, reason: str) -> None:
    decided = at_turn_end(turn, verdict, rules)
    assert isinstance(decided, Skip)
    assert reason in decided.because


def test_a_headless_conversation_is_extracted_where_the_setting_says_so() -> None:
    assert isinstance(at_turn_end(Turn("s", "/s.jsonl", headless=True), ON, Rules(headless=True)), Requested)


def test_the_third_of_three_turns_is_extracted_and_the_ones_before_wait() -> None:
    rules, said = Rules(every_turns=3), [SAID, SAID]
    early = of_range(said, "/memory", rules)
    assert isinstance(early, Skip)
    assert early.waits
    assert not early.passed
    assert isinstance(of_range([*said, SAID], "/memory", rules), tuple)


def test_without_rules_any_number_of_turns_is_enough() -> None:
    assert of_range([SAID], "/memory") == (SAID,)


def test_messages_in_which_nobody_spoke_count_as_read() -> None:
    recalled = Spoken("u1", "user", "We deploy on Tuesdays.", recalled=True)
    assert of_range([recalled], "/memory") == Skip("nobody said anything new", passed=True)


def _wrote(path: str, **result: Any) -> list[Spoken]:
    use = ToolUse("c1", "Write", {"file_path": path, "content": "text"})
    return [
        SAID,
        Spoken("a1", "assistant", "", uses=(use,)),
        Spoken("t1", "tool", "", answers="c1", **result),
    ]


def test_what_the_host_saved_itself_counts_as_read(tmp_path: Path) -> None:
    decided = of_range(_wrote(str(tmp_path / "user_role.md")), str(tmp_path))
    assert isinstance(decided, Skip)
    assert decided.passed
    assert "user_role.md" in decided.because


def test_a_write_that_failed_or_went_elsewhere_does_not_count(tmp_path: Path) -> None:
    assert isinstance(of_range(_wrote(str(tmp_path / "a.md"), failed=True), str(tmp_path)), tuple)
    assert isinstance(of_range(_wrote("/elsewhere/a.md"), str(tmp_path)), tuple)
