"""Memory is on or off by the first rule that applies, and the verdict says which."""

import pytest
from tests.tables import on_row

from memdir.config.location import Verdict, is_bare, memory_enabled
from memdir.config.settings import Setting, Settings
from memdir.errors import MemoryOff

OFF = Settings({"autoMemoryEnabled": (Setting(value=False, source="/p/settings.json", layer="project"),)})
ON = Settings({"autoMemoryEnabled": (Setting(value=True, source="/u/settings.json", layer="user"),)})
DISABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
REMOTE = {"CLAUDE_CODE_REMOTE": "true"}


def test_it_is_on_when_nothing_is_said() -> None:
    assert memory_enabled({}, Settings()) == Verdict(
        on=True, because="nothing switches it off", rule="default"
    )


def test_the_setting_decides_and_names_its_file() -> None:
    verdict = memory_enabled({}, OFF)
    assert verdict == Verdict(
        on=False, because='"autoMemoryEnabled" is false in /p/settings.json', rule="setting"
    )
    assert memory_enabled({}, ON).rule == "setting"
    assert memory_enabled({}, ON).on


RULES: list[tuple[dict[str, str], Settings, bool, bool, str]] = [
    # the variable beats everything, both ways
    ({DISABLE: "1"}, ON, False, False, "variable"),
    ({DISABLE: "off"}, OFF, False, True, "variable"),
    ({DISABLE: "0", **REMOTE}, OFF, True, True, "variable"),
    ({"MEMDIR_DISABLE": "yes"}, ON, False, False, "variable"),
    ({"MEMDIR_DISABLE": "no", DISABLE: "1"}, OFF, False, True, "variable"),
    ({"MEMDIR_DISABLE": "maybe", DISABLE: "1"}, ON, False, False, "variable"),
    # any other value of it is ignored
    ({DISABLE: ""}, OFF, False, False, "setting"),
    ({DISABLE: "maybe"}, ON, False, True, "setting"),
    # bare mode comes next
    ({"CLAUDE_CODE_SIMPLE": "1"}, ON, False, False, "bare"),
    ({"MEMDIR_BARE": "on"}, ON, False, False, "bare"),
    ({"MEMDIR_BARE": "0", "CLAUDE_CODE_SIMPLE": "1"}, ON, False, True, "setting"),
    ({"CLAUDE_CODE_SIMPLE": "0"}, ON, False, True, "setting"),
    ({}, ON, True, False, "bare"),
    ({"CLAUDE_CODE_SIMPLE": "1", **REMOTE}, ON, False, False, "bare"),
    # then remote without a place to keep things
    (REMOTE, ON, False, False, "remote"),
    ({"MEMDIR_REMOTE": "1"}, ON, False, False, "remote"),
    ({**REMOTE, "CLAUDE_CODE_REMOTE_MEMORY_DIR": "/mnt/m"}, ON, False, True, "setting"),
    ({**REMOTE, "CLAUDE_CODE_REMOTE_MEMORY_DIR": "/mnt/m"}, OFF, False, False, "setting"),
    ({**REMOTE, "MEMDIR_BASE": "/mnt/m"}, ON, False, True, "setting"),
    ({**REMOTE, "CLAUDE_CODE_REMOTE_MEMORY_DIR": ""}, ON, False, False, "remote"),
    ({"CLAUDE_CODE_REMOTE": "0"}, Settings(), False, True, "default"),
]


def test_the_first_rule_that_applies_decides() -> None:
    wrong = [
        (env, settings, bare, verdict)
        for env, settings, bare, on, rule in RULES
        for verdict in [on_row(memory_enabled, env, settings, bare=bare)]
        if (verdict.on, verdict.rule) != (on, rule)
    ]
    assert not wrong, str(wrong)


@pytest.mark.parametrize(("env", "bare"), [({"CLAUDE_CODE_SIMPLE": "1"}, False), ({}, True)])
def test_bare_mode_is_told_apart_also_where_a_variable_keeps_memory_on(
    env: dict[str, str], *, bare: bool
) -> None:
    kept_on = {**env, DISABLE: "0"}
    assert memory_enabled(kept_on, ON, bare=bare).on
    assert is_bare(kept_on, bare=bare)
    assert not is_bare({DISABLE: "1", "CLAUDE_CODE_SIMPLE": "0"})


def test_the_reason_completes_a_sentence() -> None:
    assert memory_enabled({DISABLE: " 1 "}, ON).because == f"{DISABLE} is 1"
    assert memory_enabled(REMOTE, ON).because.startswith("CLAUDE_CODE_REMOTE is true and neither")
    assert memory_enabled({"MEMDIR_BARE": "1"}, ON).because == "MEMDIR_BARE is 1, which is bare mode"


def test_the_sentence_that_memory_is_off_is_made_here_alone() -> None:
    off, on = memory_enabled({DISABLE: "1"}, ON), memory_enabled({}, ON)
    assert (off.off, on.off) == (f"memory is off because {DISABLE} is 1", "")
    with pytest.raises(MemoryOff, match=f"^Memory is off because {DISABLE} is 1. Go on without it.$"):
        off.require_on("Go on without it.")
    on.require_on()
