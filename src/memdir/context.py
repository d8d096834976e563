"""What a model is told in one project: instructions, index and mechanics, brought together."""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from memdir.config.approvals import Approvals
from memdir.config.enabled import is_bare
from memdir.config.identity import slug
from memdir.config.location import Setup, resolve
from memdir.config.settings import Settings
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.conversation.state import Conversation
from memdir.errors import Rejected
from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.instruction import Discovery, Instruction, Layer, Obstacle
from memdir.instructions.places import InstructionScope
from memdir.memories.names import INDEX_NAME
from memdir.text.value import replace, value_class

if TYPE_CHECKING:  # the texts of prompts are imported by the verbs that tell them: a touched file needs none
    from memdir.instructions.render import RenderTexts
    from memdir.memories.directory import MemoryDir
    from memdir.prompt.bill import Bill, Facts
    from memdir.prompt.context import Context, HostTexts
    from memdir.prompt.guide import Form, Guide, Reader
    from memdir.prompt.templates import PromptSection
    from memdir.text.clip import Clipped

__all__ = ["Briefing"]

_GUIDELINES = "MEMDIR_EXTRA_GUIDELINES"
_TEAM = "team"
_MODES = ("private", "combined", "daily-log")


@value_class(frozen=True, slots=True)
class Briefing:
    """Everything that one conversation is told before its first prompt, and what a touched file adds."""

    memories: "Callable[[], MemoryDir]"
    """Opened only by what shows the index."""
    setup: Setup
    world: World
    conversation: Conversation
    added: tuple[str, ...] = ()
    """Directories whose instructions count too, after those of the chain."""
    bare: bool = False

    def discovery(
        self,
        paths: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: Collection[Layer | str] | None = None,
    ) -> Discovery:
        """Return what is loaded at the start, or what touching these files adds, and what was left out."""
        scene, chosen = self._scene(with_externals=with_externals), _chosen(layers)
        if not paths:
            return discover(scene, layers=chosen)
        seen = self.conversation.instructions_seen(_under(scene))
        found = discover_touched(scene, paths, seen or _paths(discover(scene).loaded))
        return replace(found, loaded=tuple([one for one in found.loaded if one.layer in chosen]))

    def instructions(
        self,
        paths: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: Collection[Layer | str] | None = None,
    ) -> list[Instruction]:
        """Return the files that a conversation gets now, in order, and remember that it has them.

        Each is read once; a compaction, a changed setting or an approval has all of them read again.
        """
        scene, chosen = self._scene(with_externals=with_externals), _chosen(layers)
        seen = self.conversation.instructions_seen(_under(scene))
        found = [] if paths and seen is not None else [*self._start(scene, chosen)]
        if paths:
            loaded = seen or _paths(self._start(scene, frozenset(Layer)))
            found += [one for one in discover_touched(scene, paths, loaded).loaded if one.layer in chosen]
            self.conversation.add_instructions(loaded | _paths(found), _under(scene))
            return found
        self.conversation.add_instructions(_paths(found), _under(scene))
        return [*found, *(one for one in self._indexes() if one.layer in chosen)]

    def approve(self, path: str) -> str:
        """Approve one file, or folder of rules, outside the project for it; return its real path."""
        real = os.path.realpath(self._named(path))
        if not os.path.exists(real):
            raise Rejected(f"{path} is not there. `memdir instructions` shows what awaits approval.")
        Approvals(self.setup.place.config_home).approve(self.setup.place.root, real)
        return real

    def withdraw(self, path: str) -> str:
        """Take such an approval back, also of a file that is gone; return the path it was for."""
        approvals, root = Approvals(self.setup.place.config_home), self.setup.place.root
        named = self._named(path)
        # As it is named first: what was approved as a file may be a link today.
        for one in (os.path.normpath(named), os.path.realpath(named)):
            if approvals.withdraw(root, [one]):
                return one
        known = ", ".join(sorted(approvals.of(root)))
        others = f"Approved are: {known}." if known else "Nothing is."
        raise Rejected(f"{path} is not approved for this project. {others}")

    def prompt(
        self,
        *,
        mode: str = "",
        form: str = "",
        with_index: bool = False,
        reader: "Reader | None" = None,
        preview: bool = False,
    ) -> str:
        """Return how memory works in the mode that settings ask for, or in another."""
        from memdir.prompt.guide import mechanics_and_index, mechanics_of_mode, mode_for
        from memdir.prompt.templates import text

        guide, chosen = self._guide(mode, reader), self._form(form, reader)
        if not preview:
            self._begin(guide)
        if with_index:
            return text(mechanics_and_index(guide, mode_for(guide), chosen))
        return text(mechanics_of_mode(guide, chosen))

    def additions(self) -> str:
        """Return what a host that keeps this memory itself, and explains it, cannot know of our settings."""
        from memdir.prompt.guide import additions
        from memdir.prompt.templates import text
        from memdir.text.value import replace

        guide, named = self._guide(""), variable(self.world.env, _GUIDELINES)
        self.make_directory()
        if named and named[0] != _GUIDELINES:  # the host reads its own variable itself
            guide = replace(guide, extra=())
        return text(additions(guide))

    def context(self, host: "HostTexts", *, form: str = "", reader: "Reader | None" = None) -> "Context":
        """Return every part of the context with its place and price."""
        guide = self._guide("", reader)
        self._begin(guide)
        return self._assembled(self.instructions(), host, guide, self._form(form, reader))

    def make_directory(self) -> None:
        """Make the memory directory of a conversation; a failure is logged and stops nothing."""
        from memdir.conversation.logs import HookLog
        from memdir.disk.files import folder_made

        path = self.memories().path
        try:
            folder_made(path).close()
        except OSError as error:
            said = f"the memory directory {path} could not be made: {error.strerror or error}"
            HookLog(self.setup.place.config_home).add(said, self.world.clock())

    def bill(self, window: int) -> "Bill":
        """Return what a conversation is told at its start and what it costs; it does not count as told."""
        from memdir.prompt.bill import bill_of
        from memdir.prompt.context import HostTexts

        found = self.discovery()
        entries = [*found.loaded, *self._indexes()]
        context = self._assembled(entries, HostTexts(), self._guide(""), self._form(""))
        return bill_of(context, self._facts(found, entries), window)

    def rendered(
        self, instructions: Sequence[Instruction], layers: Collection[Layer | str] | None = None
    ) -> str:
        """Return instructions, or those of some layers, as the text that a model reads."""
        from memdir.instructions.render import render

        return render(instructions, _words(), layers=_chosen(layers))

    def _assembled(
        self, entries: Sequence[Instruction], host: "HostTexts", guide: "Guide", form: "Form"
    ) -> "Context":
        from memdir.prompt.context import OurTexts, assemble
        from memdir.prompt.guide import mechanics_of_mode
        from memdir.prompt.templates import PromptSection

        words = _words()
        learned = {one.layer: _entry(one, words) for one in entries if one.layer in _LEARNED}
        written = [_entry(one, words) for one in entries if one.layer not in _LEARNED]
        preamble = [PromptSection("preamble", words.preamble.strip())] if written else []
        ours = OurTexts(
            mechanics=tuple(mechanics_of_mode(guide, form)),
            instructions=(*preamble, *written),
            index=(learned[Layer.MEMORY],) if Layer.MEMORY in learned else (),
            team_index=(learned[Layer.TEAM],) if Layer.TEAM in learned else (),
        )
        return assemble(host, ours)

    def _facts(self, found: Discovery, entries: Sequence[Instruction]) -> "Facts":
        from memdir.instructions.repeats import repeats
        from memdir.instructions.review import LONG_LINES, LONG_TEXT
        from memdir.prompt.bill import BilledFile, Facts, Repeated, Size, WaitingRule

        always = {rule.path for rule in found.rules if not rule.globs.conditional}
        waiting = [one for one in found.left_out if one.because is Obstacle.WAITING]
        others = [one for one in found.left_out if one.because is not Obstacle.WAITING and one.is_path]
        texts = {one.path: one.text for one in found.loaded}
        return Facts(
            recommended=Size(LONG_LINES, LONG_TEXT),
            files=tuple([BilledFile(o.path, o.layer, o.text, o.importer, o.path in always) for o in entries]),
            later=tuple([WaitingRule(one.path, one.globs, _size_in_tokens(one.path)) for one in waiting]),
            left_out=len(others),
            compact=self._compact_tokens(),
            settings=os.path.join(self.setup.place.config_home, "memdir", self.setup.layout.settings_file),
            repeated=tuple([Repeated(one.sentence, one.places) for one in repeats(texts)]),
        )

    def _compact_tokens(self) -> int | None:
        """Return what the mechanics would cost in their compact form; None where a setting chose the form."""
        from memdir.prompt.guide import Form, mechanics_of_mode
        from memdir.text.tokens import tokens

        if self.setup.settings.text("compactPrompt") != "auto":
            return None
        return sum(tokens(section.text) for section in mechanics_of_mode(self._guide(""), Form.COMPACT))

    def _scene(self, *, with_externals: bool) -> InstructionScope:
        place, layout = self.setup.place, self.setup.layout
        return InstructionScope(
            layout=layout,
            cwd=self.world.cwd,
            home=self.world.home,
            config_home=place.config_home,
            managed=layout.managed_folder(sys.platform),
            excludes=self._settings().texts("claudeMdExcludes"),
            approved=Approvals(place.config_home).of(place.root),
            added=tuple(os.path.abspath(os.path.join(self.world.cwd, path)) for path in self.added),
            with_externals=with_externals,
        )

    def _named(self, path: str) -> str:
        """Return the whole path that a person means."""
        below_home = os.path.join(self.world.home, path[2:]) if path.startswith("~/") else path
        return os.path.join(self.world.cwd, below_home)

    def _settings(self) -> Settings:
        """Return the settings as they are by now; a conversation that just begins has them fresh."""
        if not self.conversation.has_read:
            return self.setup.settings
        layout = self.setup.layout
        return resolve(
            env=self.world.env, cwd=self.world.cwd, home=self.world.home, bare=self.bare, layout=layout
        ).settings

    def _start(self, scene: InstructionScope, layers: frozenset[Layer]) -> tuple[Instruction, ...]:
        return self.conversation.read_once((scene, layers), lambda: discover(scene, layers=layers).loaded)

    def _indexes(self) -> list[Instruction]:
        if not self.setup.verdict.on:
            return []
        from memdir.instructions.source import index_instruction

        private = index_instruction(self.memories().full_path(INDEX_NAME), self.memories().view())
        return [private] if private else []

    def _guide(self, mode: str, reader: "Reader | None" = None) -> "Guide":
        from memdir.prompt.guide import Guide, Reader

        settings, place, reader = self.setup.settings, self.setup.place, reader or Reader()
        extra = variable(self.world.env, _GUIDELINES)
        mode = mode or settings.text("mode")
        if mode not in _MODES:
            raise Rejected(f"{mode!r} is not a mode. Use one of {', '.join(_MODES)}.")
        team = os.path.join(self.memories().path, _TEAM, "") if mode == "combined" else None
        return Guide(
            directory=os.path.join(self.memories().path, ""),
            team_directory=team,
            on=self.setup.verdict.on and not is_bare(self.world.env, bare=self.bare),
            daily_log=mode == "daily-log",
            override_named=place.source == "override",
            skip_index=settings.flag("skipIndex"),
            index=self._index(),
            search_past=reader.search if settings.flag("searchPastContext") else None,
            transcripts=os.path.join(
                place.config_home, "projects", slug(os.path.realpath(self.world.cwd)), ""
            ),
            extra=(*((extra[1],) if extra else ()), *reader.guidelines),
        )

    def _index(self) -> "Clipped":
        from memdir.text.clip import clip_index

        return clip_index(self.memories().view())

    def _begin(self, guide: "Guide") -> None:
        """Make the directory that a prompt says is there, and write down which one is loaded and how."""
        if guide.on:
            self.make_directory()
        self._note_load(guide)

    def _note_load(self, guide: "Guide") -> None:
        """Write down which prompt is loaded and which limit its index passed, or why there is none."""
        from memdir.conversation.logs import Load, Loads
        from memdir.prompt.guide import mode_for
        from memdir.text.dates.calendar import utc_stamp

        index, verdict = guide.index or self._index(), self.setup.verdict
        passed = {"lines": index.over_lines, "characters": index.over_characters}
        load = Load(
            utc_stamp(self.world.clock()),
            mode_for(guide).name if guide.on else "off",
            index.lines,
            index.characters,
            ",".join(name for name, over in passed.items() if over),
            "" if guide.on else "bare" if verdict.on else verdict.rule,
        )
        Loads(self.memories().state).add(load)

    def _form(self, form: str, reader: "Reader | None" = None) -> "Form":
        """Return the form that is asked for, by the caller or a setting, or else the one that fits."""
        from memdir.prompt.guide import Form, Reader

        setting = self.setup.settings.text("compactPrompt")
        if form or setting == "auto":
            return Form(form) if form else (reader or Reader()).form
        return Form.COMPACT if setting == "on" else Form.FULL


