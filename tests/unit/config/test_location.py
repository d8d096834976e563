"""The memory directory follows the environment, the user's settings and the path alone, in that order."""

import dataclasses
import json
import os
import subprocess
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from memdir.config import settings as settings_module
from memdir.config.identity import slug, state_name
from memdir.config.layout import AGENTS, CLAUDE, Layout
from memdir.config.location import (
    Place,
    Setup,
    host_loads_it,
    locate,
    named_directory,
    other_roots,
    resolve,
    state_for,
)
from memdir.config.safe_path import Refused
from memdir.config.settings import Setting, Settings, json_object
from memdir.config.world import World, config_home
from memdir.errors import Rejected


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a home and a project in it, by its real path."""
    folder = tmp_path.resolve()
    (folder / "home").mkdir()
    (folder / "project").mkdir()
    return folder


def _place(folder: Path, settings: Settings | None = None, /, cwd: str = "project", **env: str) -> Place:
    world = World(env, f"{folder}/{cwd}", f"{folder}/home")
    return locate(settings or Settings(), world, config_home(CLAUDE, world).path)


def _directory_setting(*values: str) -> Settings:
    found = tuple(Setting(value, f"/settings/{number}.json", "user") for number, value in enumerate(values))
    return Settings({"autoMemoryDirectory": found})


def _elsewhere(layout: Layout, folder: Path) -> Layout:
    """Keep the real machine's managed folder out of the test."""
    return dataclasses.replace(layout, managed_folder=f"{folder}/etc")


def _resolved(folder: Path, cwd: str = "project", **env: str) -> Setup:
    layout = _elsewhere(CLAUDE, folder)
    return resolve(World(env, f"{folder}/{cwd}", f"{folder}/home"), layout=layout)


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


# ------------------------------------------------------------------ the directory


def test_by_default_it_is_the_projects_own_below_the_config_home(folder: Path) -> None:
    place = _place(folder)
    expected = f"{folder}/home/.claude/projects/{slug(f'{folder}/project')}/memory/"
    assert (place.directory, place.source) == (expected, "default")
    assert (place.root, place.config_home) == (f"{folder}/project", f"{folder}/home/.claude")
    assert (place.base, place.warnings) == (place.config_home, ())


@pytest.mark.parametrize("name", ["CLAUDE_CONFIG_DIR", "MEMDIR_CONFIG_DIR"])
def test_the_config_home_moves_directory_and_state(folder: Path, name: str) -> None:
    place = _place(folder, **{name: "/srv/conf"})
    assert place.directory.startswith("/srv/conf/projects/")
    assert place.state.startswith("/srv/conf/memdir/state/")


@pytest.mark.parametrize("name", ["CLAUDE_CODE_REMOTE_MEMORY_DIR", "MEMDIR_BASE"])
def test_the_base_moves_the_directory_and_not_the_state(folder: Path, name: str) -> None:
    place = _place(folder, **{name: "/mnt/base/"})
    assert place.directory == f"/mnt/base/projects/{slug(f'{folder}/project')}/memory/"
    assert place.state.startswith(f"{folder}/home/.claude/memdir/state/")
    assert place.base == "/mnt/base"


@pytest.mark.parametrize(
    "named", ["{}/home", "{}/home/.ssh", "{}/home/x/..", "{}", "C:\\", "C:", "\\\\server\\x", "//server/x"]
)
def test_a_variable_a_setting_and_an_option_are_judged_alike(folder: Path, named: str) -> None:
    path, home = named.format(folder), f"{folder}/home"
    by_variable, by_setting = _place(folder, MEMDIR_DIRECTORY=path), _place(folder, _directory_setting(path))
    by_option = named_directory(path, World({}, "/", home))
    assert isinstance(by_option, Refused)
    for place in (by_variable, by_setting):
        assert place.source == "default"
        assert by_option.because in place.warnings[0]


