"""What programs are called, and hosts' tools that run and write, in the groups that several judges need."""

__all__ = [
    "ALIASED",
    "CLOSERS",
    "COPIERS",
    "DECODERS",
    "EDITORS",
    "EXECUTES",
    "HARMLESS",
    "LANGUAGES",
    "MAKERS",
    "MOVERS",
    "NUMBERED",
    "OTHER_NAMES",
    "READING_TOOLS",
    "REMOVERS",
    "RUN_SETTINGS",
    "SAME_AS_GIT",
    "SEARCHERS",
    "SETTINGS",
    "SHELLS",
    "SHELL_TOOLS",
    "SILENT",
    "SPEAKERS",
    "WRITING_TOOLS",
    "tools_like",
]

SHELLS = frozenset(
    (
        *("sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh"),
        *("csh", "tcsh", "yash", "posh", "hush", "sash", "osh", "ysh", "elvish", "nu", "xonsh"),
    )
)
EDITORS = frozenset({"ed", "ex", "vi", "vim", "nvim", "view", "gvim"})

SAME_AS_GIT = frozenset({"hub", "lab"})
"""Programs that hand on to git what they do not know themselves."""
ALIASED = SAME_AS_GIT | {"git"}
COPIERS = frozenset({"cp", "ln", "mv", "install", "hash"})
MAKERS = frozenset({"make"})
"""Programs that are plain unless they are told what other commands mean, or make what is run here."""

LANGUAGES = frozenset(
    (
        *(
            "python",
            "pypy",
            "ipython",
            "perl",
            "ruby",
            "jruby",
            "node",
            "bun",
            "deno",
            "php",
            "lua",
            "luajit",
        ),
        *(
            "osascript",
            "awk",
            "emacs",
            "pwsh",
            "powershell",
            "rscript",
            "julia",
            "groovy",
            "elixir",
            "expect",
        ),
    )
)
"""Programs that run code in a language of their own."""
DECODERS = frozenset(
    (
        "base64",
        "xxd",
        "openssl",
        "uudecode",
        "rev",
        "tr",
        "gtr",
        "gzip",
        "gunzip",
        "zcat",
        "gbase64",
        "base32",
    )
)
"""Programs that turn a text into another one, which a shell may then run."""

REMOVERS = frozenset({"rm", "srm", "shred", "unlink", "trash", "trash-put", "rmtrash"})
"""Programs that take away a file, or all that is below a folder."""
CLOSERS = frozenset({"chmod", "chown", "chgrp", "chattr", "setfacl"})
"""Programs that change who may use a file, or all below a folder if they are told to go on."""
MOVERS = frozenset({"mv", "cp", "ln", "dd", "tee", "rsync", "truncate"})
"""Programs that put something in the place of a file."""

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
    **dict.fromkeys(("lksh", "oksh", "loksh", "pdksh", "rksh"), "ksh"),
    **dict.fromkeys(("zsh-static", "rzsh"), "zsh"),
    **dict.fromkeys(("npm-cli.js", "npm-cli"), "npm"),
    "apt-get": "apt",
    "aws-cli": "aws",
    "bash-static": "bash",
    **dict.fromkeys(("busybox.static", "busybox-static"), "busybox"),
    **dict.fromkeys(("bmake", "bsdmake", "remake"), "make"),
    **dict.fromkeys(("sudo-rs", "sudo.ws"), "sudo"),
    "batcat": "bat",
    "gradlew": "gradle",
    "mvnw": "mvn",
    "bsd-csh": "csh",
    "bsdtar": "tar",
    "fdfind": "fd",
    "flyctl": "fly",
    "mksh-static": "mksh",
    "nodejs": "node",
    "nvi": "vi",
    "pwsh-preview": "pwsh",
    "static-sh": "sh",
    "su-rs": "su",
}
"""What Debian, Homebrew and others call a program: its usual name is in each, so that a glance finds it."""

NUMBERED = frozenset({"base64", "base32", "linux32", "linux64", "x86_64", "proxychains4", "run0"})
"""Programs whose name ends with a number that is no version."""

