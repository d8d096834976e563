"""A program that is asked one thing: fed, read, and ended together with everything it started."""

import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from shutil import which
from typing import IO

from memdir.models.vendors.deadline import QuestionDeadline
from memdir.text.value import value_class

__all__ = ["OutputTooLong", "ProgramResult", "run_program"]

_TICK = 0.02
"""Seconds between two looks at the clock and the cancel flag."""

_CHUNK = 65_536

_LEASHED = '(exec </dev/fd/"$0" >/dev/null 2>&1; read -r _; kill -KILL 0) & exec "$@"'
"""Becomes the program, after leaving in its group a watch on a pipe that closes when we are gone."""


class OutputTooLong(Exception):
    """The program printed more than anyone reads; it was ended."""


@value_class(frozen=True, slots=True)
class ProgramResult:
    """What a program printed, and how it ended."""

    output: bytes
    errors: bytes
    code: int


def run_program(
    command: Sequence[str], fed: bytes, *, env: Mapping[str, str], deadline: QuestionDeadline, most: int
) -> ProgramResult:
    """Run a program to its end; when the question ends first, so does the program, and this raises."""
    deadline.check()
    with _running(command, env) as process, selectors.DefaultSelector() as selector:
        pipes = _Pipes(process, selector, fed, most)
        while pipes.are_open:
            ready = selector.select(min(_TICK, deadline.left))
            deadline.check()
            pipes.move(ready)
            if not ready and _is_over(process):
                break  # what still holds the pipes is nothing that answers
        while not _is_over(process):
            deadline.pause(_TICK)
    return ProgramResult(bytes(pipes.output), bytes(pipes.errors), process.returncode)


@contextmanager
def _running(command: Sequence[str], env: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a program in a group of its own, from a place that is nobody's project; end the group at last.

    The group ends also when we are killed and can end nothing any more.
    """
    if which(command[0], path=env.get("PATH", "")) is None:
        raise FileNotFoundError(f"there is no program {command[0]}")
    watched, ours = os.pipe()
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _LEASHED, str(watched), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=os.sep,
            start_new_session=True,
            pass_fds=(watched,),
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(watched)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # before it is waited for: its number is still its own
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()
        os.close(ours)


def _is_over(process: "subprocess.Popen[bytes]") -> bool:
    """Tell whether a program has ended, without letting go of its number where the system allows that."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class _Pipes:
    """The three pipes of a program, moved without ever blocking."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", selector: selectors.BaseSelector, fed: bytes, most: int
    ) -> None:
        self._selector, self._rest, self._most = selector, memoryview(fed), most
        self.output, self.errors = bytearray(), bytearray()
        for pipe, mode, into in (
            (process.stdin, selectors.EVENT_WRITE, None),
            (process.stdout, selectors.EVENT_READ, self.output),
            (process.stderr, selectors.EVENT_READ, self.errors),
        ):
            assert pipe is not None  # noqa: S101 - all three were asked for
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, mode, into)

    @property
    def are_open(self) -> bool:
        """Whether the program can still say something."""
        return any(key.data is not None for key in self._selector.get_map().values())

    def move(self, ready: "list[tuple[selectors.SelectorKey, int]]") -> None:
        """Write and read what can be written and read now."""
        for key, _ in ready:
            pipe: IO[bytes] = key.fileobj  # type: ignore[assignment]  # only pipes were registered
            if key.data is None:
                self._feed(pipe)
            elif not (part := os.read(pipe.fileno(), _CHUNK)):
                self._selector.unregister(pipe)
            else:
                key.data.extend(part)
                if len(key.data) > self._most:
                    raise OutputTooLong

    def _feed(self, pipe: IO[bytes]) -> None:
        with suppress(BlockingIOError):
            try:
                self._rest = self._rest[os.write(pipe.fileno(), self._rest[:_CHUNK]) :]
            except BrokenPipeError:
                self._rest = self._rest[:0]  # it did not want to hear the rest
        if not self._rest:
            self._selector.unregister(pipe)
            pipe.close()
