"""The forward pass computes what the published network computes, and its weights survive being packed."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.unit.recall.small_model import LAYERS, VOCABULARY, encoder, tensors, weights
from training.weights_file import is_intact, pack

from memdir.errors import StorageError
from memdir.recall.semantic.encoder import Encoder, WordPiece
from memdir.recall.semantic.weights import WIDTH, weights_at

Table = NDArray[np.float64]


def reference(numbers: list[int]) -> Table:
    """Return the states of one text as textbooks write them down, in double precision."""
    with np.errstate(all="raise"):
        states = sum(
            tensors()[f"embeddings.{name}_embeddings.weight"][rows].astype(float)
            for name, rows in (
                ("word", numbers),
                ("position", range(len(numbers))),
                ("token_type", [0] * len(numbers)),
            )
        )
        states = norm(np.asarray(states), "embeddings.LayerNorm")
        for number in range(LAYERS):
            at = f"encoder.layer.{number}."
            parts = [linear(states, f"{at}attention.self.{name}") for name in ("query", "key", "value")]
            heads = [attended(*(part[:, k : k + 32] for part in parts)) for k in range(0, WIDTH, 32)]
            states = norm(
                linear(np.hstack(heads), f"{at}attention.output.dense") + states,
                f"{at}attention.output.LayerNorm",
            )
            wide = linear(states, f"{at}intermediate.dense")
            bent = wide * np.vectorize(lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2))))(wide)
            states = norm(linear(bent, f"{at}output.dense") + states, f"{at}output.LayerNorm")
    return states


def linear(states: Table, name: str) -> Table:
    return np.asarray(states @ tensors()[f"{name}.weight"].T.astype(float) + tensors()[f"{name}.bias"])


def norm(states: Table, name: str) -> Table:
    centred = states - states.mean(1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-12)
    return np.asarray(scaled * tensors()[f"{name}.weight"] + tensors()[f"{name}.bias"])


def attended(query: Table, key: Table, value: Table) -> Table:
    shares = np.exp(query @ key.T / math.sqrt(32))
    return np.asarray(shares / shares.sum(1, keepdims=True) @ value)


def test_one_pass_gives_the_vectors_of_the_published_network() -> None:
    pieces = ("[CLS]", "the", "cat", "sat", "on", "the", "mat", ".", "[SEP]")
    numbers = [VOCABULARY.index(piece) for piece in pieces]
    states = reference(numbers)
    mean = states.mean(0) / np.linalg.norm(states.mean(0))
    found = encoder().encode(["The cat sat on the mat."])[0]
    assert found.token_ids == tuple(numbers[1:-1])
    assert found.mean @ mean > 0.999
    inner = states[1:-1] / np.linalg.norm(states[1:-1], axis=1, keepdims=True)
    assert (found.tokens * inner).sum(1).min() > 0.995


def test_many_texts_give_what_each_gives_alone_in_their_order() -> None:
    texts = ["the cat", "deploys go out on tuesday", "", "sat mat", "the cat sat on the mat ."]
    for text, one in zip(texts, encoder().encode(texts), strict=True):
        alone = encoder().encode([text])[0]
        assert one.token_ids == alone.token_ids
        assert np.allclose(one.mean, alone.mean, atol=1e-5)
        assert np.allclose(one.tokens, alone.tokens, atol=1e-5)


def test_the_first_pass_and_later_ones_agree() -> None:
    fresh = Encoder(weights())
    first, later = fresh.encode(["the cat sat"])[0], fresh.encode(["the cat sat"])[0]
    # The first adds up the weights in another order than the later ones.
    assert np.allclose(first.mean, later.mean, atol=1e-6)
    assert np.allclose(first.tokens, later.tokens, atol=1e-6)


def test_every_vector_has_length_one_also_of_an_empty_text() -> None:
    for text in ("", "the cat sat"):
        found = encoder().encode([text])[0]
        assert math.isclose(np.linalg.norm(found.mean), 1, abs_tol=1e-5)
        assert np.allclose(np.linalg.norm(found.tokens, axis=1), 1, atol=1e-5)
        assert len(found.tokens) == len(found.token_ids) > 0


def test_a_weights_file_reads_back_as_it_was_packed(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    path.write_bytes(pack(weights()))
    read = weights_at(str(path))
    assert [WordPiece(read).number(piece) for piece in VOCABULARY] == [*range(len(VOCABULARY))]
    assert is_intact(str(path))
    for name, table in weights().items():
        assert np.array_equal(read[name], table)


@pytest.mark.parametrize("damage", ["cut", "bit", "other", "empty"])
def test_a_damaged_weights_file_is_noticed(tmp_path: Path, damage: str) -> None:
    data = bytearray(pack(weights()))
    if damage == "bit":
        data[-1] ^= 1
    path = tmp_path / "weights"
    broken = {"cut": bytes(data[:-1]), "bit": bytes(data), "other": b"x" * 9, "empty": b""}
    path.write_bytes(broken[damage])
    assert not is_intact(str(path))
    if damage != "bit":  # the quick look of every start sees length and kind alone
        with pytest.raises(StorageError, match="Install memdir anew"):
            weights_at(str(path))


def test_a_prompt_that_two_directories_ask_about_is_encoded_once() -> None:
    network = encoder()
    first = network.prompt("when do deploys go out")
    assert network.prompt("when do deploys go out") is first
    assert network.prompt("another prompt") is not first
