"""A memory's name always makes a safe file name, and no hostile path is ever taken for a memory."""

import posixpath
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.memories.names import INDEX_NAME, RESERVED_FOLDERS, file_name, is_topic_file, key_problem, slug

DOTS = (
    "..",
    "․․",
    "‥",
    "…",
    "．．",
    "﹒﹒",
    ".．",
    "․.",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%252e%252e",
    "%25252e.",
    "%%32%65.",
)
SLASHES = (
    "/",
    "\\",
    "／",
    "＼",
    "﹨",
    "⁄",
    "∕",
    "∖",
    "⧸",
    "⧵",
    "%2f",
    "%2F",
    "%5c",
    "%252f",
    "%255C",
    "%25252f",
    "%u002f",
)
DEVICES = (
    "con",
    "PRN",
    "aux",
    "Nul",
    "com1",
    "COM9",
    "lpt1",
    "LPT¹",
    "com²",
    "CONIN$",
    "conout$",
    "clock$",
    "ｃｏｎ",
)
UNSEEN = (
    *(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))),
    *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d",
    *"\u202e\u2060\u2061\u2064\u2066\u2067\u2068\u2069\u206f\u2800\u3164\ufeff\uffa0\ufff9\ufffb\ufffe\uffff\ufdd0",
    *"\ud800\udbff\udc00\udc80\udfff\ue000\uf02f\uf05c\uf8ff\U000e0001\U000e0020\U000e007f\U000f0000\U0010fffd",
)
LOOK_ALIKES = [
    "MEMORY.md",
    "memory.md",
    "Memory.md",
    "mEmOrY.md",
    "ＭＥＭＯＲＹ.md",
    "ｍｅｍｏｒｙ.md",
    "𝐌𝐄𝐌𝐎𝐑𝐘.md",
    "𝓂ℯ𝓂ℴ𝓇𝓎.md",
    "𝕄𝔼𝕄𝕆ℝ𝕐.md",
    "ⓂⒺⓂⓄⓇⓎ.md",
    "ᴹᴱᴹᴼᴿʸ.md",
    "МЕМОRY.md",
    "МEMORY.md",
    "MEMОRY.md",
    "MEMΟRY.md",
    "ΜEMORY.md",
    "MEMORΥ.md",
    "MEMORУ.md",
    "ᴍᴇᴍᴏʀʏ.md",
    "MÉMORY.md",
    "mémory.md",
    "MEMORY.ｍd",
    "MEMORY️.md",
    "MEMORY.md️",
    "MEM︀ORY.md",
    "sub/MEMORY.md",
    "a/b/c/memory.md",
    "a/ＭＥＭＯＲＹ.md",
]
BY_HAND = (
    "",
    " ",
    ".",
    "..",
    "/",
    "//",
    "./",
    "../",
    "~",
    "~/x.md",
    "~root/x.md",
    "~/.ssh/authorized_keys.md",
    "/etc/passwd",
    "/etc/passwd.md",
    "//server/share/x.md",
    "\\\\server\\share\\x.md",
    "\\\\?\\C:\\x.md",
    "C:",
    "C:x.md",
    "C:/x.md",
    "c:\\x.md",
    "Ｃ：/x.md",
    "C：x.md",
    "file:///etc/x.md",
    "x.md:stream.md",
    "x.md::$DATA.md",
    "x",
    "x.txt",
    "x.MD",
    "x.Md",
    "x.md ",
    "x.md.",
    "x.md/",
    "x.md/.",
    "x.md/..",
    "x.md\0",
    "x\0.md",
    "x.md\n",
    "x.md%00",
    "x%00.md",
    "x%0a.md",
    "x%7f.md",
    "x%2emd",
    "x．md",
    "x。md",
    ".md",
    ".x.md",
    "..md",
    "...md",
    "a/.md",
    "a/.x.md",
    ".git/x.md",
    ".git/hooks/x.md",
    "a/.hidden/x.md",
    "a//x.md",
    "a/./x.md",
    "a/../x.md",
    "a/../../x.md",
    "a/.../x.md",
    "a./x.md",
    "a /x.md",
    " a/x.md",
    "a/ x.md",
    "\u00a0x.md",
    "x.md\u3000",
    "a/x.md /y.md",
    "../x.md",
    "../../../../../../etc/x.md",
    "..%c0%af..%c0%afx.md",
    "%c0%ae%c0%ae/x.md",
    "%e0%80%ae%e0%80%ae/x.md",
    "%ff/x.md",
    "%uff0e%uff0e/x.md",
    "％2e％2e/x.md",
    "%e2%80%a5/x.md",
    "%ef%bc%8fx.md",
    "%2%65%2%65/x.md",
    "a℀b.md",
    "⒈x.md",
    "x⒛.md",
    "x" * 300 + ".md",
    "x" * 253 + ".md",
    "é" * 127 + ".md",
    "d" * 256 + "/x.md",
    "a/" * 600 + "x.md",
    "a/" * 50_000 + "x.md",
    "%25" * 50_000 + "2e.md",
    "con .md",
    "nul.tar.md",
    "aux/x.md",
    "a/prn.md",
    "com1.x.md",
    "team",
    "logs",
    "team/",
    "index",
    INDEX_NAME,
    f"{INDEX_NAME}/x.md",
    f"a/{INDEX_NAME}/x.md",
    f"./{INDEX_NAME}",
    f" {INDEX_NAME}",
    f"{INDEX_NAME} ",
)
HOSTILE = tuple(
    dict.fromkeys(
        [
            *BY_HAND,
            *LOOK_ALIKES,
            *(f"{dots}{slash}x.md" for dots, slash in product(DOTS, SLASHES)),
            *(f"a{slash}{dots}{slash}x.md" for dots, slash in product(DOTS[:8], SLASHES)),
            *(f"a{slash}x.md" for slash in SLASHES[1:]),
            *(f"{device}.md" for device in DEVICES),
            *(f"sub/{device}.notes.md" for device in DEVICES),
            *(f"na{char}me.md" for char in UNSEEN),
            *(f"{char}name.md" for char in UNSEEN),
            *(f"{folder}/x.md" for folder in RESERVED_FOLDERS),
            *(f"{folder.upper()}/a/x.md" for folder in RESERVED_FOLDERS),
            *(f"{folder.title()}/x.md" for folder in RESERVED_FOLDERS),
            *("ｔｅａｍ/x.md", "ｌogs/x.md", "ｓessions/x.md", "ＨＵＢＳ/x.md"),
        ]
    )
)
INNOCENT = (
    "x.md",
    "a-b.md",
    "a_b.md",
    "A.md",
    "feedback_terse-replies.md",
    "user_role.md",
    "project_merge-freeze-2026-03.md",
    "reference_latency-board.md",
    "sub/x.md",
    "sub/deep/er/x.md",
    "Sub Folder/x y.md",
    "notes v1.2.md",
    "v1.2.3.md",
    "a..b.md",
    "x.md.md",
    "x.txt.md",
    "md.md",
    "team.md",
    "logs.md",
    "my-team/x.md",
    "teams/x.md",
    "sub/team/x.md",
    "sub/logs/x.md",
    "hubs-old/x.md",
    "memory-index.md",
    "my-memory.md",
    "memory_.md",
    "memories.md",
    "memory/x.md",
    "MEMORY/x.md",
    "mémoire.md",
    "README.md",
    "CLAUDE.md",
    "console.md",
    "com.md",
    "com10.md",
    "communication.md",
    "nullable.md",
    "auxiliary.md",
    "connect.md",
    "lpt.md",
    "100%.md",
    "100%-coverage.md",
    "50% off.md",
    "caf%C3%A9.md",
    "café.md",
    "cafe\u0301.md",
    "naïve.md",
    "Größe.md",
    "日本語.md",
    "会议：记录.md",
    "заметка.md",
    "מזכר.md",
    "مذكرة.md",
    "बैठक.md",
    "한국어.md",
    "ไทย.md",
    "🚀-launch.md",
    "❤\ufe0f.md",
    "½-price.md",
    "a≠b.md",
    "a~b.md",
    "sub/~draft.md",
    "$HOME.md",
    "a&b.md",
    "it's.md",
    "(draft).md",
    "[x].md",
    "{x}.md",
    "#channel.md",
    "a,b;c.md",
    "a=b+c.md",
    "@scope.md",
    "!important.md",
    "x" * 252 + ".md",
    "é" * 126 + ".md",
    "-dash.md",
    "_under.md",
)


