"""Lines of a daily log speak of the user in the third person and are read as the user's own words."""

import re
from datetime import UTC, date, datetime

import pytest

from memdir.dream.daily_log import LogDay
from memdir.dream.offline import distil
from memdir.extract.result import Extracted
from memdir.memories.topic import Kind
from memdir.prompt.templates import loaded

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def of(*lines: str) -> Extracted:
    return distil([LogDay("logs/2026/11/2026-11-14.md", date(2026, 11, 14), "\n".join(lines))], [], NOW)


@pytest.mark.parametrize(
    ("line", "kind", "body"),
    [
        ("- 10:00 user prefers small commits", Kind.FEEDBACK, "The user prefers small commits."),
        ("- The user is a data scientist", Kind.USER, "The user is a data scientist."),
        ("- 11:30 user's timezone is CET", Kind.USER, "The user's timezone is CET."),
        ("- user asked me to always run the linter", Kind.FEEDBACK, "Always run the linter."),
        ("- user never uses tabs in YAML", Kind.USER, "The user never uses tabs in YAML."),
        ("- 10:00 Prefers small commits.", Kind.FEEDBACK, "The user prefers small commits."),
        ("- 10:00 Is a data scientist.", Kind.USER, "The user is a data scientist."),
        ("- Asked to always answer in German.", Kind.FEEDBACK, "Always answer in German."),
        ("- 12:00 Ana owns the parser.", Kind.PROJECT, "Ana owns the parser."),
    ],
)
def test_a_line_about_the_user_becomes_a_memory_of_them(line: str, kind: Kind, body: str) -> None:
    (draft,) = of(line).drafts
    assert (draft.kind, draft.body) == (kind, body)


EXAMPLES = re.findall(r"^- \d\d:\d\d .*$", loaded("saving_log"), re.MULTILINE)


@pytest.mark.parametrize("line", EXAMPLES)
def test_each_example_line_of_our_own_prompt_becomes_a_memory(line: str) -> None:
    (draft,) = of(line).drafts
    assert draft.body.count("\n\n**How to apply:**") <= 1
    telling = {word for word in re.findall(r"[a-z]{4,}", line.lower()) if word != "wants"}
    assert telling <= set(re.findall(r"[a-z]{4,}", draft.body.lower())), "nothing of it is lost"


def test_the_prompt_has_two_examples_and_both_are_distilled_together() -> None:
    found = of(*EXAMPLES)
    assert len(EXAMPLES) == len(found.drafts) == 2
    assert not any(draft.inbox for draft in found.drafts)


@pytest.mark.parametrize(
    "line",
    [
        "- 15:00 Ran the tests, all green.",
        "- 15:05 Read src/app.py.",
        "- Implemented pagination on the orders page.",
        "- 16:00 Working on the parser; tests red.",
        "- Fixed the login bug by adding a null check.",
        "- Commit abc1234 adds retries.",
    ],
)
def test_a_line_about_the_work_itself_gives_nothing(line: str) -> None:
    assert of(line).drafts == ()


def test_a_line_about_what_users_of_a_program_do_gives_nothing() -> None:
    assert of("- user logs in with SSO", "- 10:10 users prefer the blue button").drafts == ()


def test_a_password_in_a_log_stays_there() -> None:
    assert of("- 10:00 remember the wifi password is marigold").drafts == ()
