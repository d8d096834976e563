"""The shape of the code: short files, short functions, declared names, words that mean something."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "memdir"
FILES = sorted(SOURCE.rglob("*.py"))
BANNED_FILES = {"utils", "helpers", "common", "base", "manager", "misc"}
BANNED_PREFIXES = ("get_", "handle_", "process_")
BARE_PARTICIPLE = re.compile(
    r"_?(?!feed$|need$|seed$|embed$)([a-z]+ed|bound|chosen|done|drawn|found|given|gone|held|hidden|kept|known|left"
    r"|lost|made|said|seen|sent|shown|taken|told|worn|written|wrote)"
)
VERDICTS = {"changed", "gone", "unchanged", "undecided"}  # ClaimVerdict is made by the word of its verdict
MODULES = [path for path in FILES if path.name != "__init__.py"]
LONGEST_FILE, LONGEST_BODY, USUAL_BODY = 450, 40, 20
LONGEST_CLASS, USUAL_FILE, MOST_MODULES = 250, 100, 20


def shown(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            yield node.name, lines


def test_a_file_is_one_short_noun_that_opens_with_a_sentence() -> None:
    for path in FILES:
        text = path.read_text()
        docstring = ast.get_docstring(tree_of(path)) or ""
        assert text.count("\n") <= LONGEST_FILE, path
        assert docstring.partition("\n")[0].endswith((".", ":")), path
        assert path.stem not in BANNED_FILES, path
        assert path.stem.rstrip("s") != path.parent.name.rstrip("s"), f"{path} repeats its folder"


def test_a_module_declares_its_public_names() -> None:
    for path in MODULES:
        declared = [
            ast.literal_eval(node.value)
            for node in tree_of(path).body
            if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["__all__"]
        ]
        assert len(declared) == 1, path
        assert declared[0], f"{path}: a module that offers nothing has no reason to be"


def test_sub_packages_hold_a_docstring_only() -> None:
    for path in SOURCE.rglob("__init__.py"):
        if path.parent != SOURCE:
            assert len(tree_of(path).body) == 1, path


def test_no_function_is_long_and_nine_in_ten_are_short() -> None:
    bodies = [(lines, f"{shown(path)}:{name}") for path in FILES for name, lines in functions(path)]
    assert not [body for body in bodies if body[0] > LONGEST_BODY]
    assert sum(lines <= USUAL_BODY for lines, _ in bodies) >= 0.9 * len(bodies)


def test_functions_are_named_by_what_they_give_or_do() -> None:
    named = [f"{shown(path)}:{name}" for path in FILES for name, _ in functions(path) if name[:2] != "__"]
    assert not [name for name in named if name.partition(":")[2].lstrip("_").startswith(BANNED_PREFIXES)]


def test_a_function_is_a_verb_or_a_noun_and_no_bare_participle() -> None:
    named = [
        f"{shown(path)}: {node.name}"
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and BARE_PARTICIPLE.fullmatch(node.name)
        and not any("property" in ast.unparse(one) for one in node.decorator_list)
        and (path.name != "verdicts.py" or node.name not in VERDICTS)
    ]
    assert named == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    named: dict[str, list[str]] = {}
    for path in MODULES:
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                named.setdefault(node.name, []).append(shown(path))
    assert not {name: places for name, places in named.items() if len(places) > 1}


def test_a_class_fits_on_a_few_screens_and_no_folder_is_a_heap() -> None:
    classes = [node for path in MODULES for node in tree_of(path).body if isinstance(node, ast.ClassDef)]
    assert not [node.name for node in classes if (node.end_lineno or 0) - node.lineno >= LONGEST_CLASS]
    folders = Counter(path.parent for path in MODULES)
    assert not [folder for folder, modules in folders.items() if modules > MOST_MODULES]
    lengths = sorted(path.read_text().count("\n") for path in MODULES)
    assert lengths[len(lengths) // 2] > USUAL_FILE


def test_the_map_has_a_row_for_every_folder_and_names_only_files_that_exist() -> None:
    root = SOURCE.parents[1]
    text = (root / "AGENTS.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| (.*) \|$", text, re.MULTILINE))
    ours = {path.relative_to(SOURCE).parts[0] for path in FILES}
    assert sorted(name for name in ours if not name.startswith("__") and name not in rows) == []
    paths = re.findall(r"`([a-z_]+(?:/[a-z_]+)+(?:\.[a-z]+)?)`", text)
    assert [path for path in paths if not ((SOURCE / path).exists() or (root / path).exists())] == []
    files = [SOURCE / row / name for row, said in rows.items() for name in re.findall(r"`(\w+\.py)`", said)]
    assert [shown(file) for file in files if not (file.exists() or (SOURCE / file.name).exists())] == []
