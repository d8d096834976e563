"""A project and memories in plain prose on its ports, branches, images and commands: no word is set as code."""
# ruff: noqa: E501 - a made-up file or memory is one string

from bench.verify.histories import Case, History, Step

__all__ = ["ANCHORED_CASES", "PROSE_CASES", "PROSE_HISTORIES"]

_FILES = {
    "web/vite.ts": "export default { server: { port: 5199, proxy: { '/x': 'http://localhost:8391' } } }\n",
    "api/main.js": "app.listen(8391)\nmetrics.listen(9464)\nconst ROWS = 5400\n",
    "docker/jobs.Dockerfile": "FROM python:3.11-slim-bookworm AS base\nRUN pip install -r r.txt\n",
    "Dockerfile": "FROM node:18-alpine\nFROM golang:1.22-alpine\nFROM rust:1.75\n",
    "build/Containerfile.dev": "FROM debian:11-slim\n",
    "compose.yaml": "services:\n  cache:\n    image: redis:7-alpine\n  edge:\n    image: 'nginx:stable-alpine'\n",
    ".github/workflows/ci.yml": "jobs:\n  test:\n    container: ghcr.io/acme/runner:2.4\n    services:\n      db:\n        image: postgis/postgis:15-3.4\n",
    ".gitlab-ci.yml": "image: ruby:3.2-slim\n",
    "composer.json": '{"scripts": {"fixtures": ["bin/load --all", "bin/check"], "stan": "phpstan", "seed": "bin/seed"}}',
    "package.json": '{"scripts": {"story": "storybook dev", "e2e": "playwright test", "lint": "eslint ."}}',
    "justfile": "seed:\n    psql -f seed.sql\n\nbench:\n    cargo bench\n",
    "Taskfile.yml": "version: '3'\ntasks:\n    gen:\n        desc: makes code\n        cmds:\n            - buf generate\n    db:reset:\n        cmds: [dropdb app]\n    vet: go vet ./...\n",
    "pyproject.toml": '[tool.poe.tasks]\nload = "python -m load"\nfmt = { cmd = "ruff format", help = "x" }\n'
    '[tool.hatch.envs.docs.scripts]\nbuild = "mkdocs build"\nserve = "mkdocs serve"\n',
    "tox.ini": "[tox]\nenvlist = py{311,312}, docs, smoke\n[testenv]\ncommands = pytest\n[testenv:docs]\ndeps = sphinx\n"
    "commands =\n    sphinx-build docs out\n[testenv:{types,style}]\ncommands = ruff check\n[testenv:perf]\ncommands = asv run\n",
    "noxfile.py": "import nox\n\n\n@nox.session(python=['3.11', '3.12'])\ndef tests(session):\n    session.run('pytest')\n\n\n"
    "@nox.session(name='api-docs')\ndef docs(session):\n    session.run('sphinx-build')\n\n\n@nox.session\ndef lint(session):\n    session.run('ruff')\n",
}
_CHANGES = (
    ("web/vite.ts", "8391", "9190"),
    ("api/main.js", "8391", "9190"),
    ("api/main.js", "9464", "9700"),
    ("api/main.js", "5400", "5500"),
    ("docker/jobs.Dockerfile", "python:3.11-slim-bookworm", "python:3.13-slim-trixie"),
    ("Dockerfile", "node:18-alpine", "node:18-bookworm"),
    ("Dockerfile", "FROM golang:1.22-alpine", "ARG GO=1.22\nFROM golang:${GO}-alpine"),
    ("Dockerfile", "FROM rust:1.75", "ARG RUST=1.75\nFROM rust:$RUST"),
    ("build/Containerfile.dev", "debian:11-slim", "debian:11.9-slim"),
    ("compose.yaml", "redis:7-alpine", "valkey/valkey:8-alpine"),
    ("compose.yaml", "nginx:stable-alpine", "caddy:2"),
    (".github/workflows/ci.yml", "runner:2.4", "runner:3.0"),
    (".github/workflows/ci.yml", "postgis:15-3.4", "postgis:16-3.4"),
    (".gitlab-ci.yml", "ruby:3.2-slim", "ruby:3.2.4-slim@sha256:aa"),
    ("composer.json", '"fixtures": ["bin/load --all", "bin/check"], ', ""),
    ("composer.json", '"bin/seed"', '["bin/seed"]'),
    ("package.json", '"story": "storybook dev", "e2e": "playwright test", ', ""),
    ("justfile", "seed:\n    psql -f seed.sql\n\n", ""),
    ("Taskfile.yml", "    gen:\n        desc: makes code\n        cmds:\n            - buf generate\n", ""),
    ("Taskfile.yml", "dropdb", "wipe"),
    ("pyproject.toml", 'load = "python -m load"\n', ""),
    ("pyproject.toml", '{ cmd = "ruff format", help = "x" }', '"ruff format"'),
    ("pyproject.toml", 'build = "mkdocs build"\n', ""),
    ("tox.ini", ", docs, smoke", ", smoke"),
    ("tox.ini", "[testenv:docs]\ndeps = sphinx\ncommands =\n    sphinx-build docs out\n", ""),
    ("tox.ini", "{types,style}", "style"),
    ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands =\n    pytest\n    perf: asv run\n"),
    ("tox.ini", "[testenv:perf]\ncommands = asv run\n", "[testenv:perf]\n"),
    ("noxfile.py", "def tests(", "def unit("),
    ("noxfile.py", "name='api-docs'", "name='handbook'"),
)
_BRANCHES = ("feature/pricing-2", "chore/deps", "ledger-rewrite", "develop", "release/3.x")
_GONE = tuple((name, "") for name in _BRANCHES[:4])
_SAME = {
    "Taskfile.yml": "version: '3'\ntasks:\n  docs:serve:\n    cmds: [mkdocs serve]\n  build:\n    sources: [a.go]\n    cmds:\n      - go build\n",
    "tox.ini": "[testenv:docs]\ncommands = sphinx-build docs out\n",
    "compose.yaml": "services:\n  c:\n    image: redis:7-alpine\n",
    "Dockerfile": "FROM python:3.11-slim\n",
    "noxfile.py": "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n",
}
_OTHERWISE = {
    "Taskfile.yml": "version: '3'\nincludes:\n  docs: ./docs\ntasks:\n  build: go build\n",
    "docs/Taskfile.yml": "version: '3'\ntasks:\n  serve: mkdocs serve\n",
    "tox.ini": "",
    "pyproject.toml": '[tool.tox.env.docs]\ncommands = [["sphinx-build", "docs", "out"]]\n',
    "compose.yaml": "services:\n  c:\n    image: ${CACHE:-redis:7-alpine}\n",
    "Dockerfile": "ARG BASE=python:3.11-slim\nFROM ${BASE}\n",
    "noxfile.py": "import nox\n\n\n@nox.session(\n    tags=[tag('x')],\n)\ndef tests(session):\n    session.run('pytest')\n",
}
PROSE_HISTORIES = (
    History("clinic", _FILES, (Step("Much is new", edit=_CHANGES, branch=_GONE),), branches=_BRANCHES),
    History("same", _SAME, (Step("Written otherwise", write=tuple(_OTHERWISE.items())),)),
)


