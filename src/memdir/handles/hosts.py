"""`memory.hosts`: the agents that memdir serves, their set-up and the session of one of them.

It imports late and does without `typing`: a verb loads its own feature alone.
"""

from memdir.build import Parts
from memdir.text.value import value_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hosts.session import HostSession
    from memdir.hosts.setup import HostSetup

__all__ = ["HostsHandle"]


@value_class(frozen=True, slots=True)
class HostsHandle:
    """The hosts of one user, seen from one project."""

    _parts: Parts

    @property
    def session(self) -> "HostSession":
        """What serves a conversation of a host, event by event; the directory must belong to a project."""
        return self._parts.host_session

    def setup(self, launcher: str = "memdir") -> "HostSetup":
        """Return what sets hosts up to call memdir, and leaves them again."""
        from memdir.hosts.setup import HostSetup

        world, place = self._parts.world, self._parts.effective_setup.place
        return HostSetup(world.env, world.home, place.root, place.config_home, launcher)
