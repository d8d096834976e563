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
        return Verdict(not disable.on, f"{disable.name} is {disable.value.strip()}", "variable")
    found = None if bare else switch(env, "MEMDIR_BARE")
    if bare or (found and found.on):
        named = f"{found.name} is {found.value.strip()}, which is bare mode" if found else ""
        return Verdict(on=False, because=named or "bare mode was asked for", rule="bare")
    remote = switch(env, "MEMDIR_REMOTE")
    if remote is not None and remote.on and variable(env, "MEMDIR_BASE") is None:
        missing = "neither MEMDIR_BASE nor CLAUDE_CODE_REMOTE_MEMORY_DIR is set"
        because = f"{remote.name} is {remote.value.strip()} and {missing}"
        return Verdict(on=False, because=because, rule="remote")
    setting = settings["autoMemoryEnabled"]
    if setting.layer == "default":
        return Verdict(on=True, because="nothing switches it off", rule="default")
    on = setting.value is True
    return Verdict(on, f'"autoMemoryEnabled" is {"true" if on else "false"} in {setting.source}', "setting")


def is_bare(env: Mapping[str, str], *, bare: bool = False) -> bool:
    """Tell whether this is bare mode: no prompt speaks of memory then, also where a variable keeps it on."""
    found = switch(env, "MEMDIR_BARE")
    return bare or (found is not None and found.on)