def _cases(sort: str, expected: str, *texts: str) -> tuple[Case, ...]:
    return tuple(Case(sort, "clinic", text, expected) for text in texts)


PROSE_CASES = (
    *_cases(
        "port",
        "stale",
        "The dev server listens on 5199 and the api on 8391.",
        "The api is on 8391, metrics on 9464.",
        "Ports 5199, 8391 and 9464 must be free.",
        "The backend runs on :8391 locally",
        "Metrics are served at 9464 for the scraper.",
        "The proxy forwards to 8391 in development.",
        "The api port: 8391",
    ),
    *_cases("port", "fresh", "The dev server is on 5199, do not change it."),
    *_cases(
        "port",
        "no claim",
        "The server was slow on 5400 rows.",
        "The api moves on 8392.",
        "Of the 5400 users of the api half are guests.",
    ),
    *_cases(
        "image",
        "stale",
        "The jobs container is built from python:3.11-slim-bookworm because of a driver",
        "Our image starts from node:18-alpine, so there is no glibc.",
        "Locally the cache is redis:7-alpine.",
        "The edge uses nginx:stable-alpine with no modules",
        "CI runs in ghcr.io/acme/runner:2.4, built by ops.",
        "Tests need postgis/postgis:15-3.4 with the raster functions.",
        "The jobs run on Python 3.11.",
    ),
    *_cases(
        "image",
        "fresh",
        "The tools are built on golang:1.22-alpine.",
        "The parser is built on rust:1.75.",
        "Dev boxes are debian:11-slim.",
        "GitLab uses ruby:3.2-slim.",
    ),
    *_cases("image", "no claim", "Customers run mysql:8.0-oracle.", "The review is at 10:30, item:4 first."),
    *_cases(
        "command",
        "stale",
        "composer run-script fixtures loads the demo clinic",
        "composer fixtures loads the demo clinic",
        "npm run story shows the components.",
        "Use yarn e2e before a release.",
        "pnpm e2e takes ten minutes, be patient.",
        "just seed fills the database",
        "After a change of the schema run task gen.",
        "task db:reset drops everything",
        "poe load brings the data in",
        "uv run poe load brings the data in",
        "hatch run docs:build makes the pages",
        "tox -e docs builds the handbook, sphinx isn't in the venv",
        "Check with tox run -e types.",
        "`tox -edocs` builds the handbook.",
        "nox -s tests-3.12 is enough.",
    ),
    Case("hint", "clinic", "nox -s tests is what CI does.", "stale", hint="unit"),
    Case("hint", "clinic", "nox --session=api-docs makes the reference.", "stale", hint="handbook"),
    Case("hint", "clinic", "composer fixtures takes a minute.", "stale", hint=""),
    Case("hint", "clinic", "The cache is redis:7-alpine.", "stale", hint=""),
    Case("hint", "clinic", "The api is on 8391.", "stale", hint=""),
    *_cases(
        "command",
        "fresh",
        "composer stan before each push",
        "composer run seed is safe to repeat",
        "just bench is slow",
        "task vet is quick",
        "poe fmt before a commit",
        "hatch run docs:serve shows them",
        "tox -e style before a commit",
        "tox -e smoke is enough",
        "tox -e perf compares two commits",
        "nox -s lint before a commit",
    ),
    *_cases(
        "command",
        "no claim",
        "Every task gets an owner, and just one.",
        "tox -e py311 works everywhere.",
        "The composer loads fixtures of its own.",
        "We once had tox -e bench, it was removed.",
    ),
    *_cases(
        "branch",
        "no claim",
        "Open a branch feature/pricing-9 for it.",
        "Create a short-lived branch chore/x first.",
        "Use a new branch fix/typo.",
        "Reviews on branch protection are slow.",
    ),
    Case("written otherwise", "same", "task docs:serve shows the pages", "no claim"),
    Case("written otherwise", "same", "task build compiles it", "fresh"),
    Case("written otherwise", "same", "tox -e docs builds it", "fresh"),
    Case("written otherwise", "same", "The cache is redis:7-alpine.", "fresh"),
    Case("written otherwise", "same", "The base image is python:3.11-slim.", "fresh"),
    Case("written otherwise", "same", "nox -s tests is what CI does", "fresh"),
    *_cases("branch", "fresh", "Start from the release/3.x branch."),
)

ANCHORED_CASES = _cases(
    "branch",
    "stale",
    "Open work for the new pricing engine lives on branch feature/pricing-2, rebase before you start",
    "New versions of libraries wait on branch chore/deps.",
    "The ledger work is on branch ledger-rewrite.",
    "Open pull requests against develop.",
    "Start from the develop branch.",
)
"""A deleted branch is known only from anchors."""
