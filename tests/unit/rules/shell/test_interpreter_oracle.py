"""What an interpretation shows is what bash really starts: the same words, in the same order."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memdir.rules.shell.interpreter import interpret

BASH = shutil.which("bash")

TEXTS = [
    "probe a b && probe c; probe d & wait; probe e | cat",
    "X=1 Y='2 3' probe \"$X\" $Y",
    "Y='2 3'; probe $Y \"$Y\" '$Y' \\$Y $'a\\tb\\x41' \"a\\\"b\\n\"",
    "p'ro'b\"e\" a''b \"\" ''",
    "pro\\\nbe a \\\n  b # c",
    "B=ma; probe ${B}in $B'in' \"${B}in\" ${B:0:1} ${B#m} ${B%a} ${B/m/x} ${B^^} ${B:-d} ${B:+e}",
    "probe {a,b}c {1..3} {x} {a,{b,c}} a{,b} '{a,b}' \"{a,b}\" {a..c}",
    "for i in a b; do probe $i; done",
    'probe $(echo a b) "$(echo a b)" `echo c` "`echo d`" $(printf \'%s-%s\\n\' x y)',
    'f() { probe "$1" "$@"; }; f a \'b c\'',
    "function g { probe $#; }; probe x",
    "bash <<E\nprobe a\nE",
    "export A=b; bash <<E\nprobe $A \\$A\nE",
    "export A=b; bash <<'E'\nprobe x$A\nE",
    "bash <<-E\n\tprobe a\n\tE\nprobe b",
    "bash <<< 'probe a; probe b'",
    "echo 'probe a' | bash; printf 'probe %s\\n' b c | bash",
    "eval 'probe a' b; eval \"$(echo probe c)\"",
    "bash -c 'probe $0 $1' x y; bash -ec 'probe z'",
    "bash <(echo probe a); source <(echo probe b)",
    "echo 'probe a' > s; bash s; source ./s; echo 'probe b' >> s; bash ./s",
    "cat > t <<'E'\n#!/bin/sh\nprobe \"$1\"\nE\nchmod +x t; ./t a",
    "echo a b | xargs probe; printf 'a b\\nc\\n' | xargs -I% probe x%",
    "(probe a; (probe b)); { probe c; }",
    "case a in a|b) probe 1;; esac; [[ a == a && -n x ]] && probe 2; ((1)) && probe 3",
    "C=(probe a 'b c'); \"${C[@]}\" c; D='probe d'; $D",
    "set -- x y; probe $2 $1; while read l; do probe $l; done <<< one",
    "probe >/dev/null 2>&1 a </dev/null b; >x probe c",
    "probe a#b 'c#d' # e\nprobe f",
    "if true; then probe a; fi; until probe b; do :; done",
    "alias q=probe; command probe a; exec probe b",
    "env A=1 probe a; nohup probe b 2>/dev/null; timeout 5 probe c; nice -n 1 probe d",
    'probe $((1)) >/dev/null; probe "a`echo \\"b\\"`c"',
    "A=1; A+=2; probe $A; export B=3; probe $B; probe ${A}${B}",
    "probe 'it'\\''s' \"it's\" a\\ b",
    "cat <<E | bash\nprobe $(echo a) `echo b`\nE\nprobe c",
    "find . -maxdepth 0 -exec probe x \\;; probe !x a=b --c=d -e",
]


@pytest.mark.skipif(BASH is None, reason="there is no bash here to compare with")
@pytest.mark.parametrize("text", TEXTS)
def test_the_same_commands_are_started(text: str, tmp_path: Path) -> None:
    started = really_started(text, tmp_path)
    assert started, "the text should start something"
    found = list[list[str]]()
    interpret(text, "/here", lambda one: found.append([*one.words[1:]]) if one.words[0] == "probe" else None)
    assert [one if "\0" not in "".join(one) else None for one in found] == [
        real if "\0" not in "".join(told) else None for real, told in zip(started, found, strict=True)
    ]


def really_started(text: str, folder: Path) -> list[list[str]]:
    """Run a text in bash, with a program called `probe` that writes down its words."""
    log, bin_folder, here = folder / "log", folder / "bin", folder / "here"
    bin_folder.mkdir()
    here.mkdir()
    probe = bin_folder / "probe"
    probe.write_text(f'#!/bin/sh\n{{ printf "%s\\037" "$@"; echo; }} >> "{log}"\n')
    probe.chmod(0o700)
    env = {"PATH": f"{bin_folder}:{os.defpath}:/usr/bin", "HOME": str(here)}
    subprocess.run([str(BASH), "-c", text], cwd=here, env=env, timeout=20, check=False, capture_output=True)
    rows = log.read_text().splitlines() if log.exists() else []
    return [row.split("\x1f")[:-1] if row != "\x1f" else [""] for row in rows]
