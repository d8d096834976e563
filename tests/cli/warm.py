"""A process that has imported the command line and forks a child for each command: a start is mostly imports.

Run as `python warm.py NUMBER`, it listens on the socket that it inherited under that number. It never runs a
command itself, so that every child begins in the same state. `handed.py` is the `memdir` that asks it.
"""

import gc
import importlib
import marshal
import os
import pkgutil
import select
import socket
import sys

_OTHERS = ("memdir.__main__", "memdir.adapters", "memdir.hooks", "memdir.mcp")
"""What no command of a transcript loads."""

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
    gc.freeze()  # a child that collects need not copy what it inherited


def _asked(listener: socket.socket) -> socket.socket:
    """Wait for requests; return the line to whoever made one, in the child that is to answer it."""
    while select.select([listener, sys.stdin], [], [])[0] == [listener]:
        line, _ = listener.accept()
        if not os.fork():
            listener.close()
            return line
        line.close()
        _bury()
    sys.exit()  # whoever started it has closed its input, or is gone


def _bury() -> None:
    """Take note of the children that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _settle(line: socket.socket) -> None:
    """Stand where the asking process stands, with its words, streams, environment and umask."""
    size, files, _, _ = socket.recv_fds(line, 4, _FILES)
    with line.makefile("rb") as request:
        words, environment, mask = marshal.loads(request.read(int.from_bytes(size)))  # noqa: S302 - by handed.py
    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    os.fchdir(files[3])
    for file in files:
        os.close(file)
    os.umask(mask)
    os.environb.clear()
    os.environb.update(environment)
    sys.argv = [os.path.join(sys.path[0], "memdir"), *map(os.fsdecode, words)]


def _end(line: socket.socket, code: int) -> None:
    """Write what is left, tell the code and be gone: taking apart what was inherited would cost most."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = _NOT_WRITTEN
    line.sendall(bytes([code]))
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(sys.executable)  # as for the real command
    _load()
    asked = _asked(socket.socket(fileno=int(sys.argv[1])))
    _settle(asked)
    from memdir.cli.main import main

    _end(asked, main())
