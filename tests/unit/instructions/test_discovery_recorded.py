"""Four cases that were seen with another reader of the same layout load exactly as they did there."""

from pathlib import Path

import pytest
from tests.unit.instructions.folders import FIXTURES, Folders, entries, fixture

from memdir.config.identity import slug
from memdir.config.location import resolve
from memdir.config.world import World
from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.records import Discovery
from memdir.instructions.source import index_instruction


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.json")))
def test_a_recorded_case_loads_as_recorded(name: str, tmp_path: Path) -> None:
    case, folders = fixture(name, tmp_path.resolve())
    env = {str(key): str(value) for key, value in (case["env"] or {}).items()}
    setup = resolve(World(env, str(folders.root / "proj"), str(folders.root / "home")))
    scope = folders.scope(excludes=setup.settings.texts("claudeMdExcludes"))
    start = discover(scope)
    memory = _with_index(start, folders, case["memory"] or {}, Path(setup.place.directory))
    expected = entries(case["loaded"], folders, slug(str(folders.root)))
    assert folders.texts(memory) == expected
    paths = [folders.fill(path) for path in case["touched"]]
    later = discover_touched(scope, paths, {one.path for one in start.loaded})
    assert folders.texts(later) == entries(case["loaded_later"], folders, slug(str(folders.root)))


def test_all_four_cases_are_here() -> None:
    assert len(list(FIXTURES.glob("*.json"))) == 4


def _with_index(start: Discovery, folders: Folders, files: dict[str, str], directory: Path) -> Discovery:
    """Add the index of the memory directory, as `Memory` does."""
    if not files:
        return start
    place = str(directory.relative_to(folders.root))
    folders.write({f"{place}/{name}": text for name, text in files.items()})
    path = directory / "MEMORY.md"
    index = index_instruction(str(path), path.read_text())
    return Discovery((*start.loaded, *([index] if index else [])), start.left_out)
