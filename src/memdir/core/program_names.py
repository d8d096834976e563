"""What programs are called, and hosts' tools that run and write, in the groups that several judges need."""

__all__ = [
    "ALIASED",
    "COPIERS",
    "EDITORS",
    "EXECUTES",
    "LANGUAGES",
    "MAKERS",
    "OTHER_NAMES",
    "SAME_AS_GIT",
    "SEARCHERS",
    "SHELLS",
    "SHELL_TOOLS",
    "WRITING_TOOLS",
]

SHELLS = frozenset(
    (
        *("sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh"),
        *("csh", "tcsh", "yash", "posh", "hush", "sash", "osh", "ysh", "elvish", "nu", "xonsh"),
    )
)
EDITORS = frozenset({"ed", "ex", "vi", "vim", "nvim", "view", "gvim"})
LANGUAGES = EDITORS | {"cmd", "powershell", "pwsh", "wsl", "gdb", "lldb"}
"""Programs with a language of their own in which commands can stand."""

SAME_AS_GIT = frozenset({"hub", "lab"})
"""Programs that hand on to git what they do not know themselves."""
ALIASED = SAME_AS_GIT | {"git"}
COPIERS = frozenset({"cp", "ln", "mv", "install", "hash"})
MAKERS = frozenset({"make"})
"""Programs that are plain unless they are told what other commands mean, or make what is run here."""

SEARCHERS = frozenset({"find", "fd"})
EXECUTES = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
"""Options of a search behind which a command for each file begins."""

_GNU = (
    *("base64", "cat", "chgrp", "chmod", "chown", "chroot", "cp", "dd", "echo", "env", "find", "install"),
    *("ln", "make", "mv", "nice", "nohup", "parallel", "printf", "rm", "sed", "shred", "sort", "split"),
    *("stdbuf", "tar", "tee", "time", "timeout", "truncate", "unlink", "xargs", "ls", "head", "tail", "wc"),
    *("stat", "grep", "du", "touch", "mkdir", "readlink", "realpath"),
)
OTHER_NAMES = {
    **{f"g{name}": name for name in _GNU},
    **dict.fromkeys(("gawk", "mawk", "nawk", "goawk", "original-awk"), "awk"),
    **dict.fromkeys(("env_parallel", "parallel.moreutils"), "parallel"),
    **dict.fromkeys(("vim.basic", "vim.gtk3", "vim.nox", "vim.tiny", "vimdiff", "rvim", "mvim"), "vim"),
    **dict.fromkeys(("ksh93", "ksh2020", "lksh", "oksh", "loksh", "pdksh", "rksh"), "ksh"),
    **dict.fromkeys(("bash-static", "bash5"), "bash"),
    **dict.fromkeys(("zsh-static", "zsh5", "rzsh"), "zsh"),
    **dict.fromkeys(("busybox.static", "busybox-static"), "busybox"),
    **dict.fromkeys(("bmake", "bsdmake", "remake"), "make"),
    **dict.fromkeys(("sudo-rs", "sudo.ws"), "sudo"),
    "batcat": "bat",
    "bsd-csh": "csh",
    "bsdtar": "tar",
    "fdfind": "fd",
    "mksh-static": "mksh",
    "nodejs": "node",
    "nvi": "vi",
    "pwsh-preview": "pwsh",
    "static-sh": "sh",
    "su-rs": "su",
}
"""What Debian, Homebrew and others call a program: its usual name is in each, so that a glance finds it."""

SHELL_TOOLS = frozenset(
    (
        *("bash", "shell", "local_shell", "run_shell_command"),
        *("exec_command", "run_terminal_cmd", "execute_command"),
    )
)
"""What hosts call the tool that runs a command, in small letters; a rule on Bash means them all."""
WRITING_TOOLS = frozenset({"write", "edit", "multiedit", "notebookedit"})
"""The tools that write a file, in small letters; a rule on Edit means all but the first."""
