"""Histories for claims on branches, versions, globs, calls and Gradle tasks."""
# ruff: noqa: E501 - a made-up file or memory is one string

from bench.verify.histories import History, Step

__all__ = ["FORMS_HISTORIES"]

_SERVICE = History(
    "service",
    {
        "settings.gradle.kts": 'rootProject.name = "service"\ninclude(":app", ":worker")\n',
        "build.gradle.kts": (
            'plugins {\n    kotlin("jvm") version "1.9.22"\n'
            '    id("org.springframework.boot") version "3.2.1"\n}\n\n'
            'tasks.register("integrationTest") {\n    dependsOn("testClasses")\n}\n\n'
            'tasks.register<Exec>("seedDatabase") {\n    commandLine("psql", "-f", "seed.sql")\n}\n\n'
            'val generateApi by tasks.registering {\n    dependsOn("openApiGenerate")\n}\n'
        ),
        "app/build.gradle": (
            "task smokeTest(type: Test) {\n    useJUnitPlatform()\n}\n\ntask zipDocs {\n    doLast { }\n}\n\n"
            'dependencies {\n    implementation "com.fasterxml.jackson.core:jackson-databind:2.15.3"\n'
            '    testImplementation("org.junit.jupiter:junit-jupiter:5.10.0")\n}\n'
        ),
        "worker/build.gradle.kts": 'tasks.register("drainQueue") {\n    dependsOn("classes")\n}\n',
        "gradle/wrapper/gradle-wrapper.properties": (
            "distributionUrl=https\\://services.example.org/distributions/gradle-8.5-bin.zip\n"
        ),
        "app/src/main/kotlin/Orders.kt": (
            "package orders\n\nfun placeOrder(cart: Cart, user: User): Order {\n    return Order(cart, user)\n}"
            "\n\nfun refund(order: Order, amount: Int): Unit {\n    ledger.post(order, -amount)\n}\n"
        ),
        "app/src/main/resources/db/V1__init.sql": "create table orders (id int);\n",
        "app/src/main/resources/db/V2__users.sql": "create table users (id int);\n",
        "app/src/test/kotlin/OrdersTest.kt": "class OrdersTest\n",
        "docs/adr/0001-ledger.md": "# Ledger\n",
    },
    (
        Step(
            "Spring 3.3, Kotlin 2",
            edit=(
                ("build.gradle.kts", 'version "3.2.1"', 'version "3.3.0"'),
                ("build.gradle.kts", 'version "1.9.22"', 'version "2.0.0"'),
            ),
        ),
        Step(
            "No seeding, other API task",
            edit=(
                (
                    "build.gradle.kts",
                    'tasks.register<Exec>("seedDatabase") {\n    commandLine("psql", "-f", "seed.sql")\n}\n\n',
                    "",
                ),
                ("build.gradle.kts", "val generateApi by", "val generateClient by"),
            ),
        ),
        Step(
            "No smoke",
            edit=(("app/build.gradle", "task smokeTest(type: Test)", "task quickTest(type: Test)"),),
        ),
        Step(
            "Gradle 8.7",
            edit=(("gradle/wrapper/gradle-wrapper.properties", "gradle-8.5-bin", "gradle-8.7-bin"),),
        ),
        Step(
            "Orders are submitted",
            edit=(("app/src/main/kotlin/Orders.kt", "fun placeOrder(", "fun submitOrder("),),
        ),
        Step(
            "Migrations of their own",
            move=(
                ("app/src/main/resources/db/V1__init.sql", "app/src/main/resources/migrations/V1__init.sql"),
                (
                    "app/src/main/resources/db/V2__users.sql",
                    "app/src/main/resources/migrations/V2__users.sql",
                ),
            ),
        ),
        Step("One line of work", branch=(("develop", ""), ("release/1.x", "release/2.x"))),
    ),
    branches=("develop", "release/1.x", "staging"),
)

_SITE = History(
    "site",
    {
        "package.json": (
            '{\n  "name": "site",\n  "version": "4.1.0",\n  "engines": {"node": ">=18"},\n'
            '  "packageManager": "pnpm@8.15.0",\n'
            '  "dependencies": {"react": "^18.2.0", "next": "13.5.6", "zod": "~3.22.4"},\n'
            '  "devDependencies": {"typescript": "5.2.2", "vitest": "^0.34.0"}\n}\n'
        ),
        ".nvmrc": "18.19.0\n",
        "src/lib/batch.ts": (
            "export function chunked<T>(rows: T[], size: number): T[][] {\n  const out: T[][] = [];\n"
            "  for (let i = 0; i < rows.length; i += size) out.push(rows.slice(i, i + size));\n  return out;\n}\n\n"
            "export const retry = async (fn: () => void, times: number) => {\n  await fn();\n};\n"
        ),
        "src/lib/http.ts": "export async function getJson(url: string, init?: object) {\n  return fetch(url);\n}\n",
        "src/pages/home.page.tsx": "export default function Home() {\n  return null;\n}\n",
        "src/pages/cart.page.tsx": "export default function Cart() {\n  return null;\n}\n",
        "src/lib/batch.test.ts": "test('x', () => {});\n",
        "e2e/login.spec.ts": "test('login', () => {});\n",
        "styles/base.scss": "body { margin: 0; }\n",
        ".gitignore": "dist/\ncoverage/\n",
    },
    (
        Step(
            "React 19, Next 14",
            edit=(
                (
                    "package.json",
                    '"react": "^18.2.0", "next": "13.5.6"',
                    '"react": "^19.0.0", "next": "14.1.0"',
                ),
                ("package.json", '"vitest": "^0.34.0"', '"vitest": "^1.2.0"'),
            ),
        ),
        Step(
            "Node 20",
            edit=(("package.json", ">=18", ">=20"), (".nvmrc", "18.19.0", "20.11.0")),
        ),
        Step("Release", edit=(("package.json", '"version": "4.1.0"', '"version": "5.0.0"'),)),
        Step("Batches", edit=(("src/lib/batch.ts", "function chunked<T>", "function inChunks<T>"),)),
        Step(
            "Routes",
            move=(
                ("src/pages/home.page.tsx", "src/routes/home.tsx"),
                ("src/pages/cart.page.tsx", "src/routes/cart.tsx"),
            ),
        ),
        Step("No styles", remove=("styles/base.scss",)),
        Step("Trunk", branch=(("master", "main"),)),
    ),
    branches=("next",),
    trunk="master",
)

