"""No path that leads out of the memory directory, and no directory too wide to grant, is ever accepted."""

import itertools
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.config.safe_path import Refused, contain, memory_directory, path_below, valid_directory

HOME = "/home/ada"
TEMPORARY = "/" + "tmp"

# ------------------------------------------------------------------ directories a person may configure

# fmt: off
_EMPTY_OR_RELATIVE = [
    "", " ", ".", "..", "./", "../", "x", "x/y", "./x", "../x", "a/../b", " /srv", "\t/srv", "\n/srv/x",
    "$HOME/x", "${HOME}", "%USERPROFILE%\\x", "file:///srv/x", "http://x/y", "-", "--", "\\", "\\x", "\\x\\y",
    "\u2215srv\u2215x", "\uff0fsrv\uff0fx", "\u2044srv", "\uff5e/x", "\u02dc/x", "\ufeff/srv/x", "\u200b/srv",
]
_ROOTS = [
    "/", "/.", "/..", "/./", "/../", "/../..", "/./..", "/a", "/a/", "/a//", "/a/.", "/a/../b", "/ab/..",
    "/ ", "/é", "/e\u0301", "/e\u0301/", "/😀", "/a\\", "/ab/../c", "/ab/../../c/", "/x/y/../..",
    "/x/y/../../..", "/ab/.././d", "/./e/",
]
_DRIVES = [
    drive + rest
    for drive in ("C:", "c:", "Z:", "\u212a:")  # the last is the Kelvin sign, which composes to K
    for rest in (
        "", "\\", "/", "\\\\", "//", "\\.", "/.", "\\..", "/..", "\\x\\..", "/x/..", "/./", "\\.\\",
        "/x/../..", "\\x\\..\\..", "/x/../", "/././.",
    )
]
_NETWORK = [
    start + rest
    for start in ("//", "\\\\", "/\\", "\\/", "///", "\\\\\\")
    for rest in ("", "server", "server/share", "server\\share\\x", "?/C:/x", "?\\C:\\x", "./pipe/x", "h/c$")
]
_NUL = [f"{a}\0{b}" for a in ("", "/", "/srv", "/srv/memory", "~", "~/x") for b in ("", "/", "/x", "/../..")]
_UNENCODABLE = ["/srv/\ud800", "/srv/\udfff/x", "~/\ud800", "\ud83d/srv"]
_BARE_TILDES = ["~", "~/", "~//", "~///", "~\\", "~\\\\", "~/\\", "~\\/"]
_TILDES = [
    f"~{separator}{rest}"
    for separator in ("/", "\\", "//", "/./")
    for rest in (
        ".", "..", "./", "../", "./.", "./..", "../.", "../..", "../../..", "../../../..", "x/..", "x/../",
        "x/../..", "x/y/../..", "x/y/../../..", "../ada", "../ada/", "../ada/.", "../ADA", "..\\..", "x\\..",
        ".\\.", "..\\ada", "../../home", "../../home/ada", "./x/./..", ".//", "..//", "x//..", "../ada/x/..",
    )
]
_OTHERS_HOMES = [
    "~root", "~root/x", "~bob/memory", "~+", "~-", "~~", "~~/x", "~.", "~..", "~ /x", "~1/x", "~\t",
]
# fmt: on

HOSTILE = [*_EMPTY_OR_RELATIVE, *_ROOTS, *_DRIVES, *_NETWORK, *_NUL, *_UNENCODABLE]
HOSTILE += [*_BARE_TILDES, *_TILDES, *_OTHERS_HOMES]

