"""`memory.transfer`: memories of this project under its old path, imports, exports, and removal for good."""

import os
from collections.abc import Iterable

from memdir.build import Parts
from memdir.config.fingerprint import ID_FILE, Fingerprint
from memdir.disk.files import Folder, storage_errors
from memdir.errors import NoSuchMemory, Rejected
from memdir.memories.history.trust import in_agents_shell
from memdir.text.value import replace, value_class
from memdir.transfer.bundle import PRIVATE, Exported, bundle_sections, is_bundle, write_bundle, write_folder
from memdir.transfer.markdown import knowledge_graph, markdown_folder
from memdir.transfer.orphans import Orphan
from memdir.transfer.plan import Imported, ImportPlan, OnExisting, apply_import, plan_import
from memdir.transfer.source import ImportSource, memory_folder

__all__ = ["FORMS", "TransferHandle"]

FORMS = ("bundle", "claude-code", "mcp", "markdown")
"""What an import can be read as."""


@value_class(frozen=True, slots=True)
class TransferHandle:
    """What comes from elsewhere into one memory, and what leaves it."""

    _parts: Parts

    def fingerprint(self) -> Fingerprint:
        """Return what this project can be recognised by elsewhere: first commits, remotes, `.memdir-id`."""
        return self._parts.identity.fingerprint()

    def make_id(self) -> str:
        """Put a `.memdir-id` into a project that has no git, so that it is recognised when it moves."""
        root = self._parts.effective_setup.place.root
        known = self.fingerprint().id
        if known:
            return known
        made = os.urandom(12).hex()
        with storage_errors(f"{ID_FILE} was not written", root), Folder.opened(root) as folder:
            if folder.exists(ID_FILE):
                raise Rejected(f"{os.path.join(root, ID_FILE)} is there and holds no id. Remove it first.")
            folder.write(ID_FILE, f"{made}\n".encode())
        return made

    def orphans(self) -> list[Orphan]:
        """Return memory directories that may belong to this project, likeliest first, with the evidence."""
        self._parts.verdict.require_on()
        return self._parts.identity.orphans()

    def orphan(self, old: str) -> Orphan:
        """Return the memory directory of a project that was at an old path, or one that is named itself."""
        self._parts.verdict.require_on()
        return self._parts.identity.orphan(old)

    def notice(self) -> str:
        """Return what to tell about memories that may belong to this project; each is told once."""
        return self._parts.identity.notice() if self._parts.setup and self._parts.verdict.on else ""

    def adoption(self, orphan: Orphan, existing: str = "keep") -> ImportPlan:
        """Return what bringing an orphan in would write."""
        _refuse_agents(self._parts)
        read = markdown_folder if orphan.host == "codex" else memory_folder
        reason = f"adopted from {orphan.root or orphan.directory}"
        plan = plan_import(self._parts.writer, read(orphan.directory), OnExisting(existing), reason=reason)
        return replace(plan, orphan=orphan.directory)

    def decline(self, orphan: Orphan) -> None:
        """Record that an orphan does not belong to this project: it is not suggested again."""
        self._parts.identity.decide("declined", orphan.directory)

    def plan(
        self,
        path: str | os.PathLike[str],
        form: str = "",
        *,
        existing: str = "keep",
        section: str = PRIVATE,
        allow_secret: bool = False,
    ) -> ImportPlan:
        """Return what importing a file or folder would write; what it is read as is found out if not said."""
        self._parts.verdict.require_on()
        source = _source(os.path.abspath(path), form, section)
        reason = f"imported from {os.path.basename(source.place)}"
        return plan_import(
            self._parts.writer, source, OnExisting(existing), allow_secret=allow_secret, reason=reason
        )

    def apply(self, plan: ImportPlan) -> Imported:
        """Write what a plan shows, as one step that can be undone; the words count as nobody's here."""
        self._parts.verdict.require_on()
        verb = "adopt" if plan.orphan else "import"
        if plan.orphan:
            _refuse_agents(self._parts)
        by = self._parts.provenance("user", "import", plan.reason)
        done = apply_import(self._parts.writer, plan, by, self._parts.world.clock(), verb)
        if plan.orphan:
            self._parts.identity.decide("adopted", plan.orphan)
        return done

    def export(
        self, path: str | os.PathLike[str], *, sections: Iterable[str] = (), history: bool = False
    ) -> Exported:
        """Write this memory into one file, or, where the path is a folder, as a directory like its own."""
        parts = self._parts
        if not parts.memories.exists():
            raise NoSuchMemory(f"There is nothing to export: {parts.directory} was never made.")
        if str(path).endswith(os.sep) or os.path.isdir(path):
            return write_folder(os.fspath(path), parts.directory)
        directories = {PRIVATE: parts.directory}
        if "team" in sections and os.path.isdir(os.path.join(parts.directory, "team")):
            directories["team"] = os.path.join(parts.directory, "team")
        kept = self._history() if history else b""
        return write_bundle(os.fspath(path), directories, parts.world.clock(), kept)

    def _history(self) -> bytes:
        writer = self._parts.writer
        writer.note_outside(self._parts.world.clock())
        history = writer.recorder.history
        return history.git.run("bundle", "create", "-q", "-", "main") if history.exists else b""


def _source(path: str, form: str, section: str) -> ImportSource:
    if form not in ("", *FORMS):
        raise Rejected(f"{form!r} is not a form of memories. Use one of {', '.join(FORMS)}.")
    if not os.path.exists(path):
        raise NoSuchMemory(f"{path} is not there.")
    if os.path.isdir(path):
        verbatim = form == "claude-code" or (not form and os.path.lexists(os.path.join(path, "MEMORY.md")))
        return memory_folder(path) if verbatim else markdown_folder(path)
    if form == "mcp" or (not form and not is_bundle(path)):
        return knowledge_graph(path)
    found = bundle_sections(path)
    if section not in found:
        raise NoSuchMemory(f"{path} holds no section {section!r}. It has {', '.join(found) or 'none'}.")
    return found[section]


def _refuse_agents(parts: Parts) -> None:
    """Raise in the shell of an agent: a repository could ask it to bring another project's memories in."""
    parts.verdict.require_on()
    if in_agents_shell(parts.world.env):
        raise Rejected(
            "Only a person may bring the memories of another project in, and this is an agent's shell. "
            "Run `memdir adopt` in a terminal of your own."
        )
