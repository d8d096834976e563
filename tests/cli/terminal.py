"""Runs a command on a terminal of 60 columns and prints what that terminal was sent, escapes made visible."""

import fcntl
import os
import pty
import struct
import sys
import termios

_COLUMNS = 60


def on_terminal(command: list[str]) -> int:
    """Run a command, print what it wrote and return its exit code."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)  # noqa: S606 - the transcript's own command
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, _COLUMNS, 0, 0))
    data = b""
    while part := read_terminal(terminal):
        data += part
    sys.stdout.write(data.decode().replace("\r\n", "\n").replace("\x1b", "<ESC>").replace("\r", "<CR>"))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def read_terminal(terminal: int) -> bytes:
    """Return what was written, or nothing once nobody writes any more."""
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the last writer has gone
        return b""


if __name__ == "__main__":
    sys.exit(on_terminal(sys.argv[1:]))
