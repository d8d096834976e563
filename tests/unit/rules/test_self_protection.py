"""While there are rules, a command that may take one away is asked about, and one that only looks is not."""

from hypothesis import given
from hypothesis import strategies as st
from tests.tables import on_row

from memdir.memories.enforce import rules_in
from memdir.rules.fast_check import cannot_concern
from memdir.rules.judge import Decision, judge
from memdir.rules.paths import ProtectedFiles

MEMORY = "/home/user/.claude/projects/p/memory"
FILE = f"{MEMORY}/feedback_no-push.md"
STATE = "/home/user/.claude/memdir/state/p-1"
PROTECTED = ProtectedFiles(
    MEMORY, ("feedback_no-push.md",), ("no-push",), (STATE, "/home/user/.claude/memdir")
)
RULE = "Bash: git push * main"


def said(command: str) -> Decision:
    return judge(
        rules_in(RULE),
        "Bash",
        {"command": command},
        "/project",
        home="/home/user",
        protected=PROTECTED,
        branch=str,
    )


CHANGES = [
    "memdir forget no-push",
    "memdir forget no-push --purge --yes",
    "memdir import notes --existing replace --yes",
    "memdir adopt ../old --yes",
    f"memdir --directory {MEMORY} forget no-push",
    "python3 -m memdir undo",
    "uv run memdir rules approve x",
    "memdir rules withdraw x",
    "memdir rules $(echo withdraw) x",
    "memdir instructions approve ../x.md",
    "memdir uninstall",
    "memdir --cwd . ui --no-open",
    "memdir edit no-push",
    "memdir rename no-push x",
    "memdir restore no-push",
    "memdir remember x --name no-push --enforce 'Bash: zzz'",
    "memdir $(echo forget) x",
    f"rm {FILE}",
    "rm ~/.claude/projects/p/memory/feedback_no-push.md",
    "rm $HOME/.claude/projects/*/memory/*.md",
    f"cd {MEMORY} && rm feedback_no-push.md",
    f"cd {MEMORY} && rm *",
    "cd ~/.claude/projects && rm -rf p",
    "rm -rf ~/.claude",
    "rm -rf ~",
    "grm -rf ~",
    "fdfind . ~ -X gshred",
    f"printf 'x:; rm {FILE}\\n' | make -f -",
    "git -c alias.x='!memdir forget no-push' x",
    f"mv {MEMORY} /tmp/x",
    f"mv {FILE} /tmp",
    f"mv /tmp/x {FILE}",
    f"sed -i 's/push/x/' {FILE}",
    f"perl -pi -e 's/push/x/' {FILE}",
    f"echo > {FILE}",
    f"echo x | tee {FILE}",
    f"cp /tmp/x {FILE}",
    f"truncate -s 0 {FILE}",
    f"python3 -c \"import os; os.remove('{FILE}')\"",
    f"ls {MEMORY}/*.md | xargs rm",
    f"find {MEMORY} -name '*.md' -delete",
    f"cd {MEMORY} && git checkout HEAD~3 -- .",
    f"cd {MEMORY} && git reset --hard HEAD~1",
    f"echo > {STATE}/rules",
    "rm -r ~/.claude/memdir/state",
    "cd $X && rm feedback_no-push.md",
    f"bash -c 'rm {FILE}'",
    f"chmod 000 {MEMORY}",
    f"wipe {FILE}",
    "find ~/.claude -name '*.md' -delete",
    "find ~/.claude -type f -delete",
    "find ~ -name 'feedback*' -delete",
    "find -L ~/.claude -name memory -exec rm -rf {} +",
    "find ~/.claude -name '*.md' -exec sed -i d {} ;",
    "find ~/.claude -iname '*.MD' -execdir sh -c 'x \"$1\"' _ {} ;",
    "find ~/.claude '(' -name '*.pyc' -o -type f ')' -delete",
    "find ~/.claude ! -name '*.pyc' -delete",
    "find ~ -name approvals.json -delete",
    "find ~/.claude -name '*.md' | xargs rm",
    "grep -rl push ~/.claude | xargs sed -i d",
    "cd ~/.claude && find . -name '*.md' -delete",
    "fd -e md . ~/.claude -x rm",
    "git -C ~/.claude clean -fdx",
    "git -C ~/.claude clean -fdx -e node_modules",
    "cd ~/.claude && git clean -fdx",
    "cd ~/.claude && git clean -fd projects",
    "git -C ~/.claude reset --hard",
    "git -C ~/.claude checkout -- .",
    "git -C ~/.claude restore projects",
    "git -C ~/.claude rm -r projects",
    "git -C ~/.claude stash -u",
    "chmod -R 000 ~/.claude",
    "rsync -a --delete empty/ ~/.claude/",
    "trash ~/.claude",
    f"ln -s {MEMORY} m",
    "ln -s ~/.claude m && rm -r m/projects",
]
LOOKS = [
    "memdir list",
    "memdir recall forget",
    "memdir search undo",
    "memdir show no-push",
    "memdir rules",
    "memdir remember 'Deploys go out on Tuesdays'",
    "memdir remember x --name tea",
    f"cat {FILE}",
    f"cat {MEMORY}/*.md | head -50",
    f"ls -la {MEMORY}",
    f"gls -la {MEMORY}; batcat {MEMORY}/*.md",
    f"grep -rn push {MEMORY}",
    f"cp {FILE} /tmp/x",
    f"sed -n 1,20p {FILE}",
    f"find {MEMORY} -name '*.md'",
    f"cd {MEMORY} && git log --oneline",
    f"cat > {MEMORY}/project_x.md <<'EOF'\nhello\nEOF",
    f"sudo ls {MEMORY}",
    f"cat {STATE}/rules",
    "rm -rf build",
    "rm -rf *",
    "mv a.txt ..",
    "git checkout -b x",
    'git commit -m "memdir forget no-push"',
    'echo "memdir forget x"',
    "find . -name '*.pyc' -delete",
    "find ~ -name '*.pyc' -delete",
    "find ~ '(' -name '*.pyc' -o -name __pycache__ ')' -exec rm -r {} +",
    "find ~/.claude -name '*.md'",
    "find ~/.claude -name '*.md' -exec grep -l push {} +",
    "find ~/.claude -name '*.md' | xargs grep push",
    "find ~ -name '*.pyc' | xargs rm",
    "find . -name '*.orig' | xargs rm -f",
    'find "$tmp" -type f -delete',
    'cd "$tmp" && find . -delete',
    'cd "$tmp" && git clean -fdx',
    "cd ~/.claude && jq $x < y",
    "cd ~ && rm notes.txt",
    "cd ~ && rm -r build",
    "git clean -fdx",
    "git -C ~/.claude clean -ndx",
    "git -C ~/.claude clean -fdx plugins",
    "git -C ~/.claude status",
    "git -C ~/.claude checkout main",
    "git -C ~/papers reset --hard",
    "chmod 700 ~/.claude",
    "ln -s ~/papers/notes m",
    "rsync -a --delete ~/papers/ /backup",
    'rm -f "$tmp"',
    "python3 -c 'print(1)'",
    "uv pip install memdir",
]


