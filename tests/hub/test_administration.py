"""Who administers a space manages its tokens and sees its use, over HTTP and from the terminal."""

import json
from typing import Any

import pytest

from memdir.cli.app import run
from memdir.hub.administration import Spaces, Tokens
from tests.hub.node import Node, change_shape, publish_shape

pytestmark = pytest.mark.hub

AT = "/v1/spaces/one"


def test_an_administrator_makes_and_revokes_tokens_of_the_space(admin: Any, node: Node) -> None:
    made = admin.post(f"{AT}/tokens", json={"name": "guest", "scope": "read", "days": 7}).json()["token"]
    with node.client(made) as guest:
        assert guest.get(f"{AT}/changes").status_code == 200
        assert guest.get(f"{AT}/tokens").status_code == 403
        rows = {row["name"]: row for row in admin.get(f"{AT}/tokens").json()["tokens"]}
        assert (rows["guest"]["scopes"], bool(rows["guest"]["expires"])) == (["read"], True)
        assert rows["root"]["expires"] == rows["guest"]["revoked"] == ""
        assert admin.post(f"{AT}/tokens/revoke", json={"id": rows["guest"]["id"]}).status_code == 200
        assert guest.get(f"{AT}/changes").status_code == 401
    told = admin.get(f"{AT}/audit").json()["entries"]
    assert [entry["action"] for entry in told][:2] == ["token revoked", "token created"]
    assert told[0]["token"] == rows["root"]["id"]


def test_a_token_of_another_space_cannot_be_revoked(admin: Any, spaces: Spaces, tokens: Tokens) -> None:
    spaces.create("two")
    tokens.create("two", "server")
    (other,) = tokens.list_tokens("two")
    assert admin.post(f"{AT}/tokens/revoke", json={"id": str(other.id)}).status_code == 400
    assert tokens.list_tokens("two") == [other]


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": "x", "scope": "root"}, {"name": "x", "days": 0}, {"name": "x", "days": True}],
)
def test_a_token_that_cannot_be_is_not_made(admin: Any, body: dict[str, Any]) -> None:
    assert admin.post(f"{AT}/tokens", json=body).status_code == 400


def test_use_is_told_in_figures(admin: Any) -> None:
    admin.post(f"{AT}/publish", json=publish_shape(change_shape("a.md", "four"), change_shape("b.md", "B")))
    admin.post(f"{AT}/publish", json=publish_shape(change_shape("b.md", None, 2)))
    told = admin.get(f"{AT}/usage").json()
    figures = {name: told[name] for name in ("name", "seq", "memories", "versions", "bytes", "tokens")}
    assert figures == {"name": "one", "seq": 3, "memories": 1, "versions": 3, "bytes": 5, "tokens": 1}


def test_an_administrator_works_from_the_terminal(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    def typed(*words: str, code: int = 0) -> str:
        assert run([*words, "--database", url]) == code
        return capsys.readouterr().out

    typed("hub", "space", "create", "team-a")
    secret = typed("hub", "token", "create", "team-a", "laptop", "--scope", "read", "--days", "3").strip()
    assert secret.startswith("memdir_")
    (row,) = json.loads(typed("hub", "token", "list", "--json"))["tokens"]
    assert (row["name"], row["scopes"], row["revoked"]) == ("laptop", ["read"], "")
    assert row["id"] in typed("hub", "token", "list", "team-a")
    typed("hub", "token", "revoke", row["id"])
    assert "revoked" in typed("hub", "token", "list")
    typed("hub", "token", "revoke", "no-id", code=6)
    assert typed("hub", "space", "list") == "team-a\n"
    assert "0 memories" in typed("hub", "usage")
    typed("hub", "space", "delete", "team-a", "--yes")
    assert json.loads(typed("hub", "usage", "--json")) == {"spaces": []}
    told = json.loads(typed("hub", "audit", "--json"))["entries"]
    assert [(entry["action"], entry["detail"].get("name", "")) for entry in told] == [
        ("space deleted", "team-a"),
        ("token revoked", ""),
        ("token created", "laptop"),
        ("space created", "team-a"),
    ]
    assert typed("hub", "audit", "--limit", "1").count("\n") == 1
