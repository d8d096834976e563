"""A token opens its own space for what it allows, and nothing else, on every route; so does SQL itself.

The routes come from the application: one that is not in `ROUTES` fails a test.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import psycopg.sql
import pytest
from starlette.routing import BaseRoute, Mount, Route

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.cache import Caches
from memdir.hub.calls import HubNode, RequestLimits
from memdir.hub.database import Database
from memdir.hub.jobs import EXTRACT, add_job
from memdir.hub.server import OPEN_ROUTES, hub_routes
from memdir.hub.telemetry import Telemetry
from memdir.text.value import value_class
from tests.hub.node import Node, change_shape, publish_shape
from tests.tables import on_row

pytestmark = pytest.mark.hub

SECRET_WORD = "quillwort"  # in every text of the space that others must not see
OUTSIDERS = ("none", "made up", "expired", "revoked", "of another space")


@value_class(frozen=True, slots=True)
class Asked:
    """What a route is sent, and what a token must allow for it."""

    scope: str
    body: Any = None
    names_space: bool = True
    """Whether the address names the space; otherwise the token does."""


JOB = uuid4()
TALK = {"messages": [{"role": "user", "content": "Remember the quillwort."}], "session": "s-1"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {}}}
MEMORY = "/v1/spaces/{space}/memory"

ROUTES = {
    f"POST {MEMORY}/remember": Asked("write", {"text": "The sky is blue.", "name": "sky"}),
    f"POST {MEMORY}/recall": Asked("read", {"query": SECRET_WORD}),
    f"POST {MEMORY}/forget": Asked("write", {"name": ["not", "a", "name"]}),
    f"POST {MEMORY}/list": Asked("read", {}),
    f"POST {MEMORY}/read": Asked("read", {"name": f"{SECRET_WORD}.md"}),
    f"POST {MEMORY}/extract": Asked("write", TALK),
    f"POST {MEMORY}/dream": Asked("write", {}),
    f"GET {MEMORY}/jobs/{{job}}": Asked("read"),
    f"POST {MEMORY}/jobs/{{job}}/again": Asked("write", {}),
    "POST /mcp": Asked("read", PING, names_space=False),
    "GET /mcp": Asked("read", names_space=False),
    "DELETE /mcp": Asked("read", names_space=False),
    "GET /v1/spaces/{space}/changes": Asked("read"),
    "POST /v1/spaces/{space}/read": Asked("read", {"seqs": [1]}),
    "POST /v1/spaces/{space}/publish": Asked("write", publish_shape(change_shape("new.md", "text"))),
    "POST /v1/spaces/{space}/meeting": Asked("read", {"versions": []}),
    "GET /v1/spaces/{space}/log": Asked("read"),
    "GET /v1/spaces/{space}/usage": Asked("admin"),
    "GET /v1/spaces/{space}/audit": Asked("admin"),
    "GET /v1/spaces/{space}/tokens": Asked("admin"),
    "POST /v1/spaces/{space}/tokens": Asked("admin", {"name": "guest"}),
    "POST /v1/spaces/{space}/tokens/revoke": Asked("admin", {"id": str(uuid4())}),
    "POST /v1/spaces/{space}/purge": Asked("admin", {"files": ["nothing.md"]}),
}
"""Each route that needs a token."""

COOKIE_ROUTES = {"GET /ui/{space}/{path:path}", "POST /ui/{space}/{path:path}"}
"""Those of browsers: `test_viewer` tries them."""


@pytest.fixture(scope="module")
def world(postgres: Any, template: str) -> Iterator["World"]:
    """Two spaces, a token of every kind, and one node."""
    url = postgres.database(template)
    database = Database(url)
    with Node(url) as node:
        yield World(node, database)
    database.close()


class World:
    """One space that holds a word which nobody else may see."""

    def __init__(self, node: Node, database: Database) -> None:
        self.node, self.database = node, database
        database.open()
        self.spaces, self.tokens = Spaces(database), Tokens(database)
        self.one, self.two = self.spaces.create("one"), self.spaces.create("two")
        past = datetime.now(UTC) - timedelta(seconds=1)
        self.secrets = {
            "none": "",
            "made up": "memdir_" + "x" * 43,
            "expired": self.tokens.create("one", "old", ["admin"], past),
            "revoked": self.tokens.create("one", "lost", ["admin"]),
            "of another space": self.tokens.create("two", "server", ["admin"]),
            "read": self.tokens.create("one", "reader", ["read"]),
            "write": self.tokens.create("one", "writer", ["write"]),
            "admin": self.tokens.create("one", "admin", ["admin"]),
        }
        self.tokens.revoke(next(one.id for one in self.tokens.list_tokens("one") if one.name == "lost"))
        text = f"The {SECRET_WORD} grows here."
        assert (
            self.asks("write", "POST", "publish", publish_shape(change_shape(f"{SECRET_WORD}.md", text)))[0]
            == 200
        )
        with database.space(self.one) as session:
            add_job(session, EXTRACT, JOB, TALK)

    def asks(
        self, token: str, method: str, path: str, body: Any = None, space: str = "one"
    ) -> tuple[int, str]:
        """Return status and text of an answer."""
        path = path.replace("{job}", str(JOB))
        whole = path.replace("{space}", space) if path.startswith("/") else f"/v1/spaces/{space}/{path}"
        with self.node.client(self.secrets[token]) as client:
            answer = client.request(method, whole, **({} if body is None else {"json": body}))
            return answer.status_code, answer.text


def served(routes: "list[BaseRoute]", above: str = "") -> Iterator[str]:
    """Yield method and path of each route, also of those below others."""
    for route in routes:
        if isinstance(route, Mount):
            yield from (
                served(list(route.routes), above + route.path) if route.routes else [f"* {above}{route.path}"]
            )
        else:
            assert isinstance(route, Route)
            yield from (f"{method} {above}{route.path}" for method in (route.methods or {"*"}) - {"HEAD"})


def test_every_route_is_tried_here(tmp_path: Path) -> None:
    caches = Caches(os.environ, folder=str(tmp_path))
    hub = HubNode(Database("postgresql://127.0.0.1:1/none"), RequestLimits(), Telemetry(), caches)
    opened = {f"GET {path}" for path in OPEN_ROUTES}
    assert set(served(hub_routes(hub))) == opened | set(ROUTES) | COOKIE_ROUTES


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("token", OUTSIDERS)
def test_a_token_without_a_right_gets_no_answer(world: World, route: str, token: str) -> None:
    method, path = route.split(" ")
    status, text = world.asks(token, method, path, ROUTES[route].body)
    elsewhere = 404 if ROUTES[route].names_space else status
    assert status == (elsewhere if token == "of another space" else 401)
    assert SECRET_WORD not in text
    assert list(world.spaces.names()) == ["one", "two"]


@pytest.mark.parametrize("route", ROUTES)
def test_a_scope_allows_its_own_routes_and_those_of_the_scopes_before_it(world: World, route: str) -> None:
    method, path = route.split(" ")
    scopes = ("read", "write", "admin")
    for token in scopes:
        status, text = world.asks(token, method, path, ROUTES[route].body)
        if scopes.index(token) < scopes.index(ROUTES[route].scope):
            assert (status, SECRET_WORD in text) == (403, False)
        else:
            assert status not in (401, 403, 404), text


def test_a_token_that_a_node_knows_is_worth_nothing_at_once_when_it_is_revoked(world: World) -> None:
    world.secrets["used"] = world.tokens.create("one", "admin", ["admin"])
    newest = max(world.tokens.list_tokens("one"), key=lambda one: one.created_at)

    def statuses() -> set[int]:
        asked = [(*route.partition(" ")[::2], about.body) for route, about in ROUTES.items()]
        return {on_row(world.asks, "used", method, path, body)[0] for method, path, body in asked}

    assert not statuses() & {401, 403}
    world.tokens.revoke(newest.id)
    assert statuses() == {401}


@pytest.mark.parametrize("route", ROUTES)
def test_a_space_of_others_is_answered_as_one_that_does_not_exist(world: World, route: str) -> None:
    method, path = route.split(" ")
    body = ROUTES[route].body
    there = world.asks("of another space", method, path, body, space="one")
    assert there == world.asks("of another space", method, path, body, space="nowhere")
    assert there == world.asks("of another space", method, path, body, space="ONE'; --")


def test_what_outsiders_sent_changed_nothing(world: World) -> None:
    with world.database.administration() as connection:
        rows = connection.execute(
            "SELECT DISTINCT t.name FROM memdir.version v LEFT JOIN memdir.token t ON t.id = v.token"
        )
        assert {name for (name,) in rows} <= {"writer", "admin"}


def test_open_routes_say_nothing_about_spaces(world: World) -> None:
    for path in OPEN_ROUTES:
        status, text = world.asks("none", "GET", path)
        assert status == 200
        assert not [
            word for word in (SECRET_WORD, "one", str(world.one)) if f'"{word}"' in text or word == text
        ]


TABLES = """
SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'memdir'::regnamespace
AND (a.attname = 'space' OR (c.relname, a.attname) = ('space', 'id'))
"""
"""Each table that holds rows of spaces, and whether it is confined, for its owner too."""


@pytest.fixture
def tables(world: World) -> dict[str, bool]:
    with psycopg.connect(world.node.url) as connection:
        return dict(connection.execute(TABLES).fetchall())


def test_each_table_with_a_space_is_confined_for_its_owner_too(tables: dict[str, bool]) -> None:
    assert {"space", "token", "version", "head", "request", "audit"} <= set(tables)
    assert [table for table, safe in tables.items() if not safe] == []


def test_sql_without_a_space_returns_nothing_from_any_table(world: World, tables: dict[str, bool]) -> None:
    for table in tables:
        assert rows_seen(world.database, table, None) in (0, "refused"), table
        assert rows_seen(world.database, table, uuid4()) in (0, "refused"), table


def test_sql_with_a_space_returns_no_row_of_another(world: World, tables: dict[str, bool]) -> None:
    with world.database.administration() as connection:
        for table in tables:
            column = "id" if table == "space" else "space"
            names = [psycopg.sql.Identifier(name) for name in (table, column)]
            query = psycopg.sql.SQL("SELECT count(*) FROM memdir.{} WHERE {} = %s").format(*names)
            for space in (world.one, world.two):
                (own,) = connection.execute(query, [space]).fetchone() or (0,)
                assert rows_seen(world.database, table, space) in (own, "refused"), table
    assert rows_seen(world.database, "version", world.one) != 0


def rows_seen(database: Database, table: str, space: UUID | None) -> int | str:
    """Count the rows that a node sees without any WHERE."""
    with database._pool.connection() as connection, connection.transaction():
        if space:
            connection.execute("SELECT set_config('memdir.space', %s, true)", [str(space)])
        try:
            query = psycopg.sql.SQL("SELECT count(*) FROM memdir.{}").format(psycopg.sql.Identifier(table))
            row = connection.execute(query).fetchone()
        except psycopg.errors.InsufficientPrivilege:
            return "refused"
        return int(row[0]) if row else 0


def test_a_node_cannot_write_into_another_space(world: World) -> None:
    insert = "INSERT INTO memdir.head (space, file, seq, deleted) VALUES (%s, 'a.md', 1, false)"

    def written(space: str) -> None:
        with world.database._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT set_config('memdir.space', %s, true)", [space])
            connection.execute(insert, [world.one])

    for space in ("", str(world.two)):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            written(space)


def test_a_node_works_as_a_role_without_rights_and_keeps_no_space_from_before(world: World) -> None:
    database = world.database
    with database.space(world.one) as session:
        assert session.changes(0).versions
    with database.direct(world.secrets["read"], "one", "read") as direct:
        assert direct.changes(0).versions
    with database._pool.connection() as connection:
        role = connection.execute(
            "SELECT rolname, rolsuper OR rolbypassrls OR rolcanlogin FROM pg_roles "
            "WHERE rolname = current_user"
        ).fetchone()
        assert role == ("memdir_node", False)
        assert connection.execute("SELECT current_setting('memdir.space', true)").fetchone() in (
            (None,),
            ("",),
        )
        assert connection.execute("SELECT count(*) FROM memdir.version").fetchone() == (0,)
