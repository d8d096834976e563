"""A memory is judged by features with names, and the ones that decided are told."""

import pytest

from memdir.recall.lexical.bm25 import Overlap
from memdir.recall.relevance import Evidence, PromptSigns, features, judge, nearness

CLOSE, FAR = (0.45, 0.5, 0.5), (0.05, 0.1, 0.05)
TEXT = "can the shop be deployed on a Tuesday?"
TERMS = frozenset({"deploi", "shop", "tuesdai"})
PROMPT = PromptSigns(TEXT, TERMS, [0.6, 0.1], [CLOSE, FAR, FAR], -1.5)


def evidence(
    share: float = 0.6,
    near: tuple[float, float, float] | None = None,
    overlap: Overlap | None = None,
    name: str = "deploys",
) -> Evidence:
    found = Overlap(0.9, 3.5, 3.0, 3) if overlap is None else overlap
    return Evidence(name, "Deploys of the shop", "project", 3.0, share, 1.0, found, near)


def test_what_shares_the_words_of_a_prompt_helps_and_what_shares_none_does_not() -> None:
    much, little, none = judge(
        PROMPT, [evidence(), evidence(0.05, overlap=Overlap(0.1, 1.0, 0.0, 1), name="x"), evidence(0.0)]
    )
    assert much[0] > 0.5 > little[0] > none[0] == 0.0


def test_meaning_counts_where_there_are_vectors() -> None:
    none = Overlap()
    close, far = judge(PROMPT, [evidence(0.0, CLOSE, none), evidence(0.0, FAR, none)])
    assert close[0] > far[0]
    silent = PromptSigns(TEXT, TERMS, [0.0, 0.0], PROMPT.near, 1.0)
    assert judge(silent, [evidence(0.0, CLOSE, none)])[0][0] < close[0]


def test_what_decided_most_is_told_in_words_with_its_weight() -> None:
    (close,), (far,) = (judge(PROMPT, [evidence(near=near)]) for near in (CLOSE, FAR))
    parts = dict(reason.rsplit(" ", 1) for reason in close[1])
    assert len(parts) == 3
    sizes = [abs(float(size)) for size in parts.values()]
    assert sizes == sorted(sizes, reverse=True)
    assert float(parts["nearness in meaning"]) > 0
    assert float(dict(reason.rsplit(" ", 1) for reason in far[1])["nearness in meaning"]) < 0


def test_the_best_leads_the_second_and_all_others_stay_behind_the_best() -> None:
    best, other = features(PROMPT, [evidence(0.6, CLOSE), evidence(0.1, FAR)])
    lead = nearness(*CLOSE) - nearness(*FAR)
    assert (best["lead in meaning"], other["lead in meaning"]) == pytest.approx((lead, -lead))
    assert (best["lead in words"], other["lead in words"]) == pytest.approx((0.5, -0.5))


def test_the_only_memory_of_a_store_has_a_lead() -> None:
    alone = PromptSigns(TEXT, TERMS, [0.6], [CLOSE])
    (found,) = features(alone, [evidence(near=CLOSE)])
    assert found["lead in words"] == 0.6
    assert found["lead in meaning"] > 0
    assert found["meaning above that of others"] > 0


def test_another_language_than_that_of_the_memory_is_a_feature() -> None:
    same, german = (
        features(PromptSigns(text, TERMS, [0.6, 0.1]), [evidence()])[0]
        for text in (TEXT, "kann man den Shop am Dienstag verteilen für uns?")
    )
    assert same["letters beyond English"] == 0 < german["letters beyond English"]
    assert german["English prompt"] < same["English prompt"]


def test_a_memory_counts_more_where_no_other_and_not_nothing_lies_as_near() -> None:
    name = "nearness above nothing and others"
    alone, rivals, nothing = (
        features(PromptSigns(TEXT, TERMS, [], near, silent), [evidence(0.0, CLOSE)])[0]
        for near, silent in (([CLOSE, FAR], -1.5), ([CLOSE, CLOSE, FAR], -1.5), ([CLOSE, FAR], 6.0))
    )
    assert alone[name] > rivals[name]
    assert alone[name] > nothing[name]


def test_the_size_of_a_store_and_a_short_prompt_are_seen() -> None:
    small, large = (
        features(PromptSigns(TEXT, TERMS, [], [CLOSE, *[FAR] * count]), [evidence(0.0, CLOSE)])[0]
        for count in (2, 30)
    )
    assert large["size of the store"] > small["size of the store"]
    assert large["nearness within the store"] > small["nearness within the store"]
    order, long = (
        features(PromptSigns(text, TERMS, [], [CLOSE]), [evidence(0.0, CLOSE)])[0]
        for text in ("run it", TEXT)
    )
    assert order["length of a short prompt"] > long["length of a short prompt"]


def test_features_of_meaning_need_no_other_memory() -> None:
    (found,) = features(PromptSigns(TEXT, TERMS, []), [evidence(0.0, CLOSE)])
    assert found["distance to the nearest in meaning"] == 0
