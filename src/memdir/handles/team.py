"""`memory.team`: team memory, its set-up, its promotion, and who taught what."""

from memdir.build import Parts, team_parts
from memdir.config.enabled import Verdict
from memdir.errors import MemoryOff, Rejected
from memdir.memories.change import Saved
from memdir.team.audience import as_team
from memdir.team.promotion import Sharing, promote, sharing
from memdir.text.value import value_class

__all__ = ["TeamHandle"]

_AUDIENCES = ("private", "team")


@value_class(frozen=True, slots=True)
class TeamHandle:
    """Team memory, seen from the private memory of one person."""

    _parts: Parts

    @property
    def verdict(self) -> Verdict:
        """Whether team memory is on, and which rule decided."""
        return self._parts.team_verdict

    @property
    def directory(self) -> str:
        """Where the team's memories lie."""
        return team_parts(self._parts).directory

    def parts_for(self, audience: str) -> Parts:
        """Return the parts of the directory that an audience reads."""
        if audience not in _AUDIENCES:
            raise Rejected(f"{audience!r} is not an audience. Use one of {', '.join(_AUDIENCES)}.")
        return self._parts if audience == "private" else self._team

    def sharing(self, name: str) -> Sharing:
        """Return what promoting a private memory would share, byte for byte; nothing is written."""
        return sharing(self._parts.writer, self._team.writer, name)

    def promote(self, name: str, *, keep: bool = False) -> Saved:
        """Move a private memory to the team, or share a copy; one undo takes it back."""
        now, writer = self._parts.world.clock(), self._parts.writer
        return as_team(promote(writer, self._team.writer, self.sharing(name), now, keep=keep))

    @property
    def _team(self) -> Parts:
        team = self._parts.team
        if team is None:
            raise MemoryOff(
                f"Team memory is off because {self.verdict.because}. `memdir team init` sets it up, and "
                "`memdir team status` shows more."
            )
        return team
