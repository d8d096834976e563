"""A node answers over HTTP what a client needs to keep a directory in step, and says what is wrong."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.hub.node import Node, change_shape, publish_shape

pytestmark = pytest.mark.hub

PUBLISH = "/v1/spaces/one/publish"


@pytest.fixture
def client(node: Node, secret: str) -> Iterator[Any]:
    with node.client(secret) as opened:
        yield opened


def test_what_one_client_publishes_another_reads(client: Any) -> None:
    sent = client.post(PUBLISH, json=publish_shape(change_shape("a.md", "Größe")))
    assert (sent.status_code, sent.json()) == (200, {"seq": 1, "files": {"a.md": 1}})
    assert sent.headers["memdir-protocol"] == "1"
    told = client.get("/v1/spaces/one/changes", params={"since": 0}).json()
    row = {name: one for name, (one,) in told["changes"].items()}
    assert (told["seq"], told["more"]) == (1, False)
    assert (row["file"], row["seq"], row["size"], row["deleted"]) == ("a.md", 1, 7, False)
    assert (row["who"], row["session"], row["actor"], row["saved_ns"]) == ("the laptop", "s-1", "user", 7)
    read = client.post("/v1/spaces/one/read", json={"seqs": [1, 5]}).json()
    assert base64.b64decode(read["files"].pop("1")).decode() == "Größe"
    assert read == {"files": {"5": None}}
    nothing = {"seq": 1, "changes": {}, "more": False, "rewound": False}
    assert client.get("/v1/spaces/one/changes?since=1").json() == nothing
    assert [one["file"] for one in client.get("/v1/spaces/one/log").json()["changes"]] == ["a.md"]


def test_the_log_is_read_in_pages(client: Any) -> None:
    client.post(PUBLISH, json=publish_shape(*[change_shape(f"m{n}.md", str(n)) for n in range(5)]))
    first = client.get("/v1/spaces/one/log?limit=3").json()
    rest = client.get(f"/v1/spaces/one/log?limit=3&before={first['changes'][-1]['seq']}").json()
    assert [one["seq"] for page in (first, rest) for one in page["changes"]] == [5, 4, 3, 2, 1]
    assert (first["more"], rest["more"]) == (True, False)


def test_a_change_of_another_version_is_answered_with_the_present_one(client: Any) -> None:
    client.post(PUBLISH, json=publish_shape(change_shape("a.md", "A")))
    late = client.post(PUBLISH, json=publish_shape(change_shape("a.md", "B")))
    assert (late.status_code, late.json()["moved"]) == (409, {"a.md": 1})


def test_what_no_remote_takes_is_refused_with_the_reason(client: Any) -> None:
    bad = [
        change_shape("../up.md", "A"),
        change_shape("key.md", "AKIAQYLPMN5HFIQR7XYA"),
        change_shape("a.md", "A"),
    ]
    answer = client.post(PUBLISH, json=publish_shape(*bad))
    assert (answer.status_code, set(answer.json()["refused"])) == (422, {"../up.md", "key.md"})
    assert "AKIA" not in answer.text
    assert client.get("/v1/spaces/one/changes").json()["changes"] == {}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 100_000, 400),
        (b'{"request": "x", "changes": []}', 400),
        (b'{"request": 7, "changes": []}', 400),
        (b'{"changes": {}}', 400),
        (json.dumps({"changes": [1]}).encode(), 400),
        (json.dumps(publish_shape(*[{"file": f"{n}.md"} for n in range(501)])).encode(), 400),
        (json.dumps(publish_shape({**change_shape("a.md", "A"), "base": "1"})).encode(), 400),
        (json.dumps(publish_shape({**change_shape("a.md", "A"), "base": True})).encode(), 400),
        (json.dumps(publish_shape({**change_shape("a.md", "A"), "data": "%%%"})).encode(), 400),
        (json.dumps(publish_shape({**change_shape("a.md", "A"), "saved_ns": 10**30})).encode(), 400),
        (json.dumps(publish_shape({**change_shape("a.md", "A"), "who": "\ud800\0"})).encode(), 200),
        (b"x" * (7 << 20), 413),
    ],
)
def test_what_cannot_be_understood_is_said_in_a_sentence(client: Any, body: bytes, status: int) -> None:
    answer = client.post(PUBLISH, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert status == 200 or answer.json()["error"].endswith(".")


def test_numbers_of_a_query_are_bounded(client: Any) -> None:
    for query in ("since=-1", "since=x", "limit=1e3", "since=" + "9" * 40):
        assert client.get(f"/v1/spaces/one/changes?{query}").status_code == 400
    assert client.get("/v1/spaces/one/changes?limit=99999999&since=9999999999999999999").status_code == 200


def test_other_paths_methods_types_and_protocols_are_refused(client: Any) -> None:
    assert client.get("/v1/spaces/one/nothing").status_code == 404
    assert client.get(PUBLISH).status_code == 405
    assert client.post(PUBLISH, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    older = client.get("/v1/spaces/one/changes", headers={"Memdir-Protocol": "0"})
    assert (older.status_code, "protocol 1" in older.json()["error"]) == (400, True)


def test_a_token_that_asks_too_often_is_told_to_wait(url: str, secret: str) -> None:
    with Node(url, "--rate", "2") as node, node.client(secret) as client:
        answers = [client.get("/v1/spaces/one/changes") for _ in range(60)]
    late = [answer for answer in answers if answer.status_code == 429]
    assert late
    assert {answer.headers["Retry-After"] for answer in late} == {"1"}
    assert {answer.status_code for answer in answers} == {200, 429}
