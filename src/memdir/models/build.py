"""The model that jobs ask, by the name that a variable or a setting gives it; or none, and why.

A prompt waits for this module: vendors, the ledger and the caps are imported only where a model is named.
"""

import re
from collections.abc import Mapping

from memdir.config.location import Setup
from memdir.config.world import World, variable
from memdir.errors import ModelRejected, Rejected
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.models.protocol import Model, Reply

__all__ = ["FORMS", "ModelChoice", "NoModel", "model_for", "model_named"]

FORMS = "anthropic:NAME, openai:NAME, openai:NAME@URL, claude-cli, claude-cli:NAME or scripted:FILE"
"""How a model is named; `@URL` may follow an anthropic name too."""


@value_class(frozen=True, slots=True)
class NoModel:
    """There is no model to ask; everything works without one, and says so."""

    because: str
    wrong: bool = False
    """Whether somebody wanted one: then `because` also says what to do."""


@value_class(frozen=True, slots=True)
class ModelChoice:
    """The model that is asked, and what named it."""

    model: "Model | NoModel"
    source: str = ""
    """The variable, the settings file, or the caller; empty when nothing names one."""

    def test(self) -> "Reply":
        """Ask one tiny question and return the answer; `ModelRejected` when there is nobody to ask."""
        from memdir.models.protocol import Message, Question
        from memdir.text.templates import Templates

        if isinstance(self.model, NoModel):
            why = self.model.because.rstrip(".")
            raise ModelRejected(f"There is no model to ask: {why}. `memdir models` shows more.")
        # Models that think first need some room for it.
        text = Templates(__file__).fill_plain("trial")
        return self.model.ask(Question((Message("user", text),), max_tokens=256, timeout=30.0, job="test"))


def model_for(setup: Setup, world: World, given: "Model | None" = None) -> ModelChoice:
    """Return the caller's model, else the one that a variable or settings name, metered; or none, and why."""
    model: Model | NoModel
    if given is not None:
        model, source = given, "the caller"
    else:
        setting = setup.settings["model"]
        by_setting = (f'"model" in {setting.source}' if setting.value else "", str(setting.value))
        source, spec = variable(world.env, "MEMDIR_MODEL") or by_setting
        model = model_named(spec, source, world.env)
    if isinstance(model, NoModel):
        return ModelChoice(model, source)
    from memdir.models.ledger import Ledger, MeteredModel, caps_in

    ledger, caps = Ledger(setup.place.config_home), caps_in(setup.settings)
    return ModelChoice(MeteredModel(model, ledger, caps, world.session, world.clock), source)


def model_named(spec: str, source: str, env: Mapping[str, str]) -> "Model | NoModel":
    """Return the model of that name; `source` is where the name stands, for the reason why there is none."""
    spec = spec.strip()
    if not spec or spec in _NONE:
        return NoModel(f"{source} says {spec}" if spec else "no variable and no setting names one")
    vendor, _, rest = spec.partition(":")
    at = rest.find("@http") if "@http" in rest else rest.rfind("@")  # a name may hold colons, begin with an @
    name, url = (rest[:at], rest[at + 1 :]) if at > 0 else (rest, "")
    try:
        if vendor in {"anthropic", "openai"} and name.strip():
            return _http_model(vendor, name.strip(), url.strip(), env)
        if spec == "claude-cli" or (vendor == "claude-cli" and rest.strip()):
            return _cli_model(rest.strip(), env)
        if vendor == "scripted" and rest:
            from memdir.models.vendors.scripted import read_script

            return read_script(rest)
    except Rejected as error:
        return NoModel(f"{source} says {_printable_name(spec)}, but: {error}", wrong=True)
    return NoModel(f"{source} says {_printable_name(spec)}, which names no model. Write {FORMS}.", wrong=True)


def _http_model(vendor: str, name: str, url: str, env: Mapping[str, str]) -> "Model":
    from memdir.models.vendors.address import Address
    from memdir.models.vendors.anthropic import AnthropicModel
    from memdir.models.vendors.openai import OpenAIModel

    model = AnthropicModel if vendor == "anthropic" else OpenAIModel
    base = url or env.get(model.base_name, "").strip() or model.url
    address = Address(base, key_name=model.key_name, env=env)
    if address.url == model.url and not address.key:
        raise Rejected(f"{model.key_name} is not set. Set it to your key, or name another server with @URL.")
    # The address belongs to the name unless it is the vendor's own: the ledger must not mix them up.
    full = f"{vendor}:{name}" + ("" if address.url == model.url else f"@{address.url}")
    return model(name, address, name=full)


def _cli_model(name: str, env: Mapping[str, str]) -> "Model":
    from shutil import which

    from memdir.models.vendors.claude_cli import ClaudeCli

    program = which("claude", path=env.get("PATH", ""))
    if program is None:
        raise Rejected("there is no `claude` on PATH. Install Claude Code, or choose another model.")
    return ClaudeCli(program, name, env=env)


def _printable_name(spec: str) -> str:
    """Return the name as it may be printed: a key can stand there by mistake."""
    from memdir.text.secrets.search import mask_secrets

    return repr(_PASSWORD.sub("//[key]@", mask_secrets(spec))[:200])


_PASSWORD = re.compile(r"//[^/@]*@")
_NONE = frozenset({"none", "off"})
