"""A text that names neither its kind, its name nor its description gets sensible proposals."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.memories.kind_sentences import SENTENCES_BY_LANGUAGE

from memdir.memories.draft import complete
from memdir.memories.draft_text import render_draft
from memdir.memories.kinds import (
    MAX_DESCRIPTION,
    MAX_NAME_WORDS,
    MAX_TITLE,
    Kind,
    kind_named,
    propose_description,
    propose_kind,
    propose_name,
    propose_title,
)
from memdir.memories.names import slug
from memdir.memories.topic import Draft, Provenance, header_from

SENTENCES = (
    ("user", "I'm a data scientist, mostly looking into logging right now"),
    ("user", "ive been writing go for ten years but this is my first time touching the react side"),
    ("user", "I am new to kubernetes"),
    ("user", "my role is staff engineer on the payments team"),
    ("user", "im colourblind so red/green diffs are hard for me"),
    ("user", "I know SQL well, no need to explain joins"),
    ("user", "The user is a designer who codes a little"),
    ("user", "I speak german and english"),
    ("user", "I have never used Rust before"),
    ("user", "I really like functional programming"),
    ("feedback", "Always run the linter before committing"),
    ("feedback", "never use mocks for the database in tests"),
    ("feedback", "dont add comments to code you didnt change"),
    ("feedback", "Use pnpm instead of npm"),
    ("feedback", "stop summarizing at the end of every response, I can read the diff"),
    ("feedback", "prefer small commits"),
    ("feedback", "yes, the single bundled PR was right, keep doing it that way for refactors"),
    ("feedback", "please ask before you delete files"),
    ("feedback", "I prefer short answers without bullet points"),
    ("feedback", "when you write python, add type hints"),
    ("feedback", "From now on write tests first"),
    ("feedback", "you should not push to main directly"),
    ("feedback", "No emojis in commit messages, don't do that again"),
    (
        "project",
        "We are freezing all non-critical merges after Thursday because mobile cuts a release branch",
    ),
    ("project", "The auth rewrite is driven by legal, not by tech debt"),
    ("project", "deadline for the billing migration is march 3"),
    ("project", "We decided to drop support for Python 3.9"),
    ("project", "The search team owns the ranking service"),
    ("project", "launch moved to q3 since the contract is not signed"),
    ("project", "The old importer will be switched off at the end of the year"),
    ("project", "our biggest customer still runs version 2, so the old API has to stay"),
    ("project", "Staging is shared with the sales team"),
    ("project", "the monolith is being split up because deploys take two hours"),
    ("reference", "https://grafana.example.com/d/latency is the board oncall watches"),
    ("reference", "Pipeline bugs are tracked in the Linear project INGEST"),
    ("reference", "ask in #platform-help about CI runners"),
    ("reference", "the runbook for failovers lives in the ops wiki"),
    ("reference", "Customer complaints get posted in the slack channel #feedback-inbox"),
    ("reference", "design mockups are in figma under Checkout v3"),
    ("reference", "see the confluence page on data retention"),
    ("user", "I teach statistics at a university and only program on weekends"),
    ("user", "been doing frontend since 2012, backend is foreign land to me"),
    ("user", "My day job is running a bakery, this repo is a hobby"),
    ("user", "i want to understand how compilers work"),
    ("user", "I'm on Windows at work and on a mac at home"),
    ("feedback", "Your explanations are too long, get to the point"),
    ("feedback", "let me approve the plan before any edits"),
    (
        "feedback",
        "tests have to talk to a real postgres, mocked ones let a broken migration through last year",
    ),
    ("feedback", "nice, splitting that into two functions is how I want it done"),
    ("feedback", "dnt touch the generated files pls"),
    ("project", "Nina takes over the mobile app while Omar is away until 12 May"),
    ("project", "The reason for two config formats is that the installer cannot read TOML"),
    ("project", "we promised the hospital pilot offline mode by autumn"),
    ("project", "payments v1 gets turned off once all merchants have moved"),
    ("project", "Management wants the rewrite paused until funding is clear"),
    ("reference", "error reports end up in Sentry, project checkout-web"),
    ("reference", "the on-call rota is a google sheet pinned in the team channel"),
    ("reference", "API docs of the shipping provider: developers.shipfast.example/v4"),
    ("reference", "look at the Datadog dashboard called 'queue depth' when jobs pile up"),
    ("reference", "RFCs are in the architecture repo under proposals/"),
    ("user", "I'm the only backend person in a team of six designers"),
    ("user", "english is not my first language, german is"),
    ("user", "Comfortable with bash, but I get lost in awk"),
    ("user", "i manage two squads and rarely code myself anymore"),
    ("user", "I would like to get better at system design this year"),
    ("feedback", "Do the smallest change that fixes it, no drive-by refactors"),
    ("feedback", "i hate it when you rename my variables"),
    ("feedback", "asking for confirmation first was the right call, do that again"),
    ("feedback", "commit messages should be in imperative mood"),
    ("feedback", "quit apologising"),
    ("project", "release branch gets cut on 2026-03-05"),
    ("project", "The vendor contract ends in June, so nothing new on their API"),
    ("project", "We keep both queues running because finance still reads the old one"),
    ("project", "Leila is the one who signs off on schema changes"),
    ("project", "nobody may deploy during the trade fair, 4-8 November"),
    ("reference", "metrics for the importer: https://metrics.example.org/d/42"),
    ("reference", "Incident notes are kept in the shared drive folder 'postmortems'"),
    ("reference", "for questions about billing go to #billing-eng"),
    ("reference", "Feature requests live on the public Trello board"),
    ("reference", "the style guide is on the brand site, brand.example.com/guide"),
    ("feedback", "I'd rather you show me the plan before touching more than three files"),
    ("feedback", "Type hints on everything public, please"),
    ("feedback", "it's fine to refactor adjacent code when it makes the diff simpler"),
    ("user", "data scientist, currently looking into observability"),
    ("user", "I've never written Rust before"),
    ("project", "The platform lead is reworking the scheduler, don't expect it to be stable before January"),
    ("feedback", "Nobody pushes to main"),
    ("project", "the user service is in src/users.py"),
    ("project", "Commit abc1234 changed the retry logic"),
    ("user", "I wrote the original billing code in 2015"),
    ("feedback", "I told you yesterday: never use mocks"),
    ("project", "The config parser lives in src/config.py"),
    ("feedback", "日本語で返信してください"),
    ("feedback", "返事は日本語でお願いします"),
    ("project", "The user table has two columns"),
    ("project", "The user service is slow on Mondays"),
    ("user", "I've never touched Kubernetes"),
    ("user", "I built the first version of the importer"),
    ("feedback", "it's ok to skip tests for throwaway scripts"),
    ("feedback", "I'd prefer you ask before deleting"),
    ("feedback", "No one force-pushes to release branches"),
    ("feedback", "Docstrings on public functions please"),
    ("user", "backend engineer, ten years of Java"),
    ("user", "junior developer, learning React"),
    ("project", "The user interface is frozen until the rebrand"),
    ("project", "Commit signing is required by the customer since March"),
    ("feedback", "Commit often"),
    ("feedback", "I'd rather have one big PR"),
    ("user", "I designed the ranking model in my last job"),
    ("project", "The retry logic lives in client.py"),
    ("reference", "The runbook lives in the ops wiki"),
    ("reference", "Design docs are in docs.example.com/design"),
    ("project", "don't expect the API to be stable before June"),
    ("project", "Don't expect search to work, the index is being rebuilt until Friday"),
    ("feedback", "Don't touch the scheduler"),
    ("reference", "Holiday requests go through Personio, section Absences"),
    ("reference", "Our translations are managed in Lokalise, project storefront"),
    ("reference", "Crash reports land in Bugsnag, project mobile-release"),
    ("reference", "VPN access goes through the Okta portal"),
    ("reference", "Les traductions sont gérées dans Crowdin, projet boutique"),
    ("reference", "Urlaubsanträge laufen über Personio, Bereich Abwesenheit"),
    ("reference", "Las nóminas se gestionan en Factorial, carpeta 2026"),
    ("reference", "Переводы ведутся в Smartcat, проект магазин"),
    ("reference", "Le ferie si chiedono tramite Zucchetti, sezione Assenze"),
    ("reference", "工单在Zammad的支付队列里处理"),
    ("reference", "翻訳はCrowdinのshopプロジェクトで管理しています"),
    ("project", "In 2025, project Falcon was stopped"),
    ("project", "The export runs in the Frankfurt region, environment prod"),
    ("project", "The billing module is kept in sync with Stripe through a nightly job"),
    ("feedback", "Answer in at most five sentences unless I ask for details"),
    ("feedback", "Keep it under 100 words"),
    ("feedback", "Bleib unter 100 Wörtern"),
    ("feedback", "Fais court, cinq phrases maximum"),
    ("feedback", "Respuestas de cinco frases como máximo"),
    ("feedback", "Não mais de cinco frases por resposta"),
    ("feedback", "Sii breve, massimo tre frasi"),
    ("feedback", "Не больше пяти предложений в ответе"),
    ("feedback", "最多三句话"),
    ("user", "My mother tongue is Turkish"),
    ("user", "Español es mi lengua materna"),
    ("user", "Polnisch ist meine Muttersprache"),
    ("user", "La mia lingua madre è il rumeno"),
    ("user", "O português não é minha língua materna"),
    ("user", "Le breton est ma langue maternelle"),
    ("user", "Abito a Torino"),
    ("user", "Moro no Recife"),
    ("user", "Vivo en Bogotá"),
    ("user", "Ich lebe in Bern"),
    ("user", "母語はベトナム語です"),
)


def test_the_table_covers_every_kind_broadly() -> None:
    assert len(SENTENCES) >= 60
    assert all(sum(kind == expected for expected, _ in SENTENCES) >= 15 for kind in Kind)


def test_the_proposed_kind_is_right() -> None:
    wrong = [(kind, text, found) for kind, text in SENTENCES if (found := propose_kind(text)) != kind]
    assert not wrong, "\n".join(map(repr, wrong))


def test_capitals_spacing_and_curly_quotes_do_not_matter() -> None:
    wrong = [
        (kind, text, found)
        for kind, sentence in SENTENCES
        for text in (
            sentence.upper(),
            f"  {sentence}\n".replace(" ", "  ").replace("'", "\u2019"),
        )
        if (found := propose_kind(text)) != kind
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_a_plain_fact_is_about_the_project() -> None:
    assert propose_kind("") is Kind.PROJECT
    assert propose_kind("The cache has two levels") is Kind.PROJECT


def test_kinds_are_matched_exactly() -> None:
    assert kind_named("user") is Kind.USER
    assert [kind_named(text) for text in ("User", " user", "users", "")] == [None] * 4


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
    wrong = [(body, wish, found) for body, wish in NAMES if (found := propose_name(body)) != wish]
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


def test_the_proposed_kind_is_right_in_eleven_languages() -> None:
    table = [
        (language, kind, text)
        for language, kinds in SENTENCES_BY_LANGUAGE.items()
        for kind, texts in kinds.items()
        for text in texts
    ]
    wrong = [(*row, found) for row in table if (found := propose_kind(row[2])) != row[1]]
    assert len(table) >= 150
    assert not wrong, "\n".join(map(repr, wrong))
