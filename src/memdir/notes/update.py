"""Session notes of one conversation: when they are due; a model edits the one file, or rules fill it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from memdir.config.identity import transcript_folder
from memdir.config.location import Setup
from memdir.config.settings import Settings
from memdir.config.world import World
from memdir.conversation.cursors import Cursors
from memdir.conversation.messages import Spoken
from memdir.conversation.transcripts import read
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Conflict, NoSuchMemory
from memdir.extract.heuristics.credentials import without_credentials
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Message, Model, Question
from memdir.notes.file import (
    NotesFile,
    NotesTemplate,
    condense,
    long_sections,
    newest_session,
    parse_template,
)
from memdir.text.clip import BYTES_PER_TOKEN, shorten, tokens
from memdir.text.escape import escape
from memdir.text.program_names import PATH_KEYS
from memdir.text.secrets.search import mask_secrets
from memdir.text.templates import Templates
from memdir.text.value import value_class
from memdir.workers.loop import FAILED, WorkerLimits, run_worker
from memdir.workers.overlay import Overlay
from memdir.workers.policy import Policy
from memdir.workers.queue import NotNow, Now
from memdir.workers.tools import Toolbox

__all__ = [
    "Noted",
    "Notes",
    "NotesRules",
    "NotesTaker",
    "SessionNotes",
    "compaction_text",
    "notes_gate",
    "notes_template",
]

_TEXTS = Templates(__file__)

_TEMPLATE, _PROMPT = "notes-template.md", "notes-prompt.md"
_LARGEST = 100_000
"""Bytes of a user's own template or prompt."""

_MOST_TURNS = 4
_MOST_TOKENS = 8_192
_MOST_CONVERSATION = 120_000
"""Characters of the conversation that one update looks at, the last ones."""


@value_class(frozen=True, slots=True)
class NotesRules:
    """When notes are taken, and how long they may be."""

    enabled: bool = False
    first_tokens: int = 30_000
    every_tokens: int = 20_000
    tool_calls: int = 3
    section_tokens: int = 2_000
    file_tokens: int = 12_000

    @classmethod
    def of(cls, settings: Settings) -> NotesRules:
        """Return the rules that these settings hold."""
        numbers = ("firstTokens", "everyTokens", "toolCalls", "sectionTokens", "fileTokens")
        return cls(settings.flag("notes.enabled"), *(settings.number(f"notes.{name}") for name in numbers))


@value_class(frozen=True, slots=True)
class Notes:
    """The notes of one conversation; all empty when there are none."""

    session: str = ""
    path: str = ""
    text: str = ""
    for_compaction: str = ""
    """What a compaction starts from: within the limits, without empty sections."""
    on: bool = True
    """Whether notes are taken."""


@value_class(frozen=True, slots=True)
class Noted:
    """What an update of the notes came to."""

    path: str
    text: str
    method: str
    """model or offline."""
    changed: bool


def notes_gate(messages: Sequence[Spoken], rules: NotesRules, *, first: bool) -> NotNow | Now:
    """Say whether what was said since the last notes calls for new ones."""
    new, calls = _token_count(messages), sum(len(one.uses) for one in messages)
    wanted = rules.first_tokens if first else rules.every_tokens
    if new < wanted:
        return NotNow(f"{new:,} tokens were said since the last notes, and {wanted:,} call for new ones")
    if first or calls >= rules.tool_calls:
        return Now(f"{new:,} tokens and {calls} tool calls since the last notes")
    asked = (at for at, one in enumerate(messages) if one.is_prompt)
    if not any(one.uses for one in messages[max(asked, default=0) :]):
        return Now(f"{new:,} tokens since the last notes, and the last turn used no tool")
    return NotNow(f"{calls} of {rules.tool_calls} tool calls were made since the last notes")


def _token_count(messages: Sequence[Spoken]) -> int:
    """Return about how many tokens messages take: calls of tools, and what is not kept of long ones, too."""
    kept = sum(tokens(one.text) + sum(tokens(str(use.input)) for use in one.uses) for one in messages)
    return kept + sum(one.left_out for one in messages) // BYTES_PER_TOKEN


def notes_template(own: str) -> NotesTemplate:
    """Return the user's own template if there is a usable one, else ours."""
    found = parse_template(own) or parse_template(_TEXTS.fill_plain("template"))
    if found is None:
        raise ValueError("notes_template.md has no headings.")
    return found


