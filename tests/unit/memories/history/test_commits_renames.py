"""A file that came in an operation, and one that went with the same body, are one memory that moved."""

from memdir.memories.change import Change
from memdir.memories.history.commits import moved_from
from memdir.text.secrets.search import mask_secrets


def text(body: str, name: str = "new") -> str:
    return f'---\nname: "{name}"\n---\n\n{body}\n'


def removal(body: str) -> Change:
    return Change("a.md", text(body, "old"), None)


def test_a_rename_is_seen() -> None:
    assert moved_from([Change("b.md", None, text("Body")), removal("Body")]) == {"b.md": "a.md"}


def test_a_text_that_came_back_with_its_credential_masked_is_the_same() -> None:
    body = "key " + "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    assert mask_secrets(body) != body
    changes = [Change("b.md", None, text(mask_secrets(body))), removal(body)]
    assert moved_from(changes) == {"b.md": "a.md"}


def test_another_body_or_a_file_that_was_there_is_no_move() -> None:
    was_there, other = Change("b.md", text("Was"), text("Body")), Change("c.md", None, text("Other"))
    assert moved_from([was_there, other, removal("Body")]) == {}


def test_each_that_went_is_found_once() -> None:
    came = [Change(file, None, text("Body")) for file in ("b.md", "c.md")]
    assert moved_from([*came, removal("Body")]) == {"b.md": "a.md"}
