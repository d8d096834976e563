"""Past conversations are searched newest first, with plain words, and never further than allowed."""

import json
import os
from pathlib import Path

import pytest

from memdir.conversation.search import search_transcripts
from memdir.conversation.transcripts import newest_first
from memdir.errors import Rejected


def conversation(folder: Path, name: str, *texts: str, age: int = 0) -> str:
    path = folder / f"{name}.jsonl"
    lines = [
        json.dumps({"role": "user", "content": text, "id": f"{name}-{at}"}) for at, text in enumerate(texts)
    ]
    path.write_text("\n".join(lines) + "\n")
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return str(path)


def test_the_newest_messages_come_first(tmp_path: Path) -> None:
    conversation(tmp_path, "old", "the Deploy key", "nothing", age=10)
    conversation(tmp_path, "new", "deploy on friday", "again the deploy")
    found = search_transcripts(newest_first(str(tmp_path)), "DEPLOY")
    assert [(hit.session, hit.message, hit.role) for hit in found.hits] == [
        ("new", "new-1", "user"),
        ("new", "new-0", "user"),
        ("old", "old-0", "user"),
    ]
    assert found.complete


def test_every_word_has_to_stand_in_the_message(tmp_path: Path) -> None:
    path = conversation(tmp_path, "s", "the deploy key", "the key", "straße 7", "(a+b)*c")
    assert [hit.message for hit in search_transcripts([path], "key deploy").hits] == ["s-0"]
    assert [hit.message for hit in search_transcripts([path], "STRASSE").hits] == ["s-2"]
    assert [hit.message for hit in search_transcripts([path], "(a+b)*c").hits] == ["s-3"]
    assert search_transcripts([path], "k.y").hits == ()


def test_enough_is_enough(tmp_path: Path) -> None:
    paths = [conversation(tmp_path, f"s{number}", *["word here"] * 5, age=number) for number in range(3)]
    found = search_transcripts(paths, "word", limit=7)
    assert ([hit.session for hit in found.hits], found.complete) == (["s0"] * 5 + ["s1"] * 2, False)
    assert not search_transcripts(paths, "word", limit=100, most=1).complete


def test_the_place_is_shown_and_not_the_whole_message(tmp_path: Path) -> None:
    path = conversation(tmp_path, "s", "a " * 500 + "needle" + " b" * 500)
    (hit,) = search_transcripts([path], "needle").hits
    assert "needle" in hit.excerpt
    assert len(hit.excerpt) < 260


def test_what_came_out_of_memory_and_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    path = conversation(tmp_path, "s", "<system-reminder>x\n\nneedle</system-reminder>")
    assert search_transcripts([str(tmp_path / "gone.jsonl"), path], "needle").hits == ()


@pytest.mark.parametrize("pattern", ["", "  ", "x"])
def test_a_pattern_that_finds_everything_is_refused(pattern: str) -> None:
    with pytest.raises(Rejected, match="too short"):
        search_transcripts([], pattern)
