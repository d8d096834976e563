"""Lines of a daily log speak of the user in the third person and are read as the user's own words."""

from datetime import UTC, date, datetime

import pytest

from memdir.core.kinds import Kind
from memdir.store.daily_log import LogDay
from memdir.workers.offline.distil import Distilled, distilled

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def of(*lines: str) -> Distilled:
    return distilled([LogDay("logs/2026/11/2026-11-14.md", date(2026, 11, 14), "\n".join(lines))], [], NOW)


@pytest.mark.parametrize(
    ("line", "kind", "body"),
    [
        ("- 10:00 user prefers small commits", Kind.FEEDBACK, "The user prefers small commits."),
        ("- The user is a data scientist", Kind.USER, "The user is a data scientist."),
        ("- 11:30 user's timezone is CET", Kind.USER, "The user's timezone is CET."),
        ("- user asked me to always run the linter", Kind.FEEDBACK, "Always run the linter."),
        ("- user never uses tabs in YAML", Kind.USER, "The user never uses tabs in YAML."),
    ],
)
def test_a_line_about_the_user_becomes_a_memory_of_them(line: str, kind: Kind, body: str) -> None:
    (draft,) = of(line).drafts
    assert (draft.kind, draft.body) == (kind, body)


def test_a_line_about_what_users_of_a_program_do_gives_nothing() -> None:
    assert of("- user logs in with SSO", "- 10:10 users prefer the blue button").drafts == ()


def test_a_password_in_a_log_stays_there() -> None:
    assert of("- 10:00 remember the wifi password is marigold").drafts == ()
