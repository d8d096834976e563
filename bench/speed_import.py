"""`import memdir` against a bare start of the interpreter, in processor time, and what it may not load."""

from bench.figures import Row, interleaved
from bench.ground import Ground

__all__ = ["rows"]

_ROUNDS = 60
_HEAVY = ("click", "yaml", "asyncio", "httpx2", "sqlite3", "dataclasses")
"""Modules that `import memdir` leaves alone: each costs more than the interpreter's own start."""


def rows(ground: Ground) -> list[Row]:
    """Return both imports, and how many heavy modules the first one brings in."""
    bare = _processor_time(ground, "import memdir")
    whole = _processor_time(ground, "from memdir import Memory")
    heavy = _heavy_modules(ground)
    return [
        _row("import memdir", bare, 1.5),
        Row("import memdir, heavy modules loaded", len(heavy), "modules", at_most=0, note=", ".join(heavy)),
        _row("from memdir import Memory", whole),
    ]


def _processor_time(ground: Ground, code: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    ground.interpreter(code)  # once before, so that no side pays for reading its files from the disk
    pair = interleaved(lambda: ground.interpreter(code).cpu, lambda: ground.interpreter("pass").cpu, _ROUNDS)
    return pair.ours, pair.yardstick


def _row(
    work: str, samples: tuple[tuple[float, ...], tuple[float, ...]], at_most: float | None = None
) -> Row:
    # Processor time only ever grows through noise, so the least of many runs is the truest.
    ours, yardstick = samples
    return Row(work, min(ours), "s", min(yardstick), at_most, note="processor time, least of the samples")


def _heavy_modules(ground: Ground) -> list[str]:
    loaded = ground.interpreter("import memdir, sys; print(*sys.modules)").output.split()
    return [name for name in _HEAVY if name in loaded]
