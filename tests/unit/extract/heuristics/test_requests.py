"""A request to keep something is heard in five languages, and its words are told from its matter."""

import pytest

from memdir.extract.heuristics.requests import request_in

KEPT = [
    ("please remember that lunch is at noon", "lunch is at noon"),
    ("hey so anyway remeber lunch is at noon thx", "lunch is at noon"),
    ("For future reference: lunch is at noon", "lunch is at noon"),
    ("could you please keep in mind that lunch is at noon", "lunch is at noon"),
    ("use tabs from now on", "use tabs"),
    ("From now on, use tabs", "use tabs"),
    ("never use tabs", "never use tabs"),
    ("记住，午饭在十二点", "午饭在十二点"),
    ("以后都用制表符", "都用制表符"),
    ("Merk dir bitte, dass mittags geschlossen ist", "Merk dir bitte, dass mittags geschlossen ist"),
    ("Ab sofort Tabs verwenden", "Tabs verwenden"),
    ("N'oublie pas que midi est fermé", "midi est fermé"),
    ("Désormais, utilise des tabulations", "utilise des tabulations"),
    ("Recuerda que cierra al mediodía", "cierra al mediodía"),
    ("A partir de ahora usa tabuladores", "usa tabuladores"),
]


def asked(text: str) -> str:
    request = request_in(text, text)
    return request.text if request else ""


def test_the_matter_is_kept_without_the_request() -> None:
    wrong = [f"{text}: {found!r}" for text, kept in KEPT if (found := asked(text)) != kept]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "I never remember that",
        "the app should remember the last tab",
        "do you remember when we met",
        "it always returns a list",
        "from now on I'll ask the duck",
        "我不记得了",
        "Der Test schlägt immer fehl",
        "remember me",
    ],
)
def test_other_uses_of_the_words_are_no_request(text: str) -> None:
    assert asked(text) == ""
