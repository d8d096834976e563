"""Something that may take too long, run beside us and left behind when its time is up."""

from collections.abc import Callable
from threading import Event, Thread

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

__all__ = ["Late", "within"]

_TICK = 0.01
"""Seconds between two looks at whether the caller still wants the answer."""


class Late(Exception):
    """It did not come in time, or is no longer wanted."""


def within(seconds: float, timer: Callable[[], float], work: "Callable[[], T]", called_off: Event) -> "T":
    """Return what the work gives, or raise what it raised; `Late` when that takes longer.

    The thread is a daemon: one that never ends keeps neither the caller nor the process.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    over, end = Event(), timer() + seconds

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits for it
            errors.append(error)
        finally:
            over.set()

    Thread(target=run, daemon=True).start()
    while not over.wait(min(_TICK, max(0.0, end - timer()))):
        if called_off.is_set() or timer() >= end:
            raise Late
    for error in errors:
        raise error if isinstance(error, Exception) else RuntimeError("it tried to end the process")
    return results[0]
