"""Lexical fit: the memory that answers comes first, by its words alone, in any length and language."""

import pytest

from memdir.recall.lexical.statistics import Profile, Statistics

FILLER = ("It rained on the hills and nobody went out. " * 12).strip()


def best(query: str, *bodies: str) -> str:
    scores = Statistics.of([Profile.of("", "", body) for body in bodies]).score(query).scores
    return bodies[scores.index(max(scores))]


def test_scores_come_in_the_order_of_the_documents() -> None:
    profiles = [Profile.of("one", "apples"), Profile.of("two", "pears"), Profile.of("three", "plums")]
    scores = Statistics.of(profiles).score("pear").scores
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
        assert (
            max(Statistics.of([Profile.of("", body) for body in alike[:count]]).score("release").scores) > 1.0
        )


def test_documents_are_alike_by_the_share_of_their_terms() -> None:
    texts = ("Tabs over spaces", "Spaces over tabs", "Tabs over braces", "Rain")
    one, *others = Statistics.of([Profile.of("", text) for text in texts]).similarities([0, 1, 2, 3])
    assert one == [1.0, 1.0, 0.5, 0.0]
    assert [row[0] for row in others] == one[1:]


def test_all_passages_of_a_document_count_when_it_is_compared() -> None:
    statistics = Statistics.of([Profile.of("", "", body) for body in (f"{FILLER} tabs", FILLER, "tabs")])
    (same, other), _ = statistics.similarities([0, 1])
    assert same == 1.0
    assert 0.5 < other < 1.0


def test_name_description_and_body_all_count_and_the_name_counts_most() -> None:
    profiles = [
        Profile.of("flamingo", "bird", "colour"),
        Profile.of("colour", "flamingo", "bird"),
        Profile.of("bird", "colour", "flamingo"),
        Profile.of("cloud", "rain", "wind"),
    ]
    name, description, body, none = Statistics.of(profiles).score("flamingo", widen=False).scores
    assert name > description == body > none == 0.0


def test_one_passage_that_answers_beats_a_long_text_that_touches_the_subject() -> None:
    answer = f"{FILLER}\n\nThe flamingo feeds on shrimp in the lagoon.\n\n{FILLER}"
    touches = f"A flamingo. {FILLER} Some shrimp. {FILLER} A lagoon. {FILLER}"
    assert best("flamingo shrimp lagoon", touches, answer) == answer


def test_a_query_reaches_what_says_the_same_in_other_words() -> None:
    bodies = ["The flamingo stands in the lagoon", "Lagoon birds need salt", "Trains need rails"]
    statistics = Statistics.of([Profile.of("", "", body) for body in bodies])
    assert statistics.score("flamingo", widen=False).scores[1] == 0.0
    wide = statistics.score("flamingo").scores
    assert wide[0] > wide[1] > wide[2] == 0.0


def test_the_plain_scores_are_those_of_the_query_itself() -> None:
    statistics = Statistics.of([Profile.of("", "the flamingo stands in the lagoon"), Profile.of("", "rails")])
    fit = statistics.score("flamingo stands")
    assert fit.plain == statistics.score("flamingo stands", widen=False).scores
    assert max(fit.plain) < max(fit.scores)
    assert fit.terms == 2


@pytest.mark.parametrize("query", ["", "what is it", "zeppelin", "…"])
def test_where_nothing_fits_every_score_is_zero(query: str) -> None:
    fit = Statistics.of([Profile.of("one", "apples"), Profile.of("", "")]).score(query)
    assert fit.scores == [0.0, 0.0]
    assert fit.plain == [0.0, 0.0]


def test_no_documents_give_no_scores() -> None:
    assert Statistics.of([]).score("anything").scores == []


def test_a_document_that_was_dropped_no_longer_fits_and_others_do() -> None:
    statistics = Statistics.of([Profile.of("", "red flamingo"), Profile.of("", "grey flamingo")])
    statistics.drop(0)
    assert statistics.add(Profile.of("", "pink flamingo")) == 2
    first, second, third = statistics.score("flamingo").scores
    assert first == 0.0
    assert second == third > 0.0
    assert statistics.dropped == 1


def test_everything_may_be_dropped() -> None:
    statistics = Statistics.of([Profile.of("", "flamingo")])
    statistics.drop(0)
    assert statistics.score("flamingo").scores == [0.0]


def test_a_large_store_ranks_as_a_small_one_and_goes_on_growing() -> None:
    statistics = Statistics.of([Profile.of("", f"bird number {number}") for number in range(1_990)])
    assert statistics.score("heron").scores[:2] == [0.0, 0.0]
    for number in range(20):
        statistics.add(Profile.of("", "", f"heron heron {number}" if number % 2 else f"heron {number}"))
    scores = statistics.score("heron 13", widen=False).scores
    assert scores.index(max(scores)) == 1_990 + 13
    assert sum(score > 0 for score in scores) == 21
    assert statistics.add(Profile.of("", "heron 13")) == 2_010
    assert statistics.score("heron 13").scores[2_010] > 0.0


def test_endless_repetition_and_endless_queries_are_bounded() -> None:
    profile = Profile.of("", "", "flamingo " * 50_000)
    assert sum(map(len, profile.passages)) < 200
    scores = Statistics.of([profile]).score("paste " * 500_000 + "flamingo").scores
    assert scores[0] > 0.0


def test_shares_that_cannot_reach_the_least_are_not_counted() -> None:
    texts = ("red green blue", "red green blue violet", "red", "red green blue")
    statistics = Statistics.of([Profile.of("", "", text) for text in texts])
    exact, rough = statistics.similarities(range(4)), statistics.similarities(range(4), 0.7)
    assert exact[0] == [1.0, 0.75, pytest.approx(1 / 3), 1.0]
    assert rough[0] == [1.0, 0.75, 0.0, 1.0]
