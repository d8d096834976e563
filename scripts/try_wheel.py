"""Build the wheel and use it in a bare environment: no development tools, no source tree."""

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
TRY = """
import os, sys, memdir
assert "site-packages" in memdir.__file__, memdir.__file__
from memdir import Memory
memory = Memory.at(os.path.join(os.environ["HOME"], "m"))
saved = memory.remember("Use uv, not pip", kind="feedback", name="use-uv", description="Package tool")
assert memory.read("use-uv").header.description == "Package tool"
assert "use-uv" in memory.context.index().content
print("wheel works:", saved.file)
"""


def main() -> None:
    """Build, install into a fresh virtual environment, run the library and the command."""
    with tempfile.TemporaryDirectory(prefix="memdir-wheel-") as folder:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "wheel",
                "-q",
                "--no-deps",
                "-c",
                "constraints.txt",
                "-w",
                folder,
                ".",
            ],
            cwd=ROOT,
            check=True,
        )
        (wheel,) = Path(folder).glob("memdir-*.whl")
        venv.create(Path(folder) / "venv", with_pip=True)
        python = Path(folder) / "venv" / "bin" / "python"
        subprocess.run(
            [python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel],
            check=True,
            cwd=folder,
        )
        env = {"HOME": folder, "PATH": f"{python.parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
        subprocess.run([python, "-I", "-c", TRY.replace("\n\n", "\n")], check=True, env=env, cwd=folder)
        subprocess.run(["memdir", "remember", "I prefer tabs"], check=True, env=env, cwd=folder)
        subprocess.run(["memdir", "list"], check=True, env=env, cwd=folder)
        asked = {"cwd": folder, "session_id": "s", "prompt": "which do I prefer, tabs or spaces?"}
        said = subprocess.run(
            ["memdir-hook", "UserPromptSubmit"],
            input=json.dumps(asked).encode(),
            stdout=-1,
            check=True,
            env=env,
        )
        if b"I prefer tabs" not in said.stdout:
            raise SystemExit(f"The hook of the wheel recalled nothing: {said.stdout!r}")
        print("hook works: the memory was recalled")


if __name__ == "__main__":
    main()
