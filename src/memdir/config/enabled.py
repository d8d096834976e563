"""Whether memory is on, and which rule says so."""

from collections.abc import Mapping

from memdir.config.settings import Settings
from memdir.config.variables import switch, variable
from memdir.errors import MemoryOff
from memdir.text.value import value_class

__all__ = ["Verdict", "is_bare", "memory_enabled"]


@value_class(frozen=True, slots=True)
class Verdict:
    """Whether memory is on, and the rule that decided it."""

    on: bool
    because: str
    """The end of a sentence: "memory is off because …"."""
    rule: str
    """variable, bare, remote, setting or default."""

    @property
    def off(self) -> str:
        """Return that memory is off and why, without a full stop; empty when it is on."""
        return "" if self.on else f"memory is off because {self.because}"

    def require_on(self, hint: str = "`memdir status` shows more.") -> None:
        """Raise `MemoryOff` with the reason when memory is off."""
        if not self.on:
            raise MemoryOff(f"Memory is off because {self.because}. {hint}")


def memory_enabled(env: Mapping[str, str], settings: Settings, *, bare: bool = False) -> Verdict:
    """Return the verdict of the first rule that applies."""
    disable = switch(env, "MEMDIR_DISABLE")
    if disable is not None:
        return Verdict(not disable.on, disable.said, "variable")
    if bare:
        return Verdict(on=False, because="bare mode was asked for", rule="bare")
    if (found := switch(env, "MEMDIR_BARE")) and found.on:
        return Verdict(on=False, because=f"{found.said}, which is bare mode", rule="bare")
    if (remote := switch(env, "MEMDIR_REMOTE")) and remote.on and variable(env, "MEMDIR_BASE") is None:
        missing = "neither MEMDIR_BASE nor CLAUDE_CODE_REMOTE_MEMORY_DIR is set"
        return Verdict(on=False, because=f"{remote.said} and {missing}", rule="remote")
    setting = settings["autoMemoryEnabled"]
    if setting.layer == "default":
        return Verdict(on=True, because="nothing switches it off", rule="default")
    on = setting.value is True
    return Verdict(on, f'"autoMemoryEnabled" is {"true" if on else "false"} in {setting.source}', "setting")


def is_bare(env: Mapping[str, str], *, bare: bool = False) -> bool:
    """Tell whether this is bare mode: no prompt speaks of memory then, also where a variable keeps it on."""
    found = switch(env, "MEMDIR_BARE")
    return bare or (found is not None and found.on)
