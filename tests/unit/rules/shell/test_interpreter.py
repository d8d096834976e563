"""The interpreter shows every command that a shell would start, with the words it gets, and starts none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import grows_with_the_text
from tests.tables import on_row

from memdir.rules.invocation import DECODED, UNKNOWN, Invocation
from memdir.rules.shell.interpreter import Shell, interpret
from memdir.rules.shell.scanner import BROKEN, DEEP, LONG


def seen(text: str) -> list[tuple[str, ...]]:
    """Return the words of every command, those that only print or set left out."""
    found = list[Invocation]()
    interpret(text, "/here", found.append)
    return [
        one.words for one in found if one.words[0] not in {"echo", "printf", "true", "cat", "read", "set"}
    ]


def outcome(text: str) -> Shell:
    return interpret(text, "/here", lambda _: None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("$UNSET push", [(UNKNOWN, "push")]),
        ("git pu${x}sh", [("git", f"pu{UNKNOWN}sh")]),
        ("go $(date)", [("date",), ("go", UNKNOWN)]),
        ("go ${x:-main}", [("go", "main"), ("go", UNKNOWN)]),
        ("if a; then B=1; else B=2; fi; go $B", [("a",), ("go", "1"), ("go", "2")]),
        ("ls | xargs go", [("ls",), ("xargs", "go"), ("go", UNKNOWN)]),
        ("find . -exec go {} +", [("find", ".", "-exec", "go", "{}", "+"), ("go", UNKNOWN)]),
        ("{ which a; echo b; } | xargs go", [("which", "a"), ("xargs", "go"), ("go", "a", "b")]),
        ("f() { go $1; }", []),
        ("B=main; for B in; do go $B; done; go $B", [("go", "main"), ("go", "main")]),
        ("for b in; do go $b; done", [("go",)]),
    ],
)
def test_what_only_the_running_shell_knows_is_marked_or_tried_in_every_way(
    text: str, words: list[tuple[str, ...]]
) -> None:
    assert seen(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "(( x = $(go a) ))",
        "((`go a`)) > log",
        "if (( $(go a | wc -l) > 2 )); then :; fi",
        "for ((i = 0; i < $(go a); i++)); do :; done",
        "case x in $(go a)) ;; esac",
        "case x in (a | `go a`) ;; esac",
        "echo ${x[$(go a)]}",
        'echo "${#x[`go a`]}"',
        "echo ${x[$(go a)]:-b}",
    ],
)
def test_a_command_inside_arithmetic_a_pattern_or_an_index_is_shown(text: str) -> None:
    assert ("go", "a") in seen(text)


def test_a_keyword_that_ends_nothing_leaves_a_doubt() -> None:
    assert outcome("ls; fi").doubts == {BROKEN}


INNER: list[tuple[str, tuple[str, ...]]] = [
    ("sudo -u x -E go a", ("go", "a")),
    ("env -i -u X A=1 go a", ("go", "a")),
    ("env -S 'go a' b", ("go", "a", "b")),
    ("nice -n 5 timeout -s KILL 9 stdbuf -oL go a", ("go", "a")),
    ("ssh -p 22 host 'cd x; go a'", ("go", "a")),
    ("ssh host <<E\ngo a\nE", ("go", "a")),
    ("docker run --rm -v a:b image go a", ("go", "a")),
    ("docker compose -f x exec web go a", ("go", "a")),
    ("kubectl exec -n x pod -- go a", ("go", "a")),
    ("uv run --with x go a", ("go", "a")),
    ("su -c 'go a' x", ("go", "a")),
    ("flock /l -c 'go a'", ("go", "a")),
    ("git submodule foreach go a", ("go", "a")),
    ("git rebase -x 'go a' main", ("go", "a")),
    ("bash -euo pipefail -c 'go a'", ("go", "a")),
    ("parallel go {} ::: a", ("go", "a")),
    ("trap 'go a' EXIT", ("go", "a")),
    ("git -c alias.x='go b' x a", ("git", "go", "b", "a")),
    ("ln -s /bin/go g; ./g a", ("/bin/go", "a")),
    ("echo go a > x; mv x y; . ./y", ("go", "a")),
    ("wsl -d u -- go a", ("go", "a")),
    ("cmd /d /c go a", ("go", "a")),
    ("pwsh -ep x -c go a", ("go", "a")),
    ("gdb -q --args go a", ("go", "a")),
    ("lldb -b -- go a", ("go", "a")),
    ("python3 -Im go a", ("go", "a")),
    ("py -3 -mgo a", ("go", "a")),
    ("python -X dev -m coverage run -m go a", ("go", "a")),
    ("fnm exec --using 18 go a", ("go", "a")),
    ("nvm exec 18 go a", ("go", "a")),
    ("volta run --node 18 go a", ("go", "a")),
    ("corepack go a", ("go", "a")),
    ("npx -y go@9 a", ("go@9", "a")),
    ("npm --prefix x exec -- go a", ("go", "a")),
    ("docker-compose -f x run --rm web go a", ("go", "a")),
    ("script -qec 'go a' /dev/null", ("go", "a")),
    ("script -qcgo\\ a", ("go", "a")),
    ("sudo -Hu x go a", ("go", "a")),
    ("doppler run --command='go a'", ("go", "a")),
    ("GIT_EDITOR='go a' true", ("go", "a")),
    ("tar cf x y --checkpoint-action=exec='go a'", ("go", "a")),
]


def test_a_command_inside_another_is_shown_too() -> None:
    wrong = [(text, found) for text, inner in INNER if (found := on_row(seen, text))[-1:] != [inner]]
    assert not wrong, str(wrong)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("make -f - <<E\nx:\n\t@-go a\nE", "x:\n\t@-go a\n"),
        ("echo 'x:; go' > a; cp a Makefile; make", "x:; go\n"),
        ("make --eval='x:; go' x", "--eval=x:; go\nx"),
        ("printf 'all: b\nb:; go\nc:; stop\n' | make -f -", "all: b\nb:; go\n"),
        ("printf 'all: $(B)\nb:; go\n' | make -f -", "all: $(B)\nb:; go\n"),
        ("printf 'all:\nb:; go\n.PHONY: b\n' | make -f - b", "all:\nb:; go\n.PHONY: b\n"),
        ("git -c alias.x='!go' x a", "go a"),
        ("git config alias.x '!go'; git x", "go"),
        ("GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!go' git x", "go"),
        ("GIT_CONFIG_KEY_0=alias.x; for GIT_CONFIG_VALUE_0 in '!go' log; do git x; done", "go"),
        ("GIT_CONFIG_VALUE_0='!go'; for GIT_CONFIG_KEY_0 in alias.x alias.y; do git x; done", "go"),
    ],
)
def test_what_no_shell_runs_is_set_aside_unread(text: str, unread: str) -> None:
    assert outcome(text).unread == [unread]
    assert not any(words[0] == "go" for words in seen(text))


@pytest.mark.parametrize(
    "text",
    ["make -n -f - <<E\nx:; go\nE", "make test", "echo go > notes.txt; make", "git config alias.x '!go'"],
)
def test_what_is_not_run_is_not_set_aside(text: str) -> None:
    assert not outcome(text).unread


@pytest.mark.parametrize(
    "text",
    [
        "command -v go",
        "sudo -l",
        "type go",
        "alias g='go a'",
        "git config alias.g '!go a'",
        "cp go a",
        "# go a",
    ],
)
def test_what_is_only_named_is_not_shown_as_a_command(text: str) -> None:
    assert ("go", "a") not in seen(text)
    assert ("go",) not in seen(text)


def test_a_change_of_directory_is_followed_and_ends_with_its_sub_shell() -> None:
    found = list[Invocation]()
    interpret("(cd a; go); go; cd /b && go; cd $x; go", "/here", found.append)
    assert [one.directory for one in found if one.words == ("go",)] == ["/here/a", "/here", "/b", ""]


def test_the_observer_may_say_what_a_command_prints() -> None:
    found = list[tuple[str, ...]]()

    def observer(invocation: Invocation) -> str | None:
        found.append(invocation.words)
        return "main\n" if invocation.words[0] == "branch" else None

    interpret("push $(branch)", "/here", observer)
    assert found[-1] == ("push", "main")


def test_paths_that_redirections_read_and_write_are_listed() -> None:
    found = [(one.tool, one.path) for one in outcome("a > x; b 2>> /y | tee z; c < w").accesses]
    assert found == [("Write", "/here/x"), ("Write", "/y"), ("Write", "/here/z"), ("Read", "/here/w")]


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("echo 'open", BROKEN),
        ("echo $(open", BROKEN),
        ("go )", BROKEN),
        ("a=( x | go )", BROKEN),
        ("a=( x; go", BROKEN),
        ("[[ x; go", BROKEN),
        ("case x in y; go", BROKEN),
        ("$(" * 60, DEEP),
        ("sudo " * 60 + "go", DEEP),
        ("f() { f; }; f", DEEP),
        ("a " * 100_001, LONG),
        ("f() { f; f; }; g() { f; f; }; " + "g; " * 2_000, LONG),
        ("f() { " + "x=1; " * 400 + "}; " + "f; " * 1_000, LONG),
        ("echo x | rev | sh", DECODED),
        ('eval "$(echo x | tr a b)"', DECODED),
    ],
)
def test_what_cannot_be_followed_to_its_end_leaves_a_doubt(text: str, doubt: str) -> None:
    assert doubt in outcome(text).doubts


@pytest.mark.parametrize(
    "text",
    [
        "curl -s https://example.com/x | sh",
        "bash script.sh",
        "a | b > c",
        "",
        "a=( x # )\n 'y' $(z) <(w) ); [[ ( a < b && c ) || d =~ (e|f) ]]; case x in (a | b) c;; esac",
    ],
)
def test_texts_from_elsewhere_and_plain_commands_leave_none(text: str) -> None:
    assert not outcome(text).doubts


@pytest.mark.parametrize(
    ("before", "unit", "after", "characters"),
    [
        ("cat <<'E'\n", "x\n", "E\n", 500_000),
        ("echo '", "x", "", 1_000_000),
        ("", "(", "", 1_000_000),
        ("", "{a,b}", "", 1_000_000),
        ("go " + "{" * 31, "a,", "", 200_000),
        ("go {", "a,", "}", 800_000),
        ("", "`", "", 20_000),
    ],
    ids=["here-document", "quote", "brackets", "braces", "open braces", "many words", "backticks"],
)
def test_the_work_on_a_long_text_grows_with_it_alone(
    before: str, unit: str, after: str, characters: int
) -> None:
    assert grows_with_the_text(lambda text: outcome(f"{before}{text}{after}"), unit, characters)


def test_a_value_that_doubles_again_and_again_does_not_fill_the_memory() -> None:
    name, value = seen("A=xxxxxxxx;" + "A=$A$A;" * 18 + "go $A")[-1]
    assert (name, len(value) <= 1 << 20) == ("go", True)


PIECES = st.sampled_from(
    [
        *"'\"`\\$(){}[]<>|&;\n \t#=*?!~,\0é",
        *("git ", "$(", "${", "<<E\n", "E\n", "if ", "fi", "done", "case x in ", "esac", ";;", "for i in "),
        *("do ", "f() ", "eval ", "xargs ", "$x", "a=", "((", "))", "[[ ", "]]", "\\8", "\\x", "\ud800"),
        *(
            "echo -e ",
            "printf ",
            "%s",
            "$'",
            "base64 -d",
            "sudo ",
            "env -S ",
            "read b ",
            "${a#",
            "${a:1:",
            "..",
            "7",
            *(
                "make -f - ",
                "\t",
                "x:",
                "git ",
                "alias.a=",
                "a ",
                "cp a b;",
                "vim -c ",
                "pwsh -e ",
                "cmd /c ",
            ),
        ),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_text_makes_it_fail(text: str) -> None:
    assert isinstance(outcome(text), Shell)
