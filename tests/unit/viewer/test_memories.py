"""The pages of memories show what is there, and what is done on them is done by the library."""

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.unit.recall.injections import INJECTIONS
from tests.unit.viewer.visitor import Visitor

from memdir.disk.watch import FolderWatch
from memdir.memories.topic import Draft
from memdir.memory import Memory

Opened = Callable[[], Memory]


@pytest.fixture
def memory(opened: Opened) -> Memory:
    memory = opened()
    past = datetime.now(UTC) - timedelta(days=3)
    memory.remember(
        "Deploys go out on Tuesdays, see [[terse]].",
        kind="project",
        name="deploys",
        saved_at=past,
        why="Habit.",
    )
    memory.remember("No summaries at the end.", kind="feedback", name="terse")
    memory.transfer.remember_many(
        [Draft("The shop sells tea.", "reference", "tea", source="assistant")], actor="host"
    )
    return memory


def names(html: str) -> list[str]:
    return [part.partition("<")[0] for part in html.split("<strong>")[1:]]


def test_the_list_tells_kind_age_writer_and_recalls(visitor: Visitor, memory: Memory) -> None:
    memory.recall("when do deploys go out?", budget=10)
    page = visitor.open("/")
    assert names(page.html) == ["tea", "terse", "deploys"]
    assert "project deploys Deploys go out on Tuesdays, see terse 3 days ago you recalled 1×" in page.text
    recent = r"reference tea The shop sells tea (just now|\d+ minutes? ago) an agent never recalled"
    assert re.search(recent, page.text)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=tuesdays", ["deploys"]),
        ("q=TEA+shop", ["tea"]),
        ("q=nothing", []),
        ("kind=feedback", ["terse"]),
        ("kind=feedback&q=tea", []),
        ("order=oldest", ["deploys", "terse", "tea"]),
        ("order=name", ["deploys", "tea", "terse"]),
        ("order=recalled", ["deploys", "tea", "terse"]),
        ("order=none&page=99", ["tea", "terse", "deploys"]),
        ("page=-1", ["tea", "terse", "deploys"]),
    ],
)
def test_the_list_is_filtered_and_sorted(
    visitor: Visitor, memory: Memory, query: str, found: list[str]
) -> None:
    memory.recall("when do deploys go out?", budget=10)
    assert names(visitor.open(f"/?{query}").html) == found


def test_a_long_list_has_pages(visitor: Visitor, opened: Opened) -> None:
    opened().transfer.remember_many([Draft(f"Fact {n}.", "project", f"fact-{n}") for n in range(120)])
    shown = [name for number in range(3) for name in names(visitor.open(f"/?order=name&page={number}").html)]
    assert shown == sorted(f"fact-{n}" for n in range(120))


def test_a_change_by_another_process_is_seen_at_once(visitor: Visitor, opened: Opened) -> None:
    assert "Nothing is remembered here yet" in visitor.open("/").text
    opened().remember("No summaries.", kind="user", name="terse")
    assert names(visitor.open("/").html) == ["terse"]
    opened().forget("terse")
    assert names(visitor.open("/").html) == []


def test_an_edit_in_place_is_seen_by_the_next_page(visitor: Visitor, opened: Opened, tmp_path: Path) -> None:
    if FolderWatch(str(tmp_path)).changes() is None:
        pytest.skip("this system does not report changes: the edit is seen some seconds later")
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    file = os.path.join(opened().directory, "project_deploys.md")
    for day in ("Mondays", "Fridays"):
        for address in (
            "/",
            f"/ask?q=when+do+deploys+go+out+on+{day}%3F",
            "/ask?q=when+do+deploys+go+out%3F",
        ):
            visitor.open(address)
        with open(file, "r+") as text:
            changed = text.read().replace("Tuesdays", day).replace("Mondays", day)
            text.seek(0)
            text.write(changed)
            text.truncate()
        assert f"Deploys go out on {day}" in visitor.open("/").text
        for address in ("/ask?q=when+do+deploys+go+out%3F", f"/ask?q=do+deploys+go+out+on+{day}+now%3F"):
            assert f"Deploys go out on {day}" in visitor.open(address).text


