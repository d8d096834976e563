"""The `memdir` of a transcript: hands its words, streams, directory and environment to `warm.py`.

Run as `python -IS client.py SOCKET WORD…`, it imports next to nothing, and ends with the code of the command.
What an interpreter looks at when it starts (variables of its own, a stream that is closed or a terminal) is
not handed over: there it becomes the real command.
"""

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket
from marshal import dumps


def _concerns_the_start() -> bool:
    if any(name.startswith("PYTHON") for name in os.environ):
        return True
    try:
        return any(os.fstat(number) and os.isatty(number) for number in range(3))
    except OSError:  # it is closed
        return True


def _code(address: str, words: list[str]) -> int:
    """Let the command run and return its exit code when it has ended."""
    mask = os.umask(0o077)
    os.umask(mask)
    request = dumps(([b"memdir", *map(os.fsencode, words)], dict(os.environb), mask))
    files = (0, 1, 2, os.open(".", os.O_RDONLY))
    rights = b"".join(number.to_bytes(4, sys.byteorder) for number in files)
    line = socket(AF_UNIX, SOCK_STREAM)
    line.connect(address)
    line.sendmsg([len(request).to_bytes(4, "big")], [(SOL_SOCKET, SCM_RIGHTS, rights)])
    line.sendall(request)
    code = int.from_bytes(line.recv(4), "big", signed=True)
    return code if code >= 0 else 128 - code  # as a shell tells a signal


if __name__ == "__main__":
    if _concerns_the_start():
        memdir = os.path.join(os.path.dirname(sys.executable), "memdir")
        os.execv(memdir, [memdir, *sys.argv[2:]])  # noqa: S606 - the command under test
    os._exit(_code(sys.argv[1], sys.argv[2:]))
