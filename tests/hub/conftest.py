"""What hub tests share: one PostgreSQL a session, a fresh hub for each test, and nodes as real processes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from tests.conftest import Clock
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres, why_no_postgres
from tests.hub.shared_space import SharedSpace


@pytest.fixture(scope="session")
def postgres() -> Iterator[PrivatePostgres]:
    if because := why_no_postgres():
        pytest.skip(because)
    server = PrivatePostgres()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def template(postgres: PrivatePostgres) -> str:
    """Make a migrated database once; each test has a copy."""
    url = postgres.database()
    Database(url).migrate()
    return url.rpartition("/")[2]


@pytest.fixture(scope="session")
def served(postgres: PrivatePostgres, template: str) -> Iterator[tuple[Node, str]]:
    """Start one node for all tests that need no more than a space of their own on it."""
    url = postgres.database(template)
    with Node(url) as node:
        yield node, url


@pytest.fixture
def shared_space(served: tuple[Node, str], tmp_path: Path, clock: Clock) -> SharedSpace:
    """Return a new space, and machines for it."""
    return SharedSpace(*served, tmp_path, clock)


@pytest.fixture
def url(postgres: PrivatePostgres, template: str) -> str:
    """Return the address of a migrated database without spaces."""
    return postgres.database(template)


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def spaces(database: Database) -> Spaces:
    return Spaces(database)


@pytest.fixture
def tokens(database: Database) -> Tokens:
    return Tokens(database)


@pytest.fixture
def space(spaces: Spaces) -> UUID:
    """Make the space `one`."""
    return spaces.create("one")


@pytest.fixture
def secret(space: UUID, tokens: Tokens) -> str:
    """Return a token that may write in the space `one`."""
    assert space
    return tokens.create("one", "laptop")


@pytest.fixture
def node(url: str) -> Iterator[Node]:
    """Start one node on the database of the test."""
    with Node(url) as started:
        yield started


@pytest.fixture
def admin(node: Node, space: UUID, tokens: Tokens) -> Iterator[Any]:
    """Return a client of the node that may administer the space `one`."""
    assert space
    with node.client(tokens.create("one", "root", ["admin"])) as client:
        yield client
