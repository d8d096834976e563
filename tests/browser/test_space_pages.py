"""The pages of a space in a real Chromium: sign in, look at the timeline, and take a change back."""

from collections.abc import Iterator

import pytest

from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database
from tests.browser.conftest import Viewed
from tests.browser.driver import Browser
from tests.browser.test_pages import LOOKS, brightness
from tests.hub.node import Node
from tests.hub.postgres import PrivatePostgres, why_no_postgres

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

TEXTS = {"deploys": "Deploys go out on Tuesdays.", "printer": "The printer needs blue paper."}
PLACE = "/memory/project_deploys.md"


@pytest.fixture(scope="module")
def node() -> Iterator[tuple[Node, str]]:
    """Start a hub with a space, and return a token of it."""
    if because := why_no_postgres():
        pytest.skip(because)
    server = PrivatePostgres()
    try:
        url = server.database()
        Database(url).migrate()
        Spaces(Database(url)).create("one")
        with Node(url) as started:
            yield started, Tokens(Database(url)).create("one", "ada")
    finally:
        server.stop()


@pytest.fixture
def viewer(node: tuple[Node, str], chromium: Browser) -> Iterator[Viewed]:
    """Sign in, with memories in the space."""
    served, token = node
    with served.client(token) as client:
        for name, text in TEXTS.items():
            said = {"text": text, "name": name, "kind": "project"}
            assert client.post("/v1/spaces/one/memory/remember", json=said).status_code == 200
    viewed = Viewed(chromium, f"{served.address}/ui/one")
    chromium.look(dark=False, width=1280)
    viewed.open("/")
    if chromium.run("return !!document.querySelector('input[name=token]')"):
        chromium.type("input[name=token]", token)
        chromium.click("form button")
        chromium.wait("return document.body.innerText.includes('deploys')")
    yield viewed
    chromium.go("about:blank")
    unasked = [
        one for one in chromium.complaints() if "401" not in str(one)
    ]  # the page that asks for a token
    assert unasked == []


@pytest.mark.parametrize(("dark", "width"), LOOKS)
def test_the_pages_of_a_space_fit_their_width_and_follow_the_theme(
    viewer: Viewed, dark: bool, width: int
) -> None:
    for path in ("/", PLACE, "/ask?q=when+do+deploys+go+out", "/timeline", "/inbox", "/help"):
        viewer.browser.look(dark=dark, width=width)
        browser = viewer.open(path)
        found = browser.run(
            """const all = document.documentElement, colour = getComputedStyle(document.body).backgroundColor;
            return [all.scrollWidth, colour, document.querySelectorAll('h1').length]"""
        )
        assert (path, found[0] <= width, found[2]) == (path, True, 1)
        assert (path, brightness(found[1]) < 128) == (path, dark)


def test_a_change_is_taken_back_from_the_timeline_and_from_the_history(viewer: Viewed) -> None:
    browser = viewer.open(f"{PLACE}?edit")
    text = browser.run("return document.querySelector('textarea').value")
    browser.run(
        "document.querySelector('textarea').value = arguments[0]", text.replace("Tuesdays", "Mondays")
    )
    browser.click("[data-edit] button")
    browser.wait("return document.querySelector('.note')?.innerText.includes('Saved.')")
    assert "Mondays" in browser.text("article")
    browser = viewer.open("/timeline")
    assert browser.run("return document.querySelectorAll('svg.timeline rect, figure svg rect').length") >= 1
    assert "deploys" in browser.text(".events")
    browser.click(".events form button")
    browser.wait("return document.querySelector('.note')?.innerText.includes('Undid edit')")
    assert viewer.path.startswith("/timeline")
    browser = viewer.open(PLACE)
    assert "Tuesdays" in browser.text("article")
    browser.click("details.change form button")  # the undo is undone
    browser.wait("return document.querySelector('.note')?.innerText.includes('Undid undo')")
    assert "Mondays" in viewer.open(PLACE).text("article")


def test_a_forgotten_memory_comes_back_by_the_button_beside_the_note(viewer: Viewed) -> None:
    browser = viewer.open("/memory/project_printer.md")
    browser.run("document.querySelectorAll('.actions details').forEach(one => one.open = true)")
    browser.click(".actions button.danger")
    browser.wait("return document.querySelector('.note')?.innerText.includes('Forgot')")
    browser.click(".note form button")
    browser.wait("return document.querySelector('.note')?.innerText.includes('Undid forget')")
    assert "blue paper" in viewer.open("/memory/project_printer.md").text("article")
