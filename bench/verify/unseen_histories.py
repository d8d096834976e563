"""Histories that were written after the rules: a ledger in Python and Rust, a site, and tools in Go."""
# ruff: noqa: E501 - a made-up file or memory is one string

from bench.verify.histories import History, Step

__all__ = ["UNSEEN_HISTORIES"]

_BOOKING = '''"""Bookings and their checks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

ROUNDING_STEP = Decimal("0.01")
EPSILON: Decimal = Decimal("0.001")


@dataclass
class Booking:
    account: str
    amount: Decimal

    def mirrored(self) -> "Booking":
        return Booking(self.account, -self.amount)

    @property
    def is_zero(self) -> bool:
        return abs(self.amount) < EPSILON


def balance(bookings: list[Booking]) -> Decimal:
    return sum((b.amount for b in bookings), Decimal(0))


async def post_booking(booking: Booking) -> None:
    print(booking)


def _rounded(amount: Decimal) -> Decimal:
    return amount.quantize(ROUNDING_STEP)
'''

_IMPORTER = """import csv
from pathlib import Path


class BankImporter:
    encoding = "latin-1"

    def read_rows(self, path: Path) -> list[list[str]]:
        with path.open(encoding=self.encoding) as file:
            return list(csv.reader(file, delimiter=";"))


def guess_bank(header: list[str]) -> str:
    if "IBAN" in header:
        return "sparkasse"
    return "unknown"
"""

