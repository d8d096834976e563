"""A text that comes back without its credential comes with a warning."""

import pytest

from memdir import Memory

SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.mark.parametrize("secret", [SECRET, ""])
def test_undo_and_restore_say_what_history_does_not_keep(memory: Memory, secret: str) -> None:
    memory.remember(f"The token is {secret}", kind="user", name="a", allow_secret=True)
    memory.forget("a")
    warned = [any("[secret: ...]" in text for text in memory.undo().warnings)]
    memory.edit(memory.read("a"), f"{memory.read('a').text}\nmore {secret}\n", allow_secret=True)
    memory.remember("Nothing here", kind="user", name="a")
    warned.append(any("[secret: ...]" in text for text in memory.history.restore("a").warnings))
    assert warned == [bool(secret)] * 2


def test_a_credential_that_is_still_there_is_not_lost(memory: Memory) -> None:
    memory.remember(f"The token is {SECRET}", kind="user", name="a", allow_secret=True)
    text = memory.read("a").text
    memory.rename("a", "b")
    assert memory.undo().warnings == ()
    assert memory.read("a").text == text
    memory.edit(memory.read("a"), f"{text}\nmore\n", allow_secret=True)
    memory.undo()
    assert memory.read("a").text == text
    memory.edit(memory.read("a"), f"{text}\nmore\n", allow_secret=True)
    assert memory.history.restore("a").warnings == ()
    assert memory.read("a").text == text


@pytest.mark.parametrize("secret", [SECRET, ""])
def test_forgetting_says_what_cannot_come_back(memory: Memory, secret: str) -> None:
    memory.remember(f"The token is {secret}", kind="user", name="a", allow_secret=True)
    assert memory.rename("a", "b").warnings == ()
    warnings = memory.forget("b").warnings
    assert [text for text in warnings if "user_b.md held a credential" in text] == list(warnings)
    assert bool(warnings) == bool(secret)


def test_a_credential_of_several_lines_is_not_lost_either(memory: Memory) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "\n".join([SECRET[4:] * 2] * 4) + "\n-----END PRIVATE KEY-----"
    memory.remember(f"It is\n\n{key}", kind="user", name="a", description="a key", allow_secret=True)
    memory.rename("a", "b")
    memory.undo()
    assert key in memory.read("a").body
