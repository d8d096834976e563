"""What a model is told in one project: instructions, index and mechanics, brought together."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memdir.config.enabled import prompt_shown
from memdir.config.identity import slug
from memdir.config.locate import Setup
from memdir.config.variables import variable
from memdir.core.clip import Clipped, clip_index
from memdir.core.names import INDEX_NAME
from memdir.errors import Rejected
from memdir.instructions.discover import discovered, touched
from memdir.instructions.index import index_instruction
from memdir.instructions.instruction import Discovery, Instruction, Layer
from memdir.instructions.render import Words, rendered
from memdir.instructions.scene import Scene
from memdir.prompt.assemble import Context, HostTexts, OurTexts, assembled
from memdir.prompt.guide import Form, Guide, Search, dispatched, mechanics_and_index, mode_for
from memdir.prompt.sections import Section, loaded, text
from memdir.store.approvals import Approvals
from memdir.store.conversation import Conversation
from memdir.store.memory_dir import MemoryDir

__all__ = ["Briefing"]

_TEAM = "team"
_MODES = ("private", "combined", "daily-log")


@dataclass(frozen=True, slots=True)
class Briefing:
    """Everything that one conversation is told before its first prompt, and what a touched file adds."""

    memories: MemoryDir
    setup: Setup
    env: Mapping[str, str]
    home: str
    cwd: str
    conversation: Conversation
    added: tuple[str, ...] = ()
    """Directories whose instructions count too, after those of the chain."""
    bare: bool = False

    def discovery(self, paths: Sequence[str] = (), *, with_externals: bool = False) -> Discovery:
        """Return what is loaded at the start, or what touching these files adds, and what was left out."""
        scene = self._scene(with_externals=with_externals)
        if not paths:
            return discovered(scene)
        return touched(scene, paths, self.conversation.instructions_seen() or self._at_start(scene))

    def instructions(self, paths: Sequence[str] = (), *, with_externals: bool = False) -> list[Instruction]:
        """Return the files that a conversation gets now, in order, and remember that it has them."""
        found = list(self.discovery(paths, with_externals=with_externals).loaded)
        seen = {one.path for one in found if not one.external}
        if paths:
            seen |= self._at_start(self._scene(with_externals=False))
        self.conversation.add_instructions(seen)
        return found if paths else [*found, *self._indexes()]

    def approve(self, path: str) -> str:
        """Approve one file outside the project for it; return its real path."""
        real = os.path.realpath(os.path.join(self.cwd, os.path.expanduser(path)))
        if not os.path.isfile(real):
            raise Rejected(f"{path} is not a file. `memdir instructions` shows what awaits approval.")
        Approvals(self.setup.place.config_home).approve(self.setup.place.root, real)
        return real

    def prompt(self, *, mode: str = "", form: str = "", with_index: bool = False) -> str:
        """Return how memory works in the mode that settings ask for, or in another."""
        guide = self._guide(mode)
        chosen = self._form(form)
        if with_index:
            return text(mechanics_and_index(guide, mode_for(guide), chosen))
        return text(dispatched(guide, chosen))

    def context(self, host: HostTexts, *, form: str = "") -> Context:
        """Return every part of the context with its place and price."""
        words = _words()
        entries = [one for one in self.instructions() if one.layer not in _LEARNED]
        preamble = [Section("preamble", words.preamble.strip())] if entries else []
        ours = OurTexts(
            mechanics=tuple(dispatched(self._guide(""), self._form(form))),
            instructions=(*preamble, *(_entry(one, words) for one in entries)),
            index=tuple(_entry(one, words) for one in self._indexes() if one.layer is Layer.MEMORY),
            team_index=tuple(_entry(one, words) for one in self._indexes() if one.layer is Layer.TEAM),
        )
        return assembled(host, ours)

    def rendered(self, instructions: Sequence[Instruction]) -> str:
        """Return instructions as the text that a model reads."""
        return rendered(instructions, _words())

    def _scene(self, *, with_externals: bool) -> Scene:
        place, layout = self.setup.place, self.setup.layout
        return Scene(
            layout=layout,
            cwd=self.cwd,
            home=self.home,
            config_home=place.config_home,
            managed=layout.managed_folder(sys.platform),
            excludes=self.setup.settings.texts("claudeMdExcludes"),
            approved=Approvals(place.config_home).of(place.root),
            added=tuple(os.path.abspath(os.path.join(self.cwd, path)) for path in self.added),
            with_externals=with_externals,
        )

    def _at_start(self, scene: Scene) -> frozenset[str]:
        return frozenset(one.path for one in discovered(scene).loaded)

    def _indexes(self) -> list[Instruction]:
        if not self.setup.verdict.on:
            return []
        private = index_instruction(self.memories.full_path(INDEX_NAME), self.memories.view())
        return [private] if private else []

    def _guide(self, mode: str) -> Guide:
        settings, place = self.setup.settings, self.setup.place
        extra = variable(self.env, "MEMDIR_EXTRA_GUIDELINES")
        mode = mode or settings.text("mode")
        if mode not in _MODES:
            raise Rejected(f"{mode!r} is not a mode. Use one of {', '.join(_MODES)}.")
        team = os.path.join(self.memories.path, _TEAM, "") if mode == "combined" else None
        return Guide(
            directory=os.path.join(self.memories.path, ""),
            team_directory=team,
            on=prompt_shown(self.env, settings, bare=self.bare).on and self.setup.verdict.on,
            daily_log=mode == "daily-log",
            override_named=place.source == "override",
            skip_index=settings.flag("skipIndex"),
            index=self._index(),
            search_past=Search.SHELL if settings.flag("searchPastContext") else None,
            transcripts=os.path.join(place.config_home, "projects", slug(os.path.realpath(self.cwd)), ""),
            extra=(extra[1],) if extra else (),
        )

    def _index(self) -> Clipped:
        return clip_index(self.memories.view())

    def _form(self, form: str) -> Form:
        setting = self.setup.settings.text("compactPrompt")
        return Form(form or ("compact" if setting == "on" else "full"))


_LEARNED = frozenset({Layer.MEMORY, Layer.TEAM})


def _entry(one: Instruction, words: Words) -> Section:
    return Section(one.path, rendered([one], words).removeprefix(words.preamble.strip()).strip("\n"))


def _words() -> Words:
    return Words(
        preamble=loaded("instructions_preamble"),
        entry=loaded("instructions_entry"),
        shared_entry=loaded("instructions_shared_entry"),
        layers={layer: loaded(f"layer_{layer}") for layer in Layer},
    )
