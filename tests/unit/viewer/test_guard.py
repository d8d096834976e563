"""Nobody but the person at this machine is shown a page, and no page changes anything unasked."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.viewer.visitor import Visitor

from memdir.memory import Memory

PAGES = ("/", "/ask?q=deploys", "/timeline", "/context", "/inbox", "/rules", "/doctor", "/help")
POSTS = ("/memory/user_terse.md", "/undo", "/ask", "/inbox", "/rules", "/doctor")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:4711", ""]
)
@pytest.mark.parametrize("address", ["/", "/?token=a-token-for-tests", "/static/viewer.css"])
def test_another_host_name_is_refused(visitor: Visitor, host: str, address: str) -> None:
    assert visitor.open(address, {**visitor.usual, "host": host}).status == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:4711", "http://127.0.0.1:1"]
)
def test_a_page_of_another_origin_is_refused(visitor: Visitor, origin: str) -> None:
    form = {"form_token": visitor.keys.form("/undo")}
    assert visitor.ask("POST", "/undo", form, {**visitor.usual, "origin": origin}).status == 403
    assert visitor.open("/", {**visitor.usual, "origin": origin}).status == 403


@pytest.mark.parametrize(
    "address", [*PAGES, "/static/viewer.js", "/memory/x.md", "/?token=wrong", "/ask?token="]
)
def test_nothing_is_shown_without_token_and_cookie(visitor: Visitor, address: str) -> None:
    assert visitor.open(address, {"host": "127.0.0.1:4711"}).status == 401
    wrong = {"host": "127.0.0.1:4711", "cookie": f"{visitor.keys.cookie_name}={visitor.keys.token}"}
    assert visitor.open(address, wrong).status == 401


def test_the_first_address_gives_a_cookie_that_scripts_and_other_sites_cannot_use(visitor: Visitor) -> None:
    answer = visitor.open(f"/?token={visitor.keys.token}", {"host": "localhost:4711"})
    given = answer.headers["set-cookie"].lower()
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "httponly" in given
    assert "samesite=strict" in given
    assert visitor.keys.token not in given
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert visitor.open("/", {"host": "localhost:4711", "cookie": cookie}).status == 200


@pytest.mark.parametrize("path", POSTS)
def test_a_form_without_its_token_changes_nothing(
    visitor: Visitor, opened: Callable[[], Memory], path: str
) -> None:
    opened().remember("No summaries.", kind="user", name="terse")
    fields = {"do": "forget", "operation": "", "id": "x", "memory": "terse", "prompt": "p", "file": "terse"}
    for token in (None, "", "wrong", visitor.keys.form("/other"), visitor.keys.token, visitor.keys.cookie):
        form = fields if token is None else fields | {"form_token": token}
        assert visitor.ask("POST", path, form).status == 403
    assert [one.name for one in opened().list()] == ["terse"]
    assert len(opened().history.list()) == 1


@pytest.mark.parametrize("path", POSTS)
def test_a_change_is_never_made_by_opening_an_address(visitor: Visitor, path: str) -> None:
    answer = visitor.open(f"{path}?do=forget&form_token={visitor.keys.form(path)}")
    assert answer.status in (200, 404, 405)


def test_looking_at_every_page_leaves_memory_and_records_as_they_were(
    visitor: Visitor, opened: Callable[[], Memory]
) -> None:
    memory = opened()
    memory.remember("Deploys go out on Tuesdays, see [[terse]].", kind="project", name="deploys")
    memory.remember("No summaries.", kind="user", name="terse")
    memory.recall("when do deploys go out?", budget=10)

    def state() -> object:
        again = opened()
        files = {name: Path(memory.directory, name).read_bytes() for name in os.listdir(memory.directory)}
        return (
            files,
            again.history.list(),
            [*again.recalls.list()],
            again.inbox.list(),
            again.recalls.examples(),
        )

    before = state()
    for address in (*PAGES, "/memory/project_deploys.md", "/memory/project_deploys.md?edit"):
        assert visitor.open(address).status == 200, address
    assert state() == before


@pytest.mark.parametrize("address", [*PAGES, "/nowhere", "/static/viewer.css", "/memory/none.md"])
def test_every_answer_forbids_other_code_frames_and_copies(visitor: Visitor, address: str) -> None:
    for headers in (visitor.usual, {"host": "evil.example"}, {"host": "127.0.0.1:4711"}):
        given = visitor.open(address, headers).headers
        policy = given["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert given["x-content-type-options"] == "nosniff"
        assert given["cache-control"] == "no-store"


@pytest.mark.parametrize("address", PAGES)
def test_pages_hold_no_code_or_style_of_their_own_and_name_no_other_server(
    visitor: Visitor, opened: Callable[[], Memory], address: str
) -> None:
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    html = visitor.open(address).html
    assert " style=" not in html
    assert "<style" not in html
    assert " on" not in html.replace(" one", "").replace(" once", "").replace(" only", "").replace(
        " on ", " "
    )
    assert html.count("<script") == html.count('<script src="/static/')
    assert "http://" not in html.replace("http://www.w3.org/", "")
    assert "https://" not in html


def test_a_form_may_not_be_large_or_of_another_sort(visitor: Visitor) -> None:
    form = {"form_token": visitor.keys.form("/undo"), "text": "x" * (4 << 20)}
    assert visitor.ask("POST", "/undo", form).status == 413
    other = {**visitor.usual, "content-type": "text/plain"}
    assert visitor.ask("POST", "/undo", {"form_token": visitor.keys.form("/undo")}, other).status == 415


def test_only_our_own_files_are_sent(visitor: Visitor) -> None:
    for address in ("/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/..%2fapp.py", "/static/none"):
        assert visitor.open(address).status == 404
    assert visitor.open("/static/viewer.css").headers["content-type"].startswith("text/css")


def test_the_address_that_a_browser_is_started_with_works_once(visitor: Visitor) -> None:
    address = visitor.keys.launch_address.removeprefix("http://127.0.0.1:4711")
    first, second = (visitor.open(address, {"host": "127.0.0.1:4711"}) for _ in range(2))
    assert (first.status, second.status) == (303, 401)
    assert visitor.keys.token not in address
