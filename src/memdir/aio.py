"""`memory.aio`: the verbs of a memory as coroutines; each runs the same method in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from memdir.memory import Memory

__all__ = ["AsyncMemory"]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class _Verb(Generic[_Given, _Result]):
    """A verb of `Memory` with the same parameters, to be awaited; editors see both."""

    def __init__(self, verb: Callable[[Memory], Callable[_Given, _Result]]) -> None:
        self._verb = verb

    def __get__(self, view: AsyncMemory, owner: type) -> Callable[_Given, Coroutine[Any, Any, _Result]]:
        verb = self._verb(view.memory)

        @wraps(verb)
        async def run(*given: _Given.args, **options: _Given.kwargs) -> _Result:
            return await asyncio.to_thread(verb, *given, **options)

        return run


class AsyncMemory:
    """The everyday verbs for asynchronous callers; handles go through `asyncio.to_thread`."""

    def __init__(self, memory: Memory) -> None:
        """Serve this memory."""
        self.memory = memory

    remember = _Verb(lambda memory: memory.remember)
    read = _Verb(lambda memory: memory.read)
    list = _Verb(lambda memory: memory.list)
    edit = _Verb(lambda memory: memory.edit)
    forget = _Verb(lambda memory: memory.forget)
    rename = _Verb(lambda memory: memory.rename)
    undo = _Verb(lambda memory: memory.undo)
    recall = _Verb(lambda memory: memory.recall)
    extract = _Verb(lambda memory: memory.extract)
