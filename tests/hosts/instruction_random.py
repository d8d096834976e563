"""Directory trees put together at random from pieces that people write; one seed makes one tree."""

import random
from collections.abc import Callable, Mapping

from tests.hosts.instruction_trees import Tree

__all__ = ["random_tree"]

_FOLDERS = ("proj", "proj/src", "proj/src/gen", "proj/pkg", "proj/pkg/gen", "proj/docs", "proj/lib d")
_FILES = ("a.ts", "b.tsx", "c.md", "Test.PY", ".env", "x.spec.ts", "index.vue", "data.json", "Makefile")
_GLOBS = (
    *(
        "*.ts",
        "**/*.ts",
        "src/**",
        "src/*",
        "/src/**",
        "gen/**",
        "pkg/gen/**",
        "**/gen/**",
        "src",
        "src/",
        "/a.ts",
    ),
    *(
        "*.{ts,tsx}",
        "*.{vue}",
        "{src,pkg}/**",
        "{src,pkg}/**/*.{ts,md}",
        "src/**/*.spec.ts",
        "**/*",
        "*",
        "**",
        "docs/*",
    ),
    *(
        "!src/gen/**",
        "!*.spec.ts",
        "!gen",
        "*.py",
        "?.ts",
        "[ab].*",
        "src/gen/x.spec.ts",
        "lib d/**",
        ".env",
        "a{1..3}.ts",
    ),
    *("pkg/**/gen", "**/src", "*.md", "data.*", "Makefile", "nothing/**", "./src/**", "../proj/src/**"),
)
_WORDS = (
    "alpha",
    "beta *gamma*",
    "`code`",
    "**bold**",
    "x_y_z",
    "(paren)",
    "[link](u)",
    "a <b>tag</b>",
    "me@example.com",
    "1. no",
)
_BEFORE = (
    "",
    "",
    "text ",
    "- ",
    "> ",
    "# ",
    "**",
    "(",
    "`",
    "    ",
    "* ",
    "see: ",
    "1. ",
    "\\",
    "[x](",
    "<div>",
    "x <i>",
    "| ",
)
_AFTER = ("", "", "", " text", ".", "**", ")", "`", ",", "#part", " @missing.md", "</i>", " |", "!", ":")
_COMMENTS = (
    *(
        "<!-- c -->",
        "<!-- c\nd -->",
        "<!-- @docs/i0.md -->",
        "text <!-- c --> text",
        "<!-- c --> text",
        "  <!-- c -->",
    ),
    *(
        "<!-- a --><!-- b -->",
        "<!-- open",
        "- <!-- c -->",
        "`<!-- c -->`",
        "<!-- c -->\n\n",
        "<div>\n<!-- c -->\n</div>",
    ),
)
_HEADERS = (
    "",
    "",
    "",
    "---\na: b\n---\n",
    "---\n---\n",
    "---\nno yaml [\n---\n",
    "\n\n",
    "---\n",
    " ---\na: b\n---\n",
)
_FENCES = (
    "```\n{}\n```",
    "~~~\n{}\n~~~",
    "    {}",
    "<!--\n{}\n-->",
    "<details>\n{}\n\n</details>",
    "<pre>\n{}\n</pre>",
    "> {}",
    "- {}",
)
_IMPORTS = (
    *(
        "docs/i0.md",
        "./docs/i1.md",
        "docs/i2.txt",
        "docs/i3.py",
        "docs/i4.mdx",
        "docs/i\\ 5.md",
        "docs/none.md",
        "docs",
    ),
    *(
        "../out.md",
        "~/h.md",
        "$R/abs.md",
        "docs/i0.md#x",
        "src/CLAUDE.md",
        "CLAUDE.local.md",
        "docs/LICENSE",
        "docs/link.md",
    ),
)
_EXCLUDES = (
    "**/rules/r0.md",
    "**/src/CLAUDE.md",
    "$R/CLAUDE.md",
    "**/docs/*",
    "~/.claude/CLAUDE.md",
    "**/{pkg,lib}/**",
    "*.md",
)


