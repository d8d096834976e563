"""A process that has imported memdir and forks a child for each command: a start is mostly imports.

Run as `python warm.py NUMBER`, it listens on the socket that it inherited under that number. It runs no
command itself, so that every child begins in the same state. `client.py` and `tests/processes.py` ask it.
"""

import gc
import importlib
import marshal
import os
import pkgutil
import select
import signal
import socket
import sys
import time
from datetime import UTC, datetime

_OTHERS = ("memdir.__main__", "memdir.adapters", "memdir.hub", "memdir.mcp", "memdir.viewer")
"""What hardly a command loads."""

_LATER = (
    "click._textwrap",
    "difflib",
    "encodings.utf_16_le",
    "filelock",
    "httpx2",
    "importlib.metadata",
    "yaml",
)
"""What is imported where it is needed, and is needed often."""

_FILES = 4
"""What comes with a request: the three streams and the working directory."""

_NOT_WRITTEN = 120
"""How the interpreter ends when the last of the output cannot be written."""


def _load() -> None:
    import memdir

    ours = (module.name for module in pkgutil.walk_packages(memdir.__path__, "memdir."))
    for name in [*(name for name in ours if not name.startswith(_OTHERS)), *_LATER]:
        importlib.import_module(name)
    _prepare()
    gc.collect()
    gc.freeze()  # a child that collects need not copy what it inherited


def _prepare() -> None:
    """Compile the patterns and read the weights that are made where they are first needed."""
    from memdir.memories.contradiction import judge  # noqa: F401
    from memdir.memories.proposed_names import propose_kind
    from memdir.recall.semantic.encoder import encoder_in
    from memdir.recall.semantic.weights import weights_folder
    from memdir.text.dates.relative_dates import relative_dates
    from memdir.text.secrets.search import find_secrets

    encoder_in(weights_folder({}))
    text = "Never deploy the shop on Friday 2030-11-15; the password=x of https://a.example is in 1Password."
    find_secrets(text)
    propose_kind(text)
    relative_dates(text, datetime.now(UTC).date())


def _asked(listener: socket.socket) -> None:
    """Wait for requests and tell how each ended; return in the child that is to answer one."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    lines: dict[int, socket.socket] = {}
    while sys.stdin not in (ready := select.select([listener, sys.stdin, woken], [], [])[0]):
        if listener in ready:
            line, _ = listener.accept()
            if not (child := os.fork()):
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                return _settle(line)
            lines[child] = line
        if woken in ready:
            os.read(woken, 1 << 10)
            _report_ended(lines)
    sys.exit()  # whoever started it has closed its input, or is gone


def _report_ended(lines: dict[int, socket.socket]) -> None:
    """Tell how the children ended that have ended."""
    while lines:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            break
        with lines.pop(child) as line:
            line.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))


def _settle(line: socket.socket) -> None:
    """Stand where the asking process stands, with its words, streams, environment and umask."""
    size, files, _, _ = socket.recv_fds(line, 4, _FILES)
    with line.makefile("rb") as request:
        words, environment, mask = marshal.loads(request.read(int.from_bytes(size)))  # noqa: S302 - by our tests
    line.close()
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    os.fchdir(files[3])
    for file in files:
        os.close(file)
    os.umask(mask)
    os.environb.clear()
    os.environb.update(environment)
    time.tzset()
    program, *rest = map(os.fsdecode, words)
    sys.argv = [os.path.join(sys.path[0], program), *rest]


def _run() -> int:
    program = os.path.basename(sys.argv[0])
    if program == "memdir-hook":
        from memdir.hooks.entry import run

        run()
    if program == "memdir.hooks.work":
        from memdir.hooks.work import main as work

        return work(sys.argv[1:])
    from memdir.cli.main import main

    return main()


def _end(code: int) -> None:
    """Write what is left and be gone: taking apart what was inherited would cost most."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = _NOT_WRITTEN
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(sys.executable)  # as for the real command
    _load()
    _asked(socket.socket(fileno=int(sys.argv[1])))
    _end(_run())
