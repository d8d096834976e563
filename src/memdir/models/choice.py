"""Which model is asked, by the name that a variable or a setting gives it; or none, and why."""

import re
from collections.abc import Mapping

from memdir.errors import Rejected
from memdir.text.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.models.protocol import Model

__all__ = ["FORMS", "NoModel", "chosen"]

FORMS = "anthropic:NAME, openai:NAME, openai:NAME@URL, claude-cli, claude-cli:NAME or scripted:FILE"
"""How a model is named; `@URL` may follow an anthropic name too."""


@value_class(frozen=True, slots=True)
class NoModel:
    """There is no model to ask; everything works without one, and says so."""

    because: str
    wrong: bool = False
    """Whether somebody wanted one: then `because` also says what to do."""


def chosen(spec: str, source: str, env: Mapping[str, str]) -> "Model | NoModel":
    """Return the model of that name; `source` is where the name stands, for the reason why there is none."""
    spec = spec.strip()
    if not spec or spec in _NONE:
        return NoModel(f"{source} says {spec}" if spec else "no variable and no setting names one")
    vendor, _, rest = spec.partition(":")
    name, url = _split(rest)
    try:
        if vendor in {"anthropic", "openai"} and name.strip():
            return _served(vendor, name.strip(), url.strip(), env)
        if vendor == "claude-cli" and bool(rest.strip()) == (":" in spec):
            return _command(rest.strip(), env)
        if vendor == "scripted" and rest:
            from memdir.models.vendors.script_file import scripted_file

            return scripted_file(rest)
    except Rejected as error:
        return NoModel(f"{source} says {_shown(spec)}, but: {error}", wrong=True)
    return NoModel(f"{source} says {_shown(spec)}, which names no model. Write {FORMS}.", wrong=True)


def _split(rest: str) -> tuple[str, str]:
    """Return a model's own name, which may hold colons and begin with an @, and the address behind it."""
    at = rest.find("@http") if "@http" in rest else rest.rfind("@")
    return (rest[:at], rest[at + 1 :]) if at > 0 else (rest, "")


def _served(vendor: str, name: str, url: str, env: Mapping[str, str]) -> "Model":
    from memdir.models.vendors.address import VENDORS, Address
    from memdir.models.vendors.anthropic import AnthropicModel
    from memdir.models.vendors.openai import OpenAIModel

    usual = VENDORS[vendor]
    base = url or env.get(usual.base_name, "").strip() or usual.url
    address = Address(base, key_name=usual.key_name, env=env)
    if address.url == usual.url and not address.key:
        raise Rejected(f"{usual.key_name} is not set. Set it to your key, or name another server with @URL.")
    # The address belongs to the name unless it is the vendor's own: the ledger must not mix them up.
    full = f"{vendor}:{name}" + ("" if address.url == usual.url else f"@{address.url}")
    model = AnthropicModel if vendor == "anthropic" else OpenAIModel
    return model(name, address, name=full)


def _command(name: str, env: Mapping[str, str]) -> "Model":
    from shutil import which

    from memdir.models.vendors.claude_cli import ClaudeCli

    program = which("claude", path=env.get("PATH", ""))
    if program is None:
        raise Rejected("there is no `claude` on PATH. Install Claude Code, or choose another model.")
    return ClaudeCli(program, name, env=env)


def _shown(spec: str) -> str:
    """Return the name as it may be printed: a key can stand there by mistake."""
    from memdir.text.secrets.search import masked

    return repr(_PASSWORD.sub("//[key]@", masked(spec))[:200])


_PASSWORD = re.compile(r"//[^/@]*@")
_NONE = frozenset({"none", "off"})
