"""A node answers over HTTP what a client needs to keep a directory in step, and says what is wrong."""

import base64

import pytest

from memdir.hub.administration import Spaces, Tokens
from tests.hub.node import Node, change_shape, publish_shape

pytestmark = pytest.mark.hub


@pytest.fixture
def secret(spaces: Spaces, tokens: Tokens) -> str:
    spaces.create("one")
    return tokens.create("one", "ada")


def test_what_one_client_publishes_another_reads(node: Node, secret: str) -> None:
    with node.client(secret) as client:
        sent = client.post("/v1/spaces/one/publish", json=publish_shape(change_shape("a.md", "Größe")))
        assert (sent.status_code, sent.json()) == (200, {"seq": 1, "files": {"a.md": 1}})
        assert sent.headers["memdir-protocol"] == "1"
        told = client.get("/v1/spaces/one/changes", params={"since": 0}).json()
        (row,) = told["changes"]
        assert (told["seq"], told["more"]) == (1, False)
        assert (row["file"], row["seq"], row["size"], row["deleted"]) == ("a.md", 1, 7, False)
        assert (row["who"], row["session"], row["actor"], row["saved_ns"]) == ("Ada", "s-1", "user", 7)
        read = client.post("/v1/spaces/one/read", json={"seqs": [1, 5]}).json()
        assert base64.b64decode(read["files"].pop("1")).decode() == "Größe"
        assert read == {"files": {"5": None}}
        assert client.get("/v1/spaces/one/changes?since=1").json() == {
            "seq": 1,
            "changes": [],
            "more": False,
            "rewound": False,
        }
        assert [one["file"] for one in client.get("/v1/spaces/one/log").json()["changes"]] == ["a.md"]
