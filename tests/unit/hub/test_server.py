"""A node sends the head and the body of an answer at once."""

import asyncio
from asyncio import Transport

from memdir.hub.server import PairedTransport


class Written(Transport):
    """A transport that keeps each write as it came."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes | bytearray | memoryview] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(data)

    def close(self) -> None:
        self.closed = True


def test_two_writes_are_sent_at_once_and_one_alone_in_the_next_round() -> None:
    async def written() -> Written:
        inner = Written()
        paired = PairedTransport(inner)
        paired.write(b"head ")
        assert inner.writes == []
        paired.write(b"body")
        assert inner.writes == [b"head body"]
        paired.write(b"alone")
        await asyncio.sleep(0)
        assert inner.writes == [b"head body", b"alone"]
        paired.write(b"last")
        paired.close()
        return inner

    inner = asyncio.run(written())
    assert (inner.writes, inner.closed) == ([b"head body", b"alone", b"last"], True)
