"""The histories that the rules were written with: a shop in Python, its web client, a service."""
# ruff: noqa: E501 - a made-up file or memory is one string

from bench.verify.histories import History, Step

__all__ = ["DEV_HISTORIES"]

_PRICING = '''"""Prices."""

MAX_DISCOUNT = 30
MAX_RETRIES = 5


class PriceTable:
    """All prices."""

    def price_of(self, article: str) -> int:
        return len(article)


def apply_discount(price: int, percent: int) -> int:
    return price - price * min(percent, MAX_DISCOUNT) // 100
'''

_CART = '''"""The cart."""

from shop.pricing import PriceTable


class Cart:
    """What a customer wants."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def total(self, table: PriceTable) -> int:
        return sum(table.price_of(line) for line in self.lines)
'''

_TAX = "".join(
    f"def rate_{n}(amount: int) -> int:\n    return amount * {n} // 100\n\n\n" for n in range(3, 15)
)

_MAKEFILE = """.PHONY: test lint deploy docs

test: build
\tpytest -q tests

lint:
\truff check src

deploy:
\t./scripts/release.sh production

docs:
\tmkdocs build

build:
\tpython -m build
"""

_SHOP = History(
    "shop",
    {
        "src/shop/pricing.py": _PRICING,
        "src/shop/cart.py": _CART,
        "src/shop/mail.py": "def send_receipt(to: str) -> None:\n    print(to)\n\n\ndef send_reminder(to: str) -> None:\n    print(to)\n",
        "src/shop/tax.py": _TAX,
        "src/shop/Config.py": "DEFAULTS = {'currency': 'EUR'}\nTIMEOUT = 30\n",
        "src/shop/legacy/export.py": "def export_orders() -> str:\n    return 'orders'\n",
        "src/shop/legacy/import_csv.py": "def import_orders(path: str) -> int:\n    return len(path)\n",
        "src/shop/util.py": "def slugify(text: str) -> str:\n    return text.lower()\n",
        "src/shop/db.py": "import os\n\n\ndef load_settings(path: str) -> dict[str, str]:\n    return {'path': path}\n\n\ndef connect() -> str:\n    return os.sep\n",
        "src/shop/stock.py": "LOW_STOCK = 3\n\n\ndef reserve(article: str) -> bool:\n    return bool(article)\n",
        "tests/test_cart.py": "def test_total() -> None:\n    assert True\n",
        "docs/setup.md": "# Setup\n\nInstall it.\n",
        "docs/adr/0001-money.md": "# Money is integers\n",
        "scripts/release.sh": "#!/bin/sh\nset -e\nnotify_team() {\n  echo done\n}\nnotify_team\n",
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[project.scripts]\nshop-serve = "shop.app:serve"\nshop-admin = "shop.admin:main"\n',
        "Makefile": _MAKEFILE,
        "README.md": "# Shop\n",
        ".gitignore": "dist/\nbuild/\n*.log\ncoverage.xml\n",
    },
    (
        Step("Name it for what it does", move=(("src/shop/mail.py", "src/shop/notifications.py"),)),
        Step(
            "VAT it is",
            move=(("src/shop/tax.py", "src/shop/vat.py"),),
            edit=(("src/shop/vat.py", "rate_3", "reduced_rate"), ("src/shop/vat.py", "* 14", "* 19")),
        ),
        Step("Lower case", move=(("src/shop/Config.py", "src/shop/config.py"),)),
        Step("Put the old things away", move=(("src/shop/legacy", "src/shop/archive/old"),)),
        Step("Nobody used it", remove=("src/shop/util.py", "docs/setup.md")),
        Step("Write the setup anew", write=(("docs/setup.md", "# Setting up\n\nRun the installer.\n"),)),
        Step(
            "A discount belongs to the cart",
            edit=(
                (
                    "src/shop/pricing.py",
                    "\n\ndef apply_discount(price: int, percent: int) -> int:\n    return price - price * min(percent, MAX_DISCOUNT) // 100\n",
                    "",
                ),
                (
                    "src/shop/cart.py",
                    "\n\nclass Cart:",
                    "\n\ndef apply_discount(price: int, percent: int) -> int:\n    return price - price * percent // 100\n\n\nclass Cart:",
                ),
            ),
        ),
        Step("Settings are read", edit=(("src/shop/db.py", "load_settings", "read_settings"),)),
        Step(
            "Retrying is the caller's",
            edit=(("src/shop/pricing.py", "MAX_RETRIES = 5\n", "# MAX_RETRIES is set by the caller now\n"),),
        ),
        Step(
            "Test with nox, ship instead of deploy",
            edit=(
                ("Makefile", "\tpytest -q tests", "\tnox --session unit"),
                ("Makefile", "ruff check src", "ruff check --fix src"),
                ("Makefile", "deploy", "ship"),
                ("pyproject.toml", 'shop-admin = "shop.admin:main"', 'shop-admin = "shop.backoffice:main"'),
            ),
        ),
    ),
)

