"""docs/errors.md: every error and every exit code, each with what to do."""

from scripts.reference.text import code, table

from memdir import errors
from memdir.cli.failure import ExitCode, failure_of
from memdir.errors import MemdirError

__all__ = ["DO", "MEANINGS", "page"]

DO = {
    "MemdirError": "Read its message: it says what happened and what to do.",
    "Rejected": "Change what the message names: a kind, a name, an option, a path, a rule.",
    "SecretFound": "Take the credential out and say where it is kept. `--allow-secret` keeps it in the "
    "private file alone; there is no such option for what others will see.",
    "NoSuchMemory": "`memdir list` shows what there is, `memdir history` what there was, `memdir why --list` "
    "which recalls. A hint names what is nearly called so.",
    "MemoryOff": "`memdir status` names the variable or the setting. "
    "[Switch memory off](how-to/off.md) lists them.",
    "Conflict": "Nothing was written. Read the file again and repeat; for `undo`, choose `--overwrite` or "
    "`--both`.",
    "LockTimeout": "Try again. If it stays, another program holds the directory: `memdir doctor`.",
    "StorageError": "Make room on the disk, or make the directory writable, and repeat.",
    "HistoryError": "`memdir doctor` says what is wrong with the history. Saving goes on without it.",
    "RemoteError": "Look at the place that the message names: is it there, and may you write to it? What is "
    "here is unchanged, and the next sync goes on.",
    "ModelError": "`memdir models --test` asks the model one question. Without a model memdir works by rules "
    "alone.",
    "ModelTimeout": "Try again later, or name a faster model. A prompt never waits for it.",
    "ModelRejected": "Correct the key, the name or the address: `memdir models` shows which are used.",
    "ModelBusy": "Try again later; background jobs do so by themselves with the next turn.",
    "ModelReplyError": "Name a model that keeps to a JSON schema. Nothing was changed.",
    "Cancelled": "Nothing: the caller itself gave up the question.",
    "CapReached": "Wait for the next day (UTC), or raise the cap in your own settings: "
    "[keep costs bounded](how-to/models.md#keep-costs-bounded).",
    "MissingExtra": "Install the extra that the message names.",
}
"""What to do about each error."""

MEANINGS = {
    ExitCode.OK: "done; for `doctor`: all is well, or there is only advice",
    ExitCode.ERROR: "a problem is left (`doctor`, `init`), the answer is no (`--exit-code`), or an error "
    "without a code of its own",
    ExitCode.USAGE: "the command line was not understood; `--help` after a command explains it",
    ExitCode.OFF: "memory is switched off",
    ExitCode.NO_SUCH_MEMORY: "there is no memory, change, proposal or recall of that name",
    ExitCode.CONFLICT: "a file is no longer what you saw; nothing was written",
    ExitCode.REFUSED: "refused: the text holds a credential, or something cannot be taken as it is",
    ExitCode.TROUBLE: "the disk, the lock, the history or a remote does not do its part",
    ExitCode.MODEL: "a model does not answer, may not be asked, or an extra is not installed",
    ExitCode.INTERRUPTED: "interrupted from the keyboard; what was reported as saved is saved",
    ExitCode.READER_GONE: "whoever read the output closed it",
}
"""What each exit code means."""

_HEAD = """# Errors and exit codes

This page is made from the code by `python -m scripts.reference`. A message says first what happened and then
what to do; a command prints it to standard error, and with `--json` also as an object with its `kind`. A hook
prints one line to standard error and ends with 0 whatever happens: it never breaks its host
([hooks](hooks.md#when-a-hook-fails)).
"""


def page() -> str:
    """Return the whole page."""
    return f"{_HEAD}\n{_exit_codes()}\n{_errors()}"


def _exit_codes() -> str:
    kinds: dict[ExitCode, list[str]] = {}
    for name in errors.__all__:
        kind, exit_code = _answer(name)
        if kind not in kinds.setdefault(exit_code, []):
            kinds[exit_code].append(kind)
    kinds[ExitCode.USAGE], kinds[ExitCode.INTERRUPTED] = ["usage"], ["interrupted"]
    rows = [(str(one.value), ", ".join(map(code, kinds.get(one, []))), MEANINGS[one]) for one in ExitCode]
    return "## Exit codes\n\n" + table(("code", "kinds", "meaning"), rows)


def _errors() -> str:
    names = sorted(errors.__all__, key=lambda name: (_answer(name)[1], name))
    tree = (errors.__doc__ or "").partition("\n\n")[2].strip()
    head = ("error", "what happened", "kind", "code", "what to do")
    return f"## Errors in Python\n\n```text\n{tree}\n```\n\n" + table(head, map(_row, names))


def _row(name: str) -> tuple[str, ...]:
    kind, exit_code = _answer(name)
    happened = (getattr(errors, name).__doc__ or "").partition("\n")[0]
    return code(name), happened, code(kind), str(exit_code.value), DO[name]


def _answer(name: str) -> tuple[str, ExitCode]:
    error = getattr(errors, name)("x")
    if not isinstance(error, MemdirError):
        raise TypeError(f"{name} is no error of memdir.")
    failure = failure_of(error)
    return failure.kind, failure.code
