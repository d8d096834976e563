"""A conversation says which tools are in use: the newest first, of the last turns only."""

from memdir.conversation.messages import Spoken, ToolUse, recent_tools


def used(*names: str) -> Spoken:
    return Spoken("1", "assistant", "", uses=tuple(ToolUse("t", name, {}) for name in names))


PROMPT = Spoken("2", "user", "go on")


def test_tools_come_newest_first_and_once() -> None:
    assert recent_tools([PROMPT, used("Read", "Grep"), used("Bash", "Read")]) == ("Read", "Bash", "Grep")


def test_tools_of_earlier_turns_do_not_count() -> None:
    turns = [PROMPT, used("Old"), PROMPT, used("Grep"), PROMPT, used("Read"), PROMPT, used("Edit")]
    assert recent_tools(turns) == ("Edit", "Read", "Grep")


def test_what_was_recalled_begins_no_turn() -> None:
    recalled = Spoken("3", "user", "a memory", recalled=True)
    turns = [PROMPT, used("Read"), recalled, recalled, recalled, used("Edit")]
    assert recent_tools(turns) == ("Edit", "Read")


def test_only_so_many_are_named() -> None:
    assert len(recent_tools([used(*map(str, range(50)))])) == 12
    assert recent_tools([]) == ()