_LEDGER = History(
    "ledger",
    {
        "ledger/booking.py": _BOOKING,
        "ledger/importers/bank.py": _IMPORTER,
        "ledger/importers/paypal.py": "def read_paypal(path: str) -> list[str]:\n    return [path]\n",
        "ledger/importers/__init__.py": "",
        "ledger/report.py": "def monthly_report(month: int) -> str:\n    return str(month)\n\n\ndef yearly_report(year: int) -> str:\n    return str(year)\n",
        "ledger/cli.py": "import sys\n\nfrom ledger.report import monthly_report\n\n\ndef main() -> None:\n    print(monthly_report(int(sys.argv[1])))\n",
        "ledger/settings.py": "FISCAL_YEAR_START = 4\nDATE_FORMAT = '%d.%m.%Y'\n",
        "ledger/Rules.py": "RULES = ['rent', 'salary']\n\n\ndef matching_rule(text: str) -> str:\n    return text\n",
        "native/src/lib.rs": "pub mod matcher;\n\npub const WINDOW: usize = 7;\n\npub struct Matcher<'a> {\n    names: Vec<&'a str>,\n}\n\nimpl<'a> Matcher<'a> {\n    pub fn best_match(&self, name: &str) -> Option<&'a str> {\n        self.names.iter().find(|n| **n == name).copied()\n    }\n}\n\npub(crate) fn levenshtein(a: &str, b: &str) -> usize {\n    a.len().abs_diff(b.len())\n}\n",
        "native/src/matcher.rs": "pub fn normalise(name: &str) -> String {\n    name.to_lowercase()\n}\n",
        "native/Cargo.toml": '[package]\nname = "native"\n',
        "tests/unit/test_booking.py": "def test_balance():\n    assert True\n",
        "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef sample_bookings():\n    return []\n",
        "notebooks/explore.ipynb": "{}\n",
        "db/migrations/0001_accounts.sql": "CREATE TABLE accounts (id INTEGER);\n",
        "db/migrations/0002_bookings.sql": "CREATE TABLE bookings (id INTEGER);\n",
        "justfile": "test:\n    pytest tests\n\nfmt:\n    ruff format .\n\nrelease version: test\n    ./tools/publish.sh {{version}}\n",
        "tools/publish.sh": "#!/usr/bin/env bash\nset -euo pipefail\n\nupload_wheel() {\n  twine upload dist/*\n}\n\nupload_wheel\n",
        "pyproject.toml": '[project]\nname = "ledger"\n\n[project.scripts]\nledger = "ledger.cli:main"\n\n[tool.poetry.scripts]\nledger-import = "ledger.importers.bank:main"\n',
        "docs/architecture.md": "# Architecture\n\nBookings come first.\n",
        "docs/accounts.md": "# Accounts\n",
        ".gitignore": "*.sqlite\nout/\n.venv/\n/target\nhtmlcov\n",
        ".github/workflows/ci.yml": "on: push\n",
        "README.md": "# Ledger\n",
    },
    (
        Step(
            "Statements, not reports",
            move=(("ledger/report.py", "ledger/statements.py"),),
            edit=(("ledger/cli.py", "ledger.report", "ledger.statements"),),
        ),
        Step(
            "Read the bank's files as they come",
            move=(("ledger/importers/bank.py", "ledger/importers/camt.py"),),
            edit=(
                (
                    "ledger/importers/camt.py",
                    '    encoding = "latin-1"\n',
                    '    encoding = "utf-8"\n    strict = True\n',
                ),
                ("ledger/importers/camt.py", '        return "sparkasse"\n', '        return "postbank"\n'),
            ),
        ),
        Step("PEP 8", move=(("ledger/Rules.py", "ledger/rules.py"),)),
        Step("Migrations belong to the package", move=(("db/migrations", "ledger/migrations"),)),
        Step("Nobody explores any more", remove=("notebooks", "docs/accounts.md")),
        Step("CI anew", remove=(".github/workflows/ci.yml",)),
        Step("CI is back", write=((".github/workflows/ci.yml", "on: [push, pull_request]\njobs: {}\n"),)),
        Step(
            "Money has its own module",
            edit=(
                (
                    "ledger/booking.py",
                    "\n\ndef _rounded(amount: Decimal) -> Decimal:\n    return amount.quantize(ROUNDING_STEP)\n",
                    "",
                ),
                ("ledger/booking.py", 'ROUNDING_STEP = Decimal("0.01")\n', ""),
                (
                    "ledger/booking.py",
                    "from decimal import Decimal\n",
                    "from decimal import Decimal\n\nfrom ledger.money import rounded  # was _rounded\n",
                ),
            ),
            write=(
                (
                    "ledger/money.py",
                    'from decimal import Decimal\n\nROUNDING_STEP = Decimal("0.01")\n\n\ndef rounded(amount: Decimal) -> Decimal:\n    return amount.quantize(ROUNDING_STEP)\n',
                ),
            ),
        ),
        Step("Post becomes submit", edit=(("ledger/booking.py", "post_booking", "submit_booking"),)),
        Step(
            "Distance from a crate",
            edit=(
                (
                    "native/src/lib.rs",
                    "pub(crate) fn levenshtein(a: &str, b: &str) -> usize {\n    a.len().abs_diff(b.len())\n}\n",
                    "/* levenshtein(a, b) came from here; the crate has a faster one.\npub(crate) fn levenshtein(a: &str, b: &str) -> usize {\n*/\n",
                ),
            ),
        ),
        Step(
            "Names are normalised in lib",
            edit=(
                (
                    "native/src/matcher.rs",
                    "pub fn normalise(name: &str) -> String {\n    name.to_lowercase()\n}\n",
                    "\n",
                ),
                (
                    "native/src/lib.rs",
                    "pub mod matcher;\n",
                    "pub mod matcher;\n\npub fn normalise(name: &str) -> String {\n    name.to_lowercase()\n}\n",
                ),
            ),
        ),
        Step(
            "Recipes",
            edit=(
                ("justfile", "pytest tests", "hatch test"),
                ("justfile", "fmt:", "format:"),
                ("justfile", "./tools/publish.sh", "uv publish"),
            ),
        ),
        Step(
            "Fiscal years are calendar years",
            edit=(
                (
                    "ledger/settings.py",
                    "FISCAL_YEAR_START = 4\n",
                    '"""FISCAL_YEAR_START is gone: it is always January."""\n',
                ),
            ),
        ),
    ),
)

