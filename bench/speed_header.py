"""Reading a memory of 1 MB whose header has no end, against reading the file alone."""

import json
import os
from statistics import median

from bench.figures import Row
from bench.ground import Ground

__all__ = ["rows"]

_SHAPES = {
    "keys without an end": "---\n" + "".join(f"key{number}: value\n" for number in range(60_000)),
    "one key again and again": "---\n" + "name: x\n" * 125_000 + "---\nbody\n",
    "open quotes": "---\n" + 'k: "\n' * 200_000,
    "open brackets": "---\n" + "name: [\n" * 125_000,
    "one line": "---\nname: " + "x" * 1_000_000,
}
"""Headers of 1 MB that once took seconds each."""

_CODE = """
import json, sys, time
from memdir.memories.directory import MemoryDir
folder, state, files = sys.argv[1], sys.argv[2], sys.argv[3:]
memories = MemoryDir(folder, state)
def spent(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun
def read(file):
    with open(folder + "/" + file, "rb") as opened:
        opened.read().decode()
times = {file: ([], []) for file in files}
for number in range(21):
    for file, (ours, yardstick) in times.items():
        ours.append(spent(lambda: memories.read_file(file)))
        yardstick.append(spent(lambda: read(file)))
print(json.dumps(times))
"""


def rows(ground: Ground) -> list[Row]:
    """Return the figure of each shape, in processor time."""
    folder = ground.path("long-headers")
    os.mkdir(folder)
    for number, text in enumerate(_SHAPES.values()):
        with open(os.path.join(folder, f"{number}.md"), "w", encoding="utf-8") as file:
            file.write(text)
    files = [f"{number}.md" for number in range(len(_SHAPES))]
    words = [folder, ground.path("long-headers-state"), *files]
    times = json.loads(ground.interpreter(f"import sys; sys.argv[1:] = {words!r}\n{_CODE}").output)
    return [
        Row(f"read 1 MB, its header {shape}", median(ours), "s", median(yardstick), at_most=30)
        for shape, (ours, yardstick) in zip(_SHAPES, (times[file] for file in files), strict=True)
    ]
