"""Commands as children of one process that has imported memdir (`cli/warm.py`): a start is mostly imports."""

import marshal
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

__all__ = ["Commands", "commands", "is_running"]

_WARM = Path(__file__).parent / "cli" / "warm.py"
_ENV = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


class Commands:
    """Runs `memdir`, `memdir-hook` and `memdir.hooks.work`, each in a process with its own streams."""

    def __init__(self, address: str) -> None:
        self.address = address

    def run(
        self,
        words: Sequence[str | os.PathLike[str]],
        env: Mapping[str, str],
        *,
        cwd: str | os.PathLike[str] = ".",
        feed: bytes = b"",
        merged: bool = False,
        seconds: float = 60,
    ) -> "subprocess.CompletedProcess[bytes]":
        """Run one command to its end; `merged` sends its errors where its output goes."""
        ins, outs, errors = os.pipe(), os.pipe(), os.pipe()
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(seconds)
            line.connect(self.address)
            folder = os.open(cwd, os.O_RDONLY)
            theirs = [ins[0], outs[1], outs[1] if merged else errors[1], folder]
            asked = [os.fsencode(word) for word in words]
            request = marshal.dumps((asked, {os.fsencode(n): os.fsencode(v) for n, v in env.items()}, 0o022))
            socket.send_fds(line, [len(request).to_bytes(4, "big")], theirs)
            line.sendall(request)
            for number in (ins[0], outs[1], errors[1], folder):
                os.close(number)
            said = _exchanged(ins[1], feed, (outs[0], errors[0]), monotonic() + seconds)
            code = int.from_bytes(line.recv(4, socket.MSG_WAITALL), "big", signed=True)
        return subprocess.CompletedProcess(list(words), code, *said)


def _exchanged(entry: int, feed: bytes, exits: tuple[int, int], end: float) -> tuple[bytes, bytes]:
    """Write what a command is given and read what it says until it has closed both."""
    said = dict.fromkeys(exits, b"")
    with selectors.DefaultSelector() as selector:
        os.set_blocking(entry, False)
        selector.register(entry, selectors.EVENT_WRITE)
        for number in exits:
            selector.register(number, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, end - monotonic()))
            if not ready:
                raise TimeoutError(f"A command took too long. It said: {list(said.values())}")
            for key, _ in ready:
                if key.fd == entry:
                    feed = _written(entry, feed)
                    over = not feed
                else:
                    said[key.fd] += (piece := os.read(key.fd, 1 << 16))
                    over = not piece
                if over:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return said[exits[0]], said[exits[1]]


def _written(entry: int, feed: bytes) -> bytes:
    """Write some of it and return what is left: nothing where nobody reads on."""
    try:
        return feed[os.write(entry, feed[: 1 << 16]) :] if feed else b""
    except BrokenPipeError:
        return b""


@contextmanager
def commands() -> Iterator[Commands]:
    """Start the process that has memdir imported, and end it with all of its children."""
    with tempfile.TemporaryDirectory(prefix="memdir-") as folder, socket.socket(socket.AF_UNIX) as listener:
        address = os.path.join(folder, "warm")
        listener.bind(address)
        listener.listen(64)
        server = subprocess.Popen(
            [sys.executable, str(_WARM), str(listener.fileno())],
            env=_ENV,
            stdin=subprocess.PIPE,  # pipes, as those of the commands are: streams look at that once
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            start_new_session=True,
        )
        listener.close()
        yield Commands(address)
        os.killpg(server.pid, signal.SIGKILL)
        assert server.communicate() == (b"", b"")


def is_running(process: int | str) -> bool:
    """Tell whether a process has not ended; one that only waits for whoever adopted it has."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
