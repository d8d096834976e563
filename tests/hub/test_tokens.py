"""A token is shown once, opens one space until it expires or is revoked, and is kept as a hash alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import psycopg
import pytest

from memdir.errors import Rejected
from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from memdir.hub.spaces import Denied
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres

pytestmark = pytest.mark.hub


def test_a_token_grants_its_scope_and_those_before_it(
    database: Database, spaces: Spaces, tokens: Tokens
) -> None:
    made = spaces.create("one")
    grant = database.check(tokens.create("one", "laptop", ["write"]), None, "read")
    assert (grant.space, grant.name, grant.scopes) == (made, "one", ("read", "write"))
    assert [(one.id, one.name, one.space) for one in tokens.list_tokens("one")] == [
        (grant.token, "laptop", "one")
    ]


def test_the_token_itself_is_nowhere_in_the_database(
    postgres: PrivatePostgres, url: str, spaces: Spaces, tokens: Tokens
) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop")
    dump = postgres.tool("pg_dump", url).stdout.decode()
    assert "laptop" in dump
    assert secret not in dump
    assert secret.removeprefix("memdir_") not in dump


def test_a_revoked_token_is_worth_nothing_at_once_on_every_node(
    node: Node, url: str, spaces: Spaces, tokens: Tokens
) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop")
    with Node(url) as second, node.client(secret) as one, second.client(secret) as two:
        assert [client.get("/v1/spaces/one/changes").status_code for client in (one, two)] == [200, 200]
        tokens.revoke(tokens.list_tokens()[0].id)
        assert [client.get("/v1/spaces/one/changes").status_code for client in (one, two)] == [401, 401]
    assert tokens.list_tokens()[0].revoked_at


def test_a_token_ends_at_its_time(database: Database, spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("one")
    now = datetime.now(UTC)
    later = tokens.create("one", "later", expires_at=now + timedelta(hours=1))
    assert database.check(later, "one", "read")
    with pytest.raises(Denied) as denied:
        database.check(tokens.create("one", "past", expires_at=now - timedelta(seconds=1)), "one", "read")
    assert denied.value.status == 401


def test_the_tokens_of_a_deleted_space_are_gone(database: Database, spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("one")
    secret = tokens.create("one", "laptop")
    spaces.delete("one")
    with pytest.raises(Denied) as denied:
        database.check(secret, None, "read")
    assert denied.value.status == 401
    assert spaces.names() == []


def test_what_is_not_there_or_cannot_be_is_refused(spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("one")
    refusals: list[Callable[[], object]] = [
        lambda: spaces.create("one"),
        lambda: spaces.create("No Such Name"),
        lambda: spaces.create("../one"),
        lambda: spaces.delete("two"),
        lambda: tokens.create("two", "laptop"),
        lambda: tokens.list_tokens("two"),
        lambda: tokens.revoke(uuid4()),
    ]
    for refused in refusals:
        with pytest.raises(Rejected):
            refused()


def test_a_database_without_a_hub_says_how_to_make_one(postgres: PrivatePostgres) -> None:
    with pytest.raises(Rejected, match="memdir serve --migrate"):
        Spaces(Database(postgres.database())).names()


def test_migrations_are_applied_once_also_by_nodes_that_start_together(postgres: PrivatePostgres) -> None:
    url = postgres.database()
    with Node(url, "--migrate"), Node(url, "--migrate"), psycopg.connect(url) as connection:
        rows = connection.execute("SELECT name FROM memdir.migration ORDER BY number").fetchall()
    assert rows[0] == ("0001_spaces.sql",)
    assert Database(url).migrate() == []