@pytest.mark.parametrize(
    "name", ["MEMDIR_DIRECTORY", "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "CLAUDE_CODE_AUTO_MEM_PATH"]
)
def test_an_override_decides(folder: Path, name: str) -> None:
    place = _place(folder, _directory_setting("/srv/setting"), **{name: "/srv//memory"})
    assert (place.directory, place.source) == ("/srv/memory/", "override")


def test_our_override_wins_over_the_others_and_theirs_in_order(folder: Path) -> None:
    env = {
        "CLAUDE_CODE_AUTO_MEM_PATH": "/srv/c",
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/srv/b",
        "MEMDIR_DIRECTORY": "/srv/a",
    }
    assert _place(folder, **env).directory == "/srv/a/"
    del env["MEMDIR_DIRECTORY"]
    assert _place(folder, **env).directory == "/srv/b/"


def test_a_setting_decides_when_no_variable_does(folder: Path) -> None:
    place = _place(folder, _directory_setting("~/memory"))
    assert (place.directory, place.source) == (f"{folder}/home/memory/", "setting")


@pytest.mark.parametrize("value", ["", "~/memory", "relative", "/", "//server/share", "C:\\", "~bob"])
def test_a_refused_override_is_a_warning_and_the_setting_is_used(folder: Path, value: str) -> None:
    place = _place(folder, _directory_setting("/srv/setting"), MEMDIR_DIRECTORY=value)
    assert (place.directory, place.source) == ("/srv/setting/", "setting")
    assert len(place.warnings) == 1
    assert place.warnings[0].startswith("MEMDIR_DIRECTORY is ignored: ")


@pytest.mark.parametrize("value", ["", "~", "~/..", "relative", "/", "/srv/\0"])
def test_a_refused_setting_is_a_warning_and_the_next_source_is_used(folder: Path, value: str) -> None:
    place = _place(folder, _directory_setting(value))
    assert place.source == "default"
    assert place.warnings[0].startswith('"autoMemoryDirectory" in /settings/0.json is ignored: ')
    assert _place(folder, _directory_setting(value, "/srv/second")).directory == "/srv/second/"


@pytest.mark.parametrize("name", ["MEMDIR_CONFIG_DIR", "MEMDIR_BASE", "MEMDIR_STATE"])
def test_a_refused_folder_variable_is_a_warning_and_the_default_holds(folder: Path, name: str) -> None:
    setup = _resolved(folder, **{name: "not/absolute"})
    assert dataclasses.replace(setup.place, warnings=()) == _resolved(folder).place
    assert [warning.split()[0] for warning in setup.warnings] == [name]


def test_worktrees_share_one_directory(folder: Path) -> None:
    env = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)}
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (
        ["init", "-q"],
        [*identity, "commit", "-q", "--allow-empty", "-m", "first"],
        ["worktree", "add", "-q", "../side"],
    ):
        subprocess.run(["git", *arguments], cwd=folder / "project", env=env, check=True, capture_output=True)
    side = _place(folder, cwd="side")
    assert side == _place(folder)


def test_both_forms_of_an_accented_name_are_one_project(folder: Path) -> None:
    names = {unicodedata.normalize(form, "été") for form in ("NFC", "NFD")}
    for name in names:
        (folder / name).mkdir(exist_ok=True)
    places = [_place(folder, cwd=name) for name in names]
    assert len({place.directory for place in places}) == 1


# ------------------------------------------------------------------ the state folder


def test_state_is_named_after_the_directory_and_lies_elsewhere(folder: Path) -> None:
    place = _place(folder)
    assert place.state == f"{folder}/home/.claude/memdir/state/{state_name(place.directory)}"
    assert place.state == state_for(place.directory, World({}, "/", f"{folder}/home"))


def test_a_variable_moves_the_state(folder: Path) -> None:
    place = _place(folder, MEMDIR_STATE="/srv/state")
    assert place.state == f"/srv/state/{state_name(place.directory)}"
    assert place.warnings == ()


def test_state_inside_the_memory_directory_is_a_warning(folder: Path) -> None:
    place = _place(folder, MEMDIR_DIRECTORY="/srv/memory", MEMDIR_STATE="/srv/memory/.state")
    assert "lie inside the memory directory" in place.warnings[0]
    beside = _place(folder, MEMDIR_DIRECTORY="/srv/memory", MEMDIR_STATE="/srv/memory-state")
    assert beside.warnings == ()


def test_state_of_a_bare_directory_follows_the_layout(folder: Path) -> None:
    home = f"{folder}/home"
    assert state_for("/srv/m", World({}, "/", home)).startswith(f"{home}/.claude/memdir/state/-srv-m-")
    assert state_for("/srv/m", World({"MEMDIR_LAYOUT": "agents"}, "/", home)).startswith(f"{home}/.agents/")
    assert state_for("/srv/m", World({}, "/", home), "/own").startswith("/own/memdir/state/-srv-m-")


def test_two_roots_with_one_slug_know_of_each_other(folder: Path) -> None:
    state = folder / "state"
    state.mkdir()
    assert other_roots(str(state), "/a/b-c") == []
    (state / "root").write_text("/a/b-c\n")
    assert other_roots(str(state), "/a/b-c") == other_roots(str(state)) == []
    assert other_roots(str(state), "/a/b/c") == ["/a/b-c"]
    (state / "root").write_bytes(b"/a/b-c\n/a/b/c\n/a/b/c\n/a/\xff\n")
    assert other_roots(str(state), "/a/b-c") == ["/a/b/c", os.fsdecode(b"/a/\xff")]
    assert other_roots(str(state)) == ["/a/b/c", os.fsdecode(b"/a/\xff")]


def test_a_damaged_record_of_roots_is_no_record(folder: Path) -> None:
    os.mkfifo(folder / "root")
    assert other_roots(str(folder), "/a") == []


# ------------------------------------------------------------------ everything in one call


def test_everything_is_settled_in_one_call(folder: Path) -> None:
    _write(folder / "home/.claude/settings.json", {"autoMemoryDirectory": "~/memory"})
    _write(
        folder / "project/.claude/settings.json", {"autoMemoryEnabled": False, "autoMemoryDirectory": "/x/y"}
    )
    setup = _resolved(folder)
    assert setup.place.directory == f"{folder}/home/memory/"
    assert (setup.verdict.on, setup.verdict.rule) == (False, "setting")
    assert [warning.split()[0] for warning in setup.warnings] == ['"autoMemoryDirectory"']


