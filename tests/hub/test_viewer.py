"""The viewer shows a space to a browser that signed in with a token of it, through any node."""

import html
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import httpx2 as httpx
import pytest

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.cache import Caches, Work
from memdir.hub.database import Database
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from tests.hub.node import Node

pytestmark = pytest.mark.hub

TEXT = "Deploys go out on Tuesdays, never on Fridays."


@pytest.fixture
def nodes(url: str) -> Iterator[list[Node]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Node(url)) for _ in range(2)]


@pytest.fixture
def secret(spaces: Spaces, tokens: Tokens, nodes: list[Node]) -> str:
    """Make a space with one memory in it and return a token of it."""
    spaces.create("one")
    spaces.create("two")
    made = tokens.create("one", "laptop")
    with nodes[0].client(made) as client:
        said = {"text": TEXT, "name": "deploys", "kind": "project"}
        assert client.post("/v1/spaces/one/memory/remember", json=said).status_code == 200
    return made


def sign_in(node: Node, token: str, space: str = "one", **headers: str) -> httpx.Response:
    """Send the form with a token, as a browser does."""
    with httpx.Client(base_url=node.address, timeout=30) as client:
        given = {"Origin": node.address} | headers
        return client.post(f"/ui/{space}/sign-in", data={"token": token}, headers=given)


def browser(node: Node, cookie: str) -> httpx.Client:
    headers = {"Cookie": f"memdir={cookie}", "Origin": node.address}
    return httpx.Client(base_url=node.address, headers=headers, timeout=30)


def cookie_of(answer: httpx.Response) -> str:
    found = re.match(r"memdir=([\w-]{40,});", answer.headers["set-cookie"])
    assert found
    return found[1]


def field(page: str, name: str, at: int = 0) -> str:
    """Return what a hidden field of a page holds."""
    return str(re.findall(f'name="{name}" value="([^"]*)"', page)[at])


def test_a_token_is_exchanged_for_a_cookie_that_every_node_knows(nodes: list[Node], secret: str) -> None:
    answer = sign_in(nodes[0], secret)
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/one/")
    for word in ("HttpOnly", "SameSite=strict", "Path=/ui/one/"):
        assert word in answer.headers["set-cookie"]
    assert secret not in answer.headers["set-cookie"]
    for node in nodes:
        with browser(node, cookie_of(answer)) as client:
            page = client.get("/ui/one/")
            assert page.status_code == 200
            assert "deploys" in page.text
            assert "The space one" in page.text
            assert "script-src 'self'" in page.headers["content-security-policy"]
            assert "default-src 'none'" in page.headers["content-security-policy"]
            links = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
            assert links
            assert [link for link in links if not link.startswith("/ui/one/")] == []
            for link in links:
                assert client.get(link.replace("&amp;", "&")).status_code == 200, link
            assert TEXT in client.get("/ui/one/memory/project_deploys.md").text


def test_what_is_edited_in_a_browser_is_in_postgresql_and_on_every_node(
    nodes: list[Node], secret: str
) -> None:
    cookie = cookie_of(sign_in(nodes[0], secret))
    place = "/ui/one/memory/project_deploys.md"
    with browser(nodes[0], cookie) as first, browser(nodes[1], cookie) as second:
        page = second.get(f"{place}?edit=1").text
        typed = TEXT.replace("Tuesdays", "Mondays")
        form = {
            "do": "edit",
            "mark": field(page, "mark"),
            "text": typed,
            "form_token": field(page, "form_token"),
        }
        assert first.post(place, data=form).status_code == 303
        assert "Mondays" in second.get(place).text
        again = second.post(place, data=form)
        assert (again.status_code, "Somebody changed this memory" in again.text) == (409, True)
        gone = {"do": "forget", "form_token": field(page, "form_token")}
        assert second.post(place, data=gone).status_code == 303
        assert first.get(place).status_code == 404
    with nodes[0].client(secret) as client:
        log = client.get("/v1/spaces/one/log").json()["changes"]
        assert [(one["deleted"], one["who"], one["actor"]) for one in log] == [
            (True, "laptop", "user"),
            (False, "laptop", "user"),
            (False, "laptop", "host"),
        ]


def edit(client: httpx.Client, old: str, new: str) -> httpx.Response:
    """Change the text of the memory by its form, and return the page that follows."""
    place = "/ui/one/memory/project_deploys.md"
    page = client.get(f"{place}?edit=1").text
    form = {name: field(page, name) for name in ("mark", "form_token")}
    text = html.unescape(re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)[0])
    done = client.post(place, data={"do": "edit", "text": text.replace(old, new), **form})
    assert done.status_code == 303, done.text
    return client.get(done.headers["location"])


