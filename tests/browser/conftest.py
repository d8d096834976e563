"""What browser tests share: one Chromium, and a viewer on a demo memory for each test."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.demo_memory import DemoMemory
from tests.browser.driver import Browser, why_no_browser

START = "import sys; from memdir.cli.main import main; sys.exit(main())"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if because := why_no_browser():
        pytest.skip(because)
    browser = Browser(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[DemoMemory, Path, Path]:
    """Make the demo memory once, and keep a copy of it."""
    root, copy = tmp_path_factory.mktemp("demo") / "root", tmp_path_factory.mktemp("copy") / "root"
    root.mkdir()
    demo = DemoMemory(root)
    shutil.copytree(root, copy, symlinks=True)
    return demo, root, copy


@pytest.fixture
def demo(made: tuple[DemoMemory, Path, Path]) -> DemoMemory:
    """Put the demo memory back to where it began."""
    demo, root, copy = made
    shutil.rmtree(root)
    shutil.copytree(copy, root, symlinks=True)
    return demo


@pytest.fixture
def viewer(demo: DemoMemory, chromium: Browser) -> Iterator["Viewed"]:
    command = [sys.executable, "-c", START, "ui", "--no-open"]
    env = demo.env | {name: os.environ[name] for name in ("MEMDIR_WEIGHTS",)}
    with subprocess.Popen(command, env=env, cwd=demo.project, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            chromium.look(dark=False, width=1280)
            chromium.go(address)
            yield Viewed(chromium, address.partition("/?")[0])
            chromium.go("about:blank")  # a page that asks a viewer that has ended would complain
            assert chromium.complaints() == []
        finally:
            process.terminate()


class Viewed:
    """The viewer in a browser."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.browser, self.base = browser, base

    def open(self, path: str) -> Browser:
        self.browser.go(self.base + path)
        self.browser.wait("return !document.body.innerText.includes('reloads by itself')")
        return self.browser

    @property
    def path(self) -> str:
        return self.browser.address.removeprefix(self.base)