def test_bare_mode_can_be_asked_for(folder: Path) -> None:
    layout = _elsewhere(CLAUDE, folder)
    setup = resolve(World({}, f"{folder}/project", f"{folder}/home"), bare=True, layout=layout)
    assert setup.verdict.rule == "bare"


def test_nothing_is_written(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    _resolved(folder)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("cwd", "home"),
    [(".", "/b"), ("/srv", "~"), ("", "/b"), ("/srv", ""), ("/a\0", "/b"), ("/\ud800", "/b")],
)
def test_a_cwd_or_home_that_is_no_absolute_path_is_rejected(cwd: str, home: str) -> None:
    with pytest.raises(Rejected, match="not an absolute path"):
        resolve(World({}, cwd, home))


def test_the_layout_comes_from_a_variable_or_the_users_settings(folder: Path) -> None:
    home = f"{folder}/home"
    assert resolve(World({}, f"{folder}/project", home)).layout == CLAUDE
    by_variable = resolve(World({"MEMDIR_LAYOUT": "agents"}, f"{folder}/project", home))
    assert (by_variable.layout, by_variable.place.config_home) == (AGENTS, f"{home}/.agents")
    _write(folder / "home/.claude/memdir/settings.json", {"layout": "agents"})
    _write(folder / "home/.agents/settings.json", {"autoMemoryDirectory": "/srv/agents"})
    by_setting = resolve(World({}, f"{folder}/project", home))
    assert (by_setting.layout, by_setting.place.directory) == (AGENTS, "/srv/agents/")


def test_a_repository_cannot_choose_the_layout(folder: Path) -> None:
    for name in ("settings.json", "settings.local.json"):
        _write(folder / "project/.claude" / name, {"memdir": {"layout": "agents"}, "layout": "agents"})
    setup = resolve(World({}, f"{folder}/project", f"{folder}/home"))
    assert setup.layout == CLAUDE
    assert len([warning for warning in setup.warnings if "a project may not set it" in warning]) == 2


def test_an_unknown_layout_is_a_warning_and_the_default_holds(folder: Path) -> None:
    setup = resolve(World({"MEMDIR_LAYOUT": "../x"}, f"{folder}/project", f"{folder}/home"))
    assert setup.layout == CLAUDE
    expected = "MEMDIR_LAYOUT is ignored: there is no such layout. Set it to claude or agents, or unset it."
    assert setup.warnings == (expected,)


@pytest.mark.parametrize(
    ("holder", "cwd", "on"),
    [
        ("project", "project/a/b", False),
        ("project/a", "project/a/b", False),
        ("project/a/b", "project/a/b", False),
        ("project/a/b/c", "project/a/b", True),
        ("", "project/a/b", True),
        ("project/other", "project/a/b", True),
    ],
)
def test_project_settings_are_the_nearest_up_to_the_checkout(
    folder: Path, holder: str, cwd: str, *, on: bool
) -> None:
    (folder / "project/.git").mkdir()
    (folder / cwd).mkdir(parents=True)
    _write(folder / holder / ".claude/settings.local.json", {"autoMemoryEnabled": False})
    assert _resolved(folder, cwd).verdict.on is on


def test_without_a_checkout_only_the_directory_itself_has_project_settings(folder: Path) -> None:
    (folder / "project/a").mkdir()
    _write(folder / "project/.claude/settings.json", {"autoMemoryEnabled": False})
    assert _resolved(folder, "project/a").verdict.on
    assert not _resolved(folder, "project").verdict.on


def test_each_settings_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(path: str) -> tuple[Mapping[str, object], Sequence[str]]:
        read.append(path)
        return json_object(path)

    monkeypatch.setattr(settings_module, "json_object", counted)
    home, cwd = str(tmp_path / "home"), str(tmp_path / "project")
    setup = resolve(World({}, cwd, home))
    assert host_loads_it(setup, World({"MEMDIR_MODEL": "x"}, cwd, home))
    assert len(read) == len(set(read)) == 5


@pytest.mark.parametrize(
    ("env", "loads"),
    [
        ({}, True),
        ({"MEMDIR_DIRECTORY": "/elsewhere/memory"}, False),
        ({"MEMDIR_DISABLE": "1"}, True),
        ({"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}, False),
        ({"MEMDIR_CONFIG_DIR": "{home}/other"}, False),
        ({"CLAUDE_CONFIG_DIR": "{home}/other"}, True),
    ],
)
def test_the_host_loads_the_directory_that_it_would_find_without_our_variables(
    tmp_path: Path, env: dict[str, str], loads: bool
) -> None:
    home, cwd = str(tmp_path / "home"), str(tmp_path / "project")
    env = {name: value.replace("{home}", home) for name, value in env.items()}
    setup = resolve(World(env, cwd, home))
    assert host_loads_it(setup, World(env, cwd, home)) is loads