_WEB = History(
    "web",
    {
        "package.json": '{\n  "name": "web",\n  "scripts": {\n    "build": "webpack --mode production",\n    "test": "jest",\n    "lint": "eslint src",\n    "e2e": "playwright test",\n    "dev": "vite"\n  }\n}\n',
        "src/index.ts": "import { createClient } from './api/client';\n\nexport const app = createClient('/api');\n",
        "src/api/client.ts": "export interface ClientOptions {\n  retries: number;\n}\n\nexport function createClient(base: string): string {\n  return base;\n}\n\nexport async function fetchOrders(id: string): Promise<string> {\n  return id;\n}\n",
        "src/components/Header.tsx": "export function Header() {\n  return null;\n}\n",
        "src/components/Footer.tsx": "export function Footer() {\n  return null;\n}\n",
        "src/hooks/useCart.ts": "export const useCart = () => {\n  return [];\n};\n\nexport const CART_KEY = 'cart';\n",
        "src/hooks/useUser.ts": "export const useUser = () => {\n  return null;\n};\n",
        "src/styles/theme.css": ":root { --ink: #111; }\n",
        "src/i18n/en.json": '{"hello": "Hello"}\n',
        "src/lib/format.ts": "export function formatMoney(cents: number): string {\n  return String(cents);\n}\n\nexport class Ledger {\n  addLine(text: string): void {\n    console.log(text);\n  }\n}\n",
        "src/lib/Storage.ts": "export const read = (key: string) => key;\n",
        "tsconfig.json": "{}\n",
        ".gitignore": "node_modules/\ndist/\n.env.local\n",
    },
    (
        Step("Shared parts", move=(("src/components", "src/ui/shared"),)),
        Step("Translations have a home", move=(("src/i18n/en.json", "src/locales/en.json"),)),
        Step("Lower case", move=(("src/lib/Storage.ts", "src/lib/storage.ts"),)),
        Step(
            "A new client",
            edit=(
                ("src/api/client.ts", "createClient", "makeClient"),
                ("src/index.ts", "createClient", "makeClient"),
            ),
        ),
        Step("No theme", remove=("src/styles/theme.css", "src/hooks/useUser.ts")),
        Step(
            "Orders are on their own",
            edit=(
                (
                    "src/api/client.ts",
                    "\nexport async function fetchOrders(id: string): Promise<string> {\n  return id;\n}\n",
                    "\n// fetchOrders moved out\n",
                ),
            ),
            write=(
                (
                    "src/api/orders.ts",
                    "export async function fetchOrders(id: string): Promise<string> {\n  return id;\n}\n",
                ),
            ),
        ),
        Step(
            "The key is in a comment",
            edit=(("src/hooks/useCart.ts", "export const CART_KEY = 'cart';", "/* once CART_KEY */"),),
        ),
        Step(
            "Vite and vitest",
            edit=(
                ("package.json", "webpack --mode production", "vite build"),
                ("package.json", '"jest"', '"vitest run"'),
                ("package.json", "eslint src", "eslint src --max-warnings 0"),
                ("package.json", '"e2e"', '"test:e2e"'),
            ),
        ),
        Step(
            "Users again",
            write=(("src/hooks/useUser.ts", "export const useUser = () => {\n  return 'me';\n};\n"),),
        ),
    ),
)

