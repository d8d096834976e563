"""A command line that was not understood is answered in plain words, with the word that was meant."""

import pytest

from memdir.cli.app import memdir, run
from memdir.cli.usage_error import SYNONYMS

ANSWERS = {
    "list --directory /x": "Put it before the command: memdir --directory ... list",
    "--json list": "No such option '--json'. Put it after the command: memdir list --json",
    "remember x --expires tomorrow": "'tomorrow' is no day. Write one like 2030-12-31.",
    "list --limit 0": "'--limit': 0 does not fit. Write a whole number of 1 or more.",
    "list --limit few": "'--limit': 'few' does not fit. Write a whole number of 1 or more.",
    "search x -C 5000": "Write a whole number from 0 to 1,000.",
    "extract /no/such/file": "Invalid value for 'TRANSCRIPT': ",
    "forgett x": "Did you mean 'forget'?",
}


@pytest.mark.parametrize("words", ANSWERS)
def test_a_mistake_is_told_in_plain_words(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split()) == 2
    assert ANSWERS[words] in capsys.readouterr().err


@pytest.mark.parametrize("word", SYNONYMS)
def test_a_command_of_another_program_leads_to_ours(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word]) == 2
    assert f"Did you mean `memdir {SYNONYMS[word]}`?" in capsys.readouterr().err


def test_every_synonym_leads_somewhere_and_hides_nothing() -> None:
    assert {meant for meant in SYNONYMS.values() if not meant.startswith("--")} <= set(memdir.commands)
    assert not set(SYNONYMS) & set(memdir.commands)
