"""A project and memories on what its files hold word for word, and on versions of more kinds of files."""
# ruff: noqa: E501 - a made-up file or memory is one string

from bench.verify.histories import Case, History, Step

__all__ = ["LITERAL_CASES", "LITERAL_HISTORIES"]

_FILES = {
    "app/settings.py": "import os\n\nTOKEN = os.environ['PAYMENTS_API_TOKEN']\nREGION = os.environ['APP_REGION']\nMAX_UPLOAD_MB = 25\nPAGE_SIZE: int = 50\nWINDOW = 30_000\n",
    "app/routes.py": "@app.get('/api/v1/orders/export')\ndef export():\n    return 1\n\n\nrouter = Router(prefix='/internal')\n\n\n@router.post('/mail/bounces')\ndef bounces():\n    return 1\n\n\n@app.get('/health')\ndef health():\n    return 1\n",
    "app/cli.py": "parser.add_argument('-n', '--dry-run', action='store_true')\nparser.add_argument('--out')\n",
    "cmd/root.go": 'package cmd\n\nfunc init() {\n\tflags.Bool("skip-verify", false, "do not verify")\n\tflags.String("region", "", "")\n\tport := os.Getenv("HTTP_LISTEN_PORT")\n}\n',
    "scripts/sync.sh": '#!/bin/sh\ncase "$1" in\n  --full) full=1;;\n  --since-last) last=1;;\nesac\ndocker build --no-cache .\n',
    "config/app.yaml": "server:\n  listen: 8081\n  timeout: 30\nretry:\n  max_attempts: 5\n",
    "config/mail.yaml": "timeout: 30\nrestart: always\n",
    "db/schema.sql": "create table orders (\n  id int,\n  ship_date date\n);\n",
    "src/cart.test.ts": "it('keeps the voucher after login', () => {});\nit('sums up', () => {});\n",
    "src/Cart.ts": "export class Cart {\n  applyVoucher(code: string) {\n    return code;\n  }\n}\n",
    "build.gradle": "task bootLocal {\n  doLast { }\n}\njava { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\n",
    "Dockerfile": "FROM --platform=linux/amd64 node:18-alpine\nEXPOSE 3000\n",
    ".github/workflows/ci.yml": "jobs:\n  test:\n    runs-on: ubuntu-22.04\n    steps:\n      - uses: actions/setup-python@v4\n        with:\n          python-version: ['3.10', '3.11']\n",
    "infra/versions.tf": 'terraform {\n  required_version = ">= 1.5.0"\n  required_providers {\n    aws = {\n      source  = "hashicorp/aws"\n      version = "~> 4.67"\n    }\n  }\n}\n',
    "composer.json": '{"require": {"php": "^8.1", "laravel/framework": "^10.0"}}',
    "Cargo.toml": '[package]\nname = "x"\nversion = "0.3.1"\nedition = "2021"\n',
    "go.mod": "module example.com/x\n\ngo 1.20\n",
    "docs/notes.md": "Run it with `--offline-mode`, on port 7777.\n",
}
_CHANGES = (
    ("app/settings.py", "PAYMENTS_API_TOKEN", "BILLING_API_TOKEN"),
    ("app/settings.py", "MAX_UPLOAD_MB = 25", "MAX_UPLOAD_MB = 100"),
    ("app/settings.py", "WINDOW = 30_000", "WINDOW = 45_000"),
    ("app/routes.py", "/api/v1/orders/export", "/api/v2/orders/dump"),
    ("app/routes.py", "/mail/bounces", "/mail/returns"),
    ("app/cli.py", "--dry-run", "--preview"),
    ("cmd/root.go", "skip-verify", "insecure"),
    ("cmd/root.go", "HTTP_LISTEN_PORT", "PORT"),
    ("scripts/sync.sh", "  --since-last) last=1;;\n", ""),
    ("scripts/sync.sh", " --no-cache", ""),
    ("config/app.yaml", "8081", "9090"),
    ("config/app.yaml", "timeout: 30", "timeout: 45"),
    ("db/schema.sql", "ship_date", "shipped_on"),
    ("src/cart.test.ts", "keeps the voucher after login", "drops nothing"),
    ("src/Cart.ts", "applyVoucher", "redeem"),
    ("build.gradle", "bootLocal", "runLocal"),
    ("build.gradle", "of(17)", "of(21)"),
    ("Dockerfile", "node:18", "node:22"),
    ("Dockerfile", "EXPOSE 3000", "EXPOSE 8000"),
    (".github/workflows/ci.yml", "22.04", "24.04"),
    (".github/workflows/ci.yml", "setup-python@v4", "setup-python@v5"),
    (".github/workflows/ci.yml", "['3.10', '3.11']", "['3.12', '3.13']"),
    ("infra/versions.tf", "1.5.0", "1.9.0"),
    ("infra/versions.tf", "4.67", "5.70"),
    ("composer.json", "^10.0", "^11.0"),
    ("Cargo.toml", "0.3.1", "0.4.0"),
    ("Cargo.toml", "2021", "2024"),
    ("go.mod", "go 1.20", "go 1.23"),
    ("docs/notes.md", "`--offline-mode`, on port 7777", "care"),
)
LITERAL_HISTORIES = (History("shop", _FILES, (Step("Much is new", edit=_CHANGES),)),)


