"""The first ten minutes in half a minute: real commands, a temporary home, nothing left behind."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Tell the story: remember, look, break, heal, undo, and what an agent is told."""
    with tempfile.TemporaryDirectory(prefix="memdir-demo-") as home:
        story = Story(Path(home))
        story.say("An agent keeps what it was told. Three memories, one command each:")
        story.run(
            "memdir remember 'No summaries at the end of a reply' --name terse-replies --why 'I read diffs'"
        )
        story.run("memdir remember 'I have written Go for ten years and am new to React'")
        story.run("memdir remember 'The release branch is cut on Thursday, mobile goes first' --kind project")
        story.say("They are plain files. The relative date became a real one, and the index points at each:")
        story.run("memdir list")
        story.run("cat $MEMORY/MEMORY.md")
        story.say(
            "Now damage it: half of the index is lost to a merge conflict, and a file is written by hand."
        )
        story.break_things()
        story.run("cat $MEMORY/MEMORY.md")
        story.run("memdir doctor --fix")
        story.run("cat $MEMORY/MEMORY.md")
        story.say("A secret never gets in, not even into the history:")
        story.run(f"memdir remember 'the deploy key is {'ghp_' + '9aK3x7Qw' * 4 + 'Zt51'}'", fails=True)
        story.say("And every change can be taken back:")
        story.run("memdir forget terse-replies")
        story.run("memdir undo")
        story.run("memdir history --limit 5")
        story.say("What will an agent be told in this project, and what does it cost? The bill:")
        story.run("printf 'Run make check before a commit.\\n@docs/testing.md\\n' > CLAUDE.md")
        story.run("mkdir docs && printf 'Tests use real files.\\n' > docs/testing.md")
        story.run("memdir context")
        story.say("That was `make demo`. Your own memory is one `memdir remember` away.")


class Story:
    """Commands in a temporary home, shown as a person would type them."""

    def __init__(self, home: Path) -> None:
        self.project = home / "shop"
        self.project.mkdir()
        self.env = {
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
        }
        subprocess.run(["git", "init", "-q", str(self.project)], check=True, env=self.env)
        status = subprocess.run(
            ["memdir", "status", "--json"],
            cwd=self.project,
            env=self.env,
            capture_output=True,
            text=True,
            check=True,
        )
        self.memory = Path(json.loads(status.stdout)["directory"])
        self.env["MEMORY"] = str(self.memory)

    def say(self, text: str) -> None:
        """Print a sentence between commands."""
        print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n{text}")

    def run(self, command: str, *, fails: bool = False) -> None:
        """Run one command as typed and show what it printed."""
        print(f"\n$ {command}", flush=True)
        done = subprocess.run(["bash", "-c", command], cwd=self.project, env=self.env, check=False)
        if (done.returncode != 0) != fails:
            sys.exit(f"the demo stopped: {shlex.quote(command)} ended with {done.returncode}")

    def break_things(self) -> None:
        """Leave a conflict in the index and a file nobody indexed."""
        index = self.memory / "MEMORY.md"
        lines = index.read_text().splitlines()
        index.write_text("\n".join(["<<<<<<< ours", lines[0], "=======", ">>>>>>> theirs", ""]))
        (self.memory / "dashboards.md").write_text(
            "---\nname: dashboards\ndescription: Grafana board that on-call watches\ntype: reference\n---\n\n"
            "Request latency is on the board called api-latency.\n"
        )


if __name__ == "__main__":
    main()
