"""What someone may put into a memory directory to hurt whoever reads it."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["SECRET", "Trap", "traps"]

SECRET = "OUTSIDE-MARKER-51966"
"""Stands in every file outside the directory; it must never be shown and never be kept."""

Put = Callable[[str, str], None]
"""Takes the memory directory and the folder outside it."""

_GIB = 1 << 30
_HEADER = "---\nname: {name}\ndescription: {description}\ntype: reference\n---\n\nBody of {name}.\n"


@dataclass(frozen=True, slots=True)
class Trap:
    """One hostile thing and how to put it there."""

    name: str
    put: Put
    needs_root: bool = False
    stops_saves: bool = False
    """Whether a save may be refused while it stands there; reading never may."""


def traps() -> Iterator[Trap]:
    """Yield everything, each to be tried alone and all of them together."""
    yield from _special_files()
    yield from _links()
    yield from _contents()
    yield from _names()
    yield from _indexes()


def _special_files() -> Iterator[Trap]:
    yield Trap("a FIFO", lambda inside, _: os.mkfifo(os.path.join(inside, "fifo.md")))
    yield Trap("a socket", lambda inside, _: _socket(os.path.join(inside, "socket.md")))
    yield Trap("a device", lambda inside, _: _device(os.path.join(inside, "device.md")), needs_root=True)
    yield Trap("a directory named x.md", _directory_like_a_file)
    yield Trap("3,000 siblings", _siblings)
    yield Trap("folders 60 deep", lambda inside, _: os.makedirs(os.path.join(inside, *["deep"] * 60)))
    yield Trap("an 8 GiB sparse file", lambda inside, _: _sparse(os.path.join(inside, "sparse.md")))


def _links() -> Iterator[Trap]:
    yield Trap("a link to outside", _link("secret.md", "link.md"))
    yield Trap("a link to a folder outside", _link("", "folder"))
    yield Trap("a link like a file to a folder outside", _link("", "folder.md"))
    yield Trap("a hard link to outside", _hard_link("hard.md"))
    yield Trap("a link to itself", lambda inside, _: os.symlink("self.md", os.path.join(inside, "self.md")))
    yield Trap(
        "a link to nowhere", lambda inside, _: os.symlink("/nonexistent/x", os.path.join(inside, "void.md"))
    )
    yield Trap("a loop of folders", lambda inside, _: os.symlink("..", os.path.join(inside, "up")))
    yield Trap("two links to each other", _loop)


def _contents() -> Iterator[Trap]:
    bomb = "\n".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]" for n in range(9)
    )
    texts = {
        "non-UTF-8": b"---\nname: \xff\xfe\ndescription: \xc3\x28\n---\n\xa0\xa1",
        "NUL": b"---\nname: nul\x00name\ndescription: a\x00b\n---\n\x00\x00body",
        "nothing": b"",
        "only an open header": b"---\nname: open\ndescription: never closed\n",
        "a YAML bomb": f"---\na: &a [x, x, x, x, x, x, x, x, x]\n{bomb}\nname: *j\n---\nbody\n".encode(),
        "YAML tags": b"---\nname: !!python/object/apply:os.system ['x']\ndescription: !!binary aGk=\n---\n",
        "deep brackets": b"---\nname: " + b"[" * 50_000 + b"\n---\nbody\n",
        "deep mappings": b"---\n" + b"".join(b" " * n + b"k:\n" for n in range(2_000)) + b"---\nbody\n",
        "100,000 keys": b"---\n" + b"".join(b"key%d: v\n" % n for n in range(100_000)) + b"---\nbody\n",
        "escapes for a terminal": b"---\nname: \x1b[2J\x1b]0;owned\x07\ndescription: \x9b31m\n---\nbody\n",
    }
    for number, (name, data) in enumerate(texts.items()):
        yield Trap(name, _file(f"content-{number}.md", data))
    yield Trap("a 50 MB line", _grown("long-line.md", b"---\nname: long\n---\n"))
    yield Trap("a 50 MB header", _grown("long-header.md", b"---\nname: "))
    for name, moment in {"future": 253402300799 + 10**6, "far future": 2**33, "negative": -(10**9)}.items():
        yield Trap(f"a {name} time", _dated(moment))


def _names() -> Iterator[Trap]:
    yield Trap("case twins", _both("Twin.md", "tWIN.md"))
    yield Trap("NFC and NFD twins", _both("caf\u00e9.md", "cafe\u0301.md"))
    odd = (
        "line\nfeed.md",
        "tab\t.md",
        "bell\x07.md",
        "\udcff\udcfe.md",
        "\u202egpj.md",
        "-rf.md",
        " .md",
        "%2e%2e%2fx.md",
    )
    for name in (
        *odd,
        "a" * 252 + ".md",
        ".hidden.md",
        "](x.md",
        "<!-- .md",
        "```.md",
        "$(touch owned).md",
        "\u2028.md",
    ):
        yield Trap(
            f"the name {name[:20]!a}", _file(name, _HEADER.format(name="odd", description="d").encode())
        )
    yield Trap("a folder with a line feed", _file("fold\ner/inner.md", b"inner"))
    yield Trap(
        "a header that names another's file", _file("thief.md", b"---\nname: ../../etc/passwd\n---\nx")
    )


def _indexes() -> Iterator[Trap]:
    yield Trap("an index that is a link to outside", _link("secret.md", "MEMORY.md"))
    yield Trap("an index that is a hard link to outside", _hard_link("MEMORY.md"))
    yield Trap("an index that is a FIFO", lambda inside, _: os.mkfifo(_free(inside, "MEMORY.md")))
    yield Trap("an index of 8 GiB", lambda inside, _: _sparse(_free(inside, "MEMORY.md")))
    yield Trap("an index of one 50 MB line", _grown("MEMORY.md", b"- [x](y.md) "))
    yield Trap(
        "an index with a conflict",
        _file("MEMORY.md", b"<<<<<<< a\n- [x](x.md)\n=======\n- [y](y.md)\n>>>>>>> b\n"),
    )
    yield Trap("an index of NULs", _file("MEMORY.md", bytes(10_000)))
    yield Trap("an index that is no UTF-8", _file("MEMORY.md", b"\xff\xfe# prose\n"))
    yield Trap(
        "an index with links to outside",
        _file("MEMORY.md", b"- [a](../outside/secret.md)\n- [b](/etc/passwd)\n"),
    )
    yield Trap(
        "an index that is a folder", lambda inside, _: os.mkdir(_free(inside, "MEMORY.md")), stops_saves=True
    )
    yield Trap("another index by case", _file("memory.md", b"- [x](x.md)\n"))
    yield Trap("hubs that are a link to outside", _link("", "hubs"))
    yield Trap("hubs that are a file", _file("hubs", b"x"))
    yield Trap("a hub that is a link to outside", _hub_link)


def _free(inside: str, name: str) -> str:
    """Return a path on which nothing stands any more."""
    path = os.path.join(inside, name)
    if os.path.lexists(path):
        os.unlink(path)
    return path


def _file(name: str, data: bytes) -> Put:
    def put(inside: str, _: str) -> None:
        path = os.path.join(inside, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    return put


def _grown(name: str, start: bytes) -> Put:
    """Write the start, then 50 MB without a line end, a little at a time to spare our own memory."""

    def put(inside: str, _: str) -> None:
        with open(os.path.join(inside, name), "wb") as file:
            file.write(start)
            file.writelines(b"x" * 1_000_000 for _megabyte in range(50))

    return put


def _both(first: str, second: str) -> Put:
    def put(inside: str, outside: str) -> None:
        for number, name in enumerate((first, second)):
            _file(name, _HEADER.format(name=f"twin-{number}", description="d").encode())(inside, outside)

    return put


def _dated(seconds: int) -> Put:
    def put(inside: str, outside: str) -> None:
        name = f"dated{seconds}"
        _file(f"{name}.md", _HEADER.format(name=name, description="d").encode())(inside, outside)
        os.utime(os.path.join(inside, f"{name}.md"), (seconds, seconds))

    return put


def _link(target: str, name: str) -> Put:
    return lambda inside, outside: os.symlink(os.path.join(outside, target), _free(inside, name))


def _hard_link(name: str) -> Put:
    return lambda inside, outside: os.link(os.path.join(outside, "secret.md"), _free(inside, name))


def _hub_link(inside: str, outside: str) -> None:
    os.makedirs(os.path.join(inside, "hubs"), exist_ok=True)
    os.symlink(os.path.join(outside, "secret.md"), os.path.join(inside, "hubs", "reference-1.md"))


def _loop(inside: str, _: str) -> None:
    os.symlink("there.md", os.path.join(inside, "here.md"))
    os.symlink("here.md", os.path.join(inside, "there.md"))


def _directory_like_a_file(inside: str, outside: str) -> None:
    _file("x.md/inner.md", _HEADER.format(name="inner", description="d").encode())(inside, outside)


def _siblings(inside: str, outside: str) -> None:
    for number in range(3_000):
        data = _HEADER.format(name=f"sibling-{number}", description="One of very many").encode()
        _file(f"sibling-{number}.md", data)(inside, outside)


def _sparse(path: str) -> None:
    with open(path, "wb") as file:
        file.write(b"---\nname: sparse\n---\n")
        file.truncate(8 * _GIB)


def _socket(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)


def _device(path: str) -> None:
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