def test_the_tables_are_as_large_as_promised() -> None:
    assert len(HOSTILE) >= 320
    assert len(INNOCENT) >= 60
    assert not set(HOSTILE) & set(INNOCENT)


@pytest.mark.parametrize("chunk", range(8))
def test_no_hostile_key_is_accepted(chunk: int) -> None:
    assert [key for key in HOSTILE[chunk::8] if on_row(key_problem, key) is None] == []


def test_no_innocent_key_is_refused() -> None:
    assert {key: problem for key in INNOCENT if (problem := on_row(key_problem, key))} == {}


REASONS = [
    ("", "empty"),
    ("a\\b.md", "backslash"),
    ("%252e%252e/x.md", "percent-encoded"),
    ("/x.md", "absolute"),
    ("C:x.md", "drive"),
    ("a/../x.md", ".."),
    ("a/.x.md", "hidden"),
    ("a./x.md", "ends with a dot"),
    ("x.txt", ".md"),
    ("nul.md", "device"),
    ("x" * 300 + ".md", "255 bytes"),
    ("sub/memory.md", "index"),
    ("Team/x.md", "folder"),
    ("a\u202eb.md", "U+202E"),
    ("a／b.md", "U+FF0F"),
]


def test_a_refusal_names_its_reason() -> None:
    wrong = [
        (key, reason, problem)
        for key, reason in REASONS
        if reason not in (problem := on_row(key_problem, key) or "")
    ]
    assert not wrong, "\n".join(map(repr, wrong))


