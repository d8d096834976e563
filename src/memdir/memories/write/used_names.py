"""File names that are in use, also by what is no memory and is not read."""

from memdir.memories.catalog.catalog import Catalog

__all__ = ["TakenNames"]


class TakenNames:
    """File names that a new file cannot have: those of the catalog, which is not copied, and further ones."""

    def __init__(self, catalog: Catalog, within: str = "") -> None:
        """Look at one folder, whose path ends in a slash; at the directory itself if none is named."""
        self._catalog, self._within = catalog, within
        self._more = {item.file.casefold() for item in catalog.findings.skipped}

    def __contains__(self, name: object) -> bool:
        path = f"{self._within}{name}"
        return path in self._catalog.folded() or path in self._more

    def add(self, name: str) -> None:
        """Take one more."""
        self._more.add(name)