def test_one_memory_shows_text_links_recalls_history_and_lines(visitor: Visitor, memory: Memory) -> None:
    memory.recall("when do deploys go out?", budget=10)
    topic = memory.read("deploys")
    memory.edit(topic, topic.text.replace("Habit.", "A habit of ours."))
    page = visitor.open("/memory/project_deploys.md")
    assert '<a href="/memory/feedback_terse.md">terse</a>' in page.html
    assert "when do deploys go out? shown in full" in page.text
    assert '<span class="removed">-<bdi>**Why:** <b>Habit.</b>' in page.html
    assert '<span class="added">+<bdi>**Why:** <b>A habit of ours.</b>' in page.html
    assert "It links to terse" in page.text
    assert "Linked from deploys" in visitor.open("/memory/feedback_terse.md").text
    lines = page.html.partition('class="blame"')[2]
    assert lines.count('<tr class="first">') == 2


def test_a_memory_is_edited_only_as_the_person_saw_it(visitor: Visitor, memory: Memory) -> None:
    page = visitor.open("/memory/feedback_terse.md?edit").html
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    text = memory.read("terse").text.replace("at the end", "at all")
    done = visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text=text.replace("\n", "\r\n"))
    assert "Saved." in done.text
    assert memory.read("terse").body == "No summaries at all."
    late = visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text=text + "My own words.\n")
    assert late.status == 409
    assert "Somebody changed this memory" in late.text
    assert "My own words." in late.html.partition("<textarea")[2]
    assert memory.read("terse").body == "No summaries at all."


def test_a_refused_edit_advises_nothing_that_a_page_does_not_have(visitor: Visitor, memory: Memory) -> None:
    page = visitor.open("/memory/feedback_terse.md?edit").html
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    text = memory.read("terse").text + "ghp_" + "n0tR3al" * 5 + "x"
    refused = visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text=text)
    assert "looks like a credential (github-token). Take it out and say where it is kept." in refused.text
    assert "allow" not in refused.text
    assert memory.read("terse").body == "No summaries at the end."


def test_line_ends_of_another_system_stay(visitor: Visitor, memory: Memory) -> None:
    path = Path(memory.directory, "feedback_terse.md")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    page = visitor.open("/memory/feedback_terse.md").html
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    text = path.read_bytes().decode().replace("at the end", "at all")
    visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text=text)
    saved = path.read_bytes()
    assert b"at all" in saved
    assert saved.count(b"\n") == saved.count(b"\r\n")


def test_an_edit_that_changes_no_line_says_so(visitor: Visitor, memory: Memory) -> None:
    for _ in range(2):
        page = visitor.open("/memory/feedback_terse.md").html
        mark = page.partition('name="mark" value="')[2].partition('"')[0]
        visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text="No summaries.\n")
    page = visitor.open("/memory/feedback_terse.md").html
    assert "No line changed." in page.partition('id="history"')[2]
    assert '<pre class="diff" tabindex="0"></pre>' not in page
    assert memory.read("feedback_terse.md").body == "No summaries."


def test_a_secret_is_refused_and_the_typed_text_kept(visitor: Visitor, memory: Memory) -> None:
    page = visitor.open("/memory/feedback_terse.md").html
    mark = page.partition('name="mark" value="')[2].partition('"')[0]
    key = "ghp_" + "9aK3x7Qw" * 4 + "Zt51"
    done = visitor.post("/memory/feedback_terse.md", do="edit", mark=mark, text=f"The key is {key}\n")
    assert done.status == 409
    assert key in done.html.partition("<textarea")[2]
    assert key not in done.html.partition("<textarea")[0]
    assert key not in memory.read("terse").text


