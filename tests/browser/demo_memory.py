"""A small project and three weeks of its memory, made through the library: something to look at."""

import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.enforce import rules_in
from memdir.memories.topic import Draft, Provenance
from memdir.memory import Memory
from memdir.rules.decisions import RuleDecisions
from memdir.rules.judge import Decision
from memdir.text.dates.calendar import utc_stamp

__all__ = ["DemoMemory"]

_DRAFTS = (
    (20, "user", "go-and-react", "I have written Go for ten years and am new to React.", "", ""),
    (18, "feedback", "terse-replies", "No summaries at the end of a reply.", "I read diffs.", ""),
    (
        16,
        "project",
        "payment-retries",
        ("Retries of payments are decided in `src/pay/client.py`, in `retry_after`. See [[gateway-limits]]."),
        "The gateway bills every attempt.",
        "Change the limit there and nowhere else.",
    ),
    (
        15,
        "reference",
        "gateway-limits",
        (
            "The limits of the payment gateway are in its [handbook](https://gateway.example/limits):\n\n"
            "| plan | calls a second |\n|---|---|\n| test | 5 |\n| live | 50 |"
        ),
        "",
        "",
    ),
    (
        11,
        "feedback",
        "no-pushes-to-main",
        "Nobody pushes to main.",
        "A push to main deploys.",
        "Open a branch.",
    ),
    (9, "project", "release-train", "The release branch is cut on 2026-11-05.", "Marketing has a date.", ""),
    (
        6,
        "feedback",
        "tests-hit-a-database",
        "Integration tests hit a real database, never a mock.",
        "A mock hid a broken migration last year.",
        "Use `make db` first.",
    ),
    (3, "reference", "pipeline-bugs", "Bugs of the data pipeline are in the Linear project INGEST.", "", ""),
    (1, "project", "merge-freeze", "Merge freeze from 2026-12-18 until the mobile release.", "", ""),
)
_PROMPTS = (
    (14, "how long do we wait before a payment is tried again?"),
    (8, "where are payment retries decided?"),
    (5, "do the integration tests need a database?"),
    (2, "where are bugs of the data pipeline?"),
    (2, "may I push to main?"),
)
_RULE = "Bash: git push * main"


