"""The gate says whether a turn is extracted, and every no has its reason."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memdir.config.location import Verdict
from memdir.config.settings import Setting, Settings
from memdir.extract.gate import JOB, Requested, Skip, turn_ended
from memdir.workers.queue import RequestQueue

ON = Verdict(on=True, because="", rule="")
OFF = Verdict(on=False, because="a variable says so", rule="")


def decide(
    folder: Path, name: str = "s1.jsonl", verdict: Verdict = ON, *, alone: bool = False, **settings: Any
) -> Requested | Skip:
    """End a turn of a conversation with one prompt, under these settings."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"role": "user", "content": "We deploy on Tuesdays."}) + "\n")
    given = Settings({f"extract.{key}": (Setting(value),) for key, value in settings.items()})
    return turn_ended(str(folder / "state"), str(path), verdict, given, session="s1", headless=alone)


def waiting(folder: Path) -> int:
    return len(RequestQueue(str(folder / "state"), JOB).waiting_requests())


def test_a_finished_turn_of_the_main_conversation_is_asked_for(tmp_path: Path) -> None:
    assert decide(tmp_path) == Requested(os.path.realpath(tmp_path / "s1.jsonl"))
    assert waiting(tmp_path) == 1


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"verdict": OFF}, "a variable says so"),
        ({"enabled": False}, "extract.enabled"),
        ({"alone": True}, "extract.headless"),
        ({"name": "subagents/agent-7.jsonl"}, "sub-agent"),
    ],
)
def test_every_no_says_why_and_leaves_no_request(tmp_path: Path, more: dict[str, Any], reason: str) -> None:
    decided = decide(tmp_path, **more)
    assert isinstance(decided, Skip)
    assert reason in decided.because
    assert waiting(tmp_path) == 0


def test_a_headless_conversation_is_extracted_where_the_setting_says_so(tmp_path: Path) -> None:
    assert isinstance(decide(tmp_path, alone=True, headless=True), Requested)


def test_a_turn_that_comes_too_early_leaves_a_request_that_waits(tmp_path: Path) -> None:
    assert decide(tmp_path, everyTurns=3) == Skip("it is turn 1 of 3 since the last extraction", waits=True)
    assert waiting(tmp_path) == 1