_POSTGRES = (("PGHOST", "--host"), ("PGDATABASE", "--dbname"), ("PGUSER", "--username"))
SETTINGS = {
    **dict.fromkeys(("psql", "pg_dump", "pg_restore", "dropdb", "createdb"), _POSTGRES),
    "aws": (("AWS_PROFILE", "--profile"), ("AWS_REGION", "--region"), ("AWS_DEFAULT_REGION", "--region")),
    "docker": (("DOCKER_CONTEXT", "--context"), ("DOCKER_HOST", "--host")),
    "gcloud": (("CLOUDSDK_CORE_PROJECT", "--project"),),
    "gh": (("GH_REPO", "--repo"),),
    "kubectl": (("KUBECONFIG", "--kubeconfig"),),
    "helm": (("KUBECONFIG", "--kubeconfig"), ("HELM_NAMESPACE", "--namespace")),
    "mysql": (("MYSQL_HOST", "--host"),),
}
"""Variables that say what an option says too."""
RUN_SETTINGS = ("EDITOR", "PAGER", "VISUAL", "BROWSER", "_COMMAND", "_ASKPASS", "_PROXY_COMMAND")
"""How the names of variables end whose value is a command."""

_MOVES = ("cd", "pushd", "popd")
_SETS = ("export", "declare", "local", "typeset", "readonly", "set")
_ENDS = ("exit", "return", "sleep", "unset", "wait", "test", "[")
SILENT = frozenset((*_MOVES, *_SETS, *_ENDS, "true", "false", ":"))
"""Programs that print nothing."""

SPEAKERS = frozenset(
    (
        *("echo", "printf", "say", "espeak", "notify-send", "terminal-notifier", "logger", "wall"),
        *("figlet", "cowsay", "man", "tldr", "info", "whatis", "apropos", "help", "which", "whereis"),
        *("type", "write-host", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ugrep", "locate"),
        *("fzf", "pgrep", "pdfgrep"),
    )
)
"""Programs that only print or search what they are given: no rule about any program means them."""

HARMLESS = SPEAKERS.union(
    (
        *("ls", "ll", "tree", "stat", "file", "wc", "du", "df", "realpath", "readlink", "dirname"),
        *("basename", "test", "less", "more", "head", "tail", "bat", "nl", "tac", "column", "pr", "xxd"),
        *("od", "hexdump", "strings", "touch", "mkdir", "rmdir", "rm", "cp", "mv", "ln", "chmod", "chown"),
        *("install", "unlink", "trash", "shred", "sort", "uniq", "cut", "paste", "tr", "comm", "join"),
        *("fold", "fmt", "rev", "diff", "cmp", "jq", "yq", "tar", "zip", "unzip", "gzip", "gunzip"),
        *("md5sum", "shasum", "base64", "base32", "openssl", "gpg", "split", "code", "cursor", "open"),
        *("xdg-open", "subl", "nano", "emacs", "pbcopy", "xclip", "xsel", "wl-copy", "clip", "curl"),
        *("wget", "http", "ping", "dig", "host", "nc", "mail", "mailx", "sendmail", "mutt", "slack"),
        *("rsync", "git", "hub", "lab", "gh", "glab", "hg", "svn", "jj", "jira", "linear", "memdir"),
        *("task", "todo", "bd", "sqlite", "psql", "mysql", "mongosh", "redis-cli", "apt", "brew", "dnf"),
        *("yum", "apk", "dpkg", "pacman", "pytest", "jest", "vitest", "mocha", "cargo", "pip", "gem", "go"),
        *("ruff", "mypy", "eslint", "prettier", "sed", "awk", "history", "fc", "date", "sleep", "kill"),
        *("ps", "terraform", "helm", "aws", "command", "shellcheck", "markdownlint"),
    )
)
"""Programs that run none of the words they are given, unless this package knows how they do it."""

SHELL_TOOLS = frozenset(
    (
        *("bash", "shell", "local_shell", "run_shell_command"),
        *("exec_command", "run_terminal_cmd", "execute_command"),
    )
)
"""What hosts call the tool that runs a command, in small letters; a rule on Bash means them all."""
WRITING_TOOLS = frozenset({"write", "edit", "multiedit", "notebookedit"})
"""The tools that change a file, in small letters; a rule on one of them means them all."""
READING_TOOLS = frozenset({"read", "notebookread", "grep"})
"""The tools that show what is in a file; a rule on the first means them all."""

_WRITES = ("write", "edit", "create", "append", "insert", "replace", "overwrite", "update", "modify", "patch")
_TAKES_AWAY = ("delete", "remove", "move", "rename", "save", "copy")
_READS = ("read", "view", "open", "get", "cat")


def tools_like(name: str) -> frozenset[str]:
    """Return the file tools that one of an MCP server does the same as, by its name in small letters."""
    if not name.startswith("mcp__"):
        return frozenset()
    parts = name.rpartition("__")[2].replace("-", "_").split("_")
    if any(part.startswith((*_WRITES, *_TAKES_AWAY)) for part in parts):
        return WRITING_TOOLS
    return READING_TOOLS if any(part.startswith(_READS) for part in parts) else frozenset()