INNOCENT = {
    "/srv": "/srv/",
    "/ab": "/ab/",
    "/srv/memory": "/srv/memory/",
    "/srv/memory/": "/srv/memory/",
    "/srv/memory////": "/srv/memory/",
    "/srv//memory": "/srv/memory/",
    "/srv/./x/../memory": "/srv/memory/",
    "/srv/my memory": "/srv/my memory/",
    "/srv/e\u0301te\u0301": "/srv/été/",
    "/srv/été": "/srv/été/",
    "/srv/~/x": "/srv/~/x/",
    "/srv/~": "/srv/~/",
    "/srv/...": "/srv/.../",
    "/srv/..x": "/srv/..x/",
    "/srv/記憶/😀": "/srv/記憶/😀/",
    "/home/ada/memory": "/home/ada/memory/",
    "/srv/a:b": "/srv/a:b/",
    "/srv/a\\b": "/srv/a\\b/",
}
INNOCENT_TILDES = {
    "~/memory": "/home/ada/memory/",
    "~/memory/": "/home/ada/memory/",
    "~\\memory": "/home/ada/memory/",
    "~\\notes\\memory": "/home/ada/notes/memory/",
    "~//memory": "/home/ada/memory/",
    "~/a/../b": "/home/ada/b/",
    "~/.claude/memory": "/home/ada/.claude/memory/",
    "~/...": "/home/ada/.../",
    "~/e\u0301te\u0301": "/home/ada/été/",
    "~/../shared/memory": "/home/shared/memory/",
    "~/~": "/home/ada/~/",
}


def test_the_tables_are_as_large_as_they_claim_to_be() -> None:
    assert len(set(HOSTILE)) >= 300


@pytest.mark.parametrize("expand_tilde", [True, False])
def test_no_hostile_directory_is_accepted(*, expand_tilde: bool) -> None:
    results = {raw: on_row(valid_directory, raw, expand_tilde=expand_tilde, home=HOME) for raw in HOSTILE}
    assert {raw: result for raw, result in results.items() if not isinstance(result, Refused)} == {}
    assert all(result.because for result in results.values() if isinstance(result, Refused))


def test_an_innocent_directory_is_normalised() -> None:
    wrong = [
        (raw, expand, found)
        for raw, wish in INNOCENT.items()
        for expand in (True, False)
        if (found := on_row(valid_directory, raw, expand_tilde=expand, home=HOME)) != wish
    ]
    assert not wrong, str(wrong)


@pytest.mark.parametrize("raw", INNOCENT_TILDES)
def test_a_tilde_is_expanded_only_where_that_was_asked_for(raw: str) -> None:
    assert valid_directory(raw, expand_tilde=True, home=HOME) == INNOCENT_TILDES[raw]
    refused = valid_directory(raw, expand_tilde=False, home=HOME)
    assert refused == Refused("a leading ~ is not expanded here; write the path out")


@pytest.mark.parametrize(
    ("raw", "because"),
    [
        ("", "it is empty"),
        ("x/y", "it is a relative path"),
        ("/", "it is the root directory or nearly so"),
        ("C:\\", "it is the root of a drive"),
        ("\\\\server\\share", "it is a network path (two leading separators)"),
        ("/srv/\0", "it contains a NUL character"),
        ("/srv/\ud800", "it contains characters that no file name can hold"),
        ("~/.", "it is the home directory or above it"),
        ("~bob", "it names another user's home directory; write the path out"),
    ],
)
def test_a_refusal_says_why(raw: str, because: str) -> None:
    assert valid_directory(raw, expand_tilde=True, home=HOME) == Refused(because)


@pytest.mark.parametrize("home", ["/", "/root", "/home/ada/", "/home/e\u0301", "/home/./ada", ""])
def test_no_form_of_the_home_directory_lets_it_be_granted(home: str) -> None:
    forms = [*_BARE_TILDES, "~/.", "~/..", "~/x/..", "~/../..", "~\\..", "~/x/../.."]
    found = {raw: on_row(valid_directory, raw, expand_tilde=True, home=home) for raw in forms}
    assert {raw: one for raw, one in found.items() if not isinstance(one, Refused)} == {}


def _steps(raw: str) -> list[str]:
    return [step for step in raw.replace("\\", "/").split("/") if step]


