"""`memory.instructions`: the instruction files of one project and one conversation."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING
from zlib import crc32

from memdir.config.approvals import Approvals
from memdir.config.location import Setup, resolve
from memdir.config.world import World
from memdir.conversation.state import Conversation
from memdir.errors import Rejected
from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.loader import InstructionScope
from memdir.instructions.records import LEARNED, Discovery, Instruction, Layer
from memdir.instructions.source import index_instruction
from memdir.memories.names import INDEX_NAME
from memdir.text.escape import escape
from memdir.text.templates import Templates
from memdir.text.value import replace, value_class

if TYPE_CHECKING:
    from memdir.memories.directory import MemoryDir

__all__ = ["ProjectInstructions", "preamble", "render", "render_entry"]


@value_class(frozen=True, slots=True)
class ProjectInstructions:
    """The instructions of a project: found, loaded once a conversation, approved."""

    _memories: MemoryDir
    _team: MemoryDir | None
    """The team's directory; None while team memory is off."""
    _setup: Setup
    _world: World
    _conversation: Conversation
    _added: tuple[str, ...] = ()
    """Directories whose instructions count too, after those of the project."""
    _bare: bool = False

    def load(
        self,
        paths: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: Collection[Layer | str] | None = None,
    ) -> list[Instruction]:
        """Return the files that a conversation gets now, in order, and remember that it has them.

        Without `paths`, these are the files of its start. With `paths`, these are the files that touching
        them adds, each once. After a compaction, a changed setting or an approval, the conversation gets all
        of them again. `layers` chooses among managed, user, project, local, memory and team.
        """
        scope, chosen = self._scope(with_externals=with_externals), _chosen_layers(layers)
        seen = self._conversation.instructions_seen(_change_mark(scope))
        found = [] if paths and seen is not None else [*self._start(scope, chosen)]
        if paths:
            loaded = seen or _paths(self._start(scope, frozenset(Layer)))
            found += [one for one in discover_touched(scope, paths, loaded).loaded if one.layer in chosen]
            self._conversation.add_instructions(loaded | _paths(found), _change_mark(scope))
            return found
        self._conversation.add_instructions(_paths(found), _change_mark(scope))
        return [*found, *(one for one in self.indexes() if one.layer in chosen)]

    def discover(
        self,
        paths: Sequence[str] = (),
        *,
        with_externals: bool = False,
        layers: Collection[Layer | str] | None = None,
    ) -> Discovery:
        """Return the same with what was left out and why; the conversation does not count it as seen."""
        scope, chosen = self._scope(with_externals=with_externals), _chosen_layers(layers)
        if not paths:
            return discover(scope, layers=chosen)
        seen = self._conversation.instructions_seen(_change_mark(scope))
        found = discover_touched(scope, paths, seen or _paths(discover(scope).loaded))
        return replace(found, loaded=tuple([one for one in found.loaded if one.layer in chosen]))

    def render(
        self, instructions: Sequence[Instruction], *, layers: Collection[Layer | str] | None = None
    ) -> str:
        """Return instructions, or those of some layers, as the text that a model reads."""
        return render(instructions, layers=_chosen_layers(layers))

    def indexes(self) -> list[Instruction]:
        """Return the indexes of private and team memory as instructions; nothing when memory is off."""
        if not self._setup.verdict.on:
            return []
        kept = [(Layer.MEMORY, self._memories), (Layer.TEAM, self._team)]
        found = [index_instruction(m.full_path(INDEX_NAME), m.view(), layer) for layer, m in kept if m]
        return [one for one in found if one]

    def approve(self, path: str) -> str:
        """Let this project import one file, or folder of rules, from outside; return its real path.

        The approval is kept outside the project.
        """
        real = os.path.realpath(self._world.full_path(path))
        if not os.path.exists(real):
            raise Rejected(f"{path} is not there. `memdir instructions` shows what awaits approval.")
        Approvals(self._setup.place.config_home).approve(self._setup.place.root, real)
        return real

    def withdraw(self, path: str) -> str:
        """Take such an approval back, also of a file that is gone; return the path it was for."""
        approvals, root = Approvals(self._setup.place.config_home), self._setup.place.root
        named = self._world.full_path(path)
        # As it is named first: what was approved as a file may be a link today.
        for one in (os.path.normpath(named), os.path.realpath(named)):
            if approvals.withdraw(root, [one]):
                return one
        known = ", ".join(sorted(approvals.of(root)))
        others = f"Approved are: {known}." if known else "Nothing is."
        raise Rejected(f"{path} is not approved for this project. {others}")

    def _scope(self, *, with_externals: bool) -> InstructionScope:
        place, layout, world, settings = (
            self._setup.place,
            self._setup.layout,
            self._world,
            self._setup.settings,
        )
        if self._conversation.has_read:  # one that just begins has them fresh
            settings = resolve(world, bare=self._bare, layout=layout).settings
        return InstructionScope(
            layout=layout,
            cwd=world.cwd,
            home=world.home,
            config_home=place.config_home,
            managed=layout.managed_folder,
            excludes=settings.texts("claudeMdExcludes"),
            approved=Approvals(place.config_home).of(place.root),
            added=tuple(os.path.abspath(os.path.join(world.cwd, path)) for path in self._added),
            with_externals=with_externals,
        )

    def _start(self, scope: InstructionScope, layers: frozenset[Layer]) -> tuple[Instruction, ...]:
        return self._conversation.read_once((scope, layers), lambda: discover(scope, layers=layers).loaded)


def _chosen_layers(layers: Collection[Layer | str] | None) -> frozenset[Layer]:
    return frozenset(Layer if layers is None else map(Layer, layers))


def _change_mark(scope: InstructionScope) -> str:
    """Return a mark of what may change within a conversation: settings and approvals."""
    return f"{crc32(repr((scope.excludes, sorted(scope.approved))).encode('utf-8', 'backslashreplace')):08x}"


def _paths(loaded: Iterable[Instruction]) -> frozenset[str]:
    return frozenset([one.path for one in loaded if not one.external])


_texts = cache(partial(Templates, __file__))  # a save loads this module and shows no instructions


def preamble() -> str:
    """Return the sentences that stand before instructions."""
    return _texts().template_text("preamble")


def render_entry(one: Instruction) -> str:
    """Return one file as a model reads it, under its path and layer."""
    # What agents wrote is only ever text; what people wrote as instructions stands as it is.
    text = escape(one.text) if one.layer in LEARNED else one.text
    layer = _texts().template_text(f"layer_{one.layer}")
    form = "shared_entry" if one.layer is Layer.TEAM else "entry"
    return _texts().fill_plain(form, path=_printable(one.path), layer=layer, text=text)


def render(instructions: Iterable[Instruction], *, layers: Collection[Layer] | None = None) -> str:
    """Return the files, or those of some layers, as one text; of no file nothing is said at all."""
    entries = [render_entry(one) for one in instructions if layers is None or one.layer in layers]
    return "\n\n".join([preamble(), *entries]) if entries else ""


def _printable(path: str) -> str:
    """Return the path on one line: a folder's name may hold line ends and bytes that are no text."""
    return "".join([sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in path])