_SITE = History(
    "site",
    {
        "package.json": '{\n  "private": true,\n  "scripts": {\n    "start": "next dev",\n    "build": "next build",\n    "typecheck": "tsc --noEmit",\n    "storybook": "start-storybook -p 6006",\n    "db:seed": "ts-node prisma/seed.ts",\n    "format": "prettier --write ."\n  }\n}\n',
        "app/[slug]/page.tsx": "export default function Page() {\n  return null;\n}\n",
        "app/layout.tsx": "export const metadata = { title: 'Site' };\n\nexport default function RootLayout() {\n  return null;\n}\n",
        "app/api/search/route.ts": "export async function GET(request: Request) {\n  return new Response('ok');\n}\n",
        "lib/auth/session.ts": "import { cookies } from 'next/headers';\n\nexport type Session = { user: string };\n\nexport const SESSION_COOKIE = 'sid';\n\nexport async function getSession(): Promise<Session | null> {\n  return null;\n}\n\nexport class SessionStore {\n  private readonly items = new Map<string, Session>();\n\n  remember(id: string, session: Session): void {\n    this.items.set(id, session);\n  }\n\n  async forgetAll(): Promise<void> {\n    this.items.clear();\n  }\n}\n",
        "lib/search.ts": "export const buildIndex = (docs: string[]): Map<string, number> => {\n  return new Map(docs.map((d, i) => [d, i]));\n};\n\nexport function rankResults(hits: string[]): string[] {\n  return hits.sort();\n}\n",
        "lib/Analytics.ts": "export function track(event: string) {\n  console.log(event);\n}\n",
        "lib/flags.ts": "export enum Flag {\n  NewCheckout = 'new-checkout',\n}\n\nexport const isEnabled = (flag: Flag) => flag.length > 0;\n",
        "components/nav/Menu.tsx": "export function Menu() {\n  return null;\n}\n",
        "components/nav/Crumbs.tsx": "export function Crumbs() {\n  return null;\n}\n",
        "prisma/schema.prisma": "model User {\n  id Int @id\n}\n",
        "prisma/seed.ts": "async function seedUsers() {\n  return 3;\n}\n\nseedUsers();\n",
        "content/posts/hello-world.mdx": "# Hello\n",
        "public/robots.txt": "User-agent: *\n",
        "e2e/login.spec.ts": "test('login', async () => {});\n",
        "next.config.mjs": "export default {};\n",
        "pnpm-workspace.yaml": "packages: []\n",
        ".gitignore": "node_modules\n.next/\nplaywright-report/\n*.tsbuildinfo\n",
    },
    (
        Step("Navigation is a feature", move=(("components/nav", "features/navigation"),)),
        Step(
            "Sessions are edge-ready",
            move=(("lib/auth/session.ts", "lib/auth/edge-session.ts"),),
            edit=(("lib/auth/edge-session.ts", "getSession", "currentSession"),),
        ),
        Step("Lower case everywhere", move=(("lib/Analytics.ts", "lib/analytics.ts"),)),
        Step("Search by a service", remove=("app/api/search/route.ts", "public/robots.txt")),
        Step(
            "Ranking on its own",
            edit=(
                (
                    "lib/search.ts",
                    "\nexport function rankResults(hits: string[]): string[] {\n  return hits.sort();\n}\n",
                    "\nexport { rankResults } from './ranking';\n",
                ),
            ),
            write=(
                (
                    "lib/ranking.ts",
                    "export function rankResults(hits: string[]): string[] {\n  return hits.sort();\n}\n",
                ),
            ),
        ),
        Step("The index is built ahead", edit=(("lib/search.ts", "buildIndex", "prepareIndex"),)),
        Step(
            "Flags by a service",
            edit=(
                (
                    "lib/flags.ts",
                    "export const isEnabled = (flag: Flag) => flag.length > 0;",
                    "// isEnabled(flag) is asked of the service\nexport const enabledFlags = (): Flag[] => [];",
                ),
            ),
        ),
        Step("Robots again", write=(("public/robots.txt", "User-agent: *\nDisallow: /admin\n"),)),
        Step("Posts move", move=(("content/posts/hello-world.mdx", "content/blog/hello-world.mdx"),)),
        Step(
            "Tools",
            edit=(
                ("package.json", "start-storybook -p 6006", "ladle serve"),
                ("package.json", '"db:seed": "ts-node prisma/seed.ts"', '"db:seed": "tsx prisma/seed.ts"'),
                ("package.json", '"typecheck": "tsc --noEmit"', '"types": "tsc --noEmit"'),
                ("package.json", "next dev", "next dev --turbo"),
            ),
        ),
        Step(
            "Two lines more",
            edit=(
                (
                    "app/layout.tsx",
                    "export const metadata",
                    "import './globals.css';\n\nexport const metadata",
                ),
            ),
        ),
    ),
)

