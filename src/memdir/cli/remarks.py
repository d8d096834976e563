"""What is worth knowing about a memory that was just saved, although nothing is wrong with it."""

from typing import TYPE_CHECKING

from memdir.recall.limits import Limits

if TYPE_CHECKING:
    from datetime import date

    from memdir.memories.topic import Header

__all__ = ["remarks"]


def remarks(header: "Header", text: str, *, name: str, today: "date") -> list[str]:
    """Return hints: another name than the one given, a day that is over, more than a recall shows."""
    found = []
    if name and header.name != name:
        found.append(f"It is called {header.name!r}: a name has letters, digits and dashes.")
    if header.expires and header.expires < today.isoformat():
        found.append(f"{header.expires} is over, so it has expired already. --expires sets another day.")
    size, lines, most = len(text.encode("utf-8", "replace")), text.count("\n") + 1, Limits()
    if size > most.bytes or lines > most.lines:
        found.append(
            f"It has {size:,} bytes in {lines:,} line{'s' if lines > 1 else ''}; a recall shows "
            f"the first {most.lines:,} lines and {most.bytes:,} bytes of it. "
            "Put what matters first, or save it in parts."
        )
    return found