def _cases(sort: str, expected: str, *texts: str) -> tuple[Case, ...]:
    return tuple(Case(sort, "shop", text, expected) for text in texts)


LITERAL_CASES = (
    *_cases(
        "variable",
        "stale",
        "Set `PAYMENTS_API_TOKEN` before running the app.",
        "The client reads PAYMENTS_API_TOKEN from the environment.",
        "export PAYMENTS_API_TOKEN=... or the tests hang.",
        "`HTTP_LISTEN_PORT=9000 go run .` starts a second instance.",
    ),
    *_cases("variable", "fresh", "`APP_REGION` chooses the bucket.", "APP_REGION=eu is the default."),
    *_cases("variable", "no claim", "`AWS_PROFILE_NAME` is set by the shell."),
    *_cases(
        "option",
        "stale",
        "Pass `--dry-run` first.",
        "The importer needs --skip-verify behind the proxy.",
        "`./sync --since-last` is enough on weekdays.",
    ),
    *_cases("option", "fresh", "`--out` names the folder.", "Use --full after an outage."),
    *_cases(
        "option",
        "no claim",
        "Build with `docker build --no-cache` when the base image moves.",
        "Push with --force-with-lease.",
        "The vendor tool has --offline-mode.",
    ),
    *_cases(
        "route",
        "stale",
        "The job calls `GET /api/v1/orders/export`.",
        "Finance pulls /api/v1/orders/export every morning.",
        "`POST /internal/mail/bounces` is not behind auth.",
    ),
    *_cases("route", "fresh", "`/health` must answer without a database."),
    *_cases(
        "route", "no claim", "Logs go to /var/log/shop.", "The vendor has `/v2/quotes/latest`.", "and/or"
    ),
    *_cases(
        "port",
        "stale",
        "The server listens on port 8081.",
        "Open http://localhost:8081 to see it.",
        "The container exposes port 3000.",
    ),
    *_cases("port", "no claim", "Postgres is on port 5432.", "The tunnel uses port 7777."),
    *_cases(
        "title",
        "stale",
        "The test 'keeps the voucher after login' is flaky.",
        "`it('keeps the voucher after login')`",
    ),
    *_cases("title", "fresh", "The test 'sums up' is slow."),
    *_cases("title", "no claim", "Test what 'the customer sees', not the markup."),
    *_cases(
        "value",
        "stale",
        "`MAX_UPLOAD_MB = 25` because of the proxy.",
        "MAX_UPLOAD_MB is 25, agreed with ops.",
        "`timeout: 30` in config/app.yaml is on purpose.",
        "config/app.yaml sets timeout to 30.",
        "`EXPOSE 3000` must match the chart.",
        "WINDOW is set to 30000.",
    ),
    *_cases(
        "value",
        "fresh",
        "PAGE_SIZE is 50.",
        "`timeout: 30` in config/mail.yaml is on purpose.",
        "Mail has `restart: always`.",
        "`max_attempts: 5` counts the first try too.",
    ),
    *_cases("value", "no claim", "The gateway timeout is 35.", "Retries are 3 in the other service."),
    *_cases(
        "symbol",
        "stale",
        "`orders.ship_date` is UTC.",
        "cart.applyVoucher(code) throws on expired codes.",
        "The Gradle task `bootLocal` starts the stack.",
    ),
    *_cases(
        "version",
        "stale",
        "Java 17 toolchain.",
        "The service runs on JDK 17.",
        "The base image is node:18-alpine.",
        "CI runs on Python 3.10.",
        "CI is on ubuntu-22.04.",
        "`actions/setup-python@v4` in CI.",
        "Terraform 1.5 or newer.",
        "The AWS provider is at 4.67.",
        "Laravel 10.",
        "The crate is at 0.3.1.",
        "Rust edition 2021.",
        "We build with go1.20.",
    ),
    *_cases("version", "fresh", "PHP is 8.1.", "PHP >= 8.1 is needed."),
)
