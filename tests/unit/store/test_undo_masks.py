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
    warned.append(any("[secret: ...]" in text for text in memory.restore("a").warnings))
    assert warned == [bool(secret)] * 2
