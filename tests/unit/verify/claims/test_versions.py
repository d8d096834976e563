"""Versions are read from texts and manifests in the forms that people and tools write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir.verify.claims.versions import fits, is_version_file, same_name, stated_versions, versions_in

MANIFESTS = {
    "package.json": (
        '{"dependencies": {"react": "^18.2.0"}, "engines": {"node": ">=18"}}',
        ("react", "^18.2.0"),
    ),
    "web/package.json": ('{"packageManager": "pnpm@8.15.0"}', ("pnpm", "8.15.0")),
    "composer.json": ('{"require": {"php": "^8.2"}}', ("php", "^8.2")),
    "pyproject.toml": ('[project]\nrequires-python = ">=3.11"\n', ("python", ">=3.11")),
    "lib/pyproject.toml": ('[tool.poetry.dependencies]\ndjango = {version = "^4.2"}\n', ("django", "^4.2")),
    "requirements-dev.txt": ("# tools\npytest[x]~=7.4  # why\n", ("pytest", "~=7.4")),
    "Cargo.toml": ('[dependencies]\ntokio = "1.35"\n', ("tokio", "1.35")),
    "go.mod": ("module m\n\ngo 1.21\n\nrequire github.com/spf13/cobra v1.8.0\n", ("go", "1.21")),
    "app/build.gradle.kts": ('plugins { kotlin("jvm") version "1.9.22" }\n', ("kotlin", "1.9.22")),
    "build.gradle": ("implementation 'com.a:jackson-core:2.15.3'\n", ("jackson-core", "2.15.3")),
    "gradle/wrapper/gradle-wrapper.properties": ("distributionUrl=h/gradle-8.5-bin.zip\n", ("gradle", "8.5")),
    "gradle/libs.versions.toml": ('[versions]\nktor = "2.3.7"\n', ("ktor", "2.3.7")),
    "pom.xml": ("<artifactId>guava</artifactId>\n<version>32.1</version>", ("guava", "32.1")),
    "Gemfile": ('gem "rails", "~> 7.1"\n', ("rails", "~> 7.1")),
    ".nvmrc": ("v18.19.0\n", ("node", "18.19.0")),
    ".tool-versions": ("erlang 26.1\n", ("erlang", "26.1")),
    "Dockerfile": ("FROM docker.example.org/python:3.11-slim\n", ("python", "3.11")),
    "compose.yaml": ("services:\n  db:\n    image: postgres:15-alpine\n", ("postgres", "15")),
    "App.csproj": ('<PackageReference Include="Serilog" Version="3.1.1" />', ("Serilog", "3.1.1")),
    "mix.exs": ('{:phoenix, "~> 1.7.10"},', ("phoenix", "~> 1.7.10")),
}


@pytest.mark.parametrize("path", MANIFESTS)
def test_a_manifest_states_versions(path: str) -> None:
    text, expected = MANIFESTS[path]
    assert expected in [(name, value.strip()) for name, value in stated_versions(text, path)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We are on Spring Boot 3.2 now", ("Spring Boot", "3.2")),
        ("The React 18 migration", ("React", "18")),
        ("`pydantic<2` only", ("pydantic", "<2")),
        ("`jackson-core` 2.15.3 stays", ("jackson-core", "2.15.3")),
        ("uses cobra v1.8.0.", ("cobra", "1.8.0")),
        ("pnpm@8.15.0", ("pnpm", "8.15.0")),
        ("guava 31.1-jre is pinned", ("guava", "31.1")),
        ("Python 3.11+", ("Python", "3.11")),
        ("The site is at version 4.1.0.", ("", "4.1.0")),
    ],
)
def test_a_name_with_a_number_may_be_a_version(text: str, expected: tuple[str, str]) -> None:
    assert expected in [(one.target, one.owner) for one, *_ in versions_in(text)]


@pytest.mark.parametrize("text", ["line 12", "port 8080", "in 2026", "the first 3", "5 files", "a 30% rise"])
def test_counts_and_places_are_no_versions(text: str) -> None:
    assert list(versions_in(text)) == []


@pytest.mark.parametrize(
    ("version", "stated", "agrees"),
    [
        ("18", "^18.2.0", True),
        ("18.2.0", "^18", True),
        ("1.8", "1.80.0", False),
        ("3.11", ">=3.11,<3.13", True),
        ("3.13", ">=3.11,<3.13", False),
        ("<2", ">=1.10,<2", True),
        ("<2", ">=2.5", False),
        ("==0.20.2", "0.20.2", True),
        ("==0.20", "0.20.2", False),
        ("2", "workspace:*", False),
    ],
)
def test_a_version_agrees_with_what_a_manifest_states(version: str, stated: str, agrees: bool) -> None:
    assert fits(version, stated) is agrees


def test_names_are_the_same_however_they_are_spelled() -> None:
    assert same_name("Next.js", "next") == same_name("Node.js", "node") == "exact"
    assert same_name("Spring Boot", "org.springframework.boot") == "exact"
    assert same_name("cobra", "github.com/spf13/cobra") == "exact"
    assert same_name("JUnit", "junit-jupiter") == "begins"
    assert same_name("React", "preact") == ""


@given(st.text(), st.sampled_from([*MANIFESTS]))
def test_any_text_is_read_without_an_error(text: str, path: str) -> None:
    list(versions_in(text))
    assert is_version_file(path)
    stated_versions(text, path)
    stated_versions(MANIFESTS[path][0] + text, path)
