"""A made-up encoder of the real shape: random weights as the published file lays them out, a few words."""

import json
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from training.quantize import quantized

from memdir.recall.semantic.encoder import Encoder
from memdir.recall.semantic.weights import WIDTH

__all__ = ["LAYERS", "VOCABULARY", "encoder", "published", "tensors", "weights"]

LAYERS = 2
"""The real one has six; two pass states on as well."""

VOCABULARY = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "deploy", "##s", "go", "out", "on", "tuesday", "the", "cat", "sat",
    "mat", ".", ",", "?", "un", "##want", "##ed", "runn", "##ing", "résumé", "resume", "中", "文", "a", "b",
)  # fmt: skip


@cache
def tensors() -> dict[str, NDArray[np.float32]]:
    """Return the tables by the names they are published under."""
    dice = np.random.default_rng(7)

    def drawn(*shape: int, size: float = 0.05) -> NDArray[np.float32]:
        return dice.standard_normal(shape, "f4") * np.float32(size)

    found = {
        "embeddings.word_embeddings.weight": drawn(len(VOCABULARY), WIDTH, size=1.0),
        "embeddings.position_embeddings.weight": drawn(512, WIDTH),
        "embeddings.token_type_embeddings.weight": drawn(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + drawn(WIDTH),
        "embeddings.LayerNorm.bias": drawn(WIDTH),
    }
    for number in range(LAYERS):
        at = f"encoder.layer.{number}."
        for name, rows, columns in _SHAPES:
            found[f"{at}{name}.weight"] = drawn(rows, columns)
            found[f"{at}{name}.bias"] = drawn(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{at}{name}.weight"] = 1 + drawn(WIDTH)
            found[f"{at}{name}.bias"] = drawn(WIDTH)
    return found


_SHAPES = (
    ("attention.self.query", WIDTH, WIDTH),
    ("attention.self.key", WIDTH, WIDTH),
    ("attention.self.value", WIDTH, WIDTH),
    ("attention.output.dense", WIDTH, WIDTH),
    ("intermediate.dense", 4 * WIDTH, WIDTH),
    ("output.dense", WIDTH, 4 * WIDTH),
)


@cache
def published() -> bytes:
    """Return a safetensors file with those tables."""
    header, place = {}, 0
    for name, table in tensors().items():
        header[name] = {"dtype": "F32", "shape": table.shape, "data_offsets": [place, place + table.nbytes]}
        place += table.nbytes
    head = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    return len(head).to_bytes(8, "little") + head + b"".join(table.tobytes() for table in tensors().values())


@cache
def weights() -> dict[str, NDArray[Any]]:
    """Return our weights made from that file."""
    return quantized(published(), "\n".join(VOCABULARY))


@cache
def encoder() -> Encoder:
    """Return an encoder with them."""
    return Encoder(weights())
