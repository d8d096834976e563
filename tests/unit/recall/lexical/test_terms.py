"""Terms: the same for every way to write a thing, none for words that say nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memdir.recall.lexical.terms import everyday_terms, terms


@pytest.mark.parametrize(
    "name", ["maxTokens", "MaxTokens", "max_tokens", "max-tokens", "MAX_TOKENS", "max.tokens"]
)
def test_a_name_in_code_counts_in_its_parts_and_whole_whatever_its_style(name: str) -> None:
    assert terms(name) == terms("maxTokens")
    assert set(terms("the maximum of a token")) < set(terms(name))
    assert "maxtoken" in terms(name)


def test_a_path_counts_in_its_parts() -> None:
    found = terms("see src/memdir/store/fileLock.py:120")
    assert {"memdir", *terms("store"), "lock", *terms("file"), "120"} <= set(found)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Python 3.11.7", "3.11"),
        ("Python 3.11.7", "3.11.7"),
        ("costs 1,250,000 a year", "1250000"),
        ("written in C++", "c++"),
        ("written in C#", "c#"),
        ("sha256", "sha256"),
        ("on 2026-11-15", "2026"),
        ("an e-mail", "email"),
        ("GitHub", "github"),
        ("JavaScript", terms("javascript")[0]),
        ("HTTPServer", "http"),
    ],
)
def test_numbers_versions_and_compounds_are_found(text: str, term: str) -> None:
    assert term in terms(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "cafe"),
        ("naïve", "NAIVE"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("ＡＢＣ", "abc"),
        ("the user’s words", "user words"),
        ("don't", ""),
        ("Ёлка", "елка"),
        ("k8s", "Kubernetes"),
        ("repos", "repository"),
        ("her kids went", "child goes"),
    ],
)
def test_what_only_looks_different_is_the_same(one: str, other: str) -> None:
    assert terms(one) == terms(other)


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert terms("部署前") == ["部", "署", "前", "部署", "署前"]
    assert {"メモ", "モリ"} <= set(terms("メモリを保存"))
    assert {"저장", "메모"} <= set(terms("메모리 저장"))


def test_mixed_scripts_keep_both() -> None:
    assert {"github", "使用"} <= set(terms("使用GitHub部署"))


def test_marks_of_a_script_are_not_accents() -> None:
    assert terms("げ") != terms("け")


@pytest.mark.parametrize(
    "text",
    [
        "qu'est ce que c'est dans le",
        "wir haben das nicht mit dem",
        "que no se para los",
        "кто это был",
        "这个是什么的",
    ],
)
def test_words_that_say_nothing_in_other_languages_give_no_term(text: str) -> None:
    assert terms(text) == []


def test_what_french_puts_before_a_word_is_no_part_of_it() -> None:
    assert terms("l'alerte d\u2019incendie") == terms("alerte incendie")
    assert terms("O'Brien don't") == ["obrien"]


def test_words_that_say_nothing_give_no_term() -> None:
    assert terms("What is it that you would have with the") == []
    assert terms("") == terms(" \n— … !?") == []


def test_words_of_any_conversation_are_known_in_all_their_forms() -> None:
    assert {*terms("wants helping suggestions")} & everyday_terms() >= {*terms("want help")}


def test_data_that_is_no_word_is_cut() -> None:
    assert all(len(term) <= 64 for term in terms("x" * 100_000))


@given(some.text(max_size=200))
def test_any_text_gives_terms_that_can_be_kept_on_one_line(text: str) -> None:
    assert all(term and len(term.split()) == 1 for term in terms(text))


@pytest.mark.parametrize("text", ["QU", "QU'", "L'", "S'", "D\u2019"])
def test_an_elision_without_its_word_gives_no_empty_term(text: str) -> None:
    assert "" not in terms(text)
