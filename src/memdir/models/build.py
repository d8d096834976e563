"""Which model the jobs of one conversation ask, and what named it; with none, next to nothing is loaded."""

from collections.abc import Mapping

from memdir.config.locate import Setup
from memdir.config.settings import Settings
from memdir.config.variables import variable
from memdir.config.world import World
from memdir.errors import ModelRejected
from memdir.models.choice import NoModel, chosen
from memdir.text.value import value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.models.caps import Caps
    from memdir.models.protocol import Model, Reply

__all__ = ["ModelChoice", "caps_in", "model_for"]


@value_class(frozen=True, slots=True)
class ModelChoice:
    """The model that is asked, and what named it."""

    model: "Model | NoModel"
    source: str = ""
    """The variable, the settings file, or the caller; empty when nothing names one."""

    def tried(self) -> "Reply":
        """Ask one tiny question and return the answer; `ModelRejected` when there is nobody to ask."""
        from memdir.models.trial import trial

        if isinstance(self.model, NoModel):
            why = self.model.because.rstrip(".")
            raise ModelRejected(f"There is no model to ask: {why}. `memdir models` shows more.")
        return self.model.ask(trial())


def model_for(setup: Setup, world: World, given: "Model | None" = None) -> ModelChoice:
    """Return the caller's model, else the one that a variable or settings name, metered; or none, and why."""
    spec, source = _named(setup.settings, world.env) if given is None else ("", "the caller")
    model = given or chosen(spec, source, world.env)
    if isinstance(model, NoModel):
        return ModelChoice(model, source)
    from memdir.models.ledger import Ledger
    from memdir.models.metered import Metered

    ledger = Ledger(setup.place.config_home)
    return ModelChoice(Metered(model, ledger, caps_in(setup.settings), world.session, world.clock), source)


def caps_in(settings: Settings) -> "Caps":
    """Return the caps that the settings ask for."""
    from memdir.models.caps import Caps

    return Caps(settings.number("cost.perConversation"), settings.number("cost.perDay"))


def _named(settings: Settings, env: Mapping[str, str]) -> tuple[str, str]:
    found = variable(env, "MEMDIR_MODEL")
    if found is not None:
        return found[1], found[0]
    setting = settings["model"]
    return str(setting.value), f'"model" in {setting.source}' if setting.value else ""
