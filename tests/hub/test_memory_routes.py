"""An agent without a disk remembers, recalls, forgets, lists and reads over HTTP, through any node."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx2 as httpx
import psycopg
import psycopg.sql
import pytest

from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres

pytestmark = pytest.mark.hub


@pytest.fixture
def clients(url: str, secret: str) -> Iterator[list[httpx.Client]]:
    """Start two nodes and return a client of each."""
    with ExitStack() as stack:
        nodes = [stack.enter_context(Node(url)) for _ in range(2)]
        yield [stack.enter_context(node.client(secret)) for node in nodes]


def ask(client: httpx.Client, verb: str, request: str = "", **body: Any) -> Any:
    """Ask for a verb and return the answer, which must be good."""
    headers = {"Idempotency-Key": request} if request else {}
    answer = client.post(f"/v1/spaces/one/memory/{verb}", json=body, headers=headers)
    assert answer.status_code in (200, 202), answer.text
    return answer.json()


def test_what_one_node_was_told_the_other_knows(clients: list[httpx.Client]) -> None:
    first, second = clients
    text = "Deploys go out on Tuesdays, because the on-call engineer is rested then."
    saved = ask(first, "remember", text=text, kind="project", name="deploy day")
    assert (saved["file"], saved["created"]) == ("project_deploy-day.md", True)
    assert [one["name"] for one in ask(second, "list")["memories"]] == ["deploy-day"]
    assert text in ask(second, "read", name="deploy day")["body"]
    found = ask(second, "recall", query="On which day do we deploy?")
    assert found["files"] == ["project_deploy-day.md"]
    assert "Tuesdays" in found["text"]
    assert ask(second, "forget", name="deploy day")["file"] == "project_deploy-day.md"
    assert ask(first, "list")["memories"] == []
    assert ask(first, "recall", query="On which day do we deploy?")["files"] == []


def test_a_memory_that_was_shown_is_shown_to_the_next_who_asks(clients: list[httpx.Client]) -> None:
    ask(clients[0], "remember", text="Deploys go out on Tuesdays.", kind="project", name="deploy day")
    first, second = (ask(clients[0], "recall", query="On which day do we deploy?") for _ in range(2))
    assert first["files"] == ["project_deploy-day.md"]
    assert second == first


def test_a_recall_of_nothing_says_why(clients: list[httpx.Client]) -> None:
    ask(clients[0], "remember", text="Deploys go out on Tuesdays.", kind="project", name="deploy day")
    found = ask(clients[0], "recall", query="Which colour has the roof of the lighthouse?")
    assert found == {"text": "", "files": [], "likely": [], "because": "no memory is likely enough to help"}


def test_both_nodes_answer_the_same(clients: list[httpx.Client]) -> None:
    for number in range(6):
        ask(
            clients[number % 2],
            "remember",
            text=f"Port {4000 + number} is that of service {number}.",
            kind="project",
        )
    for verb, body in (("list", {}), ("recall", {"query": "Which port has service 3?"})):
        assert ask(clients[0], verb, **body) == ask(clients[1], verb, **body)


def test_a_request_that_comes_again_is_answered_as_the_first_time(clients: list[httpx.Client]) -> None:
    first, second = clients
    request = str(uuid4())
    told = ask(first, "remember", request, text="Say it once.", name="once", kind="feedback")
    assert ask(second, "remember", request, text="Say it once.", name="once", kind="feedback") == told
    gone = str(uuid4())
    told = ask(second, "forget", gone, name="once")
    assert ask(first, "forget", gone, name="once") == told
    log = first.get("/v1/spaces/one/log").json()["changes"]
    assert [one["deleted"] for one in log] == [True, False]


def test_a_key_is_for_one_request(clients: list[httpx.Client]) -> None:
    request = str(uuid4())
    ask(clients[0], "remember", request, text="Say it once.", name="once", kind="feedback")
    body = {"text": "Say something else.", "name": "else"}
    again = clients[1].post("/v1/spaces/one/memory/remember", json=body, headers={"Idempotency-Key": request})
    assert again.status_code == 422
    assert "another request" in again.json()["error"]


def test_the_log_says_who_wrote_and_in_which_session(clients: list[httpx.Client]) -> None:
    ask(clients[0], "remember", text="Use tabs in Makefiles.", kind="feedback", session="s-7")
    (row,) = clients[1].get("/v1/spaces/one/log").json()["changes"]
    assert (row["who"], row["session"], row["actor"]) == ("laptop", "s-7", "host")


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("remember", {"text": ""}, 422, ""),
    ("remember", {"text": "My key is AKIAIOSFODNN7EXAMPLF, keep it."}, 422, "credential"),
    ("remember", {"text": "x", "allow_secret": "yes"}, 400, "allow_secret"),
    ("remember", {"text": 7}, 400, "text"),
    ("remember", {"text": "a\0b"}, 400, ""),
    ("remember", {"text": "a\ud800b"}, 400, ""),
    ("read", {"name": "nothing"}, 404, "nothing"),
    ("read", {"name": "../../etc/passwd"}, 404, ""),
    ("forget", {"name": "nothing"}, 404, "nothing"),
    ("recall", {"query": "x", "limit": 0}, 400, "limit"),
    ("list", {"kind": "colour"}, 422, "colour"),
    ("extract", {"messages": "hello"}, 400, "messages"),
]


def test_what_cannot_be_done_is_refused_in_words(node: Node, secret: str) -> None:
    kind = {"Content-Type": "application/json"}
    with node.client(secret) as client:
        for verb, body, status, said in REFUSED:
            answer = client.post(f"/v1/spaces/one/memory/{verb}", content=json.dumps(body), headers=kind)
            assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text
        assert ask(client, "list")["memories"] == []


def test_a_bad_key_is_refused(node: Node, secret: str) -> None:
    with node.client(secret) as client:
        headers = {"Idempotency-Key": "seven"}
        answer = client.post("/v1/spaces/one/memory/remember", json={"text": "x"}, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (400, "Idempotency-Key must be a UUID.")


def test_a_change_takes_four_statements(postgres: PrivatePostgres, url: str, secret: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        name = psycopg.sql.Identifier(connection.info.dbname)
        connection.execute(psycopg.sql.SQL("ALTER DATABASE {} SET log_statement = 'all'").format(name))

    def said() -> list[str]:
        log = (postgres.folder / "log").read_text()
        return re.findall(r"LOG:  (?:statement|execute [^:]*): (\w+ ?[\w.]*)", log)

    with Node(url) as node, node.client(secret) as client:
        for number in range(3):
            before = len(said())
            about = {"text": f"Fact {number} of many.", "name": f"fact {number}", "kind": "project"}
            assert ask(client, "remember", **about)["created"]
        assert said()[before:] == ["BEGIN", "SELECT denied", "SELECT memdir.publish", "COMMIT"]