@given(
    st.lists(st.sampled_from(["..", ".", "x", "ab", "ada", "", "\\", "~", "é"]), max_size=7), st.booleans()
)
def test_whatever_is_accepted_is_absolute_normal_composed_and_narrow(steps: list[str], tilde: object) -> None:
    raw = ("~/" if tilde else "/") + "/".join(steps)
    result = valid_directory(raw, expand_tilde=True, home=HOME)
    if isinstance(result, Refused):
        return
    assert result.startswith("/")
    assert result == os.path.normpath(result) + "/" == unicodedata.normalize("NFC", result)
    assert len(result) > 3
    assert not (tilde and f"{HOME}/".startswith(result))
    assert ".." not in _steps(result) or "\\" in result


@given(st.text(max_size=12))
def test_no_text_makes_it_raise_and_what_it_accepts_it_accepts_again(raw: str) -> None:
    result = valid_directory(raw, expand_tilde=True, home=HOME)
    if isinstance(result, str):
        assert valid_directory(result, expand_tilde=False, home=HOME) == result


@pytest.mark.parametrize(
    ("raw", "because"),
    [
        ("/srv/a\nb", "it contains control characters"),
        ("/srv/a\x9bb", "it contains control characters"),
        ("/srv/" + "x" * 300, "it is too long for the system"),
        ("/srv/" + "x/" * 2_000, "it is too long for the system"),
        (HOME, "it is the home directory or above it"),
        (f"{HOME}/x/..", "it is the home directory or above it"),
        (HOME.upper(), "it is the home directory or above it"),
        (os.path.dirname(HOME), "it is the home directory or above it"),
        *(
            (path, "it is a directory of the system")
            for path in ("/etc", "/usr", "/var/lib/x", "/proc/1", TEMPORARY)
        ),
        *(
            (path, "it is a directory of the system")
            for path in ("/usr/../bin/x", "/mnt", "/opt", "/private/etc/x")
        ),
        *(
            (f"{HOME}/{name}", "keys are kept there")
            for name in (".ssh", ".gnupg/x", ".aws", ".kube", ".SSH")
        ),
        (f"{HOME}/.config/gcloud", "keys are kept there"),
    ],
)
def test_an_agent_does_not_write_there(raw: str, because: str) -> None:
    assert memory_directory(raw, expand_tilde=True, home=HOME) == Refused(because)


@pytest.mark.parametrize(
    "raw",
    [
        f"{HOME}/notes",
        "~/notes",
        f"{TEMPORARY}/x",
        f"/var{TEMPORARY}/x",
        "/mnt/disk/x",
        "/opt/x",
        "/srv/x",
        "/data/memories",
    ],
)
def test_an_agent_may_write_there(raw: str) -> None:
    assert isinstance(memory_directory(raw, expand_tilde=True, home=HOME), str)


def test_a_home_that_lies_in_a_directory_of_the_system_is_a_home() -> None:
    assert memory_directory("~/x", expand_tilde=True, home="/var/lib/agent") == "/var/lib/agent/x/"
    assert isinstance(memory_directory("/var/lib/agent", expand_tilde=True, home="/var/lib/agent"), Refused)


