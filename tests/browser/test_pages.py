"""Every page and every action of the viewer in a real Chromium, in both themes, wide and narrow."""

import json
import os
from importlib.resources import files
from pathlib import Path

import pytest

from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Provenance
from tests.browser.conftest import Viewed
from tests.browser.demo_memory import DemoMemory
from tests.browser.driver import Browser
from tests.tables import on_row
from tests.unit.recall.injections import INJECTIONS
from tests.unit.viewer.test_memories import MARKUP

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PAGES = {
    "memories": "/",
    "memory": "/memory/project_payment-retries.md",
    "edit": "/memory/feedback_terse-replies.md?edit",
    "ask": "/ask?q=where+are+payment+retries+decided",
    "timeline": "/timeline",
    "context": "/context",
    "inbox": "/inbox",
    "rules": "/rules",
    "doctor": "/doctor",
    "team": "/team",
    "shared": "/memory/team/project_deploys.md",
    "agents": "/agents",
    "help": "/help",
    "error": "/memory/none.md",
}
EMPTY = {
    "no words": "/?q=zzzqqq",
    "no prompt": "/ask",
    "no candidates": "/ask?q=hi",
    "no such day": "/timeline?day=1999-01-01",
    "no such page": "/nowhere",
}
"""Pages in the state in which there is nothing to show."""
HOSTILE = (
    *("/", "/?q=script", "/ask?q=%3Cscript%3Ealert(1)%3C/script%3E+obey", "/timeline", "/context", "/inbox"),
    *("/rules", "/doctor", "/team", "/agents", "/help"),
)
"""Pages that show texts of memories, of proposals, rules and findings about them."""
LOOKS = [(dark, width) for dark in (False, True) for width in (1280, 360)]
SHOTS = os.environ.get("MEMDIR_SHOTS", "")
"""A folder for pictures of every page, to be looked at."""


@pytest.mark.parametrize(("dark", "width"), LOOKS)
def test_pages_fit_their_width_and_follow_the_theme(viewer: Viewed, dark: bool, width: int) -> None:
    for name, path in PAGES.items():
        viewer.browser.look(dark=dark, width=width)
        browser = viewer.open(path)
        found = browser.run(
            """const all = document.documentElement, colour = getComputedStyle(document.body).backgroundColor;
            const cut = [...document.querySelectorAll('.diff, .plain')].filter(
                e => e.scrollHeight > e.clientHeight);
            return [all.scrollWidth, colour, document.querySelectorAll('h1').length, cut.length]"""
        )
        assert width > 360 or (name, found[3]) == (name, 0)
        assert (name, found[0] <= width, found[2]) == (name, True, 1)
        assert (name, brightness(found[1]) < 128) == (name, dark)
        if SHOTS:
            height = min(browser.run("return document.documentElement.scrollHeight"), 2400)
            browser.look(dark=dark, width=width, height=height)
            theme = "dark" if dark else "light"
            browser.screenshot(Path(SHOTS, f"{name}-{theme}-{width}.png"), whole=False)


def test_pages_read_without_scripts(viewer: Viewed) -> None:
    viewer.browser.scripts(on=False)
    try:
        for path, words in {
            "/?q=payment": "payment-retries",
            "/memory/project_payment-retries.md": "Where it was recalled",
            "/ask?q=where+are+payment+retries+decided": "shown",
            "/help": "Keys",
        }.items():
            viewer.browser.go(viewer.base + path)
            viewer.browser.scripts(
                on=True
            )  # the driver itself reads by a script; those of the page did not run
            assert words in viewer.browser.text()
            assert not viewer.browser.run("return document.querySelector('.filter.live')")
            viewer.browser.scripts(on=False)
    finally:
        viewer.browser.scripts(on=True)


def test_the_list_is_filtered_while_one_types(viewer: Viewed) -> None:
    browser = viewer.open("/")
    browser.press("/")
    browser.press(*"paym")
    browser.wait("return document.querySelectorAll('[data-item]').length === 2")
    assert "2 of 12" in browser.text("#results")
    assert viewer.path.startswith("/?q=paym")
    browser.press("Escape", "j", "j", "Enter")
    browser.wait("return location.pathname.startsWith('/memory/')")


def test_the_list_learns_which_memories_are_stale(viewer: Viewed) -> None:
    browser = viewer.open("/?q=payment-retries")
    browser.wait("return document.querySelector('#results').innerText.includes('stale')")


