"""A text that does not name its kind gets a sensible one."""

from tests.tables import on_row
from tests.unit.memories.kind_sentences import SENTENCES_BY_LANGUAGE

from memdir.memories.proposed_names import propose_kind
from memdir.memories.topic import Kind, kind_named

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
    wrong = [(kind, text, found) for kind, text in SENTENCES if (found := on_row(propose_kind, text)) != kind]
    assert not wrong, "\n".join(map(repr, wrong))


def test_capitals_spacing_and_curly_quotes_do_not_matter() -> None:
    wrong = [
        (kind, text, found)
        for kind, sentence in SENTENCES
        for text in (
            sentence.upper(),
            f"  {sentence}\n".replace(" ", "  ").replace("'", "\u2019"),
        )
        if (found := on_row(propose_kind, text)) != kind
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_a_plain_fact_is_about_the_project() -> None:
    assert propose_kind("") is Kind.PROJECT
    assert propose_kind("The cache has two levels") is Kind.PROJECT


def test_kinds_are_matched_exactly() -> None:
    assert kind_named("user") is Kind.USER
    assert [kind_named(text) for text in ("User", " user", "users", "")] == [None] * 4


def test_the_proposed_kind_is_right_in_eleven_languages() -> None:
    table = [
        (language, kind, text)
        for language, kinds in SENTENCES_BY_LANGUAGE.items()
        for kind, texts in kinds.items()
        for text in texts
    ]
    wrong = [(*row, found) for row in table if (found := on_row(propose_kind, row[2])) != row[1]]
    assert len(table) >= 150
    assert not wrong, "\n".join(map(repr, wrong))
