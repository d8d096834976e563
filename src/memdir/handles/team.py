"""`memory.team`: team memory, its set-up and sync, promotion, and who taught what."""

from __future__ import annotations

from memdir.build import Parts
from memdir.config.location import Verdict
from memdir.disk.files import make_folder
from memdir.errors import MemoryOff, Rejected
from memdir.memories.change import Saved
from memdir.memories.history.authorship import refuse_agents
from memdir.memories.history.versions import file_ever_called
from memdir.sync.remotes import Remotes, RemoteSettings, try_remote
from memdir.sync.result import SyncResult
from memdir.team.audience import as_team, team_name
from memdir.team.log import TeamChange, team_changes
from memdir.team.promotion import Sharing, promote, sharing
from memdir.team.remote import TeamLink, proposed_remote, readers
from memdir.text.value import value_class

__all__ = ["TeamHandle", "TeamStatus", "audience_parts", "remotes_of"]

_AUDIENCES = ("private", "team")
Changes = list[TeamChange]


@value_class(frozen=True, slots=True)
class TeamStatus:
    """Where team memory stands, without asking the remote."""

    verdict: Verdict
    directory: str
    memories: int = 0
    remote: str = ""
    """In words; empty where none was chosen."""
    readers: str = ""
    """Who can read the remote, as far as its address tells."""
    last: str = ""
    """When a sync last found something new."""
    waiting: tuple[str, ...] = ()
    """Files that changed here since."""
    conflicts: tuple[str, ...] = ()
    failed_at: str = ""
    failed: str = ""
    """Why the last sync did not work; empty where it did."""


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
        return self._parts.team_folder.directory

    @property
    def remote(self) -> RemoteSettings | None:
        """The remote that was chosen; None when none was."""
        return remotes_of(self._parts).of(self._parts.directory, "team")

    def proposal(
        self, url: str = "", *, folder: str = "", who: str = "", plain_http: bool = False
    ) -> tuple[RemoteSettings, str]:
        """Return the remote that `init` would choose and who can read it; nobody is asked yet."""
        world, place = self._parts.world, self._parts.effective_setup.place
        root = place.root if self._parts.setup else world.cwd
        out = self._parts.directory
        named = {"url": url, "folder": folder, "who": who, "kept_out": out}
        chosen = proposed_remote(world, root, **named, plain_http=plain_http)
        return chosen, readers(chosen.url, chosen.kind)

    def init(self, chosen: RemoteSettings, *, token: str = "") -> SyncResult:
        """Share team memory through this remote from now on, and sync once; a hub needs a token, once."""
        refuse_agents(self._parts.usable.world.env, "choose with whom memories are shared")
        team, world = self._parts.team_folder, self._parts.world
        with remotes_of(self._parts).with_token(chosen, token) as usable:
            link = TeamLink(team.writer, usable, world)
            try_remote(usable, link.place, world.env, shared=True)
            make_folder(team.directory).close()
            remotes_of(self._parts).choose(self._parts.directory, usable, "team", place=link.place)
        self._parts.look_again()
        return link.sync()

    def sync(self) -> SyncResult:
        """Bring team memory and its remote in step, and say what was done."""
        return self._link.sync()

    def status(self) -> TeamStatus:
        """Say where team memory stands; the remote is not asked."""
        chosen, team = self.remote, self._parts.team
        memories = len(team.memories.scan()) if team else 0
        if chosen is None or team is None:
            return TeamStatus(self.verdict, self.directory, memories, chosen.title if chosen else "")
        link = self._link
        found, (failed_at, failed) = link.status(), link.trouble()
        return TeamStatus(
            *(self.verdict, self.directory, memories, chosen.title, readers(chosen.url, chosen.kind)),
            *(found.last, found.waiting, found.conflicts, failed_at, failed),
        )

    def sharing(self, name: str) -> Sharing:
        """Return what promoting a private memory would share, byte for byte; nothing is written."""
        return sharing(self._parts.writer, self._team.writer, name)

    def promote(self, name: str, *, keep: bool = False) -> Saved:
        """Move a private memory to the team, or share a copy; one undo takes it back."""
        refuse_agents(self._parts.world.env, "share a private memory")
        now, writer = self._parts.world.clock(), self._parts.writer
        return as_team(promote(writer, self._team.writer, self.sharing(name), now, keep=keep))

    def log(self) -> Changes:
        """Return who changed which team memory, newest first, as of the last sync."""
        writer, now = self._team.writer, self._parts.world.clock()
        writer.note_outside(now)
        own = writer.recorder.ask_history(now, writer.recorder.history.entries)
        if self.remote is None:
            own_files = {file for entry in own for file in entry.files}
            return team_changes((), own, own_files)
        link = self._link
        return team_changes(link.log(), own, link.status().waiting)

    def blame(self, name: str) -> Changes:
        """Return who wrote one team memory, newest first; the last is who taught it."""
        writer = self._team.writer
        writer.memories.scan()
        changes = self.log()
        named = team_name(name) or name
        if any(change.file == named for change in changes):
            return [change for change in changes if change.file == named]
        file = file_ever_called(writer, named)
        return [change for change in changes if change.file == file]

    @property
    def _team(self) -> Parts:
        return audience_parts(self._parts, "team")

    @property
    def _link(self) -> TeamLink:
        team, chosen = self._team, self.remote
        if chosen is None:
            raise Rejected("Team memory has no remote yet. Choose one: `memdir team init`.")
        return TeamLink(team.writer, chosen, self._parts.world)


def remotes_of(parts: Parts) -> Remotes:
    """Return the remotes that were chosen on this machine, of every directory."""
    return Remotes(parts.effective_setup.place.config_home)


def audience_parts(parts: Parts, audience: str) -> Parts:
    """Return the parts of the directory that an audience reads, of a person's own parts."""
    if audience not in _AUDIENCES:
        raise Rejected(f"{audience!r} is not an audience. Use one of {', '.join(_AUDIENCES)}.")
    if audience == "private":
        return parts
    if parts.team is None:
        raise MemoryOff(
            f"Team memory is off because {parts.team_verdict.because}. `memdir team init` sets it up, and "
            "`memdir team status` shows more."
        )
    return parts.team
