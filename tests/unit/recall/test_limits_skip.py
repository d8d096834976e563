"""Nothing is recalled for prompts that are empty, that no person typed, or that say too little."""

from tests.tables import on_row

from memdir.recall.limits import skip_reason

SKIPPED = [
    ("", "empty"),
    (" \n\t", "empty"),
    ("<task-notification>\n<task-id>b1</task-id>\n</task-notification>", "host"),
    ("<command-name>/clear</command-name>", "host"),
    ("<command-message>clear is running</command-message>", "host"),
    ("<local-command-stdout>a b c</local-command-stdout>", "host"),
    ("<bash-input>ls -la /tmp</bash-input>", "host"),
    ("/compact keep the test output", "command"),
    ("/plugin:do-it now please", "command"),
    ("/clear", "command"),
    ("ok", "words"),
    ("continue!", "words"),
    ("... !!! ???", "words"),
    ("yes -", "words"),
    ("好的", "characters"),
    ("继续吧", "characters"),
    ("はい。", "characters"),
    ("네", "characters"),
]
LOOKED_AT = [
    "fix it",
    "why does the build fail?",
    "/var is full, what now",
    "/etc/hosts looks wrong",
    "/home directories vanish",
    "<div> does not close",
    "如何部署",
    "部署 失败",
    "修复bug",
    "テストを直して",
    "배포방법",
    "배포 방법",
    "Как собрать проект",
    "แก้บัก",
    "a " * 100_000,
]


def test_these_are_skipped_with_the_reason() -> None:
    wrong = [
        f"{prompt!r}: {found!r}"
        for prompt, word in SKIPPED
        if word not in (found := on_row(skip_reason, prompt))
    ]
    assert not wrong, "\n".join(wrong)


def test_these_are_looked_at() -> None:
    wrong = [
        f"{prompt[:80]!r}: {found!r}" for prompt in LOOKED_AT if (found := on_row(skip_reason, prompt)) != ""
    ]
    assert not wrong, "\n".join(wrong)
