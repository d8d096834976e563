"""A file that came in an operation, and one that went with the same body, are one memory that moved."""

from memdir.memories.change import Edit, Version
from memdir.memories.history.history import moved_from
from memdir.text.secrets.search import mask_secrets


def version(body: str, name: str = "old") -> Version:
    return Version(f'---\nname: "{name}"\n---\n\n{body}\n', 1, "sha")


def text(body: str) -> str:
    return version(body, "new").text


def test_a_rename_is_seen() -> None:
    edits = [Edit("b.md", None, text("Body")), Edit("a.md", "", None)]
    assert moved_from(edits, {"b.md": None, "a.md": version("Body")}) == {"b.md": "a.md"}


def test_a_text_that_came_back_with_its_credential_masked_is_the_same() -> None:
    body = "key " + "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    edits = [Edit("b.md", None, text(mask_secrets(body))), Edit("a.md", "", None)]
    assert mask_secrets(body) != body
    assert moved_from(edits, {"b.md": None, "a.md": version(body)}) == {"b.md": "a.md"}


def test_another_body_or_a_file_that_was_there_is_no_move() -> None:
    edits = [Edit("b.md", None, text("Body")), Edit("c.md", None, text("Other")), Edit("a.md", "", None)]
    assert moved_from(edits, {"b.md": version("Was"), "c.md": None, "a.md": version("Body")}) == {}


def test_each_that_went_is_found_once() -> None:
    edits = [Edit("b.md", None, text("Body")), Edit("c.md", None, text("Body")), Edit("a.md", "", None)]
    assert moved_from(edits, {"b.md": None, "c.md": None, "a.md": version("Body")}) == {"b.md": "a.md"}
