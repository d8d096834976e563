"""A dream looks at the project once, and what it leaves out of a header comes back in its old order."""

import os
from dataclasses import replace
from pathlib import Path

from tests.conftest import NOW
from tests.environment import WORDS_ALONE
from tests.tool_calls import calls
from tests.unit.dream.dream_run import contents, dreamed, filled, memory

from memdir.memory import Memory
from memdir.models.vendors.scripted import ScriptedModel
from memdir.verify.project import Project


def test_the_claims_of_memories_are_checked_once(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], **WORDS_ALONE}
    model = ScriptedModel([], default="Done.")
    opened = Memory.open(tmp_path / "project", env, model=model, clock=lambda: NOW)
    opened.remember("The port is set in `src/server.py`.", kind="project", name="port")
    parts, looks = opened.jobs._parts, list[Project]()

    def look() -> Project:
        looks.append(parts.project())
        return looks[-1]

    assert replace(parts.dreams, project=look).dream(hurried=True).ended == "nothing"
    assert len(looks) == 1
    assert "src/server.py" in model.asked[0].messages[0].text


def test_keys_that_a_dream_leaves_out_of_a_header_come_back_in_their_order(tmp_path: Path) -> None:
    keys = ["created", "anchors", "expires", "project", "origin", "reviewed"]
    more = "metadata:\n" + "".join(f'  {key}: "2030-01-01"\n' for key in keys)
    filled(tmp_path, {"project_one.md": memory("One thing.", name="one", more=more)})
    new = memory("One thing.\n\nThe one thing here.", name="one")
    assert dreamed(tmp_path, calls(("write", {"path": "project_one.md", "text": new}))).ended == "applied"
    lines = [line.strip().partition(":")[0] for line in contents(tmp_path)["project_one.md"].split("\n")]
    assert [line for line in lines if line in keys] == keys
