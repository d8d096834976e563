"""Imported files follow their importer, five deep at most; those that cannot be loaded are told."""

from tests.unit.instructions.folders import Folders

from memdir.instructions.discovery import discover
from memdir.instructions.records import Layer, Obstacle


def test_imports_follow_their_importer_depth_first_with_its_layer(folders: Folders) -> None:
    folders.write(
        {"proj/CLAUDE.local.md": "@a.md @c.md", "proj/a.md": "@b.md", "proj/b.md": "b", "proj/c.md": "c"}
    )
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/CLAUDE.local.md", "proj/a.md", "proj/b.md", "proj/c.md"]
    assert {one.layer for one in found.loaded[-4:]} == {Layer.LOCAL}
    b = found.loaded[-2]
    assert b.importer == f"{folders.root}/proj/a.md"
    assert b.reason.words == f"{folders.root}/proj/a.md imports it."


def test_five_deep_is_loaded_and_six_deep_is_not_read(folders: Folders) -> None:
    folders.write({"proj/CLAUDE.md": "@d1.md"} | {f"proj/d{n}.md": f"@d{n + 1}.md" for n in range(1, 7)})
    found = discover(folders.scope())
    assert folders.names(found)[-1] == "proj/d4.md"
    assert folders.reasons(found) == {"proj/d5.md": "TOO_DEEP"}


def test_cycles_load_once_and_are_told_apart_from_repeats(folders: Folders) -> None:
    folders.write({"proj/CLAUDE.md": "@a.md @b.md @CLAUDE.md", "proj/a.md": "@b.md", "proj/b.md": "@a.md"})
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/CLAUDE.md", "proj/a.md", "proj/b.md"]
    cycles = [(left.path, left.importer) for left in found.left_out]
    root = f"{folders.root}/proj"
    assert cycles == [(f"{root}/a.md", f"{root}/b.md"), (f"{root}/CLAUDE.md", f"{root}/CLAUDE.md")]


def test_imports_that_cannot_be_loaded_are_reported_with_how_they_are_written(folders: Folders) -> None:
    folders.write(
        {
            "proj/CLAUDE.md": "@none.md @docs @p.PNG @bin.xyz @types/node",
            "proj/docs/x.md": "x",
            "proj/p.PNG": "text",
        }
    )
    folders.write({"proj/bin.xyz": b"a\0b"})
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/CLAUDE.md"]
    told = [(left.spelled, left.because, left.is_path) for left in found.left_out]
    assert told == [
        ("none.md", Obstacle.MISSING, True),
        ("docs", Obstacle.DIRECTORY, False),
        ("p.PNG", Obstacle.NOT_TEXT, True),
        ("bin.xyz", Obstacle.NOT_TEXT, True),
        ("types/node", Obstacle.MISSING, False),
    ]
    assert {left.importer for left in found.left_out} == {f"{folders.root}/proj/CLAUDE.md"}


def test_every_imported_file_is_stripped_and_imports_in_turn(folders: Folders) -> None:
    code = "---\na: b\n---\n@decorator.md\ndef f(): ...\n<!-- x -->"
    folders.write({"proj/CLAUDE.md": "@a.py", "proj/a.py": code, "proj/decorator.md": "d"})
    found = discover(folders.scope())
    assert folders.names(found) == ["proj/CLAUDE.md", "proj/a.py", "proj/decorator.md"]
    assert found.loaded[-2].text == "@decorator.md\ndef f(): ..."


def test_an_import_has_no_extension_or_one_of_the_list(folders: Folders) -> None:
    yes = ["Makefile", ".gitignore", "a.PY", "b.rst", "c.lock", "d.d/LICENSE"]
    no = ["e.mdx", "f.svg", ".env.local", "g.zig", "h.py.bak", "i."]
    folders.write(
        dict.fromkeys([f"proj/{name}" for name in (*yes, *no)], "x")
        | {"proj/CLAUDE.md": " @".join(["", *yes, *no])}
    )
    found = discover(folders.scope())
    assert folders.names(found)[1:] == [f"proj/{name}" for name in yes]
    assert folders.reasons(found) == dict.fromkeys([f"proj/{name}" for name in no], "NOT_TEXT")
