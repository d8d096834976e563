"""Environment variables are found under our name first, then under the names other tools use."""

import pytest

from memdir.config.layout import AGENTS, CLAUDE
from memdir.config.world import (
    VARIABLES,
    Switch,
    VariableFolder,
    World,
    config_home,
    folder,
    switch,
    variable,
)

HOME = "/home/ada"


def test_our_name_wins_over_the_others() -> None:
    env = {"CLAUDE_CONFIG_DIR": "/theirs", "MEMDIR_CONFIG_DIR": "/ours"}
    assert variable(env, "MEMDIR_CONFIG_DIR") == ("MEMDIR_CONFIG_DIR", "/ours")
    assert config_home(CLAUDE, World(env, "/", HOME)).path == "/ours"


def test_a_blank_variable_is_as_good_as_none() -> None:
    env = {"MEMDIR_EXTRA_GUIDELINES": " \n", "CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES": "be brief"}
    assert variable(env, "MEMDIR_EXTRA_GUIDELINES") == ("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES", "be brief")
    assert variable({}, "MEMDIR_EXTRA_GUIDELINES") is None


@pytest.mark.parametrize("value", ["1", "true", "yes", "on", "TRUE", " On ", "Yes"])
def test_a_yes_is_a_yes(value: str) -> None:
    assert switch({"MEMDIR_BARE": value}, "MEMDIR_BARE") == Switch(
        on=True, said=f"MEMDIR_BARE is {value.strip()}"
    )


@pytest.mark.parametrize("value", ["0", "false", "no", "off", "FALSE", "Off\n"])
def test_a_no_is_a_no(value: str) -> None:
    assert switch({"CLAUDE_CODE_SIMPLE": value}, "MEMDIR_BARE") == Switch(
        on=False, said=f"CLAUDE_CODE_SIMPLE is {value.strip()}"
    )


@pytest.mark.parametrize("value", ["", " ", "2", "maybe", "y", "enabled", "null"])
def test_any_other_word_is_ignored_and_the_next_name_asked(value: str) -> None:
    assert switch({"MEMDIR_BARE": value}, "MEMDIR_BARE") is None
    both = {"MEMDIR_BARE": value, "CLAUDE_CODE_SIMPLE": "1"}
    assert switch(both, "MEMDIR_BARE") == Switch(on=True, said="CLAUDE_CODE_SIMPLE is 1")


def test_a_refused_folder_is_named_and_the_next_name_used() -> None:
    env = {"MEMDIR_BASE": "relative", "CLAUDE_CODE_REMOTE_MEMORY_DIR": "/mnt/memory/"}
    found = folder(World(env, "/", HOME), "MEMDIR_BASE")
    assert found.path == "/mnt/memory"
    assert found.warnings == (
        "MEMDIR_BASE is ignored: it is a relative path. Set it to an absolute path, or unset it.",
    )


def test_no_variable_means_no_folder_and_nothing_to_say() -> None:
    assert folder(World({}, "/", HOME), "MEMDIR_STATE") == VariableFolder()


def test_the_config_home_is_the_layouts_own_unless_a_usable_variable_moves_it() -> None:
    assert config_home(CLAUDE, World({}, "/", HOME)).path == "/home/ada/.claude"
    assert config_home(AGENTS, World({}, "/", HOME)).path == "/home/ada/.agents"
    assert config_home(CLAUDE, World({"CLAUDE_CONFIG_DIR": "~/work"}, "/", HOME)).path == "/home/ada/work"
    refused = config_home(CLAUDE, World({"CLAUDE_CONFIG_DIR": "~"}, "/", HOME))
    assert refused.path == "/home/ada/.claude"
    assert len(refused.warnings) == 1


def test_every_name_stands_for_one_thing() -> None:
    names = [name for ours, others in VARIABLES.items() for name in (ours, *others)]
    assert len(set(names)) == len(names) == 18
