"""A node tells how it is, ends its work before it ends, and survives what happens to it and to PostgreSQL."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from memdir.errors import Rejected
from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from tests.hub.node import Node, change_shape, publish_shape
from tests.hub.postgres import PrivatePostgres

pytestmark = pytest.mark.hub

PUBLISH = "/v1/spaces/one/publish"


def until(true: Callable[[], bool]) -> None:
    """Wait for something that is bound to happen; fail after a minute without it."""
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen")


@contextmanager
def space_locked(url: str) -> Iterator[Callable[[], bool]]:
    """Hold the row of all spaces, so that a publishing waits; gives what tells whether one does."""
    with psycopg.connect(url) as holder, psycopg.connect(url, autocommit=True) as watcher:
        holder.execute("SELECT FROM memdir.space FOR UPDATE")

        def waits() -> bool:
            query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"
            row = watcher.execute(query, [url.rpartition("/")[2]]).fetchone()
            return bool(row and row[0])

        yield waits


def test_a_node_says_whether_it_lives_and_can_work(node: Node) -> None:
    with node.client() as client:
        assert client.get("/healthz").json() == {"ok": True}
        assert client.get("/readyz").json() == {"ok": True, "because": ""}


def test_a_node_on_a_database_without_tables_is_not_ready(postgres: PrivatePostgres) -> None:
    Database(postgres.database()).migrate()  # so that its roles are there, or it takes longer to say so
    with Node(postgres.database()) as node, node.client("memdir_x") as client:
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 503
        assert client.get("/v1/spaces/one/changes").status_code == 503


def test_metrics_count_requests_by_route_and_status(node: Node, secret: str) -> None:
    with node.client(secret) as client:
        client.get("/v1/spaces/one/changes")
        client.get("/v1/spaces/other/changes")
        client.get("/wp-login.php")
        lines = client.get("/metrics").text.splitlines()
    route = 'route="/v1/spaces/{space}/changes"'
    for status in ("200", "404"):
        assert f'memdir_requests_total{{method="GET",{route},status="{status}"}} 1.0' in lines
    assert 'memdir_requests_total{method="GET",route="none",status="404"} 1.0' in lines
    assert f"memdir_request_seconds_count{{{route}}} 2.0" in lines


def test_the_log_has_a_line_a_request_and_nothing_that_memories_or_tokens_say(
    node: Node, secret: str
) -> None:
    with node.client(secret) as client:
        client.post(PUBLISH, json=publish_shape(change_shape("quillwort.md", "The quillwort grows.")))
        client.post(PUBLISH, json=publish_shape(change_shape("quillwort.md", "AKIAQYLPMN5HFIQR7XYA")))
        client.get("/v1/spaces/quillwort/changes?since=0&mark=quillwort")
        client.get("/quillwort")
    node.end()
    rows = [json.loads(line) for line in node.log.splitlines()]
    assert [row["event"] for row in rows] == ["node started", *["request"] * 4, "node stopped"]
    assert [row["status"] for row in rows[1:-1]] == [200, 422, 400, 404]
    assert {row["route"] for row in rows[1:3]} == {"/v1/spaces/{space}/publish"}
    assert rows[1]["space"]
    assert rows[1]["token"]
    assert not [word for word in ("quillwort", "AKIA", "the laptop", secret) if word in node.log]


def test_a_node_that_is_told_to_stop_answers_what_it_works_on(node: Node, url: str, secret: str) -> None:
    with node.client(secret) as client, ThreadPoolExecutor(1) as pool:
        with space_locked(url) as waits:
            sent = pool.submit(client.post, PUBLISH, json=publish_shape(change_shape("a.md", "A")))
            until(waits)
            node.process.send_signal(signal.SIGTERM)
            until(lambda: not answers(node))
        assert sent.result().status_code == 200
    assert node.process.wait(60) == 0


def answers(node: Node) -> bool:
    """Tell whether a node still takes new connections."""
    try:
        with node.client() as client:
            return bool(client.get("/healthz"))
    except OSError:
        return False
    except Exception as error:  # noqa: BLE001 - whatever the client makes of a closed port
        return "refused" not in str(error)


def test_a_node_needs_no_login_that_can_do_more_than_a_node(url: str, secret: str) -> None:
    login = f"login_{url.rpartition('/')[2]}"
    with psycopg.connect(url) as connection:
        for step in (f"CREATE ROLE {login} LOGIN", f"GRANT memdir_node TO {login}"):
            connection.execute(step.encode())
    bare = url.replace("memdir@", f"{login}@")
    with Node(bare) as node, node.client(secret) as client:
        assert client.get("/readyz").status_code == 200
        assert client.post(PUBLISH, json=publish_shape(change_shape("a.md", "A"))).status_code == 200
    with pytest.raises(Rejected, match="may not administer"):
        Spaces(Database(bare)).names()
    with psycopg.connect(bare) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SET ROLE memdir_admin")


def test_a_publishing_whose_node_is_killed_is_stored_once(node: Node, url: str, secret: str) -> None:
    """The client does not know what became of it, and sends it again to another node."""
    body = publish_shape(change_shape("a.md", "A"))
    with Node(url) as second, node.client(secret) as one, second.client(secret) as two:
        with space_locked(url) as waits, ThreadPoolExecutor(1) as pool:
            sent = pool.submit(one.post, PUBLISH, json=body)
            until(waits)
            node.end(signal.SIGKILL)
            assert sent.exception()
        answer = two.post(PUBLISH, json=body)
        assert (answer.status_code, answer.json()) == (200, {"seq": 1, "files": {"a.md": 1}})
        assert [row["seq"] for row in two.get("/v1/spaces/one/log").json()["changes"]] == [1]


@pytest.fixture
def other() -> Iterator[PrivatePostgres]:
    """Start a server of its own, which a test may end."""
    server = PrivatePostgres()
    yield server
    server.stop()


@pytest.mark.usefixtures("postgres")  # which says why where there is none
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT])
def test_a_node_says_that_postgres_is_away_and_goes_on_when_it_is_back(
    other: PrivatePostgres, sign: signal.Signals
) -> None:
    database = Database(other.database())
    database.migrate()
    Spaces(database).create("one")
    secret = Tokens(database).create("one", "laptop")
    with Node(other.url_of("test_0")) as node, node.client(secret) as client:
        assert client.post(PUBLISH, json=publish_shape(change_shape("a.md", "A"))).status_code == 200
        other.end(sign)
        away = client.get("/v1/spaces/one/changes")
        assert (away.status_code, "PostgreSQL" in away.json()["error"]) == (503, True)
        assert away.headers["Retry-After"] == "1"
        assert (client.get("/healthz").status_code, client.get("/readyz").status_code) == (200, 503)
        other.start()
        until(lambda: client.get("/readyz").status_code == 200)
        until(lambda: client.get("/v1/spaces/one/changes").status_code == 200)
        assert client.get("/v1/spaces/one/changes").json()["changes"]["file"] == ["a.md"]


@pytest.mark.usefixtures("postgres")
def test_a_login_that_is_no_superuser_makes_a_hub_and_runs_it(other: PrivatePostgres) -> None:
    with psycopg.connect(other.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE keeper LOGIN CREATEROLE")
        connection.execute("CREATE DATABASE hub OWNER keeper")
    url = other.url_of("hub").replace("memdir@", "keeper@")
    database = Database(url)
    assert database.migrate()
    Spaces(database).create("one")
    with Node(url) as node, node.client(Tokens(database).create("one", "ada")) as client:
        assert client.post(PUBLISH, json=publish_shape(change_shape("a.md", "A"))).status_code == 200


def test_a_backup_restores_every_space_byte_for_byte_on_a_fresh_server(
    postgres: PrivatePostgres, other: PrivatePostgres, url: str
) -> None:
    spaces, tokens = Spaces(Database(url)), Tokens(Database(url))
    for name in ("one", "two"):
        spaces.create(name)
    secrets = {name: tokens.create(name, "laptop") for name in ("one", "two")}
    with Node(url) as node:
        for name, secret in secrets.items():
            with node.client(secret) as client:
                texts = [f"{name} {n} Größe ☃ \r\n\t\\x00 \N{PILE OF POO}" for n in range(20)]
                changes = [change_shape(f"m{n}.md", text) for n, text in enumerate(texts)]
                at = f"/v1/spaces/{name}/publish"
                assert client.post(at, json=publish_shape(*changes)).status_code == 200
                again = [change_shape("m1.md", "second", 2), change_shape("m2.md", None, 3)]
                assert client.post(at, json=publish_shape(*again)).status_code == 200
        before = {name: everything(node, secret, name) for name, secret in secrets.items()}
    dump = str(other.folder / "hub.dump")
    postgres.tool("pg_dump", "--format=custom", f"--file={dump}", url)
    for role in ("memdir_node", "memdir_admin"):
        other.tool("createuser", "--no-login", *address(other), role)
    restored = other.database()
    other.tool("pg_restore", "--exit-on-error", f"--dbname={restored}", dump)
    with Node(restored) as node:
        assert {name: everything(node, secret, name) for name, secret in secrets.items()} == before
        with node.client(secrets["one"]) as client:
            answer = client.post(PUBLISH, json=publish_shape(change_shape("new.md", "after")))
            assert answer.json() == {"seq": 23, "files": {"new.md": 23}}
    assert Database(restored).migrate() == []
    assert Spaces(Database(restored)).usage() != []


def address(server: PrivatePostgres) -> list[str]:
    return ["--host=127.0.0.1", f"--port={server.port}", "--username=memdir"]


def everything(node: Node, secret: str, space: str) -> dict[str, Any]:
    """Return all that a space holds: every version with its text."""
    at = f"/v1/spaces/{space}"
    with node.client(secret) as client:
        log, changes = client.get(f"{at}/log").json(), client.get(f"{at}/changes").json()
        texts = client.post(f"{at}/read", json={"seqs": [row["seq"] for row in log["changes"]]}).json()
    assert len(log["changes"]) == 22
    return {"log": log, "changes": changes, "texts": texts}
