"""Four cases that were seen with another reader of the same layout load exactly as they did there."""

from pathlib import Path

import pytest
from tests.unit.instructions.stage import FIXTURES, Stage, entries, fixture

from memdir.config.identity import slug
from memdir.config.location import resolve
from memdir.config.world import World
from memdir.instructions.discovery import discover, discover_touched
from memdir.instructions.instruction import Discovery
from memdir.instructions.source import index_instruction


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.json")))
def test_a_recorded_case_loads_as_recorded(name: str, tmp_path: Path) -> None:
    case, stage = fixture(name, tmp_path.resolve())
    env = {str(key): str(value) for key, value in (case["env"] or {}).items()}
    setup = resolve(World(env, str(stage.root / "proj"), str(stage.root / "home")))
    scope = stage.scope(excludes=setup.settings.texts("claudeMdExcludes"))
    start = discover(scope)
    memory = _with_index(start, stage, case["memory"] or {}, Path(setup.place.directory))
    expected = entries(case["loaded"], stage, slug(str(stage.root)))
    assert stage.shown(memory) == expected
    paths = [stage.filled(path) for path in case["touched"]]
    later = discover_touched(scope, paths, {one.path for one in start.loaded})
    assert stage.shown(later) == entries(case["loaded_later"], stage, slug(str(stage.root)))


def test_all_four_cases_are_here() -> None:
    assert len(list(FIXTURES.glob("*.json"))) == 4


def _with_index(start: Discovery, stage: Stage, files: dict[str, str], directory: Path) -> Discovery:
    """Add the index of the memory directory, as `Memory` does."""
    if not files:
        return start
    place = str(directory.relative_to(stage.root))
    stage.write({f"{place}/{name}": text for name, text in files.items()})
    path = directory / "MEMORY.md"
    index = index_instruction(str(path), path.read_text())
    return Discovery((*start.loaded, *([index] if index else [])), start.left_out)