def test_a_scan_leaves_out_what_is_no_memory() -> None:
    left_out = [
        *(
            "MEMORY.md",
            "memory.md",
            "a/b/Memory.md",
            "ＭＥＭＯＲＹ.md",
            ".x.md",
            "a/.b/x.md",
            ".git/x.md",
            "x.txt",
            "",
        ),
        *(
            "logs/2026/01/2026-01-01.md",
            "sessions/x.md",
            "hubs/user-1.md",
            "team/x.md",
            "Team/x.md",
            "md",
            ".md",
        ),
    ]
    assert [path for path in left_out if on_row(is_topic_file, path)] == []


def test_a_scan_takes_every_innocent_key() -> None:
    assert [path for path in INNOCENT if not on_row(is_topic_file, path)] == []


@given(st.text(max_size=30).map(lambda text: f"{text}.md"))
def test_whatever_may_be_written_is_also_scanned(key: str) -> None:
    assert key_problem(key) is not None or is_topic_file(key)


PATHS = st.lists(st.sampled_from(["..", ".", "/", "a", " ", "~", "\\", "\ud800"]), max_size=6)


@given(
    st.text(st.characters(exclude_categories=[]), max_size=60)
    | PATHS.map(lambda parts: "".join(parts) + "a.md")
)
@settings(max_examples=200)
def test_any_text_stays_below_the_directory_or_is_refused_with_a_reason(key: str) -> None:
    problem = key_problem(key)
    if problem is None:
        assert posixpath.normpath(key) == key
        assert not posixpath.isabs(key)
        assert not key.startswith("..")
        assert key.encode()
    else:
        assert problem.strip()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Terse replies", "terse-replies"),
        ("terse-replies", "terse-replies"),
        ("  Don't   mock the DB!  ", "dont-mock-the-db"),
        ("Don’t", "dont"),
        ("Größe der Straße", "grosse-der-strasse"),
        ("Ærøskøbing œuvre", "aeroskobing-oeuvre"),
        ("Łódź, Đakovo, Þór", "lodz-dakovo-thor"),
        ("ISTANBUL İzmir ısı", "istanbul-izmir-isi"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "full-width"),
        ("日本 api", "api"),
        ("snake_case_name", "snake-case-name"),
        ("a/b\\c..d", "a-b-c-d"),
        ("v1.2", "v1-2"),
    ],
)
def test_a_slug_is_plain_words(name: str, expected: str) -> None:
    assert slug(name) == expected


@pytest.mark.parametrize("name", ["", "日本語", "!!!", "🚀", "\ud800", "---"])
def test_a_name_without_plain_letters_gets_a_stable_hash(name: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", slug(name))
    assert slug(name) == slug(name)
    assert slug("日本語") != slug("中国語")


@given(st.text(st.characters(exclude_categories=[])))
def test_a_slug_is_its_own_slug(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug(name))
    assert slug(slug(name)) == slug(name)


@given(
    st.sampled_from(["user", "feedback", "project", "reference", "", "x/../y", "日本"]),
    st.text(st.characters(exclude_categories=[])) | st.text("ab -", min_size=90, max_size=130),
    st.integers(0, 12),
)
def test_a_file_name_is_always_safe_short_and_free(kind: str, name: str, already: int) -> None:
    taken: set[str] = set()
    for _ in range(already + 1):
        made = file_name(kind, name, taken)
        assert re.fullmatch(r"[A-Za-z0-9_-]+\.md", made)
        assert len(made) <= 100
        assert made.casefold() not in taken
        assert key_problem(made) is None
        taken.add(made.casefold())


def test_a_file_name_carries_kind_and_slug() -> None:
    assert file_name("feedback", "Terse replies") == "feedback_terse-replies.md"
    assert (
        file_name("feedback", "Terse replies", {"feedback_terse-replies.md"}) == "feedback_terse-replies-2.md"
    )


def test_two_long_names_with_one_beginning_stay_apart() -> None:
    one, other = (file_name("project", "the same long beginning " * 10 + end) for end in ("one", "other"))
    assert one != other
    assert len(one) <= 100
    assert one[:60] == other[:60]


def test_a_name_can_never_become_the_index() -> None:
    for kind, name in product(("", "user"), ("MEMORY", "memory", "ＭＥＭＯＲＹ")):
        assert is_topic_file(file_name(kind, name))