def compaction_text(notes: str, template: NotesTemplate, rules: NotesRules) -> str:
    """Return the notes as a compaction starts from them: within their limits, without empty sections."""
    bodies = template.bodies(condense(template, notes, rules.section_tokens, rules.file_tokens))
    parts = [f"{one.heading}\n\n{bodies[one.name]}" for one in template.sections if bodies[one.name]]
    return "\n\n".join(parts)


class NotesTaker:
    """Updates the notes of one conversation."""

    def __init__(
        self, notes: NotesFile, template: NotesTemplate, rules: NotesRules, prompt: str = ""
    ) -> None:
        """Take one file in charge; `prompt` replaces what a model is told."""
        self._notes, self._template, self._rules, self._prompt = notes, template, rules, prompt

    def by_model(
        self,
        model: Model,
        messages: Sequence[Spoken],
        *,
        timer: Callable[[], float],
        seconds: float,
        cancel: Cancel | None = None,
    ) -> Noted | NotNow:
        """Let a model edit the notes; when it fails they stay as they were, and the `NotNow` says so."""
        was, file = self._notes.text(), self._notes.file
        start = self._template.normalise(escape(was))
        policy = Policy(
            self._notes.directory, tools=frozenset({"edit"}), folders=frozenset({"sessions"}), only=file
        )
        overlay = Overlay({file: start})
        question = self._question(start, messages, seconds)
        limits = WorkerLimits(_MOST_TURNS, seconds)
        done = run_worker(
            model, question, Toolbox(policy, overlay), clock=timer, limits=limits, cancel=cancel
        )
        if done.ended == FAILED:
            return NotNow(f"No notes were taken, and it will be tried again. {done.because}", failed=True)
        return self._put(was, overlay.text(file) or start, "model")

    def by_rules(self, messages: Sequence[Spoken], now: datetime) -> Noted:
        """Write down what can be told without a model."""
        was = self._notes.text()
        bodies = _offline_bodies(self._template.bodies(was), messages, now)
        return self._put(was, self._template.render(bodies), "offline")

    def _put(self, was: str, text: str, method: str) -> Noted:
        rules = self._rules
        bodies = {name: without_credentials(body) for name, body in self._template.bodies(text).items()}
        # Escaped when written: a model must find the very passages that it was shown.
        whole = self._template.normalise(escape(mask_secrets(self._template.render(bodies))))
        made = condense(self._template, whole, rules.section_tokens, rules.file_tokens)
        if made != was:
            self._notes.put(was, made)
        return Noted(self._notes.path, made, method, made != was)

    def _question(self, notes: str, messages: Sequence[Spoken], seconds: float) -> Question:
        rules = self._rules
        long = long_sections(self._template, notes, rules.section_tokens, rules.file_tokens)
        request = _TEXTS.fill_plain(
            "request",
            file=self._notes.file,
            notes=notes,
            long=_TEXTS.fill_plain("long", sections=", ".join(long)) if long else "",
            conversation=_conversation(messages),
        )
        limits = {"section_tokens": rules.section_tokens, "file_tokens": rules.file_tokens}
        system = self._prompt.strip() or _TEXTS.fill_plain("system", **limits)
        return Question(
            (Message("user", request),), system, max_tokens=_MOST_TOKENS, timeout=seconds, job="notes"
        )


@value_class(frozen=True, slots=True)
class SessionNotes:
    """The notes of one conversation."""

    directory: str
    state: str
    setup: Setup
    world: World
    model: Callable[[], Model | NoModel]
    """Returns the model to ask; called only when notes are taken."""

    def read(self) -> Notes:
        """Return the notes of this conversation, or those written last when nobody said which it is."""
        session = self.world.session or newest_session(self.directory)
        file = NotesFile(self.directory, self.state, session)
        text = file.text() if session else ""
        if not text:
            return Notes(on=self._rules.enabled)
        brief = compaction_text(text, self._template, self._rules)
        return Notes(session, file.path, text, brief, self._rules.enabled)

    def update(
        self, transcript: str = "", *, now: bool = False, cancel: Cancel | None = None
    ) -> Noted | NotNow:
        """Take notes of what was said since the last time, if it is time, or at once."""
        if not self.world.session:
            return NotNow("nobody said which conversation this is")
        if not (self._rules.enabled or now):
            return NotNow('the setting "notes.enabled" is off')
        path = transcript or os.path.join(
            transcript_folder(self.setup.place.config_home, self.world.cwd), f"{self.world.session}.jsonl"
        )
        if not os.path.isfile(path):
            raise NoSuchMemory(f"There is no transcript {path}. Name a JSONL file with one message a line.")
        cursors = Cursors(self.state, "notes")
        since = cursors.of(self.world.session)
        passage = read(path, since)
        gate = notes_gate(passage.messages, self._rules, first=since is None)
        if isinstance(gate, NotNow) and not (now and passage.messages):
            return gate
        try:
            noted = self._take(passage.messages, cancel)
        except Conflict:
            return NotNow("another process takes these notes")
        if isinstance(noted, Noted):
            cursors.advance(self.world.session, since, passage.cursor)
        return noted

    def _take(self, messages: tuple[Spoken, ...], cancel: Cancel | None) -> Noted | NotNow:
        file = NotesFile(self.directory, self.state, self.world.session)
        taker = NotesTaker(file, self._template, self._rules, self._own(_PROMPT))
        model = self.model()
        if isinstance(model, NoModel):
            return taker.by_rules(messages, self.world.clock())
        seconds = float(self.setup.settings.number("worker.maxSeconds"))
        return taker.by_model(model, messages, timer=self.world.timer, seconds=seconds, cancel=cancel)

    @property
    def _rules(self) -> NotesRules:
        return NotesRules.of(self.setup.settings)

    @property
    def _template(self) -> NotesTemplate:
        return notes_template(self._own(_TEMPLATE))

    def _own(self, name: str) -> str:
        """Return a file of the user's own; empty when there is none that can be read."""
        data = regular_bytes(os.path.join(self.setup.place.config_home, "memdir", name), _LARGEST)
        return "" if isinstance(data, Unread) else data.decode("utf-8", "replace")


