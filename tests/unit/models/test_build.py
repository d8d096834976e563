"""The model is named by the caller, a variable or the owner's settings, in this order; and it is metered."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memdir.config.location import Setup, resolve
from memdir.config.world import World
from memdir.errors import CapReached
from memdir.models.build import ModelChoice, NoModel, model_for, model_named
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
    return resolve(World({}, str(home / "project"), str(home)))


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
        "from memdir.config.location import resolve; from memdir.models.build import model_for;"
        "from memdir.config.world import World;"
        "model_for(resolve(World({}, '/', '/nowhere')), World({}, '/', '/nowhere'));"
        "print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"httpx2", "subprocess", "memdir.models.protocol", "memdir.models.ledger", "threading", "random"}
    assert not set(done.stdout.split()) & heavy


KEYS = {"ANTHROPIC_API_KEY": "made-up-1", "OPENAI_API_KEY": "made-up-2"}


def name_of(spec: str, **env: str) -> str:
    model = model_named(spec, "MEMDIR_MODEL", env)
    assert not isinstance(model, NoModel), model.because
    return model.name


def reason(spec: str, **env: str) -> str:
    model = model_named(spec, "MEMDIR_MODEL", env)
    assert isinstance(model, NoModel)
    assert model.wrong
    return model.because


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("anthropic:claude-haiku-5-5", "anthropic:claude-haiku-5-5"),
        ("  openai:gpt-5 ", "openai:gpt-5"),
        ("openai:llama3.2:3b@http://127.0.0.1:11434/v1/", "openai:llama3.2:3b@http://127.0.0.1:11434/v1"),
        ("openai:@cf/some/name", "openai:@cf/some/name"),
        ("anthropic:some@https://proxy.invalid", "anthropic:some@https://proxy.invalid"),
    ],
)
def test_a_name_leads_to_a_model(spec: str, name: str) -> None:
    assert name_of(spec, **KEYS) == name


def test_a_variable_moves_a_vendor_and_the_ledger_can_tell() -> None:
    moved = {"OPENAI_BASE_URL": "http://127.0.0.1:8000/v1", "ANTHROPIC_BASE_URL": "http://127.0.0.1:8001"}
    assert name_of("openai:x", **moved) == "openai:x@http://127.0.0.1:8000/v1"
    assert name_of("anthropic:x", **moved) == "anthropic:x@http://127.0.0.1:8001"
    assert name_of("openai:x@http://127.0.0.1:1/v1", **moved) == "openai:x@http://127.0.0.1:1/v1"


@pytest.mark.parametrize("spec", ["", "  ", "none", "off"])
def test_no_model_is_a_choice_too(spec: str) -> None:
    model = model_named(spec, "MEMDIR_MODEL", {})
    assert isinstance(model, NoModel)
    assert not model.wrong


@pytest.mark.parametrize(
    "spec", ["gpt-5", "openai:", "anthropic: ", "claude-cli:", "scripted:", "gemini:x", "@"]
)
def test_a_form_that_is_not_known_is_told_with_those_that_are(spec: str) -> None:
    assert "names no model. Write anthropic:NAME, openai:NAME" in reason(spec, **KEYS)


@pytest.mark.parametrize(
    "url",
    [
        "localhost",
        "127.0.0.1:11434",
        "ftp://x",
        "http://",
        "http://x:port",
        "http://a b",
        "http://x:0",
        "http://[x",
    ],
)
def test_an_address_that_is_none_is_told_with_one_that_is(url: str) -> None:
    assert "Write it like http://127.0.0.1:11434/v1" in reason(f"openai:x@{url}")


def test_an_address_with_a_password_is_refused_and_not_repeated() -> None:
    because = reason("openai:x@https://me:made-up@x.invalid/v1")
    assert "A key belongs into a variable" in because
    assert "made-up" not in because


def test_a_missing_key_is_named_by_its_variable() -> None:
    assert "ANTHROPIC_API_KEY is not set" in reason("anthropic:claude-haiku-5-5")
    assert "OPENAI_API_KEY is not set" in reason("openai:gpt-5")
    assert "OPENAI_API_KEY holds characters" in reason("openai:gpt-5", OPENAI_API_KEY="a\nb")


def test_the_command_is_found_on_the_path_that_was_given(tmp_path: Path) -> None:
    assert "no `claude` on PATH" in reason("claude-cli", PATH=str(tmp_path))
    (tmp_path / "claude").write_text("#!/bin/sh\n")
    (tmp_path / "claude").chmod(0o755)
    assert name_of("claude-cli", PATH=str(tmp_path)) == "claude-cli"
    assert name_of("claude-cli:haiku", PATH=str(tmp_path)) == "claude-cli:haiku"


def test_a_script_is_a_model_too(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('["yes"]')
    model = model_named(f"scripted:{script}", "MEMDIR_MODEL", {})
    assert not isinstance(model, NoModel)
    assert model.ask(Question((Message("user", "well?"),))).text == "yes"
    assert "is no script of a model" in reason(f"scripted:{tmp_path / 'gone.json'}")


def test_choosing_loads_no_http_client() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from memdir.models.build import model_named;"
        "model_named('openai:x@http://127.0.0.1:1/v1', 'x', {}); model_named('none', 'x', {});"
        "print('httpx2' in sys.modules, 'subprocess' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
