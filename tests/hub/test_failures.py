"""What is not acknowledged is nowhere: nodes die and PostgreSQL goes away between a write and its commit."""

import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2 as httpx
import pytest

from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres
from tests.hub.waits import publishing_waits, until_one_waits

pytestmark = pytest.mark.hub

AT = "/v1/spaces/one/memory"
MEMORY = {"text": "Deploys go out on Tuesdays.", "name": "deploys", "kind": "project"}


def sent(pool: ThreadPoolExecutor, client: httpx.Client, request: str = "") -> "Future[httpx.Response]":
    headers = {"Idempotency-Key": request or str(uuid4())}
    return pool.submit(client.post, f"{AT}/remember", json=MEMORY, headers=headers)


def names(client: httpx.Client) -> list[str]:
    answer = client.post(f"{AT}/list", json={})
    assert answer.status_code == 200, answer.text
    return [one["name"] for one in answer.json()["memories"]]


def saved_in(copies: Path) -> list[Path]:
    """Return the memory files in the copies that nodes keep."""
    return [*copies.glob("memdir-node-*/*/memories/*_deploys.md")]


def folders_in(copies: Path) -> list[Path]:
    return [path for path in copies.glob("memdir-node-*") if path.is_dir()]


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the nodes of a test keep their copies in a folder of its own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def test_a_node_that_is_killed_before_the_commit_has_said_nothing(
    url: str, secret: str, copies: Path
) -> None:
    request = str(uuid4())
    with Node(url) as first, Node(url) as second, ThreadPoolExecutor() as pool:
        with first.client(secret) as client, publishing_waits(url):
            answer = sent(pool, client, request)
            until_one_waits(url)
            assert saved_in(copies)
            first.end(signal.SIGKILL)
            with pytest.raises(httpx.HTTPError):
                answer.result()
        with second.client(secret) as other:
            assert names(other) == []
            assert (
                other.post(f"{AT}/remember", json=MEMORY, headers={"Idempotency-Key": request}).status_code
                == 200
            )
            assert names(other) == ["deploys"]
            assert other.get("/v1/spaces/one/changes").json()["seq"] == 1


def test_a_node_whose_connection_ends_before_the_commit_keeps_nothing(
    url: str, secret: str, copies: Path
) -> None:
    with Node(url) as node, node.client(secret) as client, ThreadPoolExecutor() as pool:
        with publishing_waits(url) as connection:
            answer = sent(pool, client)
            connection.execute("SELECT pg_terminate_backend(%s)", [until_one_waits(url)])
            assert answer.result().status_code == 503
            assert saved_in(copies) == []
        assert names(client) == []
        assert client.get("/v1/spaces/one/changes").json()["seq"] == 0


def test_while_postgresql_is_away_nothing_is_taken_and_nothing_is_kept(
    postgres: PrivatePostgres, url: str, secret: str, copies: Path
) -> None:
    request: dict[str, Any] = {"json": MEMORY, "headers": {"Idempotency-Key": str(uuid4())}}
    with Node(url) as node, node.client(secret) as client:
        assert names(client) == []
        postgres.end()
        try:
            asked = {"remember": request, "list": {"json": {}}, "extract": {"json": {"messages": [{}]}}}
            for verb, how in asked.items():
                answer = client.post(f"{AT}/{verb}", **how)
                assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
            assert saved_in(copies) == []
        finally:
            postgres.start()
        while client.get("/readyz").status_code != 200:
            time.sleep(0.05)
        assert names(client) == []
        assert client.post(f"{AT}/remember", **request).status_code == 200
        assert names(client) == ["deploys"]


def test_two_nodes_that_save_the_same_name_at_once_make_one_memory(url: str, secret: str) -> None:
    with ExitStack() as stack:
        nodes = [stack.enter_context(Node(url)) for _ in range(2)]
        clients = [stack.enter_context(node.client(secret)) for node in nodes]
        pool = stack.enter_context(ThreadPoolExecutor())
        with publishing_waits(url):
            answers = [sent(pool, client) for client in clients]
            until_one_waits(url)
        assert sorted(answer.result().json()["created"] for answer in answers) == [False, True]
        assert [names(client) for client in clients] == [["deploys"], ["deploys"]]


def test_what_a_dead_node_left_on_the_disk_is_removed_by_the_next(
    url: str, secret: str, copies: Path
) -> None:
    with Node(url) as node, node.client(secret) as client:
        assert client.post(f"{AT}/remember", json=MEMORY).status_code == 200
        node.end(signal.SIGKILL)
    (left,) = folders_in(copies)
    os.utime(left, (0, 0))
    with Node(url) as node:
        assert not left.exists()
        assert len(folders_in(copies)) == 1
        with node.client() as client:
            assert client.get("/healthz").status_code == 200  # from now on it ends as it should
        node.end()
    assert folders_in(copies) == []
