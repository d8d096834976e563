"""Session notes as the settings want them, for one conversation: when they are due, and where they lie."""

import os

from memdir.config.location import Setup
from memdir.config.world import World
from memdir.conversation.cursors import Cursors
from memdir.conversation.messages import Spoken
from memdir.conversation.transcripts import read, transcript_folder
from memdir.disk.regular_file import Unread, regular_bytes
from memdir.errors import Conflict, NoSuchMemory
from memdir.models.build import NoModel
from memdir.models.protocol import Cancel, Model
from memdir.notes.file import NotesFile, NotesTemplate, newest_session
from memdir.notes.notes import (
    Noted,
    Notes,
    NotesRules,
    NotesTaker,
    compaction_text,
    notes_gate,
    notes_template,
)
from memdir.text.value import value_class
from memdir.workers.queue import NotNow

__all__ = ["SessionNotes"]

_TEMPLATE, _PROMPT = "notes-template.md", "notes-prompt.md"
_LARGEST = 100_000
"""Bytes of a user's own template or prompt."""


@value_class(frozen=True, slots=True)
class SessionNotes:
    """The notes of one conversation."""

    directory: str
    state: str
    setup: Setup
    world: World
    model: Model | NoModel

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
        if isinstance(self.model, NoModel):
            return taker.by_rules(messages, self.world.clock())
        seconds = float(self.setup.settings.number("worker.maxSeconds"))
        return taker.by_model(self.model, messages, timer=self.world.timer, seconds=seconds, cancel=cancel)

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
