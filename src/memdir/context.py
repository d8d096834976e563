"""`memory.context`: what a model is told at the start of a conversation: mechanics, instructions, index."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memdir.config.identity import transcript_folder
from memdir.config.location import Setup, is_bare
from memdir.config.world import World, variable
from memdir.conversation.logs import HookLog, Load, Loads
from memdir.conversation.state import Conversation
from memdir.disk.files import make_folder
from memdir.errors import Rejected
from memdir.instructions.project import ProjectInstructions, preamble, render_entry
from memdir.instructions.records import LEARNED, Discovery, Instruction, Layer, Obstacle
from memdir.instructions.review import LONG_LINES, LONG_TEXT
from memdir.memories.directory import MemoryDir
from memdir.prompt.bill import Bill, BilledFile, Facts, Size, WaitingRule, bill_of
from memdir.prompt.context import Context, HostTexts, OurTexts, assemble
from memdir.prompt.guide import (
    Form,
    Guide,
    Reader,
    additions,
    mechanics,
    mechanics_and_index,
    mode_for,
)
from memdir.prompt.templates import PromptSection, text
from memdir.text.clip import BYTES_PER_TOKEN, Clipped, clip_index, tokens
from memdir.text.dates.calendar import utc_stamp
from memdir.text.repeats import repeats
from memdir.text.value import replace, value_class

__all__ = ["CompactionDecision", "ContextBuilder", "compaction"]

_GUIDELINES = "MEMDIR_EXTRA_GUIDELINES"
_MODES = ("private", "combined", "daily-log")


@value_class(frozen=True, slots=True)
class CompactionDecision:
    """Whether to compact now, and the reason."""

    compact: bool
    because: str


@value_class(frozen=True, slots=True)
class ContextBuilder:
    """Builds what one conversation is told before its first prompt, and says what that costs."""

    _memories: MemoryDir
    _team: MemoryDir | None
    """The team's directory; None while team memory is off."""
    _setup: Setup
    _world: World
    _conversation: Conversation
    _instructions: ProjectInstructions
    _bare: bool = False

    def prompt(
        self,
        *,
        mode: str = "",
        form: str = "",
        with_index: bool = False,
        reader: Reader | None = None,
        preview: bool = False,
    ) -> str:
        """Return how memory works, in the mode that settings ask for or in another; empty when it is off.

        A conversation begins with it: the directory is made, and the load is noted; not in a preview.
        """
        guide, chosen = self._guide(mode, reader), self._form(form, reader)
        if not preview:
            self._begin(guide)
        sections = mechanics_and_index if with_index else mechanics
        return text(sections(guide, form=chosen))

    def index(self) -> Clipped:
        """Return the healed index as a prompt may load it."""
        self._setup.verdict.require_on()
        return self._index()

    def compaction(self, used: int, *, window: int, output: int, failures: int = 0) -> CompactionDecision:
        """Tell an agent of your own whether to compact its conversation now, and why: all in tokens."""
        number = self._setup.settings.number
        caps = {"reserve": number("compact.reserveTokens"), "max_failures": number("compact.failures")}
        return compaction(used, window=window, output=output, failures=failures, **caps)

    def after_compaction(self) -> None:
        """Let instructions load and memories be shown again: the model no longer sees them."""
        self._conversation.forget_instructions()
        self._conversation.forget_shown()

    def additions(self) -> str:
        """Return what a host that keeps this memory itself, and explains it, cannot know of our settings."""
        guide, named = self._guide(""), variable(self._world.env, _GUIDELINES)
        self.make_directory()
        if named and named[0] != _GUIDELINES:  # the host reads its own variable itself
            guide = replace(guide, extra=())
        return text(additions(guide))

    def build(
        self, host: HostTexts | None = None, *, form: str = "", reader: Reader | None = None
    ) -> Context:
        """Return every part of the context, with place, side of the cache boundary and tokens."""
        guide = self._guide("", reader)
        self._begin(guide)
        return self._assemble(self._instructions.load(), host or HostTexts(), guide, self._form(form, reader))

    def make_directory(self) -> None:
        """Make the memory directory of a conversation; a failure is logged and stops nothing."""
        for path in (self._memories.path, *([self._team.path] if self._team else [])):
            try:
                make_folder(path).close()
            except OSError as error:
                said = f"the memory directory {path} could not be made: {error.strerror or error}"
                HookLog(self._setup.place.config_home).add(said, self._world.clock())

    def bill(self, window: int = 200_000) -> Bill:
        """Return what a conversation is told at its start, its cost and what could be trimmed.

        It does not count as told.
        """
        found = self._instructions.discover()
        entries = [*found.loaded, *self._instructions.indexes()]
        context = self._assemble(entries, HostTexts(), self._guide(""), self._form(""))
        return bill_of(context, self._facts(found, entries), window)

    def _assemble(self, entries: Sequence[Instruction], host: HostTexts, guide: Guide, form: Form) -> Context:
        sections = [(one.layer, PromptSection(one.path, render_entry(one))) for one in entries]
        learned = {layer: section for layer, section in sections if layer in LEARNED}
        written = [section for layer, section in sections if layer not in LEARNED]
        first = [PromptSection("preamble", preamble())] if written else []
        ours = OurTexts(
            mechanics=tuple(mechanics(guide, form=form)),
            instructions=(*first, *written),
            index=(learned[Layer.MEMORY],) if Layer.MEMORY in learned else (),
            team_index=(learned[Layer.TEAM],) if Layer.TEAM in learned else (),
        )
        return assemble(host, ours)

    def _facts(self, found: Discovery, entries: Sequence[Instruction]) -> Facts:
        always = {rule.path for rule in found.rules if not rule.globs.conditional}
        waiting = [one for one in found.left_out if one.because is Obstacle.WAITING]
        others = [one for one in found.left_out if one.because is not Obstacle.WAITING and one.is_path]
        texts = {one.path: one.text for one in found.loaded}
        compact = sum(tokens(one.text) for one in mechanics(self._guide(""), form=Form.COMPACT))
        return Facts(
            recommended=Size(LONG_LINES, LONG_TEXT),
            files=tuple([BilledFile(o.path, o.layer, o.text, o.importer, o.path in always) for o in entries]),
            later=tuple([WaitingRule(one.path, one.globs, _size_in_tokens(one.path)) for one in waiting]),
            left_out=len(others),
            compact=compact if self._setup.settings.text("compactPrompt") == "auto" else None,
            settings=os.path.join(self._setup.place.config_home, "memdir", self._setup.layout.settings_file),
            repeated=tuple(repeats(texts)),
        )

    def _guide(self, mode: str, reader: Reader | None = None) -> Guide:
        settings, place, reader = self._setup.settings, self._setup.place, reader or Reader()
        extra = variable(self._world.env, _GUIDELINES)
        asked, mode = mode, mode or settings.text("mode")
        if mode not in _MODES:
            raise Rejected(f"{mode!r} is not a mode. Use one of {', '.join(_MODES)}.")
        team = self._team if mode != "private" or not asked else None
        if mode == "combined" and team is None:
            raise Rejected("Team memory is off: nothing can be combined. `memdir team status` says why.")
        return Guide(
            directory=os.path.join(self._memories.path, ""),
            team_directory=os.path.join(team.path, "") if team else None,
            on=self._setup.verdict.on and not is_bare(self._world.env, bare=self._bare),
            daily_log=mode == "daily-log",
            override_named=place.source == "override",
            skip_index=settings.flag("skipIndex"),
            index=self._index(),
            team_index=clip_index(team.view()) if team else None,
            search_past=reader.search if settings.flag("searchPastContext") else None,
            transcripts=os.path.join(transcript_folder(place.config_home, self._world.cwd), ""),
            extra=(*((extra[1],) if extra else ()), *reader.guidelines),
        )

    def _index(self) -> Clipped:
        return clip_index(self._memories.view())

    def _begin(self, guide: Guide) -> None:
        """Make the directory that a prompt names; note the prompt and its index, or why there is none."""
        if guide.on:
            self.make_directory()
        index, verdict = guide.index or self._index(), self._setup.verdict
        passed = {"lines": index.over_lines, "characters": index.over_characters}
        load = Load(
            utc_stamp(self._world.clock()),
            mode_for(guide).name if guide.on else "off",
            index.lines,
            index.characters,
            ",".join(name for name, over in passed.items() if over),
            "" if guide.on else "bare" if verdict.on else verdict.rule,
        )
        Loads(self._memories.state).add(load)

    def _form(self, form: str, reader: Reader | None = None) -> Form:
        """Return the form that is asked for, by the caller or a setting, or else the one that fits."""
        setting = self._setup.settings.text("compactPrompt")
        if form or setting == "auto":
            return Form(form) if form else (reader or Reader()).form
        return Form.COMPACT if setting == "on" else Form.FULL


def compaction(
    used: int, *, window: int, output: int, reserve: int, failures: int, max_failures: int
) -> CompactionDecision:
    """Decide whether to compact a conversation of this many tokens after so many failures in a row.

    The effective window is the model's window less the output that it may write. Compaction begins when
    only the reserve is left of it: room for the summary and for the turn that is under way.
    """
    at = max(0, window - output) - reserve
    if at <= 0:
        because = (
            f"the threshold is {at:,} tokens: the window less output and reserve leaves no room. "
            "Lower compact.reserveTokens or the output limit, or use a model with a larger window."
        )
    elif used < at:
        because = f"{used:,} tokens are used and compaction begins at {at:,}: {at - used:,} are left."
    elif failures >= max_failures:
        because = f"compaction failed {failures} times in a row and is not tried again in this conversation."
    else:
        return CompactionDecision(True, f"{used:,} tokens are used and compaction begins at {at:,}.")
    return CompactionDecision(False, because)


def _size_in_tokens(path: str) -> int:
    try:
        return -(-os.stat(path).st_size // BYTES_PER_TOKEN)
    except OSError:  # gone since it was found
        return 0
