"""`memdir ui` as a process: it tells its address, serves this machine alone, and ends with its terminal."""

import http.client
import os
import pty
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.processes import is_running

START = "import sys; from memdir.cli.main import main; sys.exit(main())"

SERVE_LATE = """
import os, sys, time
from memdir.memory import Memory
from memdir.viewer.app import ViewerServer
parent, on_terminal = os.getppid(), sys.stdin.isatty()
server = ViewerServer(Memory.open)
print(server.keys.address, flush=True)
while os.getppid() == parent and sys.stdin.isatty() == on_terminal:
    time.sleep(0.05)
server.serve()
"""
"""Serves only after the process that started it has ended, or its terminal was closed."""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "MEMDIR_WEIGHTS": str(tmp_path / "none")}


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", START, "ui", "--no-open", *words]


@contextmanager
def started(env: dict[str, str], folder: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Start the viewer in a folder, and yield it with its address."""
    with subprocess.Popen(command(), env=env, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline().strip()
        finally:
            with suppress(ProcessLookupError):
                process.kill()


def opened(address: str, cookie: str = "") -> tuple[int, str, str]:
    """Return the status, the cookie that was given and the page."""
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.*)", address)
    assert found, address
    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
    with closing(connection):
        connection.request("GET", found[2], headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        return answer.status, answer.getheader("set-cookie", "").partition(";")[0], answer.read().decode()


def test_the_printed_address_opens_the_pages_and_ctrl_c_ends_them(
    env: dict[str, str], tmp_path: Path
) -> None:
    with started(env, tmp_path) as (process, address):
        status, cookie, _ = opened(address)
        assert status == 303
        home = address.partition("?")[0]
        assert "Nothing is remembered here yet" in opened(home, cookie)[2]
        assert opened(home)[0] == 401
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_hang_up_ends_it(env: dict[str, str], tmp_path: Path, number: signal.Signals) -> None:
    with started(env, tmp_path) as (process, address):
        assert opened(address)[0] == 303
        process.send_signal(number)
        process.wait(20)


def test_it_ends_with_a_terminal_that_is_closed_without_a_signal(env: dict[str, str], tmp_path: Path) -> None:
    assert_ends_with_terminal(command(), env, tmp_path, request=True)


def test_it_ends_with_a_terminal_that_is_closed_before_it_serves(env: dict[str, str], tmp_path: Path) -> None:
    assert_ends_with_terminal([sys.executable, "-c", SERVE_LATE], env, tmp_path, request=False)


def assert_ends_with_terminal(words: list[str], env: dict[str, str], cwd: Path, *, request: bool) -> None:
    """Start a viewer in a terminal, close the terminal once the address was told, and wait for the end."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        words,
        env=env,
        cwd=cwd,
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        assert process.stdout
        address = process.stdout.readline().strip()
        assert not request or opened(address)[0] == 303
        os.close(ours)
        try:
            process.wait(20)
        finally:
            process.kill()


def ended(words: list[str], env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(words, env=env, cwd=cwd, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("child", [command(), [sys.executable, "-c", SERVE_LATE]], ids=["ui", "late"])
def test_it_ends_with_the_process_that_started_it(
    child: list[str], env: dict[str, str], tmp_path: Path
) -> None:
    parent = textwrap.dedent(f"""
        import subprocess
        child = subprocess.Popen({child!r}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        print(child.pid, child.stdout.readline().strip(), flush=True)
    """)
    done = ended([sys.executable, "-c", parent], env, tmp_path)
    assert done.returncode == 0
    pid = int(done.stdout.split()[0])
    for _ in range(200):
        if not is_running(pid):
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the viewer outlived the process that started it")


def test_a_port_in_use_is_named(env: dict[str, str], tmp_path: Path) -> None:
    with started(env, tmp_path) as (_, address):
        port = address.split(":")[2].partition("/")[0]
        done = ended(command("--port", port), env, tmp_path)
        assert done.returncode == 6
        assert f"Port {port} cannot be used" in done.stderr


@pytest.mark.parametrize("missing", ["jinja2", "starlette", "uvicorn", "markdown_it"])
def test_without_its_extra_the_command_says_how_to_add_it(
    env: dict[str, str], tmp_path: Path, missing: str
) -> None:
    without = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['memdir', 'ui', '--no-open']; {START}"
    )
    done = ended([sys.executable, "-c", without], env, tmp_path)
    assert done.returncode == 8
    assert missing in done.stderr
    assert "extra `viewer`" in done.stderr
    assert "install" in done.stderr