_PIPELINE = History(
    "pipeline",
    {
        "pyproject.toml": (
            '[project]\nname = "pipeline"\nversion = "0.9.0"\nrequires-python = ">=3.11"\n'
            'dependencies = ["pydantic<2", "httpx>=0.25,<0.27", "polars==0.20.2"]\n\n'
            '[project.optional-dependencies]\ndev = ["pytest~=7.4", "ruff==0.1.9"]\n'
        ),
        "requirements/base.txt": "django==4.2.8\ncelery[redis]>=5.3  # queue\nboto3\n",
        ".python-version": "3.11.7\n",
        "go.mod": "module example.org/pipeline\n\ngo 1.21\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n)\n",
        "Cargo.toml": (
            '[package]\nname = "core"\nversion = "0.3.0"\nedition = "2021"\n\n[dependencies]\n'
            'serde = { version = "1.0.193", features = ["derive"] }\ntokio = "1.35"\n'
        ),
        "pipeline/steps.py": (
            "def load_rows(path, limit=None):\n    return []\n\n\n"
            "def upsert_many(table, rows, size=500):\n    for row in rows:\n        table.put(row)\n\n\n"
            "def parse_order(line):\n    head, *rest = line.split(';')\n    return rest\n\n\nMAX_ROWS = 500\n\n\n"
            "class Sink:\n    def flush(self, force=False):\n        pass\n"
        ),
        "pipeline/retry_10.py": "def retry_10(job):\n    return [job() for _ in range(10)]\n",
        "pipeline/jobs/daily_report.py": "def run():\n    pass\n",
        "pipeline/jobs/weekly_report.py": "def run():\n    pass\n",
        "tests/test_steps.py": "def test_rows():\n    pass\n",
        "tests/data/rows.csv": "a,b\n",
        "web/index.ts": "export const page = 1;\nexport const size = 20;\n",
    },
    (
        Step(
            "pydantic 2, polars 1",
            edit=(
                ("pyproject.toml", "pydantic<2", "pydantic>=2.5"),
                ("pyproject.toml", "polars==0.20.2", "polars==1.0.0"),
            ),
        ),
        Step(
            "Python 3.12",
            edit=(("pyproject.toml", ">=3.11", ">=3.12"), (".python-version", "3.11.7", "3.12.1")),
        ),
        Step("Django 5", edit=(("requirements/base.txt", "django==4.2.8", "django==5.0.1"),)),
        Step("Go 1.22", edit=(("go.mod", "go 1.21", "go 1.22"),)),
        Step("No cobra", edit=(("go.mod", "require (\n\tgithub.com/spf13/cobra v1.8.0\n)\n", ""),)),
        Step("Tokio", edit=(("Cargo.toml", 'tokio = "1.35"', 'tokio = "1.36"'),)),
        Step(
            "Upsert in one go",
            edit=(
                ("pipeline/steps.py", "def upsert_many(table, rows, size=500)", "def write_all(sink, batch)"),
            ),
        ),
        Step(
            "Retries",
            remove=("pipeline/retry_10.py",),
            write=(("pipeline/retry_12.py", "def retry_12(queue, wait):\n    queue.sleep(wait)\n"),),
        ),
        Step(
            "Orders by folder",
            edit=(
                (
                    "pipeline/steps.py",
                    "def parse_order(line):\n    head, *rest = line.split(';')\n    return rest\n",
                    "def parse_orders(folder, since):\n    for file in folder.glob('*.xml'):\n        yield file\n",
                ),
                ("pipeline/steps.py", "MAX_ROWS = 500", "MAX_BYTES = 1_000_000"),
            ),
        ),
        Step("No reports", remove=("pipeline/jobs",)),
        Step(
            "Pages",
            remove=("web/index.ts",),
            write=(("admin/index.ts", "import { app } from './app';\napp.mount('#root');\n"),),
        ),
    ),
)

FORMS_HISTORIES = (_SERVICE, _SITE, _PIPELINE)
