"""The entry point of every hook: it answers from the reply cache where it can, else in full.

A host waits for this module at every prompt and tool call: it imports late and does without `typing`.
"""

import gc
import os
import sys

from memdir.hooks.reply_cache import TOOL_CALL, cached_reply, parse

__all__ = ["TooLate", "main", "run"]

_SECONDS = 4.0
"""A host waits five seconds for a call to be judged and then lets it through: before that, we have to ask."""


_NOT_HEARD = (OSError, ValueError, AttributeError)
"""What writing fails with where the host no longer listens, or never gave us anything to speak into."""


def run() -> None:
    """Answer and end the process at once: the system frees its memory faster than Python does."""
    gc.disable()
    code = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except _NOT_HEARD:
        code = 0
    os._exit(code)


def main() -> int:
    """Answer the event named on the command line for the host's JSON on standard input."""
    event = sys.argv[1] if len(sys.argv) > 1 else ""
    if "MEMDIR_WORKER" in os.environ:
        return 0  # our own worker started this host
    try:
        if event == TOOL_CALL:
            _limit_time(_SECONDS)
        data, call, in_full = b"", None, False
        try:
            while event[:1] != "-" and (piece := os.read(0, 1 << 20)):  # --help waits for no host
                data += piece
            call = parse(data)
            reply = cached_reply(event, call, os.environ)
        except Exception:  # noqa: BLE001 - what the cache cannot answer is answered in full
            reply = None
        if reply is None:
            from memdir.hooks.full_answer import full_reply

            reply, in_full = full_reply(event, call, os.environ), True
        _limit_time(0)
    except TooLate as late:
        from memdir.hooks.full_answer import failure_reply

        reply, in_full = failure_reply(event, late, os.environ), False
    try:
        sys.stdout.write(reply)
        sys.stdout.flush()
    except _NOT_HEARD:
        pass  # and the work for it is still done
    if in_full:
        from memdir.hooks.full_answer import finish

        finish(event, os.environ)
    return 0


class TooLate(BaseException):
    """The time to judge a call is over. No `except Exception` on the way catches it."""


def _limit_time(seconds: float) -> None:
    """Raise TooLate after so many seconds; 0 ends the limit."""
    import _signal  # type: ignore[import-not-found]  # signal itself takes long to load

    def end(*_: object) -> None:
        raise TooLate(f"it took more than {seconds:.0f} seconds to judge it")

    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, end)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)