_CORE = History(
    "core",
    {
        "cmd/server/main.go": 'package main\n\nimport "fmt"\n\nconst DefaultPort = 8080\n\nfunc main() {\n\tfmt.Println(startServer(DefaultPort))\n}\n\nfunc startServer(port int) int {\n\treturn port\n}\n',
        "internal/queue/queue.go": "package queue\n\ntype Job struct {\n\tID string\n}\n\nfunc (j *Job) Retry(times int) error {\n\treturn nil\n}\n\nfunc NewQueue(size int) []Job {\n\treturn make([]Job, size)\n}\n",
        "internal/auth/token.go": 'package auth\n\nfunc SignToken(user string) string {\n\treturn user\n}\n\nfunc VerifyToken(token string) bool {\n\treturn token != ""\n}\n',
        "crates/parser/src/lib.rs": "pub const MAX_DEPTH: usize = 64;\n\npub struct Parser {\n    depth: usize,\n}\n\nimpl Parser {\n    pub fn parse_line(&mut self, text: &str) -> usize {\n        self.depth + text.len()\n    }\n}\n\npub fn tokenize(text: &str) -> Vec<&str> {\n    text.split(' ').collect()\n}\n",
        "crates/parser/src/error.rs": "pub enum ParseError {\n    TooDeep,\n}\n",
        "deploy/k8s/service.yaml": "kind: Service\n",
        "deploy/k8s/ingress.yaml": "kind: Ingress\n",
        "scripts/bootstrap.sh": "#!/bin/bash\ninstall_tools() {\n  echo tools\n}\ninstall_tools\n",
        "Makefile": "build:\n\tgo build ./...\n\nrun: build\n\t./bin/server --port 8080\n\nbench:\n\tgo test -bench .\n",
        ".cargo/config.toml": '[alias]\nxtask = "run --package xtask --"\n',
        "go.mod": "module example.invalid/core\n",
        ".gitignore": "bin/\ntarget/\n*.pb.go\n",
    },
    (
        Step("Deployments", move=(("deploy/k8s", "infra/kubernetes"),)),
        Step(
            "Tokens",
            move=(("internal/auth/token.go", "internal/auth/jwt.go"),),
            edit=(("internal/auth/jwt.go", "SignToken", "IssueToken"),),
        ),
        Step("A worker pool", edit=(("internal/queue/queue.go", "NewQueue", "NewPool"),)),
        Step(
            "Tokenizing apart",
            edit=(
                (
                    "crates/parser/src/lib.rs",
                    "\npub fn tokenize(text: &str) -> Vec<&str> {\n    text.split(' ').collect()\n}\n",
                    "",
                ),
                (
                    "crates/parser/src/lib.rs",
                    "pub const MAX_DEPTH: usize = 64;\n",
                    "// MAX_DEPTH used to limit this\n",
                ),
            ),
            write=(
                (
                    "crates/parser/src/lexer.rs",
                    "pub fn tokenize(text: &str) -> Vec<&str> {\n    text.split(' ').collect()\n}\n",
                ),
            ),
        ),
        Step("No bootstrap", remove=("scripts/bootstrap.sh",)),
        Step(
            "Run differently",
            edit=(
                ("Makefile", "./bin/server --port 8080", "docker compose up"),
                ("Makefile", "bench:", "benchmark:"),
            ),
        ),
        Step(
            "A comment above",
            edit=(("cmd/server/main.go", "func startServer", "// startServer listens.\nfunc startServer"),),
        ),
    ),
)

DEV_HISTORIES = (_SHOP, _WEB, _CORE)
