"""A memory gets a remark for each thing that could be better, and only for those."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.memories.refusals import derivable_hint
from memdir.memories.review import HINTS, Remark, is_vague, remarks
from memdir.memories.topic import Header, Kind, Topic, kind_named

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


VAGUE = [
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
]


def test_a_description_that_could_be_any_memory_is_vague() -> None:
    wrong = [
        (text, *found)
        for text in VAGUE
        if not all(
            found := (
                on_row(is_vague, text, "merge-freeze"),
                "vague-description" in on_row(codes, topic(description=text)),
            )
        )
    ]
    assert not wrong, "\n".join(map(repr, wrong))


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


SHOWN = [
    ("The function parse_header is defined in src/header.py.", "structure"),
    ("The class Catalog lives in memories/catalog/header_cache.py", "structure"),
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
]


def test_what_the_project_shows_by_itself_gets_a_question() -> None:
    wrong = [
        (body, what, hint)
        for body, what in SHOWN
        if not ((hint := on_row(derivable_hint, body)) and what in hint and "surprising" in hint)
    ]
    assert not wrong, "\n".join(map(repr, wrong))


NOT_SHOWN = [
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
]


def test_what_no_file_shows_gets_none() -> None:
    wrong = [(body, hint) for body in NOT_SHOWN if (hint := on_row(derivable_hint, body))]
    assert not wrong, "\n".join(map(repr, wrong))


DERIVABLE = (
    ("structure", "UserService is defined in src/users.py"),
    ("structure", "The function parse_args takes three arguments"),
    ("structure", "Main entry point is app.py"),
    ("structure", "The entry point of the CLI is `cli/main.py`."),
    ("structure", "the user service is in src/users.py"),
    ("structure", "The config parser lives in src/config.py"),
    ("structure", "parse_header() returns a dict of fields."),
    ("structure", "`OrderRepository` extends `BaseRepository`."),
    ("structure", "The method save accepts a list of drafts."),
    ("structure", "User has three fields: id, name and email in models.py"),
    ("structure", "Routes are registered in server/routes.ts"),
    ("structure", "The Dockerfile is in the root folder of the repo."),
    ("structure", "auth.py contains the login and logout handlers."),
    ("structure", "Middleware is configured in src/server.ts"),
    ("structure", "The database models are in app/models/"),
    ("structure", "The class Cache inherits from dict."),
    ("structure", "retry() is called from client.py"),
    ("structure", "Settings are loaded from config/settings.toml"),
    ("layout", "src/ contains handlers/ and models/"),
    ("layout", "The repo has the folders src/, tests/ and docs/."),
    ("layout", "tests/ mirrors the layout of src/"),
    ("layout", "The project structure is src/, tests/, docs/."),
    ("layout", "The directory lib/ holds parser.py, lexer.py and ast.py."),
    ("git history", "Commit abc1234 changed the retry logic"),
    ("git history", "PR 12 introduced the cache layer."),
    ("git history", "The last commit touched the parser and the tests."),
    ("git history", "abc1234 removed the old exporter"),
    ("git history", "Merged PR #77 into main."),
    ("git history", "We renamed utils.py to text.py in commit 9fceb02."),
    ("fix", "The bug was caused by a missing await; fixed in PR 12"),
    ("fix", "The test failed since an import was missing; I added it."),
    ("fix", "The crash came from a missing null check, fixed now."),
    ("fix", "Fixed the flaky test by adding a sleep."),
    ("fix", "Solved the import error by renaming the module."),
    ("running task", "I am currently working on the login form"),
    ("running task", "I'm working on the payment page right now."),
    ("running task", "We are in the middle of refactoring the parser."),
    ("running task", "The current task is to add pagination."),
    ("running task", "Done: parser and writer. Left: docs."),
    ("running task", "Tests are failing in test_login.py at the moment."),
    ("running task", "Today I finished the form, tomorrow I do the validation."),
)
"""What files, history and the work at hand show by themselves, with a word of the question it gets."""

KEPT = (
    "Never touch src/legacy/, the vendor owns it",
    "Run make gen after editing schema.py",
    "The retry logic in client.py looks wrong but is deliberate: the gateway drops the first call.",
    "Always run the linter before committing",
    "Use bun instead of npm in src/web/",
    "The config in deploy/prod.yaml is owned by the platform team; ask them before a change.",
    "src/vendor/ is copied from upstream and gets overwritten every month",
    "Commit messages follow the imperative mood",
    "Do not rebase commit abc1234, the auditors refer to it",
    "The auditors refer to commit abc1234 in their report",
    "PR 12 stays open until legal has signed",
    "Every PR needs two reviewers",
    "The function parse_args must keep its three arguments, plugins call it",
    "parse_legacy() stays until the last customer has moved",
    "The user prefers tests in tests/unit/ to be named after the module",
    "I prefer handlers in one file",
    "Secrets for staging are in the vault, not in config/staging.env",
    "The dashboard for latency is at https://grafana.example.com/d/api",
    "Pipeline bugs are tracked in Linear, project INGEST",
    "Design docs are in the wiki under Architecture",
    "Integration tests need a running Postgres on port 5433",
    "The tests in tests/e2e/ only run in the office network",
    "tests/slow/ takes forty minutes, run it before a release only",
    "I am working part time, Monday to Wednesday",
    "I work on the payments team",
    "I am currently looking into observability as a new field",
    "The team is working on a new pricing model until March",
    "The mobile team is currently rewriting the scheduler, expect breakage",
    "We are moving from Jenkins to Buildkite because of cost",
    "The migration is blocked by the legal review",
    "The bug in the vendor SDK is known and will not be fixed",
    "The bug that took us down on 2026-03-01 was a bad feature flag; since then flags need a reviewer",
    "The outage was caused by an expired certificate; renewals are now in the ops calendar",
    "Fixed price contract: no scope changes without a signed order",
    "Ask before you change anything under infra/",
    "migrations/ may only grow, old files are frozen",
    "The generated code in src/api/ is checked in on purpose",
    "schema.sql is the source of truth, the ORM models follow it",
    "Look at docs/runbook.md first when the queue is stuck",
    "CHANGELOG.md is written by hand for customers, in plain words",
    "The class names in legacy/ keep German words on request of the customer",
    "package.json pins react 17, the design system does not support 18",
    "The main branch is protected, releases are cut from release/",
    "We release from branch release/2.x every other Tuesday",
    "The Makefile target ship deploys to production at once",
    "make test needs Docker",
    "The entry point for new developers is the onboarding page in the wiki",
    "The billing module was written by an agency and nobody knows it well",
    "UserService is being split up by the identity team this quarter",
    "The users table holds personal data, exports need a ticket",
    "The function of the council is to approve schema changes",
    "Method of payment is invoice only",
    "The next task for the agency is the invoice export, due 2026-12-01",
    "The customer works on Windows 7 machines",
    "Support is working in two shifts",
    "My current task at the company is to lead the migration",
    "I am currently learning Rust",
    "I'm working with two screen readers",
    "Commit early and often",
    "The fix for the printer is to turn it off and on",
    "The interface to the bank closes at 18:00",
    "The route planner team sits in Lisbon",
    "Tests on Windows are flaky, rerun them twice",
    "Customer data lives in Frankfurt only",
    "The logger in log.py swallows errors on shutdown, flush it yourself",
    "Feature flags are in LaunchDarkly",
    "Our staging cluster is in eu-west-1",
    "All dates in reports/ are in UTC",
    "The importer in etl/ takes two hours on a full run",
    "Golden files in tests/golden/ are updated with make golden",
    "docs/adr/ has the decisions, read them for background",
    "Logs are kept in /var/log/app/ on the host",
    "Backups are in s3://backups/nightly/",
    "The API spec is at api.example.com/v2/openapi.json",
    "Test users are in the 1Password vault QA",
    "The user wants functions in utils.py to be pure",
    "I like the structure in src/core/ and want new code to follow it",
    "Mobile and web share packages/ui/",
    "Ruff is configured in pyproject.toml, line length 110",
    "The customer calls the class of 2020 alumni",
    "We are working on the Berlin office move",
    "I'm working on my English",
    "I am working on the payments side of the business",
    "I am writing a book about Go",
    "We are rewriting the billing service in Go by March",
    "The current goal is to reach 1,000 paying users by June",
    "The current step of the certification is the external audit",
    "Remaining budget: 40,000 EUR for 2026",
    "Left: parking. Right: entrance.",
    "The build is green again since the runner upgrade, flaky runs were the old disks",
    "CI is broken on Windows right now, the vendor has a ticket",
    "Commit 1234567 is what production runs",
    "Production runs commit abc1234",
    "The merge of the two companies changed the domain to example.com",
    "The last PR took a week to review, reviewers are overloaded",
    "Error budgets came from the SRE book, we added our own",
    "The method works for small teams",
    "The module system is confusing to newcomers",
    "The class starts at nine",
    "Account has two owners at the bank",
    "The users table has two columns for email, the second is the verified one",
    "getUser returns stale data for up to a minute",
    "fetch_rates() calls a paid API, 100 calls a day",
    "parse() is called by three partner plugins",
    "The hook wraps every push",
    "Payroll is handled in SAP",
    "The office is at the root of the valley",
    "Releases are built from release/",
    "The design is in design/v2.fig",
    "Invoices are stored in billing/archive/ for ten years",
    "I work in src/web/ mostly",
)
"""What names files, commits and functions for a reason that they do not show."""


def test_plain_statements_about_the_project_get_the_question_that_fits() -> None:
    assert [text for what, text in DERIVABLE if what not in on_row(derivable_hint, text)] == []


def test_a_memory_that_names_code_for_a_reason_gets_none() -> None:
    assert [text for text in KEPT if on_row(derivable_hint, text)] == []


def test_one_sentence_more_than_the_code_shows_is_enough() -> None:
    assert derivable_hint("UserService is defined in src/users.py.")
    assert derivable_hint("UserService is defined in src/users.py. The name misleads newcomers.") == ""


@given(st.text(max_size=300), st.text(max_size=60), st.sampled_from(["", *Kind]), st.text(max_size=12))
def test_every_remark_on_any_memory_is_a_sentence_and_says_what_to_do(
    body: str, description: str, kind: str, expires: str
) -> None:
    subject = topic(body, kind=kind, description=description, expires=expires)
    found = remarks(subject, SAVED, TODAY)
    assert found == [Remark(one.code, one.message, HINTS[one.code]) for one in found]
    said = [text for one in found for text in (one.message, one.hint)] + list(
        filter(None, [derivable_hint(body)])
    )
    assert [text for text in said if not text.strip() or text[-1] not in ".?"] == []


@pytest.mark.parametrize(
    "unit",
    [" ", "\n", "why ", "why: ", "- ", "a/", "function is ", "fixed by ", "*", "commit a ", "repo a/b "],
)
def test_the_work_of_a_review_grows_with_the_text_alone(unit: str) -> None:
    def review(body: str) -> None:
        remarks(topic(f"why{body}", kind="feedback"), SAVED, TODAY)
        derivable_hint(f"why{body}")

    assert grows_with_the_text(review, unit, 60_000)
