"""A memory gets a remark for each thing that could be better, and only for those."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.core.kinds import Kind, kind_named
from memdir.core.review import Remark, derivable_hint, is_vague, remarks
from memdir.core.topic import Header, Topic

SAVED = date(2026, 11, 15)  # a Sunday
TODAY = date(2026, 11, 20)
GOOD_BODY = (
    "Freeze merges on 2026-11-19.\n\n**Why:** mobile branches off.\n**How to apply:** hold back the rest.\n"
)
GOOD_DESCRIPTION = "Merge freeze from 2026-11-19 for the mobile release"


def topic(
    body: str = GOOD_BODY,
    *,
    kind: str = "project",
    description: str = GOOD_DESCRIPTION,
    name: str = "merge-freeze",
    expires: str = "",
    text: str | None = None,
) -> Topic:
    header = Header(
        file="project_merge-freeze.md",
        name=name,
        description=description,
        kind=kind_named(kind),
        saved_at=datetime(2026, 11, 15, tzinfo=UTC),
        expires=expires,
    )
    whole = (
        f'---\nname: "{name}"\ndescription: "{description}"\ntype: "{kind}"\n---\n{body}'
        if text is None
        else text
    )
    return Topic(header, body, whole)


def codes(subject: Topic) -> list[str]:
    return [remark.code for remark in remarks(subject, SAVED, TODAY)]


def only(subject: Topic) -> Remark:
    (remark,) = remarks(subject, SAVED, TODAY)
    return remark


def test_a_good_memory_gets_no_remark() -> None:
    for kind in Kind:
        assert codes(topic(kind=kind)) == []


def test_every_remark_says_what_to_do() -> None:
    worst = topic("", kind="opinion", description="", expires="2020-01-01")
    assert {"kind", "empty-body", "vague-description", "expired"} <= set(codes(worst))
    assert all(remark.message and remark.hint for remark in remarks(worst, SAVED, TODAY))


def test_a_missing_kind_and_an_unknown_one_are_told_apart() -> None:
    assert only(topic(kind="")).message == "It has no kind."
    unknown = only(topic(kind="opinion"))
    assert unknown.code == "kind"
    assert "'opinion'" in unknown.message
    assert "user, feedback, project, reference" in unknown.hint


def test_a_broken_header_is_shown_with_what_is_wrong() -> None:
    broken = topic(text=f"---\nname: x\ndescription: [unclosed\ntype: project\n{GOOD_BODY}")
    remark = only(broken)
    assert remark.code == "broken-header"
    assert "never closed" in remark.message


def test_an_empty_body_is_one_remark_and_not_three() -> None:
    assert codes(topic(" \n\n")) == ["empty-body"]


@pytest.mark.parametrize("kind", ["feedback", "project"])
def test_why_and_how_are_asked_of_feedback_and_project(kind: str) -> None:
    assert codes(topic("Use bun.", kind=kind)) == ["missing-why", "missing-how"]
    assert codes(topic("Use bun.\n**Why:** speed", kind=kind)) == ["missing-how"]
    assert codes(topic("Use bun.\n**How to apply:** everywhere", kind=kind)) == ["missing-why"]


@pytest.mark.parametrize("kind", ["user", "reference"])
def test_why_and_how_are_not_asked_of_the_others(kind: str) -> None:
    assert codes(topic("Uses bun.", kind=kind)) == []


@pytest.mark.parametrize(
    "body",
    [
        "Use bun.\n\n**Why:** speed.\n**How to apply:** scripts.",
        "Use bun.\n\n**Why**: speed.\n**How to apply**: scripts.",
        "Use bun.\n\nWhy: speed.\nHow to apply: scripts.",
        "Use bun.\n\n- **Why:** speed.\n- **How to apply:** scripts.",
        "Use bun.\r\n\r\n**Why:** speed.\r\n**How to apply:** scripts.\r\n",
        "Use bun.\n\n**Why:**\nspeed.\n\n**How to apply:**\n- scripts",
        "Use bun.\n\n**why:** speed.\n**HOW TO APPLY:** scripts.",
    ],
)
def test_the_two_lines_are_seen_in_the_forms_people_write(body: str) -> None:
    assert codes(topic(body, kind="feedback")) == []


def test_a_label_without_a_text_does_not_count() -> None:
    assert codes(topic("Use bun.\n\n**Why:**\n**How to apply:** scripts.", kind="feedback")) == [
        "missing-why"
    ]
    assert codes(topic("Tell me why: it matters how: so.", kind="feedback")) == ["missing-why", "missing-how"]


def test_relative_dates_are_shown_with_the_day_they_meant() -> None:
    remark = only(topic(GOOD_BODY.replace("2026-11-19", "Thursday")))
    assert remark.code == "relative-date"
    assert "'Thursday' (2026-11-19)" in remark.message
    assert "2026-11-15" in remark.message


def test_relative_dates_in_a_description_count_too() -> None:
    assert codes(topic(description="Merge freeze starts next week for mobile")) == ["relative-date"]


def test_an_unclear_relative_date_is_called_so() -> None:
    assert "(unclear)" in only(topic(GOOD_BODY + "\nWe met on Thursday.")).message


def test_many_relative_dates_are_one_remark() -> None:
    body = GOOD_BODY + "Tomorrow, next week, next month, next quarter and in 3 days."
    assert "and 2 more" in only(topic(body)).message


@pytest.mark.parametrize("kind", ["user", "feedback", "reference"])
def test_relative_dates_are_left_alone_outside_project_memories(kind: str) -> None:
    assert codes(topic(GOOD_BODY + "Since yesterday.", kind=kind)) == []


def test_a_long_description_is_reported_with_its_length() -> None:
    assert codes(topic(description="Merge freeze " * 11)) == []
    remark = only(topic(description="Merge freeze " * 12))
    assert remark.code == "long-description"
    assert "156" in remark.message


@pytest.mark.parametrize(
    ("expires", "expected"),
    [
        ("", []),
        ("2026-11-19", ["expired"]),
        ("2026-11-20", []),
        ("2026-12-01T00:00:00Z", []),
        ("2020-01-01T00:00:00Z", ["expired"]),
        ("soon", ["expires"]),
        ("2026-02-30", ["expires"]),
    ],
)
def test_an_expiry_that_has_passed_or_is_no_date_is_reported(expires: str, expected: list[str]) -> None:
    assert codes(topic(expires=expires)) == expected


@pytest.mark.parametrize(
    "description",
    [
        "",
        "  ",
        "notes",
        "misc",
        "Misc.",
        "Important info",
        "notes about the project",
        "Some useful information",
        "stuff",
        "TODO",
        "project",
        "Various things to remember",
        "Information about the user",
        "details",
        "merge-freeze",
        "Merge Freeze",
        "merge_freeze",
        "Summary of the memory",
        "Preferences",
        "about testing",
        "备注",
        "...",
        "—",
    ],
)
def test_a_description_that_could_be_any_memory_is_vague(description: str) -> None:
    assert is_vague(description, "merge-freeze")
    assert "vague-description" in codes(topic(description=description))


@pytest.mark.parametrize(
    "description",
    [
        "No summaries at the end",
        "Tabs over spaces",
        "Use bun, not npm",
        "Prefers terse replies without recaps",
        "Merge freeze from 2026-11-19 for mobile",
        "Grafana latency board at grafana.internal/d/api",
        "Pipeline bugs are tracked in Linear INGEST",
        "部署前必须先跑集成测试",
        "テストでは実際のデータベースを使う",
        "Keine Mocks in Integrationstests",
        "Nunca usar mocks en integración",
    ],
)
def test_a_specific_description_is_not_vague(description: str) -> None:
    assert not is_vague(description, "merge-freeze")


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("The function parse_header is defined in src/header.py.", "structure"),
        ("The class Catalog lives in store/catalog.py", "structure"),
        ("Tests are located under tests/unit/core/", "structure"),
        ("The login handler is implemented in `auth/login.ts`.", "structure"),
        ("src/\n├── core\n│   ├── index.py\n└── store", "layout"),
        (
            "Layout:\n- src/core/index.py: the index\n- src/store/files.py: writes\n- tests/unit/: tests",
            "layout",
        ),
        ("- 3f2a9c1 add index\n- 9fceb02 fix clip\n- 1a2b3c4 rename topic", "git history"),
        ("Commit 9fceb02 renamed the topic module.", "git history"),
        ("PR #482 added the new parser.", "git history"),
        ("The import error was fixed by adding an empty __init__.py.", "fix"),
        ("Resolved the crash by replacing strip with rstrip in clip.py", "fix"),
        ("Currently working on the parser; tests are red.", "running task"),
        ("Next steps:\n1. write tests\n2. run them", "running task"),
        ("- [x] parser\n- [ ] writer\n- [ ] docs", "running task"),
        ("**Remaining work:** docs", "running task"),
    ],
)
def test_what_the_project_shows_by_itself_gets_a_question(body: str, what: str) -> None:
    hint = derivable_hint(body)
    assert hint is not None
    assert what in hint
    assert "surprising" in hint


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Prefers terse replies.",
        GOOD_BODY,
        "Integration tests hit a real database. **Why:** mocks hid a broken migration.",
        "The function parse_header is in src/header.py because the reader must not import YAML.",
        "Never edit src/generated/api.ts by hand.",
        "Pipeline bugs are tracked in Linear, project INGEST.",
        "The latency board is at https://grafana.internal/d/api.",
        "The legal team asked for the new session store.",
        "The auth rewrite was decided by legal, not by engineering.",
        "The user is a data scientist who looks into logging.",
        "Use bun instead of npm in src/web/.",
        "Do not mock the database in tests/integration.",
        "The class of 2026 starts in May.",
        "The office route is in the wiki.",
        "Fixed costs are reviewed by finance.",
        "We fixed the date for the launch: 2026-12-01.",
        "Commit to the deadline on 2026-12-01.",
        "Deploys run from the release branch only; ask in #ops.",
        "Dashboards:\n- https://grafana.internal/a\n- https://grafana.internal/b\n- https://grafana.internal/c",
        "Design partners: Acme, Initech and Umbrella; Acme goes live first.",
        "The next step of the migration is owned by the platform team.",
        "Der Bericht geht freitags an die Leitung.",
    ],
)
def test_what_no_file_shows_gets_none(body: str) -> None:
    assert derivable_hint(body) is None


@given(st.text(max_size=300), st.text(max_size=60), st.sampled_from(["", *Kind]), st.text(max_size=12))
def test_any_memory_can_be_reviewed(body: str, description: str, kind: str, expires: str) -> None:
    subject = topic(body, kind=kind, description=description, expires=expires)
    assert all(isinstance(remark, Remark) for remark in remarks(subject, SAVED, TODAY))
    derivable_hint(body)


@pytest.mark.parametrize(
    "unit", [" ", "\n", "why ", "why: ", "- ", "a/", "function is ", "fixed by ", "*", "commit a "]
)
def test_no_repeated_text_makes_the_review_slow(unit: str) -> None:
    # With quadratic work this size takes minutes, and the time limit of the suite ends it.
    body = "why" + unit * (60_000 // len(unit))
    remarks(topic(body, kind="feedback"), SAVED, TODAY)
    derivable_hint(body)
