"""The index of a memory directory as an entry among the instructions."""

from memdir.instructions.instruction import Cause, Instruction, Layer, Reason
from memdir.instructions.source import source
from memdir.text.clip import clip_index

__all__ = ["index_instruction"]


def index_instruction(
    path: str, text: str, layer: Layer = Layer.MEMORY, *, raw: bytes | None = None
) -> Instruction | None:
    """Return an index as it is loaded: stripped, cut to its limits, never importing; None if nothing is left.

    `raw` is what the file holds, where the text is a healed view of it; without it, the text is the file.
    """
    on_disk = text.encode("utf-8", "surrogatepass") if raw is None else raw
    shown = clip_index(source(text.encode("utf-8", "replace")).text).content
    if not shown:
        return None
    changed = shown.encode() != on_disk
    return Instruction(
        path, layer, shown, Reason(Cause.START), changed=changed, raw=on_disk if changed else None
    )
