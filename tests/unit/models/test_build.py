"""The model is named by the caller, a variable or the owner's settings, in this order; and it is metered."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.config.locate import Setup, resolved
from memdir.config.world import World
from memdir.errors import CapReached
from memdir.models.build import ModelChoice, model_for
from memdir.models.choice import NoModel
from memdir.models.ledger import Ledger
from memdir.models.protocol import Message, Model, Question
from memdir.models.vendors.scripted import ScriptedModel

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
ASK = Question((Message("user", "hello"),), job="test")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "replies.json").write_text('["from the file"]')
    (tmp_path / ".claude" / "memdir").mkdir(parents=True)
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    return tmp_path


def setup(home: Path) -> Setup:
    return resolved(env={}, cwd=str(home / "project"), home=str(home))


def choice(home: Path, *, given: Model | None = None, **env: str) -> ModelChoice:
    return model_for(setup(home), World(env, str(home), str(home), lambda: NOW, "one"), given)


def settings(home: Path, text: str) -> str:
    path = home / ".claude" / "memdir" / "settings.json"
    path.write_text(text)
    return str(path)


def asked(made: ModelChoice) -> str:
    assert not isinstance(made.model, NoModel)
    return made.model.ask(ASK).text


def test_without_a_name_there_is_none_and_nothing_is_wrong(home: Path) -> None:
    assert choice(home) == ModelChoice(NoModel("no variable and no setting names one"))


def test_settings_name_one_and_a_variable_another(home: Path) -> None:
    path = settings(home, f'{{"model": "scripted:{home}/replies.json"}}')
    made = choice(home)
    assert made.source == f'"model" in {path}'
    assert asked(made) == "from the file"
    assert isinstance(choice(home, MEMDIR_MODEL="none").model, NoModel)
    assert choice(home, MEMDIR_MODEL="none").source == "MEMDIR_MODEL"


def test_a_repository_names_none(home: Path) -> None:
    path = home / "project" / ".claude" / "settings.json"
    path.write_text(f'{{"memdir": {{"model": "scripted:{home}/replies.json"}}}}')
    assert isinstance(choice(home).model, NoModel)


def test_a_callers_own_model_is_counted_and_capped_too(home: Path) -> None:
    settings(home, '{"cost.perConversation": 20}')
    made = choice(home, given=ScriptedModel(default="x" * 400), MEMDIR_MODEL="none")
    assert made.source == "the caller"
    assert asked(made) == "x" * 400
    with pytest.raises(CapReached, match=r"of 20 tokens .* in this conversation\. The test job pauses"):
        asked(made)
    (call,) = Ledger(str(home / ".claude")).calls(NOW)
    assert (call.session, call.job, call.model) == ("one", "test", "scripted")


def test_without_a_model_nothing_heavy_is_loaded() -> None:
    code = (
        "import sys; before = set(sys.modules);"
        "from memdir.config.locate import resolved; from memdir.models.build import model_for;"
        "from memdir.config.world import World;"
        "model_for(resolved(env={}, cwd='/', home='/nowhere'), World({}, '/', '/nowhere'));"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"httpx2", "subprocess", "memdir.models.protocol", "memdir.models.ledger", "threading", "random"}
    assert not set(done.stdout.split()) & heavy