class DemoMemory:
    """A home, a git project and its memory; `opened` opens one more handle on it."""

    def __init__(self, root: Path, now: datetime | None = None) -> None:
        """Make all of it below a folder; the last day is today."""
        self.now = now or datetime.now(UTC)
        self.home, self.project = root / "home", root / "shop"
        self.env = {"HOME": str(self.home), "PATH": "/usr/local/bin:/usr/bin:/bin"}
        self.home.mkdir()
        self._make_project()
        self._remember()
        self._recall()
        self._change()
        self._propose()
        self._share(root)
        self._give_an_agent_memory()

    def opened(self, session: str = "", at: datetime | None = None, **env: str) -> Memory:
        """Open the memory, as of some moment."""
        clock = (lambda: at) if at else (lambda: datetime.now(UTC))
        return Memory.open(self.project, self.env | env, session or None, clock=clock)

    def _git(self, *words: str) -> None:
        who = ["-c", "user.name=Demo", "-c", "user.email=demo@example.org"]
        subprocess.run(["git", *who, *words], cwd=self.project, check=True, capture_output=True)

    def _make_project(self) -> None:
        files: Mapping[str, str] = {
            "src/pay/client.py": "def retry_after(attempt):\n    return min(2**attempt, 60)\n",
            "Makefile": "db:\n\ttrue\n",
            "CLAUDE.md": "# Shop\n\nUse tabs. Run `make db` before the tests.\n",
        }
        for name, text in files.items():
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.project / name).write_text(text)
        self._git("init", "-q", "-b", "main")
        self._git("add", ".")
        self._git("commit", "-qm", "Begin")

    def _remember(self) -> None:
        for days, kind, name, body, why, how in _DRAFTS:
            at = self.now - timedelta(days=days, hours=days % 5)
            memory = self.opened(f"talk-{days // 4}", at)
            enforce = _RULE if name == "no-pushes-to-main" else ""
            memory.remember(body, kind=kind, name=name, why=why, how=how, enforce=enforce, saved_at=at)
        at = self.now - timedelta(days=4)
        planted = Draft(
            "Never touch the lock file.",
            "feedback",
            "lock-file",
            enforce="Write: *.lock",
            source="assistant",
            saved_at=at,
        )
        self.opened("talk-1", at).transfer.remember_many([planted], actor="host")

    def _recall(self) -> None:
        for days, prompt in _PROMPTS:
            self.opened(f"talk-{days // 4}", self.now - timedelta(days=days)).recall(prompt, budget=10)

    def _change(self) -> None:
        self._git("mv", "src/pay/client.py", "src/pay/gateway.py")
        self._git("commit", "-qm", "Name the gateway")
        at = self.now - timedelta(days=2)
        memory = self.opened("talk-0", at)
        topic = memory.read("terse-replies")
        memory.edit(topic, topic.text.replace("I read diffs.", "I read the diff myself."))
        memory.remember("The office has a new coffee machine.", kind="reference", name="coffee", saved_at=at)
        memory.forget("coffee")
        dreamt = self.opened("talk-0", self.now - timedelta(days=1))
        topic = dreamt.read("go-and-react")
        text = topic.text.replace("am new to React.", "am new to React (two weeks).")
        dreamt.history.change(
            [Change(topic.header.file, topic.text, text)], verb="dream", actor="dream", source="assistant"
        )
        rule = rules_in(_RULE, memory="no-pushes-to-main")[0]
        log = RuleDecisions(memory.state)
        given = {"command": "git push origin HEAD:main"}
        log.add(Decision("deny", rule), "Bash", given, "talk-0", at=utc_stamp(datetime.now(UTC)))

    def _propose(self) -> None:
        memory = self.opened()
        topic = memory.read("pipeline-bugs")
        inbox, by = Inbox(memory.state), Provenance("extractor", "assistant", "offline", "talk-0")
        text = topic.text.replace("INGEST.", "INGEST; ask in #data first.")
        at = self.now - timedelta(hours=3)
        inbox.add(Proposal((Change(topic.header.file, topic.text, text),), by, "nobody confirmed it", at))
        new = '---\nname: "deploy-day"\ndescription: "Deploys go out on Tuesdays"\ntype: "project"\n---\n\n'
        edit = Change("project_deploy-day.md", None, f"{new}Deploys go out on Tuesdays.  \n")
        inbox.add(Proposal((edit,), by, "a tool said it, not you", self.now - timedelta(hours=2)))

    def _share(self, root: Path) -> None:
        """Share a folder with a team-mate, who taught the team one thing; another was not sent yet."""
        (mate := root / "mate").mkdir()
        (root / "shared").mkdir()
        env = self.env | {"HOME": str(mate)}
        for memory, who in ((Memory.open(self.project, env), "Ada"), (self.opened(), "Demo")):
            chosen, _ = memory.team.proposal(str(root / "shared"), folder="shop", who=who)
            memory.team.init(chosen)
            if who == "Ada":
                words, why = "Deploys go out on Tuesdays only.", "Support is fully staffed then."
                memory.remember(words, kind="project", name="deploys", why=why, audience="team")
                memory.team.sync()
        self.opened().remember(
            "Numbers of tickets start with SHOP.", kind="reference", name="tickets", audience="team"
        )

    def _give_an_agent_memory(self) -> None:
        (folder := self.project / ".claude" / "agents").mkdir(parents=True)
        head = "---\nname: reviewer\ndescription: Reviews what is to be merged\nmemory: project\n---\n"
        (folder / "reviewer.md").write_text(f"{head}Review.\n")
        self.opened().agent("reviewer").remember(
            "Look at the tests first.", kind="feedback", name="tests-first"
        )
