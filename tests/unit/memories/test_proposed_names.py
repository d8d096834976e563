"""A text that comes without a name, title or description gets sensible ones."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.memories.draft import complete, render_draft
from memdir.memories.names import slug
from memdir.memories.proposed_names import (
    MAX_DESCRIPTION,
    MAX_NAME_WORDS,
    MAX_TITLE,
    propose_description,
    propose_name,
    propose_title,
)
from memdir.memories.topic import Draft, Provenance, header_from


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Keep answers short. The user reads diffs.", "Keep answers short"),
        ("# Terse\n\nThe user wants **short** answers.\n\n**Why:** x", "The user wants short answers"),
        ("## Only a heading", "Only a heading"),
        ("- `pnpm` is the *only* package manager", "pnpm is the only package manager"),
        ("1. Ask [the board](https://example.com/b) first", "Ask the board first"),
        ("See [[other-memory]] for more", "See other-memory for more"),
        ("Yes. Use pnpm, e.g. for installs. Never npm.", "Yes. Use pnpm, e.g. for installs"),
        ("Pin Python 3.11 in CI. Not 3.12.", "Pin Python 3.11 in CI"),
        ("two\nlines   here", "two lines here"),
        ("snake_case_names stay whole", "snake_case_names stay whole"),
        ("> quoted words", "quoted words"),
        ("リリースの前に必ず確認してください。次の文。", "リリースの前に必ず確認してください"),
        ("Why not? Because it broke.", "Why not? Because it broke"),
        ("", ""),
    ],
)
def test_the_description_is_the_first_sentence_without_markdown(body: str, expected: str) -> None:
    assert propose_description(body) == expected


def test_a_long_sentence_is_cut_at_a_word() -> None:
    described = propose_description("several words and then some more " * 20)
    assert described.endswith(("words…", "and…", "then…", "some…", "more…", "several…"))
    assert MAX_DESCRIPTION - 10 <= len(described) <= MAX_DESCRIPTION


@given(st.text(st.characters(exclude_categories=[]), max_size=400))
def test_a_description_is_always_one_short_line(body: str) -> None:
    described = propose_description(body)
    assert len(described) <= MAX_DESCRIPTION
    assert len(described.splitlines()) <= 1


NAMES = [
    ("Don't use the mocks in the database tests", "dont-use-mocks-database-tests"),
    (
        "The merge freeze starts on 2026-03-05 because mobile cuts a release",
        "merge-freeze-starts-2026-03-05",
    ),
    ("The board is at https://example.com/d/1?x=y", "board"),
    ("I am the one", "one"),
    ("It is", "it-is"),
    ("Do not use npm", "do-not-use-npm"),
    ("Don`t use npm", "dont-use-npm"),
    ("Tests must not hit the network", "tests-must-not-hit-network"),
    ("Always use uv, not pip", "always-use-uv-not-pip"),
    ("Use bun, not npm", "use-bun-not-npm"),
    ("Use bun instead of npm", "use-bun-instead-of-npm"),
    ("Use bun rather than npm", "use-bun-rather-than-npm"),
    ("Prefer pnpm over npm", "prefer-pnpm-over-npm"),
    ("Use anything but npm", "use-anything-but-npm"),
    ("The cache is not shared", "cache-is-not-shared"),
    ("You can not push", "can-not-push"),
    ("Never deploy without a review", "never-deploy-without-review"),
    ("Deploy unless it is Friday", "deploy-unless-friday"),
    ("Bitte nicht mit npm bauen", "bitte-nicht-mit-npm-bauen"),
    ("N'utilise pas npm", "nutilise-pas-npm"),
    ("No uses npm", "no-uses-npm"),
    ("I'm on call every other week", "on-call-every-other-week"),
    ("Call me captain", "call-me-captain"),
    ("I keep forgetting to run ruff before pushing", "run-ruff-before-pushing"),
    ("From now on write tests first", "write-tests-first"),
    ("Remember", "remember"),
    # A date is never cut in the middle.
    ("The SOC2 audit starts in the week of 2026-11-23", "soc2-audit-starts-week-2026-11-23"),
    ("The budget for GPU time runs out on 2026-12-15", "budget-gpu-time-runs-out-2026-12-15"),
    ("The budget for GPU time runs out Dec 15, sadly", "budget-gpu-time-runs-out-dec-15"),
    ("The train of the mobile app leaves 15 December", "train-mobile-app-leaves-15-december"),
    ("The mobile rewrite got its money moved to Q1 2027", "mobile-rewrite-got-money-moved-q1-2027"),
    # Cut before a phrase that says "not", never within it.
    (
        "Pushing to the main branch of the shared repository is not allowed",
        "pushing-main-branch-shared-repository",
    ),
    (
        "Deploy from the release branch after review but not on Fridays",
        "deploy-release-branch-after-review",
    ),
]


def test_a_name_is_the_first_words_that_carry_meaning() -> None:
    wrong = [(body, wish, found) for body, wish in NAMES if (found := on_row(propose_name, body)) != wish]
    assert not wrong, "\n".join(map(repr, wrong))


@given(st.text(st.characters(exclude_categories=[]), max_size=400))
def test_a_name_is_always_a_slug_of_few_words(body: str) -> None:
    name = propose_name(body)
    assert name == slug(name)
    assert name.count("-") < MAX_NAME_WORDS + 2, "a date at the end stays whole"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Do not use npm", ""),
        ("Müller prüft Änderungen", ""),
        ("The merge freeze starts on 2026-03-05 because mobile cuts a release", ""),
        (
            "Pushing to the main branch of the shared repository is not allowed",
            "Pushing to the main branch of the shared repository is not allowed",
        ),
        ("リリースの前に必ず確認してください。次の文。", "リリースの前に必ず確認してください"),
        ("npmを使わない、pnpmを使う", "npmを使わない、pnpmを使う"),
        ("Не используй npm", "Не используй npm"),
        (f"リ{'リ' * 200}", f"{'リ' * (MAX_TITLE - 1)}…"),
        (
            f"Pushing to main is, {'as far as we know, ' * 4}not allowed",
            f"Pushing to main is, {'as far as we know, ' * 4}not allowed",
        ),
    ],
)
def test_a_title_is_proposed_where_the_name_alone_would_mislead(body: str, expected: str) -> None:
    assert propose_title(body, propose_name(body)) == expected


def test_a_name_that_somebody_chose_needs_no_other_title() -> None:
    assert not propose_title("Pushing to the main branch of the shared repository is not allowed", "pushes")


def test_a_hash_gets_a_title_whoever_made_it() -> None:
    assert propose_title("日本語で書く。", slug("日本")) == "日本語で書く"


@given(st.text(st.characters(exclude_categories=[]), max_size=400))
def test_a_title_is_always_the_beginning_of_the_description(body: str) -> None:
    title = propose_title(body, propose_name(body))
    assert propose_description(body).startswith(title.removesuffix("…"))


NEGATED = "Pushing to the main branch of the shared repository is not allowed"
NOW = datetime(2026, 3, 2, tzinfo=UTC)


def saved(draft: Draft, previous: str | None = None) -> str:
    return render_draft(complete(draft, NOW.date()), Provenance("user", "user"), NOW, previous)


def test_a_title_that_was_made_goes_with_the_text_it_was_made_from() -> None:
    before = saved(Draft(NEGATED))
    assert header_from("f.md", before, NOW).title == NEGATED
    after = saved(Draft("Pushing is allowed again", name=propose_name(NEGATED)), before)
    assert header_from("f.md", after, NOW).title == ""


def test_a_title_that_somebody_chose_stays() -> None:
    before = saved(Draft(NEGATED, title="Pushing"))
    after = saved(Draft("Pushing is allowed again", name=propose_name(NEGATED)), before)
    assert header_from("f.md", after, NOW).title == "Pushing"
