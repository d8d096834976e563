"""Lexical fit: the memory that answers comes first, by its words alone, in any length and language."""

import pytest

from memdir.recall.lexical.bm25 import BM25, passages_of

FILLER = ("It rained on the hills and nobody went out. " * 12).strip()


def best(query: str, *bodies: str) -> str:
    scores = BM25([passages_of("", "", body) for body in bodies]).fit(query).scores
    return bodies[scores.index(max(scores))]


def test_scores_come_in_the_order_of_the_documents() -> None:
    documents = [passages_of("one", "apples"), passages_of("two", "pears"), passages_of("three", "plums")]
    scores = BM25(documents).fit("pear").scores
    assert scores[1] > 0.0
    assert scores[0] == scores[2] == 0.0


@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("when do we deploy?", "Deployments happen on Fridays", "Tests happen on Fridays"),
        ("why did parseHeader fail", "parse_header fails on an empty file", "The parser of arguments fails"),
        ("什么时候部署", "每周五部署到生产环境", "每周五开会讨论计划"),
        ("デプロイの手順", "本番へのデプロイは金曜日", "会議は金曜日"),
        ("배포 일정", "금요일에 배포한다", "금요일에 회의한다"),
        ("Größe der Läufe", "Die Laufe haben eine GROSSE Grenze", "Die Tests haben keine Grenze"),
        ("python 3.11", "Needs Python 3.11.7 or newer", "Needs Python 3.9.1 or newer"),
    ],
)
def test_the_document_that_answers_is_first(query: str, right: str, wrong: str) -> None:
    assert best(query, wrong, right) == right


def test_rare_words_weigh_more_than_common_ones() -> None:
    common = [f"The release number {number} was fine" for number in range(9)]
    assert best("release of the flamingo", *common, "The flamingo is a bird") == "The flamingo is a bird"


def test_a_word_that_all_have_still_counts() -> None:
    alike = [f"Release number {number}" for number in range(60)]
    for count in (1, 3, 8, 60):
        assert max(BM25([passages_of("", body) for body in alike[:count]]).fit("release").scores) > 1.0


def test_documents_are_alike_by_the_share_of_their_terms() -> None:
    texts = ("Tabs over spaces", "Spaces over tabs", "Tabs over braces", "Rain")
    fit = BM25([passages_of("", text) for text in texts]).fit("")
    one, *others = fit.similarities([0, 1, 2, 3])
    assert one == [1.0, 1.0, 0.5, 0.0]
    assert [row[0] for row in others] == one[1:]


def test_all_passages_of_a_document_count_when_it_is_compared() -> None:
    index = BM25([passages_of("", "", body) for body in (f"{FILLER} tabs", FILLER, "tabs")])
    (same, other), _ = index.fit("").similarities([0, 1])
    assert same == 1.0
    assert 0.5 < other < 1.0


def test_name_description_and_body_all_count_and_the_name_counts_most() -> None:
    documents = [
        passages_of("flamingo", "bird", "colour"),
        passages_of("colour", "flamingo", "bird"),
        passages_of("bird", "colour", "flamingo"),
        passages_of("cloud", "rain", "wind"),
    ]
    name, description, body, none = BM25(documents).fit("flamingo", expand=False).scores
    assert name > description == body > none == 0.0


def test_one_passage_that_answers_beats_a_long_text_that_touches_the_subject() -> None:
    answer = f"{FILLER}\n\nThe flamingo feeds on shrimp in the lagoon.\n\n{FILLER}"
    touches = f"A flamingo. {FILLER} Some shrimp. {FILLER} A lagoon. {FILLER}"
    assert best("flamingo shrimp lagoon", touches, answer) == answer


def test_a_query_reaches_what_says_the_same_in_other_words() -> None:
    bodies = ["The flamingo stands in the lagoon", "Lagoon birds need salt", "Trains need rails"]
    index = BM25([passages_of("", "", body) for body in bodies])
    assert index.fit("flamingo", expand=False).scores[1] == 0.0
    wide = index.fit("flamingo").scores
    assert wide[0] > wide[1] > wide[2] == 0.0


def test_the_plain_scores_are_those_of_the_query_itself() -> None:
    index = BM25([passages_of("", "the flamingo stands in the lagoon"), passages_of("", "rails")])
    fit = index.fit("flamingo stands")
    assert fit.plain == index.fit("flamingo stands", expand=False).scores
    assert max(fit.plain) < max(fit.scores)
    assert len(fit.idf) == 2


@pytest.mark.parametrize("query", ["", "what is it", "zeppelin", "…"])
def test_where_nothing_fits_every_score_is_zero(query: str) -> None:
    fit = BM25([passages_of("one", "apples"), passages_of("", "")]).fit(query)
    assert fit.scores == [0.0, 0.0]
    assert fit.plain == [0.0, 0.0]


def test_no_documents_give_no_scores() -> None:
    assert BM25([]).fit("anything").scores == []


def test_a_document_that_was_dropped_no_longer_fits_and_others_do() -> None:
    index = BM25([passages_of("", "red flamingo"), passages_of("", "grey flamingo")])
    index.drop(0)
    assert index.add(passages_of("", "pink flamingo")) == 2
    first, second, third = index.fit("flamingo").scores
    assert first == 0.0
    assert second == third > 0.0
    assert index.dropped == 1


def test_everything_may_be_dropped() -> None:
    index = BM25([passages_of("", "flamingo")])
    index.drop(0)
    assert index.fit("flamingo").scores == [0.0]


def test_a_large_store_ranks_as_a_small_one_and_goes_on_growing() -> None:
    index = BM25([passages_of("", f"bird number {number}") for number in range(1_990)])
    assert index.fit("heron").scores[:2] == [0.0, 0.0]
    for number in range(20):
        index.add(passages_of("", "", f"heron heron {number}" if number % 2 else f"heron {number}"))
    scores = index.fit("heron 13", expand=False).scores
    assert scores.index(max(scores)) == 1_990 + 13
    assert sum(score > 0 for score in scores) == 21
    assert index.add(passages_of("", "heron 13")) == 2_010
    assert index.fit("heron 13").scores[2_010] > 0.0


def test_endless_repetition_is_bounded() -> None:
    assert len(passages_of("", "", "flamingo " * 50_000)) < 200


def test_some_documents_can_be_asked_for_in_another_order() -> None:
    index = BM25([passages_of("", text) for text in ("red flamingo", "heron", "grey flamingo of the lagoon")])
    fit, part = index.fit("flamingo lagoon"), index.fit("flamingo lagoon", [2, 0])
    assert part.scores == [fit.scores[2], fit.scores[0]]
    assert part.plain == [fit.plain[2], fit.plain[0]]
    assert part.overlaps([0, 1]) == fit.overlaps([2, 0])
    assert part.similarities([0, 1]) == fit.similarities([2, 0])


def test_shares_that_cannot_reach_the_least_are_not_counted() -> None:
    texts = ("red green blue", "red green blue violet", "red", "red green blue")
    index = BM25([passages_of("", "", text) for text in texts])
    exact, rough = index.fit("").similarities(range(4)), index.fit("").similarities(range(4), 0.7)
    assert exact[0] == [1.0, 0.75, pytest.approx(1 / 3), 1.0]
    assert rough[0] == [1.0, 0.75, 0.0, 1.0]
