"""The tools of a worker that wish for changes: to write, edit and forget memories, on a workbench only."""

from datetime import UTC, datetime

from memdir.config.safe_path import Refused
from memdir.memories.draft import MAX_BODY_BYTES
from memdir.memories.kinds import Kind
from memdir.memories.names import file_name_problem, is_topic_file
from memdir.memories.topic import header_from
from memdir.text.secrets.search import find_secrets
from memdir.text.templates import Templates
from memdir.workers.answer import Answer, failure
from memdir.workers.policy import Policy
from memdir.workers.workbench import Workbench

__all__ = ["Changes"]

_TEXTS = Templates(__file__)


class Changes:
    """Changes within what a policy allows; nothing is written, everything is gathered."""

    def __init__(self, policy: Policy, bench: Workbench) -> None:
        """Bind the tools to a policy and a workbench."""
        self._policy, self._bench = policy, bench

    def write(self, path: str, text: str) -> Answer:
        """Wish for a file with this text."""
        file = self._policy.file(path)
        if isinstance(file, Refused):
            return failure(f"{path!r} may not be changed: {file.because}.")
        twin = next((known for known in self._bench.files() if _is_twin(known, file)), "")
        if twin:
            return failure(f"{twin} differs from {file} in the case of letters only. Write to {twin}.")
        if self._bench.text(file) is None and (problem := file_name_problem(file)):
            return failure(f"{file} cannot be made: {problem}. Call it <type>_<short-name>.md.")
        return self._put(file, text)

    def edit(self, path: str, old: str, new: str) -> Answer:
        """Wish for one passage to be replaced."""
        file = self._policy.file(path)
        if isinstance(file, Refused):
            return failure(f"{path!r} may not be changed: {file.because}.")
        text = self._bench.text(file)
        if text is None:
            return failure(f"There is no memory {file}. Look with glob, or write it.")
        times = text.count(old) if old else 0
        if times != 1:
            problem = "does not stand" if times == 0 else f"stands {times} times"
            return failure(
                f"The passage {problem} in {file}. Read it, and name a passage that stands there once."
            )
        return self._put(file, text.replace(old, new))

    def forget(self, path: str) -> Answer:
        """Wish for a memory to be forgotten."""
        file = self._policy.file(path)
        if isinstance(file, Refused):
            return failure(f"{path!r} may not be changed: {file.because}.")
        if self._bench.text(file) is None:
            return failure(f"There is no memory {file}. Look with glob.")
        self._bench.put(file, None)
        return Answer(_TEXTS.unescaped("answer_forgotten", file=file))

    def _put(self, file: str, text: str) -> Answer:
        if problem := _problem(file, text):
            return failure(f"{file} was not taken: {problem}")
        self._bench.put(file, text)
        return Answer(_TEXTS.unescaped("answer_written", file=file))


def _is_twin(known: str, file: str) -> bool:
    return known != file and known.casefold() == file.casefold()


def _problem(file: str, text: str) -> str:
    """Return why a text cannot be a memory, with what to do; empty when it can."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BODY_BYTES:
        return f"it has {size:,} bytes, and {MAX_BODY_BYTES:,} is the most. Keep what is worth recalling."
    if "\0" in text or any("\ud800" <= character <= "\udbff" for character in text):
        return "it holds a NUL or half of a surrogate pair. Write plain text."
    if found := find_secrets(text):
        rules = ", ".join(sorted({finding.rule for finding in found}))
        return f"it holds what looks like a credential ({rules}). Leave it out and say where it is kept."
    if not is_topic_file(file):
        return ""
    header = header_from(file, text, datetime.fromtimestamp(0, UTC))
    if header.kind is None:
        return f"its header has no type among {', '.join(Kind)}. Begin the text with a complete header."
    return "" if header.description else "its header has no description. Say in one line what it is about."
