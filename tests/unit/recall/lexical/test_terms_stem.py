"""Stems: one for all forms of a word, different ones for different words."""

import pytest
from tests.tables import on_row

from memdir.recall.lexical.terms import stem

FORMS = [
    "deploy deploys deployed deploying deployment deployments",
    "configure configures configured configuring configuration",
    "migrate migrates migrated migrating migration",
    "validate validates validation validating validator",
    "stop stops stopped stopping",
    "policy policies",
    "class classes",
    "box boxes",
    "make makes made making",
    "write writes wrote written writing",
    "run ran runs running",
    "go goes went gone going",
    "agree agrees",
    "child children kids",
    "cache caches cached caching",
    "bus buses",
    "analysis analyses",
    "install installs installed installer installing",
    "database databases db dbs",
    "permanent permanently",
]


def test_forms_of_one_word_share_a_stem() -> None:
    found = {forms: {on_row(stem, form) for form in forms.split()} for forms in FORMS}
    wrong = [f"{forms}: {stems}" for forms, stems in found.items() if len(stems) != 1]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "pair", ["sing single", "king kin", "need net", "test testament", "form format", "us use", "red re"]
)
def test_different_words_do_not(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    "word",
    ["", "a", "s", "es", "ed", "ing", "eee", "eeee", "eeees", "beee", "yyy", "ss", "елка", "3.11", "c++"],
)
def test_what_has_no_stem_is_left_alone_or_shortened_but_never_lost(word: str) -> None:
    assert bool(stem(word)) == bool(word)
