"""All that decides which instruction files a conversation gets, as one value."""

import os

from memdir.config.layout import Layout
from memdir.instructions.instruction import Layer
from memdir.text.value import field, value_class

__all__ = ["InstructionPlace", "InstructionScope", "chain", "folder_places", "managed_places", "user_places"]


@value_class(frozen=True, slots=True)
class InstructionScope:
    """Where a conversation takes place and what was settled for it; every path is absolute."""

    layout: Layout
    cwd: str
    """The directory in which the conversation began."""
    home: str
    """What `~/` in an import stands for."""
    config_home: str
    managed: str
    """The organisation's folder."""
    excludes: tuple[str, ...] = ()
    """The globs of claudeMdExcludes."""
    approved: frozenset[str] = field(default_factory=frozenset)
    """Real paths outside the working directory that a person approved for this project."""
    added: tuple[str, ...] = ()
    """Directories the caller adds after the chain."""
    with_externals: bool = False
    """Load what awaits approval too, marked, in order to show it; this approves nothing."""


@value_class(frozen=True, slots=True)
class InstructionPlace:
    """Where an instruction file may stand, or a folder of rules."""

    path: str
    layer: Layer
    base: str = ""
    """For rules, the directory they belong to: what leads from there to them should not be a link."""
    anchor: str = ""
    """For rules, the folder that their globs are relative to."""
    fallback: bool = False
    """Whether it counts only where the chain has no instruction file."""


def chain(folder: str) -> list[str]:
    """Return the directories from the root of the file system down to this one."""
    folders = [folder]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return folders[::-1]


def managed_places(scope: InstructionScope, cwd: str) -> list[InstructionPlace]:
    """Return the organisation's places; its rules are about the working directory, as the user's are."""
    rules = os.path.join(scope.managed, scope.layout.dot_folder, scope.layout.rules_folder)
    file = os.path.join(scope.managed, scope.layout.instruction_file)
    return [InstructionPlace(file, Layer.MANAGED), InstructionPlace(rules, Layer.MANAGED, scope.managed, cwd)]


def user_places(scope: InstructionScope, cwd: str) -> list[InstructionPlace]:
    """Return the user's own places."""
    rules = os.path.join(scope.config_home, scope.layout.rules_folder)
    file = os.path.join(scope.config_home, scope.layout.instruction_file)
    return [InstructionPlace(file, Layer.USER), InstructionPlace(rules, Layer.USER, scope.config_home, cwd)]


def folder_places(layout: Layout, folder: str, *, base: str = "", own: bool) -> list[InstructionPlace]:
    """Return the places of one directory; without `own`, its dot folder is missing or another layer's."""
    dot = os.path.join(folder, layout.dot_folder)
    rules = InstructionPlace(os.path.join(dot, layout.rules_folder), Layer.PROJECT, base or folder, folder)
    holders = [folder, dot] if own else [folder]
    return [
        *(
            InstructionPlace(os.path.join(holder, layout.instruction_file), Layer.PROJECT)
            for holder in holders
        ),
        *([rules] if own else []),
        *(
            InstructionPlace(os.path.join(holder, layout.fallback_file), Layer.PROJECT, fallback=True)
            for holder in holders
            if layout.fallback_file
        ),
        InstructionPlace(os.path.join(folder, layout.local_file), Layer.LOCAL),
    ]
