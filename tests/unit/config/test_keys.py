"""Every setting of the specification's table is known, with its default and its bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.config.keys import KEYS, SHARED, Value, Who, accepted_values, fit

DEFAULTS: dict[str, Value] = {
    "mode": "private",
    "skipIndex": False,
    "searchPastContext": True,
    "compactPrompt": "auto",
    "layout": "claude",
    "team.enabled": None,
    "extract.enabled": True,
    "extract.everyTurns": 1,
    "extract.headless": False,
    "extract.maxTurns": 5,
    "extract.drainSeconds": 30,
    "extract.savePercent": 93,
    "extract.inboxPercent": 45,
    "dream.enabled": True,
    "dream.hours": 24,
    "dream.sessions": 5,
    "dream.scanMinutes": 10,
    "dream.staleMinutes": 60,
    "dream.maxDeletes": 10,
    "notes.enabled": False,
    "notes.firstTokens": 30_000,
    "notes.everyTokens": 20_000,
    "notes.toolCalls": 3,
    "notes.sectionTokens": 2_000,
    "notes.fileTokens": 12_000,
    "recall.files": 5,
    "recall.certainPercent": 31,
    "recall.likelyPercent": 10,
    "recall.lines": 200,
    "recall.bytes": 4_096,
    "recall.sessionBytes": 61_440,
    "recall.candidates": 200,
    "recall.budgetMs": 400,
    "recall.modelBudgetMs": 2_000,
    "compact.reserveTokens": 13_000,
    "compact.failures": 3,
    "worker.maxSeconds": 120,
    "cost.perDay": 2_000_000,
    "cost.perConversation": 400_000,
    "autoMemoryEnabled": True,
    "autoMemoryDirectory": "",
    "claudeMdExcludes": (),
    "model": "",
}


def test_the_table_is_complete_and_has_the_right_defaults() -> None:
    assert {name: key.default for name, key in KEYS.items()} == DEFAULTS
    assert set(SHARED) == {"autoMemoryEnabled", "autoMemoryDirectory", "autoDreamEnabled", "claudeMdExcludes"}


def test_what_aims_writes_or_guards_a_person_is_the_owners_alone() -> None:
    owned = {name for name, key in KEYS.items() if key.who is Who.OWNER}
    assert {"autoMemoryDirectory", "layout", "model", "mode", "cost.perDay", "dream.maxDeletes"} <= owned


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("recall.files", 0, 0),
        ("extract.everyTurns", 1, 1),
        ("skipIndex", True, True),
        ("team.enabled", False, False),
        ("mode", "daily-log", "daily-log"),
        ("compactPrompt", True, "on"),
        ("compactPrompt", False, "off"),
        ("claudeMdExcludes", ["a", "b"], ("a", "b")),
        ("claudeMdExcludes", [], ()),
        ("autoMemoryDirectory", "", ""),
    ],
)
def test_a_value_of_the_right_kind_fits(name: str, raw: object, value: Value) -> None:
    assert fit(KEYS[name], raw) == value
    assert type(fit(KEYS[name], raw)) is type(value)


UNFIT: list[tuple[str, object]] = [
    ("recall.files", True),
    ("recall.files", "5"),
    ("recall.files", 5.0),
    ("recall.files", -1),
    ("recall.files", 6),
    ("recall.lines", 10**30),
    ("recall.files", None),
    ("recall.files", [5]),
    ("extract.everyTurns", 0),
    ("skipIndex", 1),
    ("skipIndex", "true"),
    ("skipIndex", None),
    ("team.enabled", 1),
    ("mode", "public"),
    ("mode", True),
    ("layout", "../claude"),
    ("layout", ["claude"]),
    ("autoMemoryDirectory", ["/x"]),
    ("autoMemoryDirectory", None),
    ("claudeMdExcludes", "*.md"),
    ("claudeMdExcludes", ["a", 1]),
    ("claudeMdExcludes", {"a": 1}),
]


def test_a_value_of_the_wrong_kind_does_not() -> None:
    wrong = [(name, raw, found) for name, raw in UNFIT if (found := on_row(fit, KEYS[name], raw)) is not None]
    assert not wrong, str(wrong)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


@given(raw=JSON, name=st.sampled_from(sorted(KEYS)))
def test_whatever_fits_has_the_type_of_the_default(raw: object, name: str) -> None:
    value = fit(KEYS[name], raw)
    default = KEYS[name].default
    assert value is None or type(value) is (bool if default is None else type(default))


def test_each_key_says_in_words_what_it_takes() -> None:
    assert accepted_values(KEYS["mode"]) == 'one of "private", "daily-log"'
    assert accepted_values(KEYS["team.enabled"]) == "true or false"
    assert accepted_values(KEYS["recall.files"]) == "a whole number from 0 to 5"
    assert accepted_values(KEYS["recall.lines"]) == "a whole number from 1 to 1,000,000,000"
    assert accepted_values(KEYS["claudeMdExcludes"]) == "a list of strings"
    assert accepted_values(KEYS["autoMemoryDirectory"]) == "a string"
