"""A rule stops what it names in every form that runs, leaves alone what only looks like it, and says why."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import on_row
from tests.unit.rules.corpus import FIXTURES, rows

from memdir.memories.enforce import rules_in
from memdir.rules.judge import ALLOWED, Decision, highest, judge
from memdir.rules.paths import ProtectedFiles

RULES = [
    rule
    for row in rows("rules")
    for rule in rules_in(row["rule"], memory=row["memory"], reason=row["reason"])
]


def branch(directory: str) -> str:
    return "main" if directory.startswith("/on-main") else "topic"


def verdict_on(row: dict[str, Any]) -> Decision:
    return judge(RULES, row["tool"], row["input"], "/project", home="/home/user", branch=branch)


def on_command(command: str, *rules: str, known_branch: str = "topic") -> Decision:
    read = [rule for one in rules for rule in rules_in(one, memory="it")]
    return judge(read, "Bash", {"command": command}, "/project", branch=lambda _: known_branch)


def test_the_corpora_are_as_large_as_promised() -> None:
    assert len(rows("forbidden")) >= 100
    assert len(rows("innocent")) >= 200
    assert len(rows("second_forbidden")) >= 30
    assert len(rows("second_innocent")) >= 60


@pytest.mark.parametrize("name", ["forbidden", "second_forbidden"])
def test_every_forbidden_call_is_stopped(name: str) -> None:
    assert [row for row in rows(name) if on_row(verdict_on, row).verdict == "allow"] == []


@pytest.mark.parametrize("name", ["innocent", "second_innocent"])
def test_no_innocent_call_is_stopped(name: str) -> None:
    assert [(row, said) for row in rows(name) if (said := on_row(verdict_on, row)) != ALLOWED] == []


def forms() -> list[tuple[str, str, dict[str, Any], bool]]:
    """Return rules of their own with calls in many forms, and whether each is to be stopped."""
    files: dict[str, Any] = json.loads((FIXTURES / "file_forms.json").read_text())
    groups: list[dict[str, Any]] = rows("forms")
    for rule, path in files["rules"]:
        calls = {kind: [one.replace("PATH", path) for one in files[kind]] for kind in ("stopped", "allowed")}
        tools = [
            {"tool": tool, "input": {"file_path": path}} for tool in ("Write", "Edit", "MultiEdit", "Read")
        ]
        calls["stopped"] += [*tools[:3], {"tool": "NotebookEdit", "input": {"notebook_path": path}}]
        groups.append({"rule": rule, **calls, "allowed": [*calls["allowed"], tools[3]]})
    return [
        (
            group["rule"],
            *(("Bash", {"command": one}) if isinstance(one, str) else (one["tool"], one["input"])),
            kind,
        )
        for group in groups
        for kind in (True, False)
        for one in group["stopped" if kind else "allowed"]
    ]


def told(rule: str, tool: str, what: dict[str, Any]) -> str:
    """Return the verdict on a call, or what keeps it from being judged."""
    folders = partial(judge, cwd="/project", root="/project", home="/home/user", branch=branch)
    found = folders(rules_in(rule), tool, what)
    return found.because if "cannot be judged" in found.because else found.verdict


def test_every_form_is_stopped_and_what_only_looks_like_it_is_not() -> None:
    known = {True: ("ask", "deny"), False: ("allow",)}
    said = [(rule, what, on_row(told, rule, tool, what), kind) for rule, tool, what, kind in forms()]
    wrong = [row for row in said if row[2] not in known[row[3]]]
    assert not wrong, str(wrong)
    assert len(said) > 2_500


MIXED = st.sampled_from([what["command"] for _, tool, what, _ in forms() if tool == "Bash"])
SIGNS = st.sampled_from([*" ;&|<>()'\"$`\\-=:@/*?[]{}\n\0~!#+,", "--", "- ", "://", "host=", "<<E\n", "$("])


@settings(max_examples=3 * settings().max_examples)
@given(MIXED, st.integers(0, 60), SIGNS, MIXED, st.integers(0, 60))
def test_no_mixture_of_commands_makes_it_fail(one: str, end: int, sign: str, other: str, begin: int) -> None:
    found = judge(RULES, "Bash", {"command": one[:end] + sign + other[begin:]}, "/project", branch=branch)
    assert "cannot be judged" not in found.because


def no_disk(path: str) -> str:
    raise RuntimeError(path)


def test_a_denial_stands_where_another_look_fails_and_without_one_the_user_is_asked() -> None:
    protected = ProtectedFiles("/m", (), (), ("/records",), no_disk)
    command = {"command": "echo x > a.lock; rm -r memdir"}
    for rule, verdict in (("Write: *.lock", "deny"), ("Write: *.key", "ask")):
        found = judge(rules_in(rule), "Bash", command, "/project", protected=protected)
        assert (found.verdict, "cannot be judged" in found.because) == (verdict, verdict == "ask")


def test_only_what_is_not_known_before_it_runs_is_asked_about_instead_of_denied() -> None:
    asked = {row["class"] for row in rows("forbidden") if verdict_on(row).verdict == "ask"}
    sure = {"several commands", "quoting", "sub-shells and groups", "control flow", "files", "substitution"}
    assert "not known before it runs" in asked
    assert not asked & sure


OTHERWISE = (
    "fdfind -x {}; fdfind . -X {}; gfind . -exec {} +; echo main | gxargs git push origin; toybox sh -c '{}'",
    "genv -S '{}'; gnice -n 5 {}; gnohup {}; gstdbuf -oL {}; gtime {}; gtimeout 5 {}; env_parallel ::: '{}'",
    "ksh93 -c '{}'; bash-static -c '{}'; tcsh -c '{}'; static-sh -c '{}'; zsh5 -c '{}'; nu -c '{}'",
    "sudo-rs {}; run0 -u x {}; setpriv --reuid 1 {}; chronic {}; noglob {}; - {}; x86_64 {}; arch -arm64 {}",
    "bsdtar --use-compress-program '{}' -xf x; gsplit --filter='{}' x; wsl {}; cmd /c {}; pwsh -c '{}'",
    "bunx {}; uv tool run {}; micromamba run -n x {}; mise x -- {}; nix develop -c {}; xterm -e {}; rtk {}",
    "nerdctl exec x {}; slogin h {}; limactl shell x {}; dtach -n x {}; pueue add '{}'; gecho {} | sh",
)


def test_a_program_that_goes_by_another_name_is_the_same() -> None:
    commands = [one.replace("{}", "git push origin main") for row in OTHERWISE for one in row.split("; ")]
    rule = "Bash: git push * main"
    assert [one for one in commands if on_row(on_command, one, rule).verdict != "deny"] == []
    assert [
        one for one in commands if on_row(on_command, one.replace("main", "topic"), rule) != ALLOWED
    ] == []
    asked = (
        "vim.tiny -c '!{0}';;nvi -c '!{0}';;tmux new -d '{0}';;gdb -ex 'shell {0}';;gsed '1e {0}' x;;"
        "mawk 'BEGIN{{system(\"{0}\")}}';;nodejs -e 'execSync(\"{0}\")'"
    )
    for one in asked.format("git push origin main").split(";;"):
        assert on_command(one, rule).verdict == "ask", one
    assert on_command("grm -fr /x", "Bash: rm -rf *").verdict == "deny"


def test_operators_in_quotes_are_text() -> None:
    assert on_command("psql -c 'a && b'", 'Bash: psql * "a && b"').verdict == "deny"


def test_deny_outranks_ask_and_ask_outranks_allow() -> None:
    both = on_command("git push origin main", "ask Bash: git push *", "Bash: git push * main")
    assert both.verdict == "deny"
    assert highest((ALLOWED, both)) == highest((both, ALLOWED)) == both
    assert on_command("git push", "ask Bash: git push *").verdict == "ask"


def test_a_call_that_cannot_be_judged_is_asked_about() -> None:
    def unknown(_: str) -> str:
        raise RuntimeError

    decision = judge(rules_in("Bash: git push * main"), "Bash", {"command": "git push"}, "/p", branch=unknown)
    assert decision.verdict == "ask"


def test_the_reason_names_the_memory_its_words_and_the_command() -> None:
    decision = verdict_on({"tool": "Bash", "input": {"command": "ls && git push -q origin HEAD:main"}})
    assert decision.rule == RULES[0]
    for told in ("never-push-main", "Never push to main", "git push -q origin HEAD:main"):
        assert told in decision.because


def test_a_rule_that_the_user_did_not_write_asks_and_tells_how_to_approve_it() -> None:
    (rule,) = rules_in("Bash: make deploy", memory="deploys", bound=False)
    decision = judge([rule], "Bash", {"command": "make deploy"}, "/p")
    assert (decision.verdict, decision.rule) == ("ask", rule)
    assert "`memdir rules approve deploys`" in decision.because


def test_a_name_that_somebody_else_chose_cannot_become_part_of_a_command() -> None:
    (rule,) = rules_in("Bash: make", memory="x; rm -rf ~", bound=False)
    assert "approve 'x; rm -rf ~'`" in judge([rule], "Bash", {"command": "make"}, "/p").because


WORD_RULES = [
    ("Bash: git push origin main", "git push upstream main", "allow"),
    ("Bash: git push origin main", "git push", "allow"),
    ("Bash: git push * HEAD:main", "git push origin main", "deny"),
    ("Bash: git push", "git push --dry-run", "deny"),
    ("Bash: rm *.db", "rm app.db", "deny"),
    ("Bash: rm *.db", "rm app.txt", "allow"),
    ("Bash: rm app.db", "rm *.db", "ask"),
    ("Bash: rm app.db", "rm '*.db'", "allow"),
    ("Bash: rm app.db", 'cd x || exit; rm "*.db"', "allow"),
    ("Bash: rm app.db", "rm '*'.db*", "ask"),
    ("Bash: git add app.env", "git add '*.env'", "ask"),
    ("Bash: kubectl delete ns *", "kubectl delete namespaces.v1/x", "deny"),
    ("Bash: kubectl delete ns *", "python -c \"os.system('kubectl delete ns x')\"", "ask"),
    ("Bash: kubectl delete ns *", "kubectl delete pod $POD", "allow"),
    ("Bash: kubectl delete ns *", "kubectl delete $KIND x", "ask"),
    ("Bash: kubectl delete ns *", "minikube kubectl -- delete namespace x", "deny"),
    ("Bash: git checkout -- *", "git switch -c x", "allow"),
    ("Bash: git checkout -B *", "git switch --force main", "allow"),
    ("Bash: terraform destroy", "terraform apply -destroy", "deny"),
    ("Bash: chmod 777 *", "chmod a+rwx x", "deny"),
    ("Bash: chmod +x *", "chmod +x x", "deny"),
    ("Bash: kill -9 *", "kill -s FOO 9", "allow"),
    ("Bash: redis-cli flushall", "redis-cli FlushAll", "deny"),
    ("Bash: redis-cli flushall", "echo FLUSHALL | redis-cli", "ask"),
    ('Bash: mongosh "dropDatabase"', "mongosh --eval 'db.dropDatabase()'", "deny"),
    ('Bash: psql "delete from * users"', "psql -c 'DELETE FROM app. users'", "deny"),
    ('Bash: "git" push', "git push", "deny"),
    ("Bash: cmd /c del /s", "cmd /c del x", "allow"),
    ("Bash: psql * DROP TABLE", "psql -c 'drop table x'", "ask"),
    ("Bash: mongosh * dropDatabase", "mongosh --eval='db.dropDatabase()'", "ask"),
    ("Bash: psql * prod", "psql -c \"select * from x where y = 'prod'\"", "allow"),
    ("Bash: *", "ls", "deny"),
    ("Bash: sudo *", "sudo ls", "deny"),
    ("Bash: docker run --privileged *", "docker run -it --privileged=true x", "deny"),
    ("Bash: kubectl delete * --namespace=prod", "kubectl delete pod x --namespace prod", "deny"),
    ("Bash: tool deploy", "tool --verbose deploy", "deny"),
    ("Bash: tool deploy", "tool --env prod deploy", "ask"),
    ("Bash: tool deploy", "tool build deploy", "allow"),
    ("Bash: tar -xzf *", "tar -x -z -f a", "deny"),
    ("Bash: terraform apply -auto-approve", "terraform apply", "allow"),
    ("Bash: shutdown", "$X", "allow"),
    ("Bash: git push * main", "git $ARGS", "allow"),
    ("Bash: git push * main", "git push " + "x " * 100_000 + "main", "ask"),
    ("Bash: tool deploy", "tool --env prod --region eu deploy", "ask"),
    ("Bash: ansible-playbook -i production *", "ansible-playbook x.yml --inventory=production", "deny"),
    ("Bash: ansible-playbook -i production *", "ansible-playbook -i staging x.yml", "allow"),
    ("Bash: docker compose down -v", "docker compose -f X --profile y -p z down --volumes", "deny"),
    ("Bash: git commit --no-verify", "git commit -anm x", "deny"),
    ("Bash: git commit --no-verify", "git commit -mno", "allow"),
    ("Bash: pip install *", "python3.11 -Im pip install x", "deny"),
    ("Bash: python -m pip install *", "pip3 install x", "deny"),
    ("Bash: npm publish", "npx -y npm@9 publish", "deny"),
    ("Bash: npm publish", "some-wrapper --option npm publish", "ask"),
    ("Bash: psql * prod-db", "psql -hprod-db", "deny"),
    ("Bash: psql * prod-db", "psql postgres://u:p@prod-db:5432/app", "deny"),
    ("Bash: psql * prod-db", "PGHOST=prod-db psql", "deny"),
    ("Bash: npm publish", "script -qec 'npm publish' /dev/null", "deny"),
    ("Bash: npm publish", "npm publish --help", "allow"),
    ("Bash: npm publish", "some-wrapper - 'npm x'", "allow"),
    ("Bash: * --no-verify", "printf '%s' --no-verify >> banned.txt", "allow"),
    ("Bash: npm publish", "printf 'x:; npm $(WHAT)\\n' | make -f -", "ask"),
    ("Bash: docker compose down", "printf 'x:; docker-compose down\\n' | make -f -", "ask"),
    ("Bash: npm publish", "printf 'x:; pnpm publish\\n' | make -f -", "allow"),
    ("Bash: * --force", "printf 'x:; tool --force\\n' | make -f -", "ask"),
    ("Bash: * --force", "printf 'x:; tool --all\\n' | make -f -", "allow"),
    ("Bash: npm publish", "a=( x | npm publish )", "ask"),
    ("Bash: npm publish", "a=( npm publish )", "allow"),
    ("Bash: npm publish", "git -c alias.p='!npm publish' p", "ask"),
    ("Bash: git push", "git -c alias.p='!hub push' p", "ask"),
]


def test_words_are_matched_in_order_and_options_anywhere() -> None:
    wrong = [
        (rule, command, found)
        for rule, command, verdict in WORD_RULES
        if (found := on_row(on_command, command, rule)).verdict != verdict
    ]
    assert not wrong, str(wrong)


@pytest.mark.parametrize(
    ("command", "known", "verdict"),
    [
        ("git push", "main", "deny"),
        ("git push", "topic", "allow"),
        ("git push", "", "ask"),
        ("git push origin HEAD", "main", "deny"),
        ("git push --tags", "main", "allow"),
        ("git checkout -b fix && git push -u origin HEAD", "main", "allow"),
        ("git checkout README.md && git push", "main", "deny"),
        ("git push origin $(git symbolic-ref --short HEAD)", "main", "deny"),
        ("git -C $x push", "topic", "ask"),
    ],
)
def test_a_push_without_a_name_goes_to_the_branch_that_is_checked_out(
    command: str, known: str, verdict: str
) -> None:
    assert on_command(command, "Bash: git push * main", known_branch=known).verdict == verdict


@pytest.mark.parametrize(
    ("rule", "path", "verdict"),
    [
        ("Write: migrations/**", "/root/migrations/a", "deny"),
        ("Write: migrations/**", "a", "allow"),
        ("Write: migrations/**", "x/migrations/a", "allow"),
        ("Write: /etc/**", "/etc/hosts", "deny"),
        ("Write: /etc", "/etc/hosts", "deny"),
        ("Write: /etc/**", "etc/hosts", "allow"),
        ("Write: ~/.ssh/*", "/home/user/.ssh/id", "deny"),
        ("Write: ~/.ssh/*", "~/.ssh/id", "deny"),
        ("Write: *.ENV", "x.env", "deny"),
        ("Write: *", "anything", "deny"),
        ("*: *.env", "x.env", "deny"),
        ("Edit: *.env", "x.env", "deny"),
        ("Read: *.env", "x.env", "allow"),
    ],
)
def test_files_are_matched_by_globs_from_the_working_directory_and_the_project(
    rule: str, path: str, verdict: str
) -> None:
    decision = judge(
        rules_in(rule), "Write", {"file_path": path}, "/project/sub", root="/root", home="/home/user"
    )
    assert decision.verdict == verdict


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("printf 'x:; echo >> README.md\\n' | make -f -", "ask"),
        ("git -c alias.x='!rm README.md' x", "ask"),
        ("printf 'x:; echo >> notes.md\\n' | make -f -", "allow"),
    ],
)
def test_a_file_that_is_named_where_nothing_is_evaluated_is_asked_about(command: str, verdict: str) -> None:
    assert on_command(command, "Edit: README.md").verdict == verdict


UNKNOWN_FILES = [
    ("git apply fix.patch", "Edit: config/prod.yaml", "ask"),
    ("git apply --check fix.patch", "Edit: config/prod.yaml", "allow"),
    ("git commit -m apply", "Edit: config/prod.yaml", "allow"),
    ("patch -p1 < fix.diff", "Write: *.lock", "ask"),
    ("patch -p1 <<'E'\n+++ b/x.py\n+y\nE", "Write: *.lock", "allow"),
    ("curl -s x | tar xz", "Edit: config/prod.yaml", "ask"),
    ("tar -x -f a.tar", "Edit: config/prod.yaml", "ask"),
    ("tar xf a.tar -C /opt/x", "Edit: config/prod.yaml", "allow"),
    ("tar tf a.tar", "Edit: config/prod.yaml", "allow"),
    ("tar xOf a.tar x", "Edit: config/prod.yaml", "allow"),
    ("unzip a.zip", "Write: *.lock", "ask"),
    ("unzip -l a.zip", "Write: *.lock", "allow"),
    ("7z x a.7z", "Write: *.lock", "ask"),
    ("tar xf a.tar", "Edit: ~/.bashrc", "allow"),
    ("cat $F", "Read: secrets/**", "ask"),
    ("F=notes.md; cat $F", "Read: secrets/**", "allow"),
    ("grep x $F", "Read: secrets/**", "allow"),
]


def test_a_command_whose_files_are_not_known_is_asked_about() -> None:
    said = [(command, on_row(told, rule, "Bash", {"command": command})) for command, rule, _ in UNKNOWN_FILES]
    assert said == [(command, verdict) for command, _, verdict in UNKNOWN_FILES]


def test_other_tools_are_matched_by_any_of_their_texts() -> None:
    rules = rules_in('mcp__db__query: "drop table"')
    given = {"url": "postgres://x", "args": [{"sql": "Drop  Table a"}]}
    assert judge(rules, "mcp__db__query", given, "/p").verdict == "deny"
    assert judge(rules, "mcp__db__query", {"sql": "select 1"}, "/p") == ALLOWED


ARGUMENTS = [
    ("bash -c 'ls /bin/rm'", "Bash: rm *"),
    ("bash -c 'x' a rm b", "Bash: rm *"),
    ("python -c 'x' a rm b", "Bash: rm *"),
    ("perl -pe 's/a/b/' rm b", "Bash: rm *"),
    ("echo terraform | foo", "Bash: terraform"),
    ("foo ' terraform'", "Bash: terraform"),
]


@pytest.mark.parametrize(("command", "rule"), ARGUMENTS)
def test_what_is_an_argument_is_not_taken_for_a_command(command: str, rule: str) -> None:
    assert on_command(command, rule) == ALLOWED


@pytest.mark.parametrize("command", ["kubectl -=a x", "x -= y", f"'{'a ' * 3_000}' x"])
def test_an_odd_word_is_judged_too(command: str) -> None:
    assert on_command(command, "Bash: rm *") == ALLOWED


@pytest.mark.parametrize(
    "tool_input", [{}, {"command": None}, {"command": 3}, {"command": ["git", "status"]}, {"x": [[["y"]]]}]
)
def test_an_odd_input_is_judged_too(tool_input: dict[str, Any]) -> None:
    assert judge(RULES, "Bash", tool_input, "/p").verdict == "allow"
    assert judge(RULES, "mcp__db__x", tool_input, "").verdict == "deny"


@pytest.mark.parametrize(
    ("rule", "command", "verdict"),
    [
        ("Edit: config/prod.yaml", "rm config/prod.yaml", "deny"),
        ("Edit: config/prod.yaml", "mv config/prod.yaml x", "deny"),
        ("Edit: config/prod.yaml", "unlink config/dev.yaml", "allow"),
        ("Edit: config/prod.yaml", "rm -r config", "ask"),
        ("Edit: src/**/gen/*.py", "unlink src/a/gen", "allow"),
        ("Edit: src/**/gen/*.py", "shred -u src/a/gen/b", "allow"),
        ("Edit: src/**/gen/*.py", "trash src/a/gen", "ask"),
        ('Write: *.py "import pdb"', "rm a.py", "allow"),
    ],
)
def test_a_file_that_is_removed_by_its_name_is_known(rule: str, command: str, verdict: str) -> None:
    assert on_command(command, rule).verdict == verdict
