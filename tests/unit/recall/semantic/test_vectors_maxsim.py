"""Vectors that were kept tell how near memories lie to a query, whatever part of them is known."""

import numpy as np
import pytest
from tests.unit.recall.small_model import encoder, weights

from memdir.recall.semantic.encoder import Encoded, Encoder
from memdir.recall.semantic.vectors import MaxSim, Vectors, VectorSpace, passages, rounded_vectors

TEXTS = ("the cat sat on the mat .", "deploys go out on tuesday .", "unwanted ,")


def vectors(*texts: str) -> Vectors:
    return rounded_vectors(encoder().encode(texts))


def encoded(text: str) -> Encoded:
    return encoder().encode([text])[0]


def test_kept_vectors_are_those_that_were_encoded() -> None:
    one, other = encoder().encode(TEXTS[:2])
    kept = vectors(*TEXTS[:2])
    assert kept.lengths.tolist() == [len(one.token_ids), len(other.token_ids)]
    assert kept.token_ids.tolist() == [*one.token_ids, *other.token_ids]
    scales, rounded = kept.tokens()
    tokens = rounded * scales.astype("f4")[:, None]
    assert np.allclose(tokens, np.concatenate([one.tokens, other.tokens]), atol=2e-3)
    assert np.allclose(kept.means[1], other.mean, atol=1e-3)


@pytest.mark.parametrize("asked", [0, 1, 2])
def test_a_text_lies_nearest_to_itself(asked: int) -> None:
    near = MaxSim(VectorSpace([vectors(text) for text in TEXTS]), encoded(TEXTS[asked]))
    means = [mean or 0.0 for mean in near.cosines]
    assert max(range(3), key=means.__getitem__) == asked
    assert means[asked] == pytest.approx(1, abs=0.01)
    found, back = near.tokens([0, 1, 2])[asked]
    assert found == pytest.approx(1, abs=0.02)
    assert back == pytest.approx(1, abs=0.02)
    assert all(pair[0] < 0.99 for number, pair in enumerate(near.tokens([0, 1, 2])) if number != asked)


def test_a_memory_is_as_near_as_its_nearest_passage() -> None:
    near = MaxSim(VectorSpace([vectors(TEXTS[0]), vectors(*TEXTS)]), encoded(TEXTS[2]))
    assert near.cosines[1] == pytest.approx(1, abs=0.01)
    assert near.tokens([1])[0][0] == pytest.approx(1, abs=0.02)


def test_memories_without_vectors_are_left_out() -> None:
    near = MaxSim(VectorSpace([None, vectors(TEXTS[0]), None]), encoded(TEXTS[0]))
    assert [mean is None for mean in near.cosines] == [True, False, True]
    assert len(near.tokens([1])) == 1
    assert MaxSim(VectorSpace([None]), encoded("cat")).cosines == [None]
    assert MaxSim(VectorSpace([]), encoded("cat")).tokens([]) == []


def test_the_closer_look_ends_where_it_would_take_too_long() -> None:
    space = VectorSpace([vectors(text) for text in TEXTS], budget=15)
    near = MaxSim(space, encoded("cat"))
    assert len(near.tokens([0, 1, 2])) == 2
    small = VectorSpace([vectors(TEXTS[0])], budget=1)
    assert len(MaxSim(small, encoded("cat")).tokens([0])) == 1


def test_a_prompt_tells_how_much_speaks_for_nothing() -> None:
    plain = encoder().prompt("a cat")
    assert plain.nothing == 0.0
    direction = np.append(plain.mean * 3, np.float32(0.5))
    asked = Encoder({**weights(), "nothing": direction}).prompt("a cat")
    assert MaxSim(VectorSpace([vectors(TEXTS[0])]), asked).nothing == pytest.approx(3.5, abs=1e-4)


def test_likeness_is_that_of_the_memories_themselves() -> None:
    near = MaxSim(VectorSpace([vectors(TEXTS[0]), vectors(TEXTS[0]), vectors(TEXTS[1])]), encoded("cat"))
    assert near.similarities([0, 1])[0] == pytest.approx([1, 1], abs=0.01)
    assert near.similarities([0, 2])[0][1] < 0.99


def test_a_short_memory_is_one_passage_and_a_name_is_read_as_words() -> None:
    assert passages("terseReplies_now", "No summaries", "Stop early.") == [
        "terse Replies now: No summaries Stop early."
    ]
    assert passages("AbleStyle", "", "Dresses you.") == ["Able Style: Dresses you."]
    assert passages("", "", "") == [""]


def test_a_long_body_is_cut_where_sentences_end_and_ends_somewhere() -> None:
    body = " ".join(f"This is sentence number {number} of a long text." for number in range(400))
    parts = passages("long-text", "About it", body)
    assert 2 < len(parts) <= 8
    assert parts[0].startswith("long text: About it This is sentence number 0")
    assert all(part.startswith("long text: This is sentence") for part in parts[1:])
    assert all(part.endswith("of a long text.") for part in parts[1:])


def test_a_memory_whose_tokens_are_lost_is_still_found_by_its_passages() -> None:
    kept = vectors(TEXTS[0])
    space = VectorSpace([Vectors(kept.lengths, kept.means, kept.token_ids, lambda: None)])
    near = MaxSim(space, encoded(TEXTS[0]))
    (mean,) = near.cosines
    assert mean is not None
    assert mean > 0.99
    assert near.tokens([0]) == [(0.0, 0.0)]