def test_keys_lead_through_the_pages(viewer: Viewed) -> None:
    browser = viewer.open("/")
    browser.press("?")
    assert browser.run("return document.querySelector('#keys').open")
    browser.press("?")
    assert not browser.run("return document.querySelector('#keys').open")
    browser.press("j", "j", "k")
    assert browser.run("return document.activeElement.closest('[data-item]').matches('.chosen')")
    browser.press("Enter")
    browser.wait("return location.pathname.startsWith('/memory/')")
    browser.press("e")
    assert browser.run("return document.activeElement.tagName") == "TEXTAREA"
    browser.press("Escape", "5")
    browser.wait("return location.pathname === '/inbox'")


def test_a_memory_is_edited_renamed_forgotten_and_brought_back(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/memory/feedback_terse-replies.md")
    browser.press("e")
    text = browser.run("return document.querySelector('textarea').value")
    browser.run(
        "document.querySelector('textarea').value = arguments[0]", text.replace("No summaries", "No essays")
    )
    browser.click("[data-edit] button")
    browser.wait("return document.querySelector('.note')")
    assert "Saved." in browser.text(".note")
    assert demo.opened().read("terse-replies").body.startswith("No essays")
    browser.click(".note button", "Undo")
    browser.wait("return document.querySelector('.note').innerText.includes('Undid')")
    assert demo.opened().read("terse-replies").body.startswith("No summaries")
    browser.click("summary", "Rename")
    browser.type("#name", "short-replies")
    browser.click("button.main", "Rename")
    browser.wait("return location.pathname === '/memory/feedback_short-replies.md'")
    browser.click("summary", "Forget")
    browser.click("button.danger")
    browser.wait("return location.pathname === '/'")
    assert "short-replies" not in {one.name for one in demo.opened().list()}
    browser.click(".note button", "Undo")
    browser.wait("return document.querySelector('.note').innerText.includes('Undid')")
    assert "short-replies" in {one.name for one in demo.opened().list()}


def test_one_change_of_a_memory_is_undone_from_its_history(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/memory/feedback_terse-replies.md")
    assert "-**Why:** I read diffs." in browser.text(".change[open] .diff")
    browser.click(".change[open] button", "Undo this change")
    browser.wait("return document.querySelector('.note')")
    assert "I read diffs." in demo.opened().read("terse-replies").body


def test_ask_shows_candidates_and_notes_what_was_wrong(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/ask")
    browser.press(*"where are payment retries decided", "Enter")
    browser.wait("return document.querySelector('.candidates')")
    assert "project_payment-retries.md" in browser.text(".candidates li")
    assert "is needed" in browser.text(".candidates")
    browser.click(".candidates li:last-child button", "Should have been shown")
    browser.wait("return document.querySelector('.note')")
    assert "you said: show it" in browser.text(".candidates li:last-child")
    browser.click(".candidates li:first-child button", "Should not be shown")
    browser.wait("return document.querySelector('.note').innerText.includes('should not')")
    browser.type("#other", "merge-freeze")
    browser.click(".other button")
    browser.wait("return document.querySelector('.note').innerText.includes('merge-freeze')")
    (example,) = demo.opened().recalls.examples()
    assert example.unwanted == ("project_payment-retries.md",)
    assert "project_merge-freeze.md" in example.wanted


def test_the_timeline_is_drawn_and_follows_a_conversation(viewer: Viewed) -> None:
    browser = viewer.open("/timeline")
    kinds = browser.run(
        """const bars = [...document.querySelectorAll('svg.days rect')];
        return [...new Set(bars.map(bar => bar.className.baseVal))].sort()"""
    )
    assert kinds == ["event-dreamt", "event-forgotten", "event-recalled", "event-saved"]
    heights = browser.run(
        "return [...document.querySelectorAll('svg.days rect')].map(r => r.getBoundingClientRect().height)"
    )
    assert min(heights) > 0
    assert max(heights) <= 9 * 16 + 1
    browser.click("svg.days a")
    browser.wait("return location.search.includes('day=')")
    assert "Only " in browser.text()
    browser = viewer.open("/timeline")
    browser.run("document.querySelector('select').value = 'talk-4'")
    browser.click(".filter button")
    browser.wait("return location.search.includes('talk-4')")
    assert "payment-retries" in browser.text(".events")
    assert "coffee" not in browser.text()


def test_the_timeline_shows_one_day_and_takes_a_change_back(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/timeline?session=talk-0")
    day = browser.run(
        """const of = [...document.querySelectorAll('section')].find(e => e.innerText.includes('dreamt'));
        const link = of.querySelector('h2 a'), day = new URL(link.href).searchParams.get('day');
        link.click(); return [day, link.innerText]"""
    )
    browser.wait("return location.search.includes(arguments[0])", day[0])
    assert f"Only {day[1]}." in browser.text()
    browser.click("li form button", "Undo")
    browser.wait("return document.querySelector('.note')")
    assert "Undid dream of user_go-and-react.md." in browser.text(".note")
    assert "two weeks" not in demo.opened().read("go-and-react").body


def test_the_list_is_sorted_and_shows_one_kind(viewer: Viewed) -> None:
    browser = viewer.open("/")
    choose = """const field = document.querySelector(`[name=${arguments[0]}]`); field.value = arguments[1];
        field.dispatchEvent(new Event('input', {bubbles: true}))"""
    browser.run(choose, "kind", "reference")
    browser.wait("return document.querySelector('#results').innerText.startsWith('3 of 12')")
    browser.run(choose, "order", "name")
    browser.wait("return location.search.includes('order=name')")
    names = "return [...document.querySelectorAll('[data-item] strong')].map(e => e.innerText)"
    assert browser.run(names) == ["gateway-limits", "pipeline-bugs", "tickets"]


def test_an_undo_of_what_changed_since_asks_which_text_is_right(viewer: Viewed, demo: DemoMemory) -> None:
    topic = demo.opened().read("terse-replies")
    demo.opened().edit(topic, topic.text.replace("No summaries", "No essays"))
    for button, begins in (("beside it", "No essays"), ("old text back", "No summaries")):
        browser = viewer.open("/memory/feedback_terse-replies.md")
        browser.click(".change:nth-of-type(2) summary")
        browser.click(".change:nth-of-type(2) button", "Undo this change")
        browser.wait("return document.title.startsWith('Changed since')")
        assert "-No essays" in browser.text(".diff")
        browser.click("form button", button)
        browser.wait("return document.querySelector('.note')")
        assert demo.opened().read("terse-replies").body.startswith(begins)


def test_an_edit_of_what_changed_meanwhile_is_kept_beside_it(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/memory/feedback_terse-replies.md?edit")
    topic = demo.opened().read("terse-replies")
    demo.opened().edit(topic, topic.text.replace("No summaries", "No essays"))
    browser.run("document.querySelector('textarea').value += 'Mine.'")
    browser.click("[data-edit] button")
    browser.wait("return document.querySelector('[role=alert]')")
    assert "Somebody changed this memory" in browser.text("[role=alert]")
    assert browser.run("return document.querySelector('textarea').value.endsWith('Mine.')")
    assert "Mine." not in demo.opened().read("terse-replies").text


def test_team_memory_is_shown_with_its_teachers_and_synced(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/team")
    assert "Ada taught project_deploys.md" in browser.text()
    assert "not sent yet" in browser.text()
    browser.click("main button", "Sync now")
    browser.wait("return document.querySelector('.note')")
    assert "Sent: team/reference_tickets.md" in browser.text(".note")
    assert demo.opened().team.status().waiting == ()
    browser.press("j", "Enter")
    browser.wait("return location.pathname.startsWith('/memory/team/')")


def test_agent_types_are_shown_with_what_they_remember(viewer: Viewed) -> None:
    browser = viewer.open("/agents")
    assert "Reviews what is to be merged" in browser.text("[data-item]")
    assert "tests-first" in browser.text("[data-item]")
    browser.press("8")
    browser.wait("return location.pathname === '/team'")


def test_the_doctor_looks_again(viewer: Viewed) -> None:
    browser = viewer.open("/doctor")
    browser.click("button", "Look again")
    browser.wait("return document.querySelector('.note')")
    assert "Looked again." in browser.text(".note")


def test_the_bill_is_a_bar_of_shares(viewer: Viewed) -> None:
    browser = viewer.open("/context")
    widths = browser.run(
        "return [...document.querySelectorAll('.shares rect')].map(r => r.getBoundingClientRect().width)"
    )
    whole = browser.run("return document.querySelector('.shares').getBoundingClientRect().width")
    assert abs(sum(widths) - whole) < 2 + whole / 50
    parts = browser.text("table")
    assert "CLAUDE.md" in parts
    assert "memory/MEMORY.md" in parts
    assert "team/MEMORY.md" in parts


def test_the_inbox_is_worked_off_by_keys(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/inbox")
    browser.press("j")
    browser.press("a")
    browser.wait("return document.querySelector('.note')")
    assert "Applied" in browser.text(".note")
    browser.press("j", "r")
    browser.wait("return document.querySelector('.note').innerText.includes('Rejected')")
    assert "Nothing waits" in browser.text()
    assert demo.opened().inbox.list() == []


def test_rules_are_approved_and_withdrawn(viewer: Viewed, demo: DemoMemory) -> None:
    browser = viewer.open("/rules")
    assert "stopped Bash git push" in " ".join(browser.text().split())
    browser.click("button", "Approve")
    browser.wait("return document.querySelector('.note')")
    assert [rule.memory for rule in demo.opened().rules.list_approved()] == ["lock-file"]
    browser.click("button", "Withdraw")
    browser.wait("return document.querySelector('.note').innerText.includes('Withdrew')")
    assert demo.opened().rules.list_approved() == ()


def test_the_doctor_mends(viewer: Viewed, demo: DemoMemory) -> None:
    index = Path(demo.opened().directory, "MEMORY.md")
    index.write_text("")
    browser = viewer.open("/doctor")
    browser.click("button", "Mend")
    browser.wait("return document.querySelector('.note')")
    assert "terse-replies" in index.read_text()


def test_hostile_memories_run_nothing_and_break_no_page(viewer: Viewed, demo: DemoMemory) -> None:
    memory = demo.opened()
    texts = [*INJECTIONS.values(), *MARKUP.values()]
    folders = [memory.directory, memory.team.directory, memory.agent("reviewer").directory]
    for number, text in enumerate(texts):
        line = json.dumps(" ".join(text.split()))
        kind = f"type: feedback\nmetadata:\n  enforce: {line}"
        whole = f"---\nname: {line}\ndescription: {line}\n{kind}\n---\n\n{text}\n"
        for folder in folders:
            Path(folder, f"user_h{number}.md").write_text(whole, errors="replace")
        by = Provenance("extractor", "tool", "offline", line)
        shown = whole.encode("utf-8", "replace").decode()
        Inbox(memory.state).add(Proposal((Change(f"user_p{number}.md", None, shown),), by, line, demo.now))
    script = """return [document.title.endsWith('memdir'), document.querySelectorAll('main').length,
        document.querySelectorAll('footer').length,
        document.querySelectorAll('main img, main script, iframe').length,
        performance.getEntriesByType('resource').every(e => e.name.startsWith(location.origin))]"""
    paths = [*HOSTILE, "/memory/team/user_h0.md"]
    for path in [*paths, *(f"/memory/user_h{number}.md" for number in range(len(texts)))]:
        found = on_row(lambda path: viewer.open(path).run(script), path)
        assert (path, found) == (path, [True, 1, 1, 0, True])


def serious(browser: Browser) -> list[list[str]]:
    """Return what axe finds on the page as it is now, other than trifles."""
    axe = (files("axe_core_python") / "axe.min.js").read_text()
    browser.run(axe + "; window.axe = axe")
    found = browser.run(
        "return axe.run().then(r => r.violations.map(v => [v.id, v.impact, v.nodes[0].html]))"
    )
    return [one for one in found if one[1] in ("serious", "critical", "moderate")]


@pytest.mark.parametrize(("dark", "width"), LOOKS)
def test_axe_finds_nothing_serious(viewer: Viewed, dark: bool, width: int) -> None:
    viewer.browser.look(dark=dark, width=width)
    for name, path in (PAGES | EMPTY).items():
        assert (name, on_row(lambda path: serious(viewer.open(path)), path)) == (name, [])


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_in_what_opens_on_a_page(viewer: Viewed, dark: bool) -> None:
    viewer.browser.look(dark=dark, width=360)
    browser = viewer.open("/")
    browser.press("j", "j")
    assert serious(browser) == []
    browser.press("?")
    assert serious(browser) == []
    browser = viewer.open("/memory/feedback_terse-replies.md")
    browser.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert serious(browser) == []
    browser.click("button.danger")
    browser.wait("return document.querySelector('.note')")
    assert serious(browser) == []
    browser = viewer.open("/inbox")
    browser.press("j", "a")
    browser.wait("return document.querySelector('.note')")
    assert serious(browser) == []


def test_headings_labels_and_landmarks_are_in_order(viewer: Viewed) -> None:
    """What axe looks at first, and what no version of it may forget."""
    script = """
        const all = query => [...document.querySelectorAll(query)];
        const named = e => e.labels?.length || e.getAttribute('aria-label') || e.type === 'hidden';
        const speaks = e => e.textContent.trim() || e.ariaLabel;
        const levels = all('h1,h2,h3,h4,h5,h6').filter(e => e.checkVisibility()).map(e => +e.tagName[1]);
        return {
          fields: all('input, select, textarea').filter(e => !named(e)).length,
          buttons: all('button, a[href]').filter(e => !speaks(e)).length,
          jumps: levels.filter((level, at) => at && level > levels[at - 1] + 1).length,
          ids: all('[id]').length - new Set(all('[id]').map(e => e.id)).size,
          landmarks: ['header', 'nav', 'main', 'footer'].filter(name => !all(name).length).length,
        }"""
    for name, path in PAGES.items():
        found = on_row(lambda path: viewer.open(path).run(script), path)
        assert (name, found) == (name, dict.fromkeys(found, 0))


def brightness(colour: str) -> float:
    numbers = [float(part) for part in colour.strip("rgba()").split(",")[:3]]
    return sum(numbers) / 3
