"""What the index said about memories that are gone, so that one that comes back finds its words and place."""

import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from memdir.disk.files import folder_made
from memdir.memories.description import pointer_of
from memdir.memories.index.lost_lines import LostLine, lost_lines, with_lost_lines
from memdir.memories.index.text import HUB_FOLDER, targets
from memdir.memories.topic import Header

__all__ = ["LostPointers"]

_FILE = "index.lost"

_MOST = 200
"""Lines that are kept, as many as an index may have: the oldest go first."""

_HeaderOf = Callable[[str], Header | None]


class LostPointers:
    """The lost lines of one index, in a file of the state folder that may itself be lost at any time."""

    def __init__(self, state: str) -> None:
        """Remember where they lie."""
        self._state = state

    def lines(self) -> dict[str, LostLine]:
        """Return what is kept, by file."""
        try:
            with open(os.path.join(self._state, _FILE), "rb") as file:
                import json  # mostly there is nothing to read

                rows = json.load(file)
            return {str(row[0]): LostLine(str(row[1]), int(row[2]), str(row[3]), str(row[4])) for row in rows}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            return {}

    def returned(self, text: str, elsewhere: Collection[str], header: _HeaderOf) -> str:
        """Return an index with the pointers of memories that are there again, unless a hub has them."""
        if not (lost := self.lines()):
            return text
        here = {*targets(text), *elsewhere}
        found = [found for file in lost if file not in here and (found := header(file))]
        return with_lost_lines(text, lost, {one.file: pointer_of(one) for one in found})

    def keep(self, before: str, after: str, hubs: Mapping[str, str], header: _HeaderOf) -> None:
        """Keep what an index said about memories that neither it nor a hub points at any more."""
        gone = {file for file in targets(before) if not file.startswith(HUB_FOLDER)} - {*targets(after)}
        gone -= {file for hub in hubs.values() for file in targets(hub, below=True)}
        if not gone:
            return
        import json

        ours = {one.file: pointer_of(one) for one in map(header, gone) if one}
        kept = {file: line for file, line in self.lines().items() if file not in gone}
        kept |= lost_lines(before, gone, ours)
        with suppress(OSError), folder_made(self._state) as state:
            rows = [(file, *line) for file, line in [*kept.items()][-_MOST:]]
            state.replace_cache(_FILE, json.dumps(rows).encode())
