"""Ask, timeline, context, inbox, rules and doctor: what they show, and what their buttons do."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from tests.contents import parts_of
from tests.unit.viewer.visitor import Answer, Visitor

from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Draft, Provenance
from memdir.memory import Memory
from memdir.rules.decisions import RuleDecisions
from memdir.rules.judge import Decision

Opened = Callable[[], Memory]


def finished(visitor: Visitor, address: str) -> Answer:
    """Open a page as often as it says that it reloads."""
    for _ in range(100):
        page = visitor.open(address)
        if "refresh" not in page.headers:
            return page
    raise AssertionError(f"{address} never comes to an end")


def test_ask_shows_what_a_prompt_is_given_and_why_the_rest_is_not(visitor: Visitor, opened: Opened) -> None:
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    opened().remember("The violin is tuned to 440 Hz.", kind="project", name="violin")
    page = visitor.open("/ask?q=when+do+deploys+go+out%3F")
    assert (
        "project_deploys.md shown as a line" in page.text or "project_deploys.md shown in full" in page.text
    )
    assert "project_violin.md not shown" in page.text
    assert "it helps with a probability of" in page.text
    assert "Deploys go out on Tuesdays" in page.html.partition("The very text")[2]
    assert (
        "fewer than two words" in visitor.open("/ask?q=yes").text
        or "Nothing is recalled" in visitor.open("/ask?q=yes").text
    )
    assert [*opened().recalls.list()] == []


def test_ask_leads_to_every_candidate_page_by_page(visitor: Visitor, opened: Opened) -> None:
    facts = [Draft(f"Fact {n} of the shop is about tea.", "project", f"fact-{n}") for n in range(70)]
    opened().transfer.remember_many(facts)
    address, found, noted = "/ask?q=which+facts+of+the+shop+are+about+tea%3F", list[str](), ""
    while address:
        html = visitor.open(address).html
        before, _, after = html.partition('<ol class="rows candidates"')
        assert "All 70 memories, best first:" in before
        rows = after.partition("</ol>")[0].split("<li ")[1:]
        found += re.findall(r'href="/memory/([^"]*)"', "".join(rows))
        assert all("score by words" in row and "Should " in row for row in rows)
        noted, following = address, re.search(r'<a rel="next" href="([^"]*)"', html)
        address = unescape(following[1]) if following else ""
    assert len(found) == len({*found}) == 70
    assert noted.endswith("page=2")
    sent = {"prompt": "which facts of the shop are about tea?", "file": found[-1], "page": "2"}
    assert "3 of 3" in visitor.post("/ask", do="wanted", **sent).text
    assert "you said: show it" in visitor.open(noted).text
    assert visitor.open(noted + "77").text.count("3 of 3") == 1


def test_what_is_noted_on_ask_is_what_eval_counts(visitor: Visitor, opened: Opened) -> None:
    memory = opened()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.remember("The violin is tuned to 440 Hz.", kind="project", name="violin")
    done = visitor.post("/ask", prompt="which day?", file="project_violin.md", do="unwanted")
    assert "Noted: project_violin.md should not be shown" in done.text
    visitor.post("/ask", prompt="which day?", file="deploys", do="wanted")
    (example,) = memory.recalls.examples()
    assert (example.prompt, example.wanted, example.unwanted) == (
        "which day?",
        ("project_deploys.md",),
        ("project_violin.md",),
    )
    assert memory.recalls.score().examples == 1
    assert visitor.post("/ask", prompt="which day?", file="nothing", do="wanted").status == 404
    assert visitor.post("/ask", prompt="", file="deploys", do="wanted").status == 400


def test_the_timeline_counts_days_and_follows_one_conversation(visitor: Visitor, opened: Opened) -> None:
    memory = opened()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    memory.remember("The violin is tuned.", kind="project", name="violin")
    memory.forget("violin")
    memory.recall("when do deploys go out?", budget=10)
    by = Provenance("extractor", "user", "offline", "talk-7")
    with_session = [Draft("Tea is at four.", "project", "tea")]
    parts_of(memory).writer.save(with_session, by, datetime.now(UTC))
    page = visitor.open("/timeline")
    today = f"{datetime.now(UTC).astimezone():%Y-%m-%d}"
    for bar in ("3 saved", "1 recalled", "1 forgotten"):
        assert f"<title>{today}: {bar}</title>" in page.html
    assert 'href="/memory/project_tea.md"' in page.html
    assert 'href="/memory/project_violin.md"' not in page.html
    assert (
        f'<a href="/timeline?day={today}&amp;session=" tabindex="-1" aria-label="{today}: 3 saved, {today}: 1'
        in page.html
    )
    assert "at most 5 a day" in page.text
    assert "1×, talk-7" in page.text
    one = visitor.open("/timeline?session=talk-7")
    assert ">tea</a>" in one.html
    assert "project_violin.md" not in one.text
    assert f"<title>{today}: 1 saved</title>" in one.html
    assert "Nothing happened then" in visitor.open("/timeline?day=1999-01-01").text


def test_the_bill_is_drawn_by_shares_and_says_what_to_trim(visitor: Visitor, opened: Opened) -> None:
    memory = opened()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    page = finished(visitor, "/context")
    bill = memory.context.bill()
    assert f"about {bill.tokens:,} tokens at the start" in page.text
    assert "MEMORY.md" in page.text
    assert page.html.count('<rect class="part') == page.html.count('<td><span class="key part')
    assert all(saving.advice in page.text for saving in bill.savings)


def proposal(opened: Opened, text: str, name: str = "day") -> str:
    head = f'---\nname: "{name}"\ndescription: "d"\ntype: "project"\n---\n\n'
    edit = Change(f"project_{name}.md", None, head + text)
    by = Provenance("extractor", "assistant", "offline")
    return Inbox(opened().state).add(Proposal((edit,), by, "a tool said it", datetime.now(UTC)))


def test_the_inbox_shows_every_byte_and_does_as_told(visitor: Visitor, opened: Opened) -> None:
    wanted = proposal(opened, "Deploys on \u202etuesday\u200b.  \nNo\tend")
    other = proposal(opened, "Deploys on Mondays.\n", "other")
    page = visitor.open("/inbox")
    assert 'Inbox <span class="count">2' in page.html
    assert '<span class="hidden">U+202E</span>' in page.html
    assert '<span class="hidden">U+200B</span>' in page.html
    assert '<span class="end">··</span>' in page.html
    assert "No newline at end of file" in page.text
    assert "Applied: project_day.md" in visitor.post("/inbox", id=wanted, do="apply").text
    assert "Rejected: project_other.md" in visitor.post("/inbox", id=other, do="reject").text
    assert [one.name for one in opened().list()] == ["day"]
    assert opened().inbox.list() == []
    assert visitor.post("/inbox", id=wanted, do="apply").status == 404
    assert visitor.post("/inbox", id=wanted, do="burn").status == 400


def test_rules_show_their_last_decisions_and_are_approved_here(visitor: Visitor, opened: Opened) -> None:
    memory = opened()
    draft = Draft("Never push.", "feedback", "no-push", enforce="Bash: git push * main", source="assistant")
    memory.transfer.remember_many([draft], actor="host")
    (rule,) = memory.rules.list()
    log = RuleDecisions(memory.state)
    given = {"command": "git push origin main"}
    log.add(Decision("ask", rule), "Bash", given, "talk-1", at="2026-11-18T09:30:00Z")
    page = visitor.open("/rules")
    assert "asks Bash: git push * main" in page.text
    assert "written by an agent" in page.text
    assert "asked Bash git push origin main" in page.text
    stale = visitor.post("/rules", memory="no-push", words="Bash: git push *", do="approve")
    assert stale.status == 409
    assert not opened().rules.list_approved()
    approval = {"memory": "no-push", "words": rule.text, "do": "approve"}
    assert f'name="words" value="{rule.text}"' in page.html
    assert "approved Bash: git push" in visitor.post("/rules", **approval).text
    assert [one.text for one in opened().rules.list_approved()] == [rule.text]
    assert "asks Bash: git push" in visitor.post("/rules", memory="no-push", do="withdraw").text
    assert visitor.post("/rules", memory="no-push", do="burn").status == 400


def test_the_doctor_tells_and_mends(visitor: Visitor, opened: Opened) -> None:
    memory = opened()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    index = Path(memory.directory, "MEMORY.md")
    index.write_text("")
    assert "Mend 1 of them" in finished(visitor, "/doctor").text
    done = visitor.post("/doctor", do="mend")
    assert "Mended" in done.text
    assert "deploys" in index.read_text()
    assert "Mend " not in finished(visitor, "/doctor").text
    assert "Looked again." in visitor.post("/doctor", do="look").text


def test_the_team_has_a_page_once_it_is_in_use(visitor: Visitor, opened: Opened, tmp_path: Path) -> None:
    assert 'href="/team"' not in visitor.open("/").html
    assert "Team memory is off because" in visitor.open("/team").text
    memory = opened()
    memory.remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    (tmp_path / "shared").mkdir()
    chosen, _ = memory.team.proposal(str(tmp_path / "shared"), who="Ada")
    memory.team.init(chosen)
    memory.team.promote("deploys")
    after = Visitor(opened)
    page = after.open("/team")
    assert 'href="/team" aria-current="page"' in page.html
    assert "project deploys Deploys go out on Tuesdays" in page.text
    assert "not sent yet project_deploys.md" in page.text
    assert "Sent: team/project_deploys.md" in after.post("/team", do="sync").text
    assert "not sent yet" not in after.open("/team").text
    assert after.post("/team", do="other").status == 400
    one = after.open("/memory/team/project_deploys.md")
    assert "team/project_deploys.md" in one.html.partition("History")[2]
    assert "Forgot team/project_deploys.md" in after.post("/memory/team/project_deploys.md", do="forget").text
    assert opened().list() == []


def test_agent_types_with_a_memory_have_a_page(visitor: Visitor, opened: Opened, tmp_path: Path) -> None:
    assert 'href="/agents"' not in visitor.open("/").html
    assert "No agent type here keeps a memory" in visitor.open("/agents").text
    folder = tmp_path / "shop" / ".claude" / "agents"
    folder.mkdir(parents=True)
    (folder / "reviewer.md").write_text(
        "---\nname: reviewer\ndescription: Reads diffs\nmemory: project\n---\n"
    )
    opened().agent("reviewer").remember("Look at the tests first.", kind="feedback", name="tests-first")
    page = Visitor(opened).open("/agents")
    assert 'href="/agents" aria-current="page"' in page.html
    assert "reviewer project Reads diffs" in page.text
    assert "feedback tests-first Look at the tests first" in page.text


def test_memory_that_is_off_says_so(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "MEMDIR_DISABLE": "1", "PATH": "/usr/bin:/bin"}
    visitor = Visitor(lambda: Memory.open(tmp_path, env))
    for address in ("/ask?q=what+is+it", "/rules"):
        page = visitor.open(address)
        assert page.status == 400
        assert "off because" in page.text
    for address in ("/", "/timeline", "/doctor"):
        assert visitor.open(address).status == 200
        assert "off because" in visitor.open(address).text


def test_what_does_not_exist_is_a_page_that_says_so(visitor: Visitor) -> None:
    page = visitor.open("/nowhere")
    assert (page.status, "Not found" in page.text, "Not done" in page.text) == (404, True, False)
    assert "Back to the memories" in page.text


def test_empty_pages_say_what_to_do_next(visitor: Visitor) -> None:
    for address, words in {
        "/": 'memdir remember "Deploys go out on Tuesdays only."',
        "/timeline": "Nothing happened yet.",
        "/inbox": "Nothing waits for you.",
        "/rules": "--enforce",
        "/agents": "memory: project",
        "/team": "Team memory is off because memdir team init was not run here.",
    }.items():
        assert words in " ".join(visitor.open(address).text.split())
    assert "<rect" not in visitor.open("/timeline").html
    assert '<code>--enforce "' in visitor.open("/rules").html  # an option is not broken after its hyphens


def test_what_is_not_there_is_said_with_where_to_look(visitor: Visitor) -> None:
    gone = visitor.open("/memory/project_gone.md")
    assert (gone.status, "Not found" in gone.text) == (404, True)
    assert 'href="/timeline"' in gone.html.partition("No memory lies in")[2]
    assert "There is no page at this address." in visitor.open("/nowhere").text


def test_what_the_doctor_says_of_many_alike_is_said_once(visitor: Visitor, opened: Opened) -> None:
    for name in ("deploys", "violin"):
        opened().remember(f"The {name} are on Tuesdays.", kind="project", name=name)
    page = finished(visitor, "/doctor").text
    assert page.count("It does not say why.") == 1
    assert "missing why 2×" in page


def test_ask_offers_what_was_asked_lately(visitor: Visitor, opened: Opened) -> None:
    opened().remember("Deploys go out on Tuesdays.", kind="project", name="deploys")
    opened().recall("when do deploys go out?", budget=10)
    assert 'href="/ask?q=when+do+deploys+go+out%3F"' in visitor.open("/ask").html
    assert "Asked lately" not in visitor.open("/ask?q=which+day").text
