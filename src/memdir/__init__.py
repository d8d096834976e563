"""A memory that AI agents keep: plain Markdown files that people can read, edit, diff and share.

A host waits for this module: it imports late and does without `typing`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.errors import MemdirError
    from memdir.memories.topic import Draft, Header, Kind, Topic
    from memdir.memory import Memory
    from memdir.text.clip import Clipped

__all__ = ["Clipped", "Draft", "Header", "Kind", "MemdirError", "Memory", "Topic", "__version__"]

__version__ = "0.1.0"

_HOME = {
    "Clipped": "memdir.text.clip",
    "Draft": "memdir.memories.topic",
    "Header": "memdir.memories.topic",
    "Kind": "memdir.memories.topic",
    "MemdirError": "memdir.errors",
    "Memory": "memdir.memory",
    "Topic": "memdir.memories.topic",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: `import memdir` itself stays nearly free."""
    if name not in _HOME:
        raise AttributeError(f"module 'memdir' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