def test_links_to_such_places_are_refused_too(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    for name, to in (
        ("home-again", home),
        ("above", tmp_path),
        ("keys", home / ".ssh"),
        ("etc", Path("/etc")),
    ):
        (tmp_path / name).symlink_to(to)
        assert isinstance(
            memory_directory(str(tmp_path / name), expand_tilde=True, home=str(home)), Refused
        ), name


# ------------------------------------------------------------------ what lies inside the memory directory


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Make a memory directory full of ways out, beside things that must not be written."""
    return _tree(tmp_path.resolve())


def _tree(root: Path) -> Path:
    memory, outside = root / "memory", root / "outside"
    for folder in (memory / "sub" / "deep", outside / "sub", root / "memory-twin"):
        folder.mkdir(parents=True)
    for file in (
        memory / "a.md",
        memory / "sub" / "b.md",
        outside / "secret.md",
        root / "memory-twin" / "t.md",
    ):
        file.write_text("x")
    links: dict[str, Path | str] = {
        "out": outside,
        "out-relative": "../outside",
        "up": "..",
        "root": "/",
        "self": ".",
        "file-out.md": outside / "secret.md",
        "inner": "sub",
        "inner.md": "sub/b.md",
        "dangling.md": "nothing.md",
        "dangling-out.md": outside / "nothing.md",
        "loop-a": "loop-b",
        "loop-b": "loop-a",
        "chain": "out-relative",
        "sub/back": "../..",
        "sub/deep/far": "../../../outside/sub",
    }
    for name, target in links.items():
        (memory / name).symlink_to(target)
    return memory


def test_a_file_inside_is_answered_with_its_real_path(directory: Path) -> None:
    for path in (
        "a.md",
        "./a.md",
        "sub/b.md",
        "sub//b.md",
        "sub/../a.md",
        "sub/deep/../b.md",
        "none/../a.md",
    ):
        expected = os.path.normpath(directory / path)
        assert contain(str(directory), path) == expected
        assert contain(str(directory), f"{directory}/{path}") == expected


def test_a_file_still_to_be_made_is_judged_by_its_deepest_existing_ancestor(directory: Path) -> None:
    assert contain(str(directory), "new.md") == f"{directory}/new.md"
    assert contain(str(directory), "new/deeper/x.md") == f"{directory}/new/deeper/x.md"
    assert contain(str(directory), "inner/new.md") == f"{directory}/sub/new.md"
    assert isinstance(contain(str(directory), "out/new/deeper.md"), Refused)


def test_a_link_to_another_place_inside_is_answered_with_that_place(directory: Path) -> None:
    assert contain(str(directory), "inner.md") == f"{directory}/sub/b.md"
    assert contain(str(directory), "self/self/a.md") == f"{directory}/a.md"


def test_the_directory_may_be_a_link_or_not_exist_yet(directory: Path) -> None:
    alias = directory.parent / "alias"
    alias.symlink_to(directory)
    assert contain(str(alias), "a.md") == f"{directory}/a.md"
    assert contain(f"{alias}/", f"{alias}/a.md") == f"{directory}/a.md"
    assert contain(str(alias), f"{directory}/a.md") == f"{directory}/a.md"
    assert contain(f"{directory.parent}/later", "x.md") == f"{directory.parent}/later/x.md"


LEADS = [
    ("", "it is empty"),
    ("a\0.md", "it contains a NUL character"),
    ("dangling.md", "is a link to something that does not exist"),
    ("dangling-out.md", "is a link to something that does not exist"),
    ("dangling.md/x.md", "is a link to something that does not exist"),
    ("loop-a", "cannot be resolved: too many levels of symbolic links"),
    ("loop-a/x.md", "cannot be resolved: too many levels of symbolic links"),
    ("a.md/x.md", "cannot be resolved: not a directory"),
    ("\ud800.md", "cannot be resolved"),
    ("x" * 300, "cannot be resolved: file name too long"),
    ("out/../a.md", "its '..' steps lead through a link"),
    ("sub/deep/far/../a.md", "its '..' steps lead through a link"),
    (".", "outside the memory directory"),
    ("self", "outside the memory directory"),
    ("../memory-twin/t.md", "outside the memory directory"),
    ("out/secret.md", "outside the memory directory"),
]


def test_a_refusal_says_where_the_path_leads(directory: Path) -> None:
    wrong = [
        (path, because, found)
        for path, because in LEADS
        for found in [on_row(contain, str(directory), path)]
        if not isinstance(found, Refused) or because not in found.because
    ]
    assert not wrong, str(wrong)
    assert contain(str(directory), "inner/../a.md") == f"{directory}/a.md"


def _ways_out() -> list[str]:
    starts = ["", "./", "sub/", "sub/deep/", "none/", "none/none/", "self/", "inner/", "sub/../"]
    steps = [
        "..",
        "../..",
        "../../..",
        "../" * 40 + "etc",
        "out",
        "out-relative",
        "up",
        "root",
        "chain",
        "sub/back",
    ]
    ends = ["", "/", "/secret.md", "/outside/secret.md", "/x/y.md", "/."]
    links = [
        "file-out.md",
        "dangling.md",
        "dangling-out.md",
        "loop-a",
        "loop-b",
        "loop-a/x",
        "up/outside/new.md",
    ]
    return [
        *map("".join, itertools.product(starts, steps, ends)),
        *links,
        *(f"self/{link}" for link in links),
    ]


def test_none_of_hundreds_of_ways_out_is_accepted(directory: Path) -> None:
    ways = _ways_out()
    assert len(set(ways)) >= 300
    for way in ways:
        for path in (way, f"{directory}/{way}"):
            result = on_row(contain, str(directory), path)
            # A few of them turn round and end inside after all; the real path is the judge of that.
            assert isinstance(result, Refused) or _truly_inside(directory, path, result), path


def test_absolute_paths_elsewhere_are_outside(directory: Path) -> None:
    parent = directory.parent
    others = [
        "/",
        "/etc/passwd",
        str(parent),
        f"{parent}/memory-twin/t.md",
        f"{directory}x",
        str(directory),
        f"{directory}/",
    ]
    others += [
        f"{directory}/../memory",
        f"{directory}/./",
        f"/{directory.name}/a.md",
        f"{parent}/outside/secret.md",
    ]
    for path in others:
        assert isinstance(contain(str(directory), path), Refused), path


@pytest.mark.parametrize(
    ("folder", "path", "below"),
    [
        ("/srv/a", "/srv/a/b/c.md", "b/c.md"),
        ("/srv/a/", "/srv/a/b", "b"),
        ("/srv/a", "/srv/ab", ""),
        ("/srv/a", "/srv/a", ""),
        ("/srv/a", "/srv/a/", ""),
        ("/", "/srv", "srv"),
        ("/", "/", ""),
    ],
)
def test_the_path_below_a_folder_is_empty_for_what_does_not_lie_in_it(
    folder: str, path: str, below: str
) -> None:
    assert path_below(folder, path) == below


def test_not_even_the_root_is_inside_itself() -> None:
    assert isinstance(contain("/", "/"), Refused)
    assert isinstance(contain("/", "."), Refused)


def test_a_directory_that_cannot_be_resolved_holds_nothing(directory: Path) -> None:
    for path in ("memory", "", ".", f"{directory}/loop-a", f"{directory}/dangling.md", f"{directory}/a.md/x"):
        assert isinstance(contain(path, "x.md"), Refused), path


STEPS = [
    "..",
    ".",
    "sub",
    "deep",
    "out",
    "up",
    "self",
    "inner",
    "root",
    "new",
    "a.md",
    "chain",
    "back",
    "far",
    "loop-a",
]


@given(st.lists(st.sampled_from(STEPS), min_size=1, max_size=7))
def test_whatever_is_accepted_is_inside_by_the_kernels_own_reading(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    if not _SHARED:
        _SHARED.append(_tree(tmp_path_factory.mktemp("tree").resolve()))
    memory = _SHARED[0]
    path = "/".join(steps)
    result = contain(str(memory), path)
    assert isinstance(result, Refused) or _truly_inside(memory, path, result)


def _truly_inside(memory: Path, path: str, result: str) -> bool:
    """Check an acceptance against what the system itself resolves, where it can."""
    if not result.startswith(f"{memory}/") or os.path.realpath(result) != result:
        return False
    try:
        opened = os.path.realpath(memory / path, strict=True)
    except OSError:
        return True
    return opened == result


_SHARED: list[Path] = []
"""One tree for all examples of the property above: it only reads."""