def test_what_may_take_a_rule_away_is_asked_about() -> None:
    wrong = [
        (command, found, overlooked)
        for command in CHANGES
        for found in [on_row(said, command)]
        for overlooked in [on_row(cannot_concern, [RULE], command, PROTECTED.marks())]
        if (found.verdict, found.rule, overlooked) != ("ask", None, False)
    ]
    assert not wrong, str(wrong)


def test_what_only_looks_or_is_about_other_files_is_let_be() -> None:
    wrong = [(command, found) for command in LOOKS if (found := on_row(said, command)).verdict != "allow"]
    assert not wrong, str(wrong)


def test_the_words_that_were_found_are_told() -> None:
    assert said(f"cd /tmp && rm -f {FILE}").because == f"rm -f {FILE}"


def test_a_link_to_what_is_kept_is_followed() -> None:
    protected = ProtectedFiles(
        MEMORY, PROTECTED.files, (), (), lambda path: {"/project/link": FILE}.get(path, path)
    )
    call = {"command": "sed -i d link"}
    assert judge(rules_in(RULE), "Bash", call, "/project", protected=protected).verdict == "ask"


def test_a_check_that_fails_asks_and_loses_no_rule() -> None:
    def fails(path: str) -> str:
        raise LookupError(path)

    protected = ProtectedFiles(MEMORY, PROTECTED.files, (), (), fails)
    for command, verdict in (("rm a; git push origin main", "deny"), ("rm a", "ask"), ("ls a", "allow")):
        call = {"command": command}
        assert judge(rules_in(RULE), "Bash", call, "/project", protected=protected).verdict == verdict


def test_a_rule_that_denies_outranks_the_question() -> None:
    assert said(f"git push origin main; rm {FILE}").verdict == "deny"


FIRST = ("cp", "mv", "rm", "sed", "dd", "git", "memdir", "find", "python", "tmux", "new", "screen", "crontab")
LATER = (
    "-i",
    "-e",
    "-t",
    "-C",
    "-m",
    "-X",
    "if=",
    "~",
    "-",
    "--",
    ";",
    "|",
    ">",
    "<",
    "$x",
    "*",
    "..",
    "/",
    "''",
)
WORDS = st.sampled_from([*FIRST, *LATER, FILE])


@given(st.lists(WORDS, max_size=8))
def test_no_command_makes_it_fail(words: list[str]) -> None:
    rules = rules_in(f"{RULE}; Read: *.env; Edit: a/**; Write: b")
    command = " ".join(words)
    said = judge(rules, "Bash", {"command": command}, "/project", home="/home/user", protected=PROTECTED)
    texts = [rule.text for rule in rules]
    assert said.verdict == "allow" or not cannot_concern(texts, command, PROTECTED.marks())