def _conversation(messages: Sequence[Spoken]) -> str:
    """Return what was said, as material: each message after the name of its speaker."""
    parts, room = list[str](), _MOST_CONVERSATION
    for one in reversed([one for one in messages if not one.recalled]):
        # What a model is not shown it cannot note.
        text = without_credentials(one.text[:2_000] if one.role == "tool" else one.text)
        calls = [f"{use.name} {str(dict(use.input))[:400]}" for use in one.uses]
        parts.append(f"[{one.role}] " + "\n".join([text, *calls]).strip())
        room -= len(parts[-1]) + 2
        if room <= 0:
            break
    return escape("\n\n".join(reversed(parts))[-_MOST_CONVERSATION:])


_LONGEST = 300
"""Characters of a request or an error that are noted: its beginning says what it is."""

_MOST_FILES, _MOST_ERRORS = 40, 20


def _offline_bodies(known: Mapping[str, str], messages: Sequence[Spoken], now: datetime) -> dict[str, str]:
    """Return the texts of the sections with what these messages add; sections of another name stay."""
    said = [(one.at or now, without_credentials(one.text).strip()) for one in messages if one.is_prompt]
    said = [(at, text) for at, text in said if text]
    bodies = dict(known)
    if said:
        first, last = said[0][1], said[-1][1]
        bodies["Title"] = bodies.get("Title") or shorten(first, 80)
        bodies["Task"] = bodies.get("Task") or shorten(first, 1_000)
        bodies["Current state"] = f"Last request: {shorten(last, _LONGEST)}"
    lists = {
        "Files and functions": (_files(messages), _MOST_FILES),
        "Errors and corrections": (_errors(messages), _MOST_ERRORS),
        "Worklog": ([f"{at:%Y-%m-%d %H:%M} {shorten(text, 120)}" for at, text in said], 0),
    }
    bodies |= {name: _with(bodies.get(name, ""), new, most) for name, (new, most) in lists.items()}
    return {name: body for name, body in bodies.items() if name in known}


def _files(messages: Sequence[Spoken]) -> list[str]:
    """Return the files that tools were called on, with the tools."""
    tools: dict[str, dict[str, None]] = {}
    for use in (use for one in messages for use in one.uses):
        path = next((use.input[key] for key in PATH_KEYS if isinstance(use.input.get(key), str)), "")
        if path:
            tools.setdefault(path, {})[use.name] = None
    return [f"{path} ({', '.join(names)})" for path, names in tools.items()]


def _errors(messages: Sequence[Spoken]) -> list[str]:
    """Return what failed, and how the tool put it."""
    names = {use.id: use.name for one in messages for use in one.uses}
    failed = [
        (one.answers, without_credentials(one.text)) for one in messages if one.role == "tool" and one.failed
    ]
    return [f"{names.get(call, 'a tool')}: {shorten(text, _LONGEST)}" for call, text in failed]


def _with(body: str, new: Sequence[str], most: int) -> str:
    """Return a list with new points at its end, each once; of too many the oldest go."""
    points = dict.fromkeys([*body.split("\n"), *(f"- {line}" for line in new)])
    lines = [line for line in points if line.strip()]
    return "\n".join(lines[-most:] if most else lines)
