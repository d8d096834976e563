"""Takes pictures of the viewer: `python -m scripts.viewer_picture` writes them into docs/pictures."""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.browser.demo_memory import DemoMemory
from tests.browser.driver import Browser, why_no_browser

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
START = "import sys; from memdir.cli.main import main; sys.exit(main())"
PAGES = {"viewer-light.png": (False, "/"), "viewer-dark.png": (True, "/memory/project_payment-retries.md")}


def main() -> int:
    """Show a demo memory in Chromium and write what is seen."""
    if because := why_no_browser():
        print(because)
        return 1
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        demo = DemoMemory(Path(folder))
        command = [sys.executable, "-c", START, "ui", "--no-open"]
        with subprocess.Popen(
            command, env=demo.env, cwd=demo.project, stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                address = process.stdout.readline().strip() if process.stdout else ""
                _take(address, Path(folder))
            finally:
                process.terminate()
    return 0


def _take(address: str, folder: Path) -> None:
    browser = Browser(folder)
    try:
        browser.go(address)
        for name, (dark, path) in PAGES.items():
            browser.look(dark=dark, width=1100, height=760)
            browser.go(address.partition("/?")[0] + path)
            browser.wait("return !document.body.innerText.includes('checking …')")
            browser.run("document.querySelector('footer').remove()")  # it names a temporary folder
            browser.screenshot(PICTURES / name, whole=False)
            print(f"{name}: {(PICTURES / name).stat().st_size:,} bytes")
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