def undo(client: httpx.Client, page: str, at: int = 0) -> httpx.Response:
    """Press one of the buttons that undo something."""
    form = re.findall(r'action="/ui/one/undo".*?</form>', page, re.DOTALL)[at]
    return client.post("/ui/one/undo", data={n: field(form, n) for n in ("form_token", "operation", "back")})


def test_the_history_and_the_timeline_of_a_space_are_shown_and_each_change_is_undone_on_any_node(
    nodes: list[Node], secret: str
) -> None:
    cookie, place = cookie_of(sign_in(nodes[0], secret)), "/ui/one/memory/project_deploys.md"
    with browser(nodes[0], cookie) as first, browser(nodes[1], cookie) as second:
        page = edit(first, "Tuesdays", "Mondays").text
        assert "Saved." in page
        assert "Mondays" in second.get(place).text
        assert undo(first, page).status_code == 303  # by the button beside the note
        assert "Tuesdays" in (history := second.get(place).text)
        assert [name in history for name in ("remember", "edit", "undo")] == [True] * 3
        assert "laptop" in history
        edit(second, "Fridays", "Sundays")
        timeline = first.get("/ui/one/timeline").text
        assert timeline.count('action="/ui/one/undo"') == 4
        assert "project_deploys.md" in timeline
        back = undo(first, timeline)
        assert (back.status_code, back.headers["location"].partition("?")[0]) == (303, "/ui/one/timeline")
        assert "Fridays" in second.get(place).text
        gone = {"do": "forget", "form_token": field(second.get(place).text, "form_token")}
        assert second.post(place, data=gone).status_code == 303
        assert undo(first, first.get("/ui/one/timeline").text).status_code == 303
        assert TEXT in second.get(place).text
    with nodes[0].client(secret) as client:
        log = client.get("/v1/spaces/one/log").json()["changes"]
        assert {one["who"] for one in log} == {"laptop"}
        assert len(log) == 7


def test_a_rename_is_followed_and_what_changed_since_is_asked_about(nodes: list[Node], secret: str) -> None:
    cookie, place = cookie_of(sign_in(nodes[0], secret)), "/ui/one/memory/project_deploys.md"
    with browser(nodes[0], cookie) as first, browser(nodes[1], cookie) as second:
        edit(first, "Tuesdays", "Mondays")
        edit(second, "Mondays", "Wednesdays")
        history = first.get(place).text
        before = undo(first, history, 1)  # the change to Mondays, which was changed since
        assert (before.status_code, "Wednesdays" in before.text) == (409, True)
        form = {"do": "rename", "name": "releases", "form_token": field(history, "form_token")}
        assert first.post(place, data=form).status_code == 303
        moved = second.get("/ui/one/memory/project_releases.md").text
        assert [name in moved for name in ("rename", "edit", "remember")] == [True] * 3
        assert undo(second, moved).status_code == 303
        assert "Wednesdays" in first.get(place).text


def test_a_change_whose_old_text_was_purged_is_not_undone(
    nodes: list[Node], secret: str, tokens: Tokens
) -> None:
    cookie, place = cookie_of(sign_in(nodes[0], secret)), "/ui/one/memory/project_deploys.md"
    with (
        browser(nodes[0], cookie) as client,
        nodes[0].client(tokens.create("one", "root", ["admin"])) as root,
    ):
        edit(client, "Deploys go out on Tuesdays, never on Fridays", "Nothing of it is left")
        assert root.post("/v1/spaces/one/purge", json={"words": ["never on Fridays"]}).json()["versions"] == 1
        answer = undo(client, client.get(place).text)
        assert (answer.status_code, "it was purged" in answer.text) == (404, True)
        assert "Nothing of it is left" in client.get(place).text


def propose(database: Database, space: UUID, folder: Path, name: str) -> None:
    """Let a proposal wait in the inbox, as a worker does."""
    text = f"---\nname: {name}\ndescription: The machine {name}.\ntype: project\n---\n\nIt runs the builds.\n"
    by, now = Provenance("extractor", "assistant"), datetime.now(UTC)
    proposal = Proposal((Change(f"project_{name}.md", None, text),), by, "nobody confirmed it", now)
    caches = Caches(os.environ, folder=str(folder))
    with caches.of(space) as cache:
        opened = partial(database.space, space)
        cache.write(opened, lambda memory: Inbox(memory.state).add(proposal), Work(uuid4()))
    caches.close()


