"""What memdir makes of a text it is to keep tells nobody the credentials in it; a hint names days."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.errors import SecretFound
from memdir.memories.draft import complete, without_filled
from memdir.memories.refusals import MAX_BODY_BYTES, text_problem
from memdir.memories.review import repair_text
from memdir.memories.topic import Draft, topic_from

TODAY = date(2026, 3, 2)
LITERAL = "--literal (literal=True) adds no dates."
TOKEN = "ghp_" + "n0tR3al" * 5 + "x"
"""Made up, in the shape of a token of a code host."""


def told(draft: Draft) -> str:
    """Return all that is told of a memory without opening it."""
    made = complete(draft, TODAY)
    return f"{made.name}\n{made.title}\n{made.description}".lower()


@pytest.mark.parametrize(
    "body",
    [
        f"The deploy token is {TOKEN} and lives in CI",
        TOKEN,
        f"# Deploying\n\n- `{TOKEN}` opens the registry",
        f"See [{TOKEN}](https://example.com/tokens)",
        f"The deploy token is **{TOKEN[:12]}**{TOKEN[12:]}",
        "several words and then some more " * 4 + TOKEN,
        "# A heading\n" * 165 + f"The token is {TOKEN}",
    ],
    ids=["sentence", "alone", "list", "link", "broken by Markdown", "cut", "far down"],
)
def test_a_made_name_and_description_hold_no_part_of_a_credential(body: str) -> None:
    assert "n0tr3al" not in told(Draft(body))
    assert complete(Draft(body), TODAY).body == body


def test_a_made_description_says_what_stood_there() -> None:
    draft = complete(Draft(f"The deploy token is {TOKEN} and lives in CI"), TODAY)
    assert draft.description == "The deploy token is [secret: github-token] and lives in CI"


@given(st.text("ab *_`[]()\n", max_size=30), st.text("ab *_`[]()\n", max_size=30))
def test_no_text_around_a_credential_brings_it_into_the_description(before: str, after: str) -> None:
    assert "n0tr3al" * 3 not in told(Draft(f"{before} {TOKEN} {after}"))


@pytest.mark.parametrize(
    "draft",
    [
        Draft("x", name=f"token {TOKEN}"),
        Draft("x", title=TOKEN),
        Draft("x", description=f"the token {TOKEN}"),
        Draft("x", enforce=f"Bash: curl *{TOKEN}*"),
        Draft("x", supersedes=TOKEN),
    ],
    ids=["name", "title", "description", "rule", "superseded"],
)
def test_a_given_header_with_a_credential_is_refused_without_the_value(draft: Draft) -> None:
    with pytest.raises(SecretFound, match=r"github-token.*in the text of a private memory alone") as raised:
        complete(draft, TODAY)
    assert "n0tR3al" not in str(raised.value)


def test_a_mended_description_holds_no_credential() -> None:
    text = (
        f'---\nname: "token"\ndescription: ""\ntype: "reference"\n---\n\nThe deploy token is {TOKEN} in CI.\n'
    )
    better = repair_text(topic_from("reference_token.md", text, datetime(2026, 3, 2, tzinfo=UTC)), TODAY)
    assert better is not None
    assert better.count(TOKEN) == 1
    assert "[secret: github-token]" in better


@pytest.mark.parametrize(
    ("draft", "body", "hint"),
    [
        (
            Draft("The freeze starts on Friday", "project"),
            "The freeze starts on Friday (2026-03-06)",
            f'"Friday" is 2026-03-06. {LITERAL}',
        ),
        (
            Draft("It is read-only today and gone next week", "project"),
            "It is read-only today (2026-03-02) and gone next week (week of 2026-03-09)",
            f'"today" is 2026-03-02, "next week" is week of 2026-03-09. {LITERAL}',
        ),
        (
            Draft("I may be late today", "user"),
            "I may be late today (2026-03-02)",
            f'"today" is 2026-03-02. {LITERAL}',
        ),
        (
            Draft("Deploys wait until august", "project", saved_at=datetime(2026, 9, 3, tzinfo=UTC)),
            "Deploys wait until august",
            'No date was added to "august": more than one day can be meant. Write the date if it is one.',
        ),
        (
            Draft("Do not deploy on Friday", "project"),
            "Do not deploy on Friday",
            'No date was added to "Friday": more than one day can be meant. Write the date if it is one.',
        ),
    ],
)
def test_the_hint_says_which_day_was_added_and_where_none_was(draft: Draft, body: str, hint: str) -> None:
    made = complete(draft, TODAY)
    assert (made.body, made.hints) == (body, (hint,))


def test_days_count_from_the_day_of_the_draft_in_every_part_of_it() -> None:
    said = Draft(
        "We ship next Thursday.",
        "project",
        title="Ship tomorrow",
        description="Release happens tomorrow",
        why="the customer wants it in two days",
        how="freeze today",
        saved_at=datetime(2026, 1, 5, tzinfo=UTC),  # a Monday
    )
    made = complete(said, TODAY)
    draft = made
    assert draft.body == "We ship next Thursday (2026-01-15)."
    assert draft.title == "Ship tomorrow (2026-01-06)"
    assert draft.description == "Release happens tomorrow (2026-01-06)"
    assert draft.why == "the customer wants it in two days (2026-01-07)"
    assert draft.how == "freeze today (2026-01-05)"
    hint = '"next Thursday" is 2026-01-15, "tomorrow" is 2026-01-06, "in two days" is 2026-01-07.'
    assert made.hints == (f"{hint} {LITERAL}",)


def test_a_literal_draft_gets_no_dates_and_no_hints() -> None:
    said = Draft("We ship tomorrow", "project", description="Ship tomorrow", literal=True)
    made = complete(said, TODAY)
    assert (made.body, made.description, made.hints) == (
        "We ship tomorrow",
        "Ship tomorrow",
        (),
    )


def test_a_text_that_is_saved_again_keeps_the_one_date_it_has() -> None:
    once = complete(Draft("The demo is on Thursday", "project"), TODAY).body
    later = complete(Draft(once, "project"), date(2026, 5, 1))
    assert (later.body, later.hints) == (once, ())


def test_what_hosts_are_held_to_is_feedback_unless_a_kind_is_given() -> None:
    rule = "Bash: git push --force*"
    assert complete(Draft("Nobody deploys this", enforce=rule), TODAY).kind == "feedback"
    assert complete(Draft("Nobody deploys this", "project", enforce=rule), TODAY).kind == "project"


@pytest.mark.parametrize(
    "draft",
    [
        Draft("No deploys on Friday", "project"),
        Draft("I work from home on Friday", "user"),
        Draft("Ask before you deploy today", "feedback"),
    ],
)
def test_a_habit_and_what_is_asked_for_keep_their_days(draft: Draft) -> None:
    made = complete(draft, TODAY)
    assert (made.body, made.hints) == (draft.body, ())


def test_a_draft_knows_which_fields_nobody_gave() -> None:
    given = Draft("Use tabs.", name="My Tabs", description="Tabs it is")
    made = complete(given, TODAY)
    assert made.filled == {"kind"}
    assert complete(Draft("Use tabs."), TODAY).filled == {"kind", "name", "title", "description"}
    assert complete(without_filled(made), TODAY) == made


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x" * MAX_BODY_BYTES, ""),
        ("x" * MAX_BODY_BYTES + "x", "is over 250,000 bytes"),
        ("a\0b", "contains a NUL character"),
        ("\udc80", "contains half of a surrogate pair"),
        ("日本語 and 😀", ""),
    ],
)
def test_what_cannot_be_the_text_of_a_memory_is_said(text: str, problem: str) -> None:
    assert text_problem(text).startswith(problem)
    assert bool(text_problem(text)) == bool(problem)


def test_bytes_that_are_not_utf_8_may_stay_in_a_text_that_has_them() -> None:
    assert text_problem("\udc80", odd_bytes=True) == ""
    assert text_problem("\ud800", odd_bytes=True)
