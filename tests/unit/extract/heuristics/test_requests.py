"""A request to keep something is heard in nine languages, and its words are told from its matter."""

import pytest
from tests.tables import on_row

from memdir.extract.heuristics.requests import POINTS_BACK, request_in

KEPT = [
    ("please remember that lunch is at noon", "lunch is at noon"),
    ("hey so anyway remeber lunch is at noon", "lunch is at noon"),
    ("For future reference: lunch is at noon", "lunch is at noon"),
    ("could you please keep in mind that lunch is at noon", "lunch is at noon"),
    ("Can you remember that lunch is at noon?", "lunch is at noon"),
    ("use tabs from now on", "use tabs from now on"),
    ("From now on, use tabs", "From now on, use tabs"),
    ("记住，午饭在十二点", "午饭在十二点"),
    ("以后都用制表符", "以后都用制表符"),
    ("Merk dir bitte, dass mittags geschlossen ist", "Merk dir bitte, dass mittags geschlossen ist"),
    ("Ab sofort Tabs verwenden", "Ab sofort Tabs verwenden"),
    ("N'oublie pas que midi est fermé", "midi est fermé"),
    ("Désormais, utilise des tabulations", "Désormais, utilise des tabulations"),
    ("Recuerda que cierra al mediodía", "cierra al mediodía"),
    ("A partir de ahora usa tabuladores", "A partir de ahora usa tabuladores"),
    ("Lembra que fecha ao meio-dia", "fecha ao meio-dia"),
    ("今後はタブを使ってください", "今後はタブを使ってください"),
    ("앞으로는 탭을 써 주세요", "앞으로는 탭을 써 주세요"),
    ("Запомни: обед в двенадцать", "обед в двенадцать"),
]


def test_the_matter_is_kept_without_the_request() -> None:
    found = [(text, request[0]) for text, _ in KEPT if (request := on_row(request_in, text, text))]
    assert found == KEPT


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("remember that lunch is at noon", True),
        ("remember: lunch is at noon", True),
        ("remember the caption when you build the table", False),
        ("from now on use tabs", True),
        ("great, from now on I just ask the duck", False),
        ("Ab sofort Tabs verwenden", True),
        ("er sagt, man müsse ab sofort Tabs verwenden", False),
        ("记住，午饭在十二点", True),
        ("今後テスト名は日本語で書いて", True),
        ("今後もぜひ", False),
        ("これからもその形でお願いします", False),
        ("앞으로 답변은 한국어로", True),
        ("앞으로 쭉 이렇게 해줘", False),
    ],
)
def test_a_request_is_firm_when_it_can_mean_nothing_else(text: str, firm: bool) -> None:
    request = request_in(text, text)
    assert request is not None
    assert request[1] is firm


@pytest.mark.parametrize(
    "text",
    [
        "I never remember that",
        "the app should remember the last tab",
        "do you remember when we met",
        "do you remember that we moved the tests?",
        "it always returns a list",
        "never use tabs",
        "remember to run the tests",
        "我不记得了",
        "Der Test schlägt immer fehl",
        "remember me",
    ],
)
def test_other_uses_of_the_words_are_no_request(text: str) -> None:
    assert request_in(text, text) is None


@pytest.mark.parametrize(
    ("text", "points"), [("Please remember that.", True), ("remember that we ship", False)]
)
def test_a_request_with_no_matter_points_back(text: str, points: bool) -> None:
    assert (POINTS_BACK.fullmatch(text) is not None) is points
