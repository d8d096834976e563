"""One node of the hub on a private PostgreSQL in build/hub, with a space and a token to try it.

python -m scripts.hub [PORT]
"""

import signal
import subprocess
import sys
from pathlib import Path

from tests.hub.postgres import PrivatePostgres, why_no_postgres

from memdir.errors import Rejected
from memdir.hub.administration import Spaces, Tokens
from memdir.hub.database import Database

FOLDER = Path(__file__).parents[1] / "build" / "hub"
SPACE = "try"


def main(port: str = "8377") -> None:
    """Start both, print how to use them, and end with Ctrl+C; what was saved is there the next time."""
    if because := why_no_postgres():
        raise SystemExit(because)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # which would leave PostgreSQL behind
    FOLDER.parent.mkdir(exist_ok=True)
    try:
        server = PrivatePostgres(fsync=True, folder=FOLDER)
    except RuntimeError as error:
        advice = f"Does another `make hub` run? Everything is in {FOLDER}; remove it to begin anew."
        raise SystemExit(f"{error}\n{advice}") from None
    address = f"http://127.0.0.1:{port}"
    try:
        database = Database(server.url)
        database.migrate()
        try:
            Spaces(database).create(SPACE)
        except Rejected:
            print(f"The space {SPACE} is there from the last time.")
        print(f"For `memdir hub` and `memdir serve --worker` elsewhere: export MEMDIR_DATABASE={server.url}")
        print(f"Token for the space {SPACE}: {Tokens(database).create(SPACE, 'try', ['admin'])}")
        print(f"Sync a project with it: memdir sync init {address}/{SPACE}")
        print(f"Look at it in a browser: {address}/ui/{SPACE}/   Ctrl+C ends all.", flush=True)
        serve = [sys.executable, "-m", "memdir", "serve", "--database", server.url, "--port", port]
        raise SystemExit(subprocess.run(serve, check=False).returncode)
    except KeyboardInterrupt:
        pass
    finally:
        server.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