def random_tree(seed: int) -> Tree:
    """Return the tree of this seed."""
    draw = random.Random(seed)
    files: dict[str, str | Mapping[str, str]] = {
        f"proj/docs/{name}": f"# {name}\n{_text(draw, 2)}"
        for name in ("i0.md", "i1.md", "i2.txt", "i3.py", "i4.mdx", "i 5.md", "LICENSE")
    }
    files |= {"out.md": "OUT", "home/h.md": "H", "abs.md": "ABS"}
    for place in _places(draw):
        files[place] = draw.choice(_HEADERS) + _text(draw, draw.randrange(1, 5))
    files |= _rules(draw)
    cwd = draw.choice(["proj", "proj", "proj", "proj/src", "proj/pkg"])
    below = [folder for folder in _FOLDERS if folder == cwd or folder.startswith(f"{cwd}/")]
    touched = [f"{draw.choice(below)}/{draw.choice(_FILES)}" for _ in range(draw.randrange(6))]
    links = {"proj/docs/link.md": draw.choice(["i1.md", "$R/out.md", "nowhere.md"])}
    if "proj/CLAUDE.md" in files and draw.random() < 0.5:
        links["proj/.claude/rules/linked.md"] = draw.choice(
            ["$R/out.md", "../../docs/i1.md", "$R/proj/docs/i2.txt"]
        )
    excludes = [one for one in _EXCLUDES if draw.random() < 0.12]
    return Tree(
        f"random {seed}",
        files,
        links,
        settings={"claudeMdExcludes": excludes} if excludes else {},
        touched=[*dict.fromkeys(touched)],
        cwd=cwd,
    )


def _places(draw: random.Random) -> list[str]:
    """Return where instruction files stand, in the order of the layout."""
    names = draw.choice(
        [
            ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"),
            ("AGENTS.md", ".claude/AGENTS.md", "AGENTS.md"),
        ]
    )
    folders = [
        folder for folder in ("", "proj/", "proj/src/", "proj/src/gen/", "proj/pkg/") if draw.random() < 0.7
    ]
    found = [f"{folder}{name}" for folder in folders for name in names if draw.random() < 0.6]
    return [*found, *(name for name in ("home/.claude/CLAUDE.md",) if draw.random() < 0.5)]


def _rules(draw: random.Random) -> dict[str, str | Mapping[str, str]]:
    """Return rules of several folders, most of them for certain files; those import nothing."""
    found: dict[str, str | Mapping[str, str]] = {}
    for folder in ("proj/.claude/rules", "home/.claude/rules", "proj/src/.claude/rules", ".claude/rules"):
        for at in range(draw.randrange(4)):
            name = draw.choice([f"r{at}", f"deep/r{at}", f".r{at}", f"R{at}"])
            found[f"{folder}/{name}.md"] = (
                f"---\n{_paths(draw)}\n---\nRULE {folder} {at}\n" if draw.random() < 0.7 else _text(draw, 2)
            )
    return found


def _paths(draw: random.Random) -> str:
    globs = [draw.choice(_GLOBS) for _ in range(draw.choice([1, 1, 2, 3]))]
    forms: list[Callable[[], str]] = [
        lambda: "paths:\n" + "\n".join(f'  - "{glob}"' for glob in globs),
        lambda: "paths: [" + ", ".join(f"'{glob}'" for glob in globs) + "]",
        lambda: 'paths: "' + ", ".join(globs) + '"',
        lambda: f"description: a rule\npaths: '{globs[0]}'",
        lambda: f"globs: '{globs[0]}'",
    ]
    return draw.choice([*forms[:4], *forms])()


def _text(draw: random.Random, lines: int) -> str:
    """Return some lines of Markdown with imports, comments and code among them."""
    found = [f"# Part {draw.randrange(1000)}"]
    for _ in range(lines):
        kind = draw.random()
        sign = f"@{draw.choice(_IMPORTS)}"
        if kind < 0.35:
            found.append(draw.choice(_BEFORE) + sign + draw.choice(_AFTER))
        elif kind < 0.5:
            found.append(draw.choice(_FENCES).format(sign))
        elif kind < 0.7:
            found.append(draw.choice(_COMMENTS))
        else:
            found.append(" ".join(draw.choice(_WORDS) for _ in range(draw.randrange(1, 5))))
        found += [""] * draw.randrange(3)
    return draw.choice(["\n", "\n", "\n", "\r\n"]).join(found) + draw.choice(["", "\n", "\n\n"])
