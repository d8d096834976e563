"""Settings are merged per key, know their source, and never trust a repository with what is the user's."""

import dataclasses
import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from memdir.config.keys import KEYS, Who
from memdir.config.layout import AGENTS, CLAUDE, Layout
from memdir.config.settings import Setting, Settings, load_settings
from memdir.config.world import World, config_home


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine in a temporary folder: an organisation, a user, a project."""

    folder: Path
    layout: Layout

    def write(self, layer: str, content: object) -> str:
        path = self.path(layer)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def path(self, layer: str) -> Path:
        dot = self.layout.dot_folder
        return self.folder / {
            "managed": "etc/managed-settings.json",
            "local": f"project/{dot}/settings.local.json",
            "project": f"project/{dot}/settings.json",
            "ours": f"home/{dot}/memdir/settings.json",
            "user": f"home/{dot}/settings.json",
        }.get(layer, layer)

    def load(self, env: Mapping[str, str] | None = None, root: str = "project") -> Settings:
        home, project = str(self.folder / "home"), str(self.folder / root)
        world = World(env or {}, project, home)
        return load_settings(self.layout, project, config_home(self.layout, world).path)


LAYERS = ["managed", "local", "project", "ours", "user"]


def _elsewhere(layout: Layout, folder: Path) -> Layout:
    return dataclasses.replace(layout, managed_folder=str(folder / "etc"))


@pytest.fixture
def world(tmp_path: Path) -> Machine:
    """Give an empty machine."""
    return Machine(tmp_path, _elsewhere(CLAUDE, tmp_path))


def _as(layer: str, ours: dict[str, object]) -> dict[str, object]:
    return ours if layer == "ours" else {"memdir": ours}


# ------------------------------------------------------------------ defaults and types


def test_without_files_every_key_has_its_default_and_nothing_is_wrong(world: Machine) -> None:
    settings = world.load()
    assert (settings.found, settings.warnings, settings.declined) == ({}, (), ())
    assert all(settings[name] == Setting(key.default, "default", "default") for name, key in KEYS.items())


def test_lookups_have_a_type() -> None:
    settings = Settings()
    assert settings.number("recall.files") == 5
    assert settings.text("mode") == "private"
    assert settings.texts("claudeMdExcludes") == ()
    assert settings.flag("searchPastContext") is True
    assert settings.flag("team.enabled") is False


def test_a_lookup_by_the_wrong_name_or_type_is_our_own_mistake_and_raises() -> None:
    with pytest.raises(KeyError):
        _ = Settings()["recall.file"]
    for lookup, key in [
        ("number", "mode"),
        ("number", "skipIndex"),
        ("text", "recall.files"),
        ("texts", "mode"),
    ]:
        with pytest.raises(KeyError):
            getattr(Settings(), lookup)(key)


# ------------------------------------------------------------------ merging


@pytest.mark.parametrize("position", range(len(LAYERS)))
def test_the_higher_layer_wins_and_is_named(world: Machine, position: int) -> None:
    paths = {
        layer: world.write(layer, _as(layer, {"recall": {"lines": number}}))
        for number, layer in enumerate(LAYERS, start=10)
        if number - 10 >= position
    }
    winner = LAYERS[position]
    layer = "user" if winner == "ours" else winner
    settings = world.load()
    assert settings["recall.lines"] == Setting(10 + position, paths[winner], layer)
    assert [found.source for found in settings.found["recall.lines"]] == list(paths.values())
    assert settings.warnings == ()


def test_layers_are_merged_key_by_key(world: Machine) -> None:
    world.write("user", {"memdir": {"recall": {"files": 1, "lines": 2}}})
    world.write("project", {"memdir": {"recall": {"files": 3}}})
    world.write("managed", {"autoMemoryEnabled": False})
    settings = world.load()
    assert (settings.number("recall.files"), settings.number("recall.lines")) == (3, 2)
    assert settings["autoMemoryEnabled"].layer == "managed"


def test_dotted_and_nested_names_are_the_same(world: Machine) -> None:
    world.write("ours", {"recall.files": 2, "recall": {"lines": 9}, "mode": "daily-log"})
    settings = world.load()
    assert (settings.number("recall.files"), settings.number("recall.lines")) == (2, 9)
    assert (settings.text("mode"), settings.warnings) == ("daily-log", ())


def test_the_four_shared_keys_stand_at_the_top_of_the_hosts_files(world: Machine) -> None:
    shared = {"autoMemoryEnabled": False, "autoDreamEnabled": False, "claudeMdExcludes": ["**/x.md"]}
    world.write(
        "user", {**shared, "autoMemoryDirectory": "~/m", "permissions": {"allow": []}, "model": "opus"}
    )
    settings = world.load()
    assert not settings.flag("autoMemoryEnabled")
    assert not settings.flag("dream.enabled")
    assert settings.texts("claudeMdExcludes") == ("**/x.md",)
    assert settings.text("autoMemoryDirectory") == "~/m"
    assert settings.text("model") == "", "the host's own model is none of our business"
    assert settings.warnings == ()


def test_our_name_wins_over_the_hosts_in_one_layer_but_not_over_a_higher_layer(world: Machine) -> None:
    world.write("user", {"autoDreamEnabled": True, "memdir": {"dream": {"enabled": False}}})
    assert not world.load().flag("dream.enabled")
    world.write("managed", {"autoDreamEnabled": True})
    assert world.load().flag("dream.enabled")


def test_our_keys_at_the_top_of_a_hosts_file_are_the_hosts_business(world: Machine) -> None:
    world.write("user", {"mode": "daily-log", "layout": "agents"})
    settings = world.load()
    assert (settings.text("mode"), settings.text("layout"), settings.warnings) == ("private", "claude", ())


def test_the_config_home_moves_the_users_files(world: Machine) -> None:
    world.write("user", {"memdir": {"recall": {"files": 1}}})
    world.write("moved/settings.json", {"memdir": {"recall": {"files": 2}}})
    assert world.load({"CLAUDE_CONFIG_DIR": f"{world.folder}/moved"}).number("recall.files") == 2


def test_another_layout_reads_its_own_folders(tmp_path: Path) -> None:
    world = Machine(tmp_path, _elsewhere(AGENTS, tmp_path))
    path = world.write("project", {"memdir": {"recall": {"files": 4}}})
    assert path.endswith("/project/.agents/settings.json")
    assert world.load()["recall.files"] == Setting(4, path, "project")


def test_in_the_home_directory_the_users_file_is_not_a_projects_too(world: Machine) -> None:
    path = world.write("user", {"autoMemoryDirectory": "/srv/memory"})
    settings = world.load(root="home")
    assert settings.found["autoMemoryDirectory"] == (Setting("/srv/memory", path, "user"),)
    assert settings.warnings == ()


# ------------------------------------------------------------------ what a repository may not do

_OWNED = sorted(name for name, key in KEYS.items() if key.who is Who.OWNER)
_SWITCHES = sorted(name for name, key in KEYS.items() if key.who is Who.PROJECT_OFF)


def _some(name: str) -> object:
    key = KEYS[name]
    return key.choices[-1] if key.choices else 7 if isinstance(key.default, int) else "/srv/x"


@pytest.mark.parametrize("layer", ["project", "local"])
@pytest.mark.parametrize("name", _OWNED)
def test_a_project_may_not_set_what_is_the_owners(world: Machine, layer: str, name: str) -> None:
    path = world.write(layer, {"memdir": {name: _some(name)}})
    settings = world.load()
    assert settings[name] == Setting(KEYS[name].default)
    assert len(settings.warnings) == 1
    assert settings.warnings[0].startswith(f'"{name}" in {path} is ignored: a project may not set it.')
    assert settings.declined == settings.warnings
    assert (str(world.path("ours")) in settings.warnings[0]) is (name != "autoMemoryDirectory")


@pytest.mark.parametrize("layer", ["managed", "ours", "user"])
@pytest.mark.parametrize("name", _OWNED)
def test_the_owner_may(world: Machine, layer: str, name: str) -> None:
    world.write(layer, _as(layer, {name: _some(name)}))
    settings = world.load()
    assert settings[name].value == _some(name)
    assert settings.warnings == ()


@pytest.mark.parametrize("layer", ["project", "local"])
def test_a_project_cannot_aim_the_memory_directory(world: Machine, layer: str) -> None:
    world.write(layer, {"autoMemoryDirectory": "~/.ssh"})
    user = world.write("user", {"autoMemoryDirectory": "~/memory"})
    settings = world.load()
    assert settings.found["autoMemoryDirectory"] == (Setting("~/memory", user, "user"),)
    assert '"autoMemoryDirectory"' in settings.warnings[0]


@pytest.mark.parametrize("name", _SWITCHES)
def test_a_project_may_switch_off_and_not_on(world: Machine, name: str) -> None:
    world.write("project", {"memdir": {name: True}})
    world.write("user", {"memdir": {name: False}})
    settings = world.load()
    assert settings[name].layer == "user"
    assert "a project may switch it off, not on" in settings.warnings[0]
    world.write("project", {"memdir": {name: False}})
    world.write("user", {"memdir": {name: True}})
    settings = world.load()
    assert (settings[name].value, settings[name].layer, settings.warnings) == (False, "project", ())


def test_the_personal_local_file_may_switch_on(world: Machine) -> None:
    world.write("project", {"autoMemoryEnabled": False})
    path = world.write("local", {"autoMemoryEnabled": True})
    assert world.load()["autoMemoryEnabled"] == Setting(value=True, source=path, layer="local")


def test_the_organisation_has_the_last_word(world: Machine) -> None:
    for layer in ("local", "project", "user"):
        world.write(layer, {"autoMemoryEnabled": False})
    world.write("managed", {"autoMemoryEnabled": True})
    assert world.load().flag("autoMemoryEnabled")


# ------------------------------------------------------------------ mistakes


def test_a_broken_file_is_named_with_its_place_and_the_others_still_count(world: Machine) -> None:
    broken = world.write("project", '{\n  "memdir": {"recall": {"files": 3}},\n3}')
    world.write("user", {"memdir": {"recall": {"files": 4}}})
    settings = world.load()
    assert settings.number("recall.files") == 4
    assert len(settings.warnings) == 1
    assert settings.warnings[0].startswith(f"{broken} is ignored: line 3, column 1: ")


@pytest.mark.parametrize(
    ("ours", "complaint"),
    [
        ({"recall": {"files": "five"}}, '"recall.files"'),
        ({"recall": {"files": None}}, '"recall.files"'),
        ({"recall.files": 9}, "a whole number from 0 to 5"),
        ({"skipIndex": "yes"}, '"skipIndex"'),
        ({"mode": "public"}, 'it must be one of "private", "daily-log" (default: "private")'),
        ({"layout": "other"}, '"layout"'),
        ({"recal": {"files": 3}}, '"recal.files"'),
        ({"recall": 3}, '"recall"'),
        ({"autoDreamEnabled": True}, '"autoDreamEnabled"'),
        ({"mode\n": 1}, '"mode\\n"'),
        ({"": 1}, '""'),
        ([], '"memdir"'),
        ("on", '"memdir"'),
    ],
)
def test_a_wrong_value_or_name_is_reported_and_the_default_holds(
    world: Machine, ours: object, complaint: str
) -> None:
    path = world.write("user", {"memdir": ours})
    settings = world.load()
    assert settings.found == {}
    assert len(settings.warnings) == 1
    assert complaint in settings.warnings[0]
    assert path in settings.warnings[0]


def test_a_wrong_value_leaves_the_word_to_the_next_layer(world: Machine) -> None:
    world.write("managed", {"memdir": {"recall": {"files": -1}}})
    world.write("user", {"memdir": {"recall": {"files": 2}}})
    settings = world.load()
    assert (settings.number("recall.files"), len(settings.warnings)) == (2, 1)


def test_a_wrong_memdir_part_does_not_silence_the_shared_keys(world: Machine) -> None:
    world.write("user", {"autoMemoryEnabled": False, "memdir": 1})
    settings = world.load()
    assert not settings.flag("autoMemoryEnabled")
    assert len(settings.warnings) == 1


@pytest.mark.parametrize("layer", LAYERS)
def test_a_pipe_in_place_of_a_file_is_a_warning_and_no_wait(world: Machine, layer: str) -> None:
    path = world.path(layer)
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    settings = world.load()
    assert settings.found == {}
    assert settings.warnings == (
        f"{path} is ignored: it is not a regular file. Make it a readable JSON file.",
    )


def test_a_settings_file_may_be_a_link(world: Machine) -> None:
    world.write("dotfiles/settings.json", {"memdir": {"recall": {"files": 4}}})
    world.path("user").parent.mkdir(parents=True)
    world.path("user").symlink_to(world.folder / "dotfiles/settings.json")
    assert world.load().number("recall.files") == 4


def test_a_flood_of_unknown_names_stays_a_few_warnings(world: Machine) -> None:
    world.write("project", {"memdir": {f"k{number}": 1 for number in range(9000)}})
    assert len(world.load().warnings) == 5


def test_no_value_of_a_file_is_repeated_in_a_warning(world: Machine) -> None:
    world.write(
        "project", {"autoMemoryDirectory": "s3cret", "memdir": {"mode": "s3cret", "skipIndex": "s3cret"}}
    )
    assert "s3cret" not in " ".join(world.load().warnings)


def test_lists_of_all_files_are_joined(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    for path, value in (
        (home / ".claude" / "settings.json", ["a", "b"]),
        (home / ".claude" / "memdir" / "settings.json", ["c"]),
        (root / ".claude" / "settings.json", []),
        (root / ".claude" / "settings.local.json", ["d", "a"]),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"claudeMdExcludes": value}))
    settings = load_settings(CLAUDE, str(root), str(home / ".claude"))
    assert set(settings.texts("claudeMdExcludes")) == {"a", "b", "c", "d"}


@pytest.mark.parametrize("version", ["2", "4"])
def test_a_local_file_that_the_repository_carries_switches_nothing_on(tmp_path: Path, version: str) -> None:
    home, root = tmp_path / "home", tmp_path / "project"
    for path, value in (
        (home / ".claude" / "settings.json", False),
        (root / ".claude" / "settings.local.json", True),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"autoMemoryEnabled": value, "memdir": {"extract.headless": True}}))
    git = ["git", "-C", str(root), "-c", f"index.version={version}"]

    def loaded() -> tuple[Settings, bool]:
        settings = load_settings(CLAUDE, str(root), str(home / ".claude"))
        return settings, settings.flag("autoMemoryEnabled")

    assert loaded()[1], "outside git it is a person's own"
    subprocess.run([*git, "init", "-q"], check=True)
    (root / "other.txt").write_text("x")
    subprocess.run([*git, "add", "other.txt"], check=True)
    assert loaded()[1] is (version == "2"), "an index that shortens names is not looked through"
    subprocess.run([*git, "add", "-f", ".claude"], check=True)
    settings, on = loaded()
    assert not on
    assert any("settings.local.json" in one and "switch it off, not on" in one for one in settings.warnings)