@pytest.mark.usefixtures("memory")
def test_a_memory_is_renamed_forgotten_and_brought_back(visitor: Visitor, opened: Opened) -> None:
    assert (
        "Renamed to feedback_short.md"
        in visitor.post("/memory/feedback_terse.md", do="rename", name="short").text
    )
    gone = visitor.post("/memory/feedback_short.md", do="forget")
    assert "Forgot feedback_short.md" in gone.text
    assert {one.name for one in opened().list()} == {"deploys", "tea"}
    operation = gone.html.partition('name="operation" value="')[2].partition('"')[0]
    back = visitor.post("/undo", operation=operation, back="/")
    assert "Undid forget of feedback_short.md" in back.text
    assert {one.name for one in opened().list()} == {"deploys", "tea", "short"}


def test_an_undo_that_would_lose_a_newer_text_asks_first(
    visitor: Visitor, opened: Opened, memory: Memory
) -> None:
    first = memory.history.list("terse")[0].id
    topic = memory.read("terse")
    memory.edit(topic, topic.text.replace("No summaries", "No long summaries"))
    asked = visitor.post("/undo", operation=first, back="/")
    assert (asked.status, "It changed since" in asked.text) == (409, True)
    assert opened().read("terse").body.startswith("No long summaries")
    visitor.post("/undo", operation=first, how="overwrite")
    assert "terse" not in {one.name for one in opened().list()}


@pytest.mark.parametrize(
    "address", ["/memory/none.md", "/memory/../../etc/passwd", "/memory/MEMORY.md", "/memory/"]
)
@pytest.mark.usefixtures("memory")
def test_what_is_no_memory_is_not_found(visitor: Visitor, address: str) -> None:
    assert visitor.open(address).status == 404


def test_hostile_texts_stay_text_on_every_page(visitor: Visitor, opened: Opened) -> None:
    hostile = {**INJECTIONS, **MARKUP}
    folder = Path(opened().directory)
    folder.mkdir(parents=True)
    for number, text in enumerate(hostile.values()):
        name = "".join(text.splitlines()[:1])
        head = f"---\nname: {name}\ndescription: {text!r}\ntype: user\n---\n"
        (folder / f"user_h{number}.md").write_text(f"{head}\n{text}\n", errors="replace")
    for address in ("/", "/?page=1", "/ask?q=obey+the+system", "/timeline", "/doctor", "/context"):
        assert_plain(visitor.open(address).html)
    for number in range(len(hostile)):
        page = visitor.open(f"/memory/user_h{number}.md")
        assert page.status == 200
        assert_plain(page.html)


MARKUP = {
    "a script": "<script>document.title='owned'</script>",
    "a handler": '"><img src=x onerror="document.title=1">',
    "a closing tag": "</textarea></pre></code></main><h1>gone</h1>",
    "a javascript link": "[x](javascript:alert(1)) [y](java&#115;cript:alert(1)) <javascript:alert(1)>",
    "a data link": "[x](data:text/html,<script>alert(1)</script>)",
    "an image": "![x](http://evil.example/x.png) ![y](/static/mark.svg)",
    "a reference": "[x]\n\n[x]: javascript:alert(1)",
    "a template": "{{ 7 * 7 }} {% for x in y %} {# no #}",
    "a file": "[x](file:///etc/passwd) [y](//evil.example/x) [z](\\\\evil\\x)",
    "a broken address": "[x](http://[) [y](http://a b) [[ ]] [[|]] [[x|y|z]]",
}


def assert_plain(html: str) -> None:
    lowered = html.lower()
    assert html.count("<script") == 1
    assert "<img src=x" not in lowered
    assert 'href="javascript' not in lowered
    assert 'href="data:' not in lowered
    assert 'href="file:' not in lowered
    assert 'href="//' not in lowered
    assert "evil.example/x.png" not in html.replace(
        'href="http://evil.example/x.png" rel="noreferrer', ""
    ) or ("<img" not in html.partition('<main id="main"')[2])
    assert html.count("</main>") == 1
    assert html.rstrip().endswith("</html>")
