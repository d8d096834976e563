"""A memory that AI agents keep: plain Markdown files that people can read, edit, diff and share."""

__version__ = "0.1.0"

_HOME = {
    "Memory": "memdir.memory",
    "Clipped": "memdir.core.clip",
    "Draft": "memdir.core.topic",
    "Header": "memdir.core.topic",
    "Kind": "memdir.core.kinds",
    "Topic": "memdir.core.topic",
    "MemdirError": "memdir.errors",
}

__all__ = ["Clipped", "Draft", "Header", "Kind", "MemdirError", "Memory", "Topic", "__version__"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: `import memdir` itself stays nearly free."""
    if name not in _HOME:
        raise AttributeError(f"module 'memdir' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
