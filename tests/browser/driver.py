"""A real Chromium, driven over the WebDriver protocol by its own driver; no package is needed for it."""

import base64
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

__all__ = ["Browser", "why_no_browser"]

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
)
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_SPECIAL = {"Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004"}


def why_no_browser() -> str:
    """Return why no browser can be driven here; empty when one can."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"not run, because {' and '.join(missing)} cannot be found" if missing else ""


class Browser:
    """One window; it ends with `close`."""

    def __init__(self, folder: Path) -> None:
        """Start the driver and a window with an empty profile in a folder."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        log = folder / "chromedriver.log"
        self._process = subprocess.Popen(
            ["chromedriver", f"--port={self._port}", f"--log-path={log}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": str(folder)},
        )
        options = {
            "args": [*_FLAGS, f"--user-data-dir={folder / 'profile'}"],
            "binary": shutil.which("chromium"),
        }
        logged = {"goog:loggingPrefs": {"browser": "ALL"}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, **logged}
        self._wait_for_driver()
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{made['sessionId']}"

    def close(self) -> None:
        """End the window and its driver."""
        try:
            self._ask("DELETE", self._session)
        finally:
            self._process.terminate()
            self._process.wait(20)

    def look(self, *, dark: bool, width: int, height: int = 900) -> None:
        """Show pages in a theme and a width from now on."""
        theme = {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]}
        self._cdp("Emulation.setEmulatedMedia", theme)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._cdp("Emulation.setDeviceMetricsOverride", size)

    def scripts(self, *, on: bool) -> None:
        """Let pages run scripts, or not."""
        self._cdp("Emulation.setScriptExecutionDisabled", {"value": not on})

    def go(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._post("/url", {"url": address})

    @property
    def address(self) -> str:
        """The address of the page."""
        return str(self._ask("GET", f"{self._session}/url"))

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script as the body of a function and return what it returns; a promise is waited for."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, query: str = "main") -> str:
        """Return the text that is seen of an element."""
        return str(
            self.run("const e = document.querySelector(arguments[0]); return e ? e.innerText : ''", query)
        )

    def click(self, query: str, holding: str = "") -> None:
        """Click the first element that matches and holds the words."""
        self._post(f"/element/{self._found(query, holding)}/click", {})

    def type(self, query: str, words: str) -> None:
        """Replace what a field holds."""
        place = self._found(query)
        self._post(f"/element/{place}/clear", {})
        self._post(f"/element/{place}/value", {"text": words})

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        strokes = [
            {"type": kind, "value": _SPECIAL.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")
        ]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def wait(self, script: str, *arguments: Any) -> Any:
        """Wait until a script returns something true, and return it."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if found := self.run(script, *arguments):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}\n{self.text('body')}")

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Write a picture of the page, or of what is seen of it."""
        shot = self._cdp("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        path.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self) -> list[str]:
        """Return what the browser logged since the last time: errors, refused scripts and styles."""
        rows = self._post("/se/log", {"type": "browser"})
        return [
            row["message"] for row in rows if not re.search(r"status of 40\d|status of 41", row["message"])
        ]

    def _found(self, query: str, holding: str = "") -> str:
        script = """return [...document.querySelectorAll(arguments[0])].find(
            e => e.textContent.includes(arguments[1]))"""
        element = self.run(script, query, holding)
        assert element, f"no {query} with {holding!r} on {self.address}"
        return str(element[_ELEMENT])

    def _cdp(self, name: str, values: dict[str, Any]) -> Any:
        return self._post("/goog/cdp/execute", {"cmd": name, "params": values})

    def _post(self, path: str, values: dict[str, Any]) -> Any:
        return self._ask("POST", self._session + path, values)

    def _ask(self, method: str, path: str, values: dict[str, Any] | None = None) -> Any:
        data = None if values is None else json.dumps(values).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, data, {"Content-Type": "application/json"})
            value = json.load(connection.getresponse())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "stacktrace" in value:
            raise AssertionError(value["message"])
        return value

    def _wait_for_driver(self) -> None:
        for _ in range(200):
            try:
                self._ask("GET", "/status")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("chromedriver did not start")
