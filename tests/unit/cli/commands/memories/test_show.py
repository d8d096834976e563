"""What a list shows: no credential that somebody else put into a header, and columns that can be read."""

from pathlib import Path

import pytest

from memdir.cli.app import run

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "memory").mkdir()
    return tmp_path / "memory"


def put(place: Path, name: str, description: str) -> None:
    (place / f"{name}.md").write_text(
        f"---\nname: {name}\ndescription: {description}\ntype: user\n---\nBody\n"
    )


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_credential_in_a_header_is_not_listed(
    form: list[str], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(place, "hand", f"CI uses {TOKEN}")
    assert run(["--directory", str(place), "list", *form]) == 0
    shown = capsys.readouterr().out
    assert (TOKEN in shown, "[secret: github-token]" in shown) == (False, True)


def test_one_long_name_does_not_push_the_others_apart(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(place, "n" * 90, "Something long")
    put(place, "tabs", "Prefers tabs")
    assert run(["--directory", str(place), "list"]) == 0
    lines = sorted(capsys.readouterr().out.splitlines(), key=len)
    assert lines[0].endswith("  tabs" + " " * 58 + "Prefers tabs")
    assert lines[1].endswith(f"  {'n' * 90}  Something long")