_TOOLS = History(
    "tools",
    {
        "cmd/agent/main.go": 'package main\n\nimport (\n\t"log"\n\n\t"example.invalid/tools/pkg/retry"\n)\n\nvar version = "dev"\n\nfunc main() {\n\tlog.Println(version, retry.Backoff(3))\n}\n',
        "pkg/retry/retry.go": 'package retry\n\nimport "time"\n\nconst (\n\tMaxAttempts = 7\n\tbaseDelay   = 50 * time.Millisecond\n)\n\n// Backoff returns how long to wait.\nfunc Backoff(attempt int) time.Duration {\n\treturn baseDelay * time.Duration(attempt)\n}\n\ntype Policy interface {\n\tNext(attempt int) time.Duration\n}\n',
        "pkg/store/store.go": "package store\n\ntype Store struct {\n\tpath string\n}\n\nfunc Open(path string) (*Store, error) {\n\treturn &Store{path: path}, nil\n}\n\nfunc (s *Store) Compact() error {\n\treturn nil\n}\n\nfunc (s *Store) Snapshot(name string) error {\n\treturn nil\n}\n",
        "pkg/httpx/client.go": "package httpx\n\nfunc NewClient(timeout int) int {\n\treturn timeout\n}\n",
        "internal/legacy/v1/handler.go": "package v1\n\nfunc HandleV1() {}\n",
        "internal/legacy/v1/types.go": "package v1\n\ntype RequestV1 struct{}\n",
        "ops/backup.sh": "#!/bin/sh\n\nRETENTION_DAYS=14\n\nrotate_logs() {\n  find . -mtime +$RETENTION_DAYS\n}\n\nrotate_logs\n",
        "ops/restore.sh": "#!/bin/sh\necho restore\n",
        "ops/terraform/network.tf": 'resource "net" "main" {}\n',
        "Makefile": "GO ?= go\n\n.PHONY: all check cover image\n\nall: check\n\ncheck: vet ## everything that CI runs\n\t$(GO) test ./...\n\nvet:\n\t$(GO) vet ./...\n\ncover:\n\t$(GO) test -coverprofile=c.out ./...\n\nimage:\n\tdocker build -t agent .\n",
        "Dockerfile": "FROM scratch\n",
        "config/agent.toml": "[agent]\ninterval = 30\n",
        ".gitignore": "/out\n*.out\n.terraform/\n",
        "CHANGELOG.md": "# Changes\n\n- MaxAttempts, rotate_logs and HandleV1 exist.\n",
    },
    (
        Step("Version one is history", move=(("internal/legacy/v1", "internal/compat"),)),
        Step("One client", move=(("pkg/httpx/client.go", "pkg/httpx/transport.go"),)),
        Step("Snapshots are backups", edit=(("pkg/store/store.go", "Snapshot", "Backup"),)),
        Step(
            "Limits by policy",
            edit=(("pkg/retry/retry.go", "\tMaxAttempts = 7\n", "\t// MaxAttempts is up to the Policy.\n"),),
        ),
        Step(
            "Rotation by the system",
            edit=(
                (
                    "ops/backup.sh",
                    "rotate_logs() {\n  find . -mtime +$RETENTION_DAYS\n}\n\nrotate_logs\n",
                    "echo backup\n",
                ),
            ),
        ),
        Step(
            "Waiting is shared",
            edit=(
                (
                    "pkg/retry/retry.go",
                    "// Backoff returns how long to wait.\nfunc Backoff(attempt int) time.Duration {\n\treturn baseDelay * time.Duration(attempt)\n}\n\n",
                    "",
                ),
            ),
            write=(
                (
                    "pkg/wait/wait.go",
                    'package wait\n\nimport "time"\n\nfunc Backoff(attempt int) time.Duration {\n\treturn time.Duration(attempt)\n}\n',
                ),
            ),
        ),
        Step("No restore script", remove=("ops/restore.sh", "ops/terraform")),
        Step(
            "Podman",
            edit=(
                ("Makefile", "docker build -t agent .", "podman build --tag agent ."),
                ("Makefile", "cover", "coverage"),
                ("Makefile", "$(GO) test ./...", "$(GO) test -race ./..."),
            ),
        ),
        Step(
            "Configuration as YAML",
            remove=("config/agent.toml",),
            write=(("config/agent.yaml", "agent:\n  interval: 30\n"),),
        ),
        Step("Restore, rewritten", write=(("ops/restore.sh", "#!/bin/sh\nexec agent restore\n"),)),
    ),
)

UNSEEN_HISTORIES = (_LEDGER, _SITE, _TOOLS)