_LEARNED = frozenset({Layer.MEMORY, Layer.TEAM})


def _chosen(layers: Collection[Layer | str] | None) -> frozenset[Layer]:
    return frozenset(Layer if layers is None else map(Layer, layers))


def _under(scene: InstructionScope) -> str:
    """Return a mark of what may change within a conversation: settings and approvals."""
    return f"{crc32(repr((scene.excludes, sorted(scene.approved))).encode('utf-8', 'backslashreplace')):08x}"


def _paths(loaded: Iterable[Instruction]) -> frozenset[str]:
    return frozenset([one.path for one in loaded if not one.external])


def _entry(one: Instruction, words: "RenderTexts") -> "PromptSection":
    from memdir.instructions.render import render
    from memdir.prompt.templates import PromptSection

    return PromptSection(one.path, render([one], words).removeprefix(words.preamble.strip()).strip("\n"))


def _size_in_tokens(path: str) -> int:
    from memdir.text.tokens import BYTES_PER_TOKEN

    try:
        return -(-os.stat(path).st_size // BYTES_PER_TOKEN)
    except OSError:  # gone since it was found
        return 0


def _words() -> "RenderTexts":
    from memdir.instructions.render import RenderTexts
    from memdir.prompt.templates import loaded

    return RenderTexts(
        preamble=loaded("instructions_preamble"),
        entry=loaded("instructions_entry"),
        shared_entry=loaded("instructions_shared_entry"),
        layers={layer: loaded(f"layer_{layer}") for layer in Layer},
    )
