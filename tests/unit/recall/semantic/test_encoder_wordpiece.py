"""Text is cut into word pieces as the encoder's authors cut it."""

import pytest
from tests.unit.recall.small_model import VOCABULARY
from training.weights_file import vocabulary_tables

from memdir.recall.semantic.encoder import MAX_TOKENS, WordPiece

CUTTER = WordPiece(vocabulary_tables(VOCABULARY))


def cut(text: str) -> list[str]:
    return [VOCABULARY[number] for number in CUTTER.token_ids(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Deploys go out", "deploy ##s go out"),
        ("unwanted", "un ##want ##ed"),
        ("THE CAT.", "the cat ."),
        ("the,cat?", "the , cat ?"),
        ("Résumé", "resume"),
        ("on中文 the", "on 中 文 the"),
        ("zebra", "[UNK]"),
        ("a\u200bb", "[UNK]"),
        ("a\u00a0b\tb\nb", "a b b b"),
        ("", ""),
        (" \x00\ufffd ", ""),
        ("catx", "[UNK]"),
    ],
)
def test_words_become_the_longest_pieces_between_two_marks(text: str, pieces: str) -> None:
    assert cut(text) == ["[CLS]", *pieces.split(), "[SEP]"]


def test_plain_and_other_text_take_the_same_way() -> None:
    assert cut("the cat sat, unwanted.") == cut("the cat sat, unwanted.\u200b")


def test_a_long_text_is_cut_off_with_its_mark() -> None:
    assert len(CUTTER.token_ids("cat " * 1000)) == MAX_TOKENS
    assert CUTTER.token_ids("cat " * 1000)[-1] == VOCABULARY.index("[SEP]")


def test_a_word_of_endless_length_is_unknown() -> None:
    assert cut("a" * 5000) == ["[CLS]", "[UNK]", "[SEP]"]


def test_every_piece_has_its_number_and_nothing_else_has_one() -> None:
    vocabulary = CUTTER
    assert [vocabulary.number(piece) for piece in VOCABULARY] == [*range(len(VOCABULARY))]
    assert not [
        other for other in ("", "dep", "deployx", "zz", "\ud800", "\U0010ffff") if vocabulary.number(other)
    ]


def test_a_vocabulary_without_its_marks_is_refused() -> None:
    with pytest.raises(KeyError, match=r"\[SEP\]"):
        WordPiece(vocabulary_tables(("[CLS]", "[UNK]", "a")))