@pytest.mark.usefixtures("secret")
def test_what_waits_in_the_inbox_is_decided_in_a_browser_of_any_node(
    tmp_path: Path, nodes: list[Node], database: Database, spaces: Spaces, tokens: Tokens
) -> None:
    (space,) = [UUID(one["id"]) for one in spaces.usage() if one["name"] == "one"]
    cookie = cookie_of(sign_in(nodes[0], tokens.create("one", "server")))
    with browser(nodes[0], cookie) as first, browser(nodes[1], cookie) as second:
        for name, choice, status in (("compiler", "reject", 404), ("archive", "apply", 200)):
            propose(database, space, tmp_path, name)
            page = second.get("/ui/one/inbox").text
            assert name in page
            form = {"id": field(page, "id"), "do": choice, "form_token": field(page, "form_token")}
            assert first.post("/ui/one/inbox", data=form).status_code == 303
            assert name not in second.get("/ui/one/inbox").text
            assert second.get(f"/ui/one/memory/project_{name}.md").status_code == status


def test_only_a_token_of_the_space_signs_in(nodes: list[Node], secret: str, tokens: Tokens) -> None:
    past = datetime.now(UTC) - timedelta(seconds=1)
    others = ("", "memdir_x", tokens.create("two", "server"), tokens.create("one", "old", ["read"], past))
    for token in others:
        answer = sign_in(nodes[0], token)
        assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
    refused = sign_in(nodes[0], secret, Origin="https://evil.example")
    assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
    missing, there = sign_in(nodes[0], "", "nowhere"), sign_in(nodes[0], "", "one")
    assert missing.text.replace("nowhere", "one") == there.text


def test_without_a_cookie_of_the_space_no_page_is_shown(
    nodes: list[Node], secret: str, tokens: Tokens
) -> None:
    foreign = cookie_of(sign_in(nodes[0], tokens.create("two", "server"), "two"))
    for cookie in ("", "x" * 43, foreign, secret):
        with browser(nodes[0], cookie) as client:
            for path in (
                "",
                "memory/project_deploys.md",
                "ask?q=deploys",
                "timeline",
                "inbox",
                f"?token={secret}",
            ):
                page = client.get(f"/ui/one/{path}")
                assert page.status_code == 401
                assert "Tuesdays" not in page.text
            gone = client.post("/ui/one/memory/project_deploys.md", data={"do": "forget"})
            assert gone.status_code == 401
    with nodes[0].client(secret) as client:  # and a bearer token opens no page
        assert client.get("/ui/one/").status_code == 401


def test_a_revoked_token_closes_its_browsers_at_once(nodes: list[Node], secret: str, tokens: Tokens) -> None:
    cookie = cookie_of(sign_in(nodes[0], secret))
    with browser(nodes[1], cookie) as client:
        assert client.get("/ui/one/").status_code == 200
        tokens.revoke(next(one.id for one in tokens.list_tokens("one") if one.name == "laptop"))
        assert client.get("/ui/one/").status_code == 401


def test_a_token_that_may_only_read_changes_nothing_in_a_browser(
    nodes: list[Node], secret: str, tokens: Tokens
) -> None:
    assert secret
    cookie = cookie_of(sign_in(nodes[0], tokens.create("one", "monitor", ["read"])))
    place = "/ui/one/memory/project_deploys.md"
    with browser(nodes[0], cookie) as client:
        token = field(client.get(place).text, "form_token")
        assert client.post(place, data={"do": "forget", "form_token": token}).status_code == 403
        assert client.get(place).status_code == 200


def test_a_form_of_elsewhere_is_refused(nodes: list[Node], secret: str) -> None:
    cookie = cookie_of(sign_in(nodes[0], secret))
    other = cookie_of(sign_in(nodes[0], secret))
    place = "/ui/one/memory/project_deploys.md"
    with browser(nodes[0], cookie) as client, browser(nodes[0], other) as beside:
        mine, theirs = (field(one.get(place).text, "form_token") for one in (client, beside))
        gone = {"do": "forget", "form_token": mine}
        for origin in ("https://evil.example", "null", ""):
            assert client.post(place, data=gone, headers={"Origin": origin}).status_code == 403
        assert client.post(place, data=gone | {"form_token": theirs}).status_code == 403
        assert client.get(place).status_code == 200


def test_who_signs_out_is_out_on_every_node(nodes: list[Node], secret: str) -> None:
    cookie = cookie_of(sign_in(nodes[0], secret))
    with browser(nodes[0], cookie) as client, browser(nodes[1], cookie) as other:
        assert other.get("/ui/one/").status_code == 200
        assert client.post("/ui/one/sign-out").status_code == 303
        assert other.get("/ui/one/").status_code == 401
