"""Whatever adds or changes a memory, recall knows its meaning afterwards, or says that it does not."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOW
from tests.processes import Commands
from tests.unit.recall.small_model import weights
from training.weights_file import pack

from memdir import Memory
from memdir.inbox.proposals import Inbox, Proposal
from memdir.memories.change import Change
from memdir.memories.topic import Draft, Provenance
from memdir.recall.semantic.weights import ENCODER

QUERY = "where did the cat sit on tuesday"
TEXT = '---\nname: "{name}"\ndescription: "{name}"\ntype: "user"\n---\n\nthe cat sat\n'


class Place:
    """A home with a project in it; the model comes later."""

    def __init__(self, root: Path, commands: Commands) -> None:
        self.commands = commands
        self.home, self.project = root / "home", root / "project"
        self.project.mkdir()
        self.env = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "MEMDIR_WEIGHTS": str(self.home / "weights"),
        }

    def give_model(self) -> None:
        models = self.home / "weights"
        models.mkdir(parents=True)
        (models / ENCODER).write_bytes(pack(weights()))

    def opened(self) -> Memory:
        return Memory.open(self.project, self.env)

    def by_hand(self, name: str, text: str = TEXT) -> None:
        path = Path(self.opened().directory, f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(name=name))

    def ran(self, *words: str) -> str:
        """Run a command and return what it printed."""
        done = self.commands.run(["memdir", *words], self.env, cwd=self.project)
        done.check_returncode()
        return done.stdout.decode()

    def ran_json(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ran(*words, "--json"))
        return found


@pytest.fixture
def place(tmp_path: Path, commands: Commands) -> Place:
    return Place(tmp_path, commands)


def edited(memory: Memory) -> None:
    topic = memory.read("cat")
    memory.edit(topic, topic.text.replace("sat", "ran"))


def changed(memory: Memory) -> None:
    text = memory.read("cat").text
    memory.history.change([Change("user_cat.md", text, text.replace("sat", "ran"))])


def undone(memory: Memory) -> None:
    memory.forget("cat")
    memory.remember("the mat", kind="user", name="mat")  # what is gone is dropped when something is kept
    memory.undo(memory.history.list(limit=2)[1].id)


def restored(memory: Memory) -> None:
    memory.forget("cat")
    memory.remember("the mat", kind="user", name="mat")
    memory.history.restore("cat")


def accepted(memory: Memory) -> None:
    edit = Change("user_new.md", None, TEXT.format(name="new"))
    by = Provenance("extract", "assistant")
    memory.inbox.apply(Inbox(memory.state).add(Proposal((edit,), by, "nobody confirmed it", NOW)))


def extracted(memory: Memory) -> None:
    said = {"role": "user", "content": "Please remember that I prefer tabs over spaces in all Go files."}
    assert memory.extract(messages=[said]).saved


CHANGES: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("a b", kind="user", name="other"),
    "edit": edited,
    "change": changed,
    "rename": lambda memory: memory.rename("cat", "dog"),
    "undo": undone,
    "restore": restored,
    "inbox": accepted,
    "extract": extracted,
}


@pytest.mark.parametrize("verb", CHANGES)
def test_every_verb_learns_what_it_wrote(place: Place, verb: str) -> None:
    place.give_model()
    memory = place.opened()
    memory.remember("the cat sat on the mat", kind="user", name="cat")
    vectors = Path(memory.state, "vectors")
    before = vectors.read_bytes()
    CHANGES[verb](memory)
    assert place.opened().models.count_unlearned() == 0
    assert vectors.read_bytes() != before


def test_a_change_of_a_few_learns_what_it_wrote_and_one_of_many_leaves_all_to_workers(place: Place) -> None:
    for name in ("one", "two"):
        place.by_hand(name)
    place.give_model()
    memory = place.opened()
    memory.transfer.remember_many([Draft(f"the cat {n}", "user", f"cat-{n}") for n in range(16)])
    assert memory.models.count_unlearned() == 2
    memory.transfer.remember_many([Draft(f"the dog {n}", "user", f"dog-{n}") for n in range(17)])
    assert memory.models.count_unlearned() == 2 + 17
    assert memory.models.learn() == 19


def test_a_recall_computes_nothing_and_its_receipt_says_what_it_lacked(place: Place) -> None:
    memory = place.opened()
    memory.remember("the cat sat", kind="user", name="cat")
    assert memory.recall(QUERY, budget=30.0).receipt.fallbacks == ()
    place.give_model()
    assert memory.recall(QUERY, budget=30.0).receipt.fallbacks == ("1 of 1 memories has no vectors yet",)
    memory.remember("the mat", kind="user", name="mat")
    assert memory.recall(QUERY, budget=30.0).receipt.fallbacks == ("1 of 2 memories has no vectors yet",)
    assert memory.models.count_unlearned() == 1
    assert "Done without: 1 of 2 memories has no vectors yet" in place.ran("why")


def test_a_hook_computes_nothing_and_its_receipts_say_so_too(place: Place) -> None:
    place.by_hand("cat")
    place.give_model()
    said = {"cwd": str(place.project), "prompt": QUERY, "transcript_path": ""}
    for number in range(2):
        data = json.dumps({**said, "session_id": f"s{number}"}).encode()
        place.commands.run(["memdir-hook", "UserPromptSubmit"], place.env, feed=data).check_returncode()
        receipt = place.opened().recalls.receipt()
        assert (receipt.session, receipt.fallbacks) == (f"s{number}", ("1 of 1 memories has no vectors yet",))
    assert place.opened().models.count_unlearned() == 1


def test_the_command_recall_learns_a_few_first(place: Place) -> None:
    for number in range(66):
        place.by_hand(f"cat-{number}")
    place.give_model()
    found = place.ran_json("recall", QUERY)
    assert found["method"] == "semantic"
    left = int(found["fallbacks"][0].split()[0])
    assert 2 <= left < 66  # more than 2 where the machine is so busy that the time is up first
    assert place.opened().models.count_unlearned() == left
    while left and found["fallbacks"]:
        left, found = left - 1, place.ran_json("recall", QUERY)
    assert found["fallbacks"] == []


def test_the_doctor_and_models_say_what_is_missing_and_what_computes_it(place: Place) -> None:
    place.opened().remember("the cat sat", kind="user", name="cat")
    place.give_model()
    assert place.ran_json("models")["semantic"] == {"ready": True, "missing": "", "unlearned": 1}
    assert "memdir models learn" in place.ran("doctor")
    assert place.ran("models", "learn") == "1 memory was learned.\n"
    assert place.ran("models", "learn") == "Nothing is missing: recall knows every memory.\n"
    assert "memdir models learn" not in place.ran("doctor") + place.ran("models")
