"""The coefficients that recall ships fit its code and its settings."""

from pathlib import Path

from memdir.config.keys import KEYS
from memdir.recall.lexical.bm25 import Overlap
from memdir.recall.limits import CERTAIN, LIKELY, Limits
from memdir.recall.relevance import TABLE, TIMES, Evidence, PromptSigns, features

NEAR = (0.3, 0.3, 0.3)


def rows() -> list[list[str]]:
    lines = Path(TABLE).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def test_every_coefficient_names_a_feature_of_its_variant() -> None:
    prompt = PromptSigns("how do deploys go", frozenset({"deploi"}), [0.5, 0.1], [NEAR])
    for variant, near in (("meaning", NEAR), ("words", None)):
        (known,) = features(prompt, [Evidence("a", "b", "user", 1.0, 0.5, 1.0, Overlap(), near)])
        names = [name for kind, name, _, _ in rows() if kind == variant and name]
        assert len(names) > 10
        assert {part for name in names for part in name.split(TIMES)} <= set(known)


def test_each_variant_has_one_constant() -> None:
    assert sorted(kind for kind, name, _, _ in rows() if not name) == ["meaning", "words"]


def test_settings_and_code_have_the_same_thresholds() -> None:
    defaults = [KEYS[name].default for name in ("recall.certainPercent", "recall.likelyPercent")]
    assert defaults == [100 * CERTAIN, 100 * LIKELY]
    assert (Limits().certain, Limits().likely) == (CERTAIN, LIKELY)
