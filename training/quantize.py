"""The published weights made small: large tables become bytes with a scale, the rest stays as it is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memdir.recall.semantic.encoder import MAX_TOKENS
from memdir.recall.semantic.weights import WIDTH, full_numpy
from training.weights_file import vocabulary_tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.float32]

__all__ = ["quantized"]


def quantized(safetensors: bytes, vocabulary: str) -> "dict[str, NDArray[Any]]":
    """Return our weights from the published file and its vocabulary, one piece a line."""
    np = full_numpy()
    theirs = _tensors(safetensors)
    at = "embeddings."
    positions = theirs[f"{at}position_embeddings.weight"] + theirs[f"{at}token_type_embeddings.weight"][0]
    words = theirs[f"{at}word_embeddings.weight"]
    scale = np.abs(words).max(1) / np.float32(127)
    ours: dict[str, NDArray[Any]] = {
        **vocabulary_tables(vocabulary.splitlines()),
        "words": np.rint(words / scale[:, None]).astype("i1"),
        "words/scale": scale,
        "positions": positions[:MAX_TOKENS],
        "norm": theirs[f"{at}LayerNorm.weight"],
        "norm bias": theirs[f"{at}LayerNorm.bias"],
    }
    for number in range(sum(name.endswith(".query.weight") for name in theirs)):
        ours |= _layer(theirs, f"encoder.layer.{number}.", f"{number} ")
    return ours


def _layer(theirs: "Mapping[str, Table]", at: str, ours: str) -> "dict[str, Table]":
    np = full_numpy()
    names = [f"{at}attention.self.{name}" for name in ("query", "key", "value")]
    weight = np.concatenate([theirs[f"{name}.weight"] for name in names])
    bias = np.concatenate([theirs[f"{name}.bias"] for name in names])
    # Attention divides by the root of a head's width: done here once instead of in every pass.
    weight[:WIDTH] *= np.float32(32**-0.5)
    bias[:WIDTH] *= np.float32(32**-0.5)
    return {
        **_bytes(f"{ours}query key value", weight),
        f"{ours}query key value bias": bias,
        **_linear(theirs, f"{at}attention.output.dense", f"{ours}attention output"),
        **_norm(theirs, f"{at}attention.output.LayerNorm", f"{ours}attention norm"),
        **_linear(theirs, f"{at}intermediate.dense", f"{ours}feed forward up"),
        **_linear(theirs, f"{at}output.dense", f"{ours}feed forward down"),
        **_norm(theirs, f"{at}output.LayerNorm", f"{ours}feed forward norm"),
    }


def _linear(theirs: "Mapping[str, Table]", at: str, ours: str) -> "dict[str, Table]":
    return {**_bytes(ours, theirs[f"{at}.weight"]), f"{ours} bias": theirs[f"{at}.bias"]}


def _norm(theirs: "Mapping[str, Table]", at: str, ours: str) -> "dict[str, Table]":
    return {ours: theirs[f"{at}.weight"], f"{ours} bias": theirs[f"{at}.bias"]}


def _bytes(name: str, weight: "Table") -> "dict[str, Table]":
    """Return a weight as bytes, turned so that a state is multiplied from the left, with a scale a column."""
    np = full_numpy()
    scale = np.abs(weight).max(1) / np.float32(127)
    return {name: np.rint(weight.T / scale).astype("i1"), f"{name}/scale": scale}


def _tensors(data: bytes) -> "dict[str, Table]":
    """Read the tables of a safetensors file: a length, a JSON header, the numbers."""
    import json

    np = full_numpy()
    begin = 8 + int.from_bytes(data[:8], "little")
    tables = {}
    for name, about in json.loads(data[8:begin]).items():
        if name != "__metadata__" and about["dtype"] == "F32":
            first, last = about["data_offsets"]
            numbers = np.frombuffer(data, "<f4", (last - first) // 4, begin + first)
            tables[name] = numbers.reshape(about["shape"]).copy()
    return tables
