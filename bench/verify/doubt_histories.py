"""A history of namesakes: files, targets and symbols of one name in several places; some of them went."""

from bench.verify.histories import History, Step

__all__ = ["DOUBT_HISTORIES"]

_LINES = "".join(f"def step_{n}(value):\n    return value + {n}\n\n\n" for n in range(12))

_MONO = History(
    "mono",
    {
        "Makefile": "include mk/*.mk\n\nbuild:\n\tcc main.c\n\nwipe:\n\trm -rf out\n",
        "mk/docs.mk": "docs:\n\tmkdocs build\n",
        "third_party/zlib/Makefile": "clean:\n\trm -f *.o\n\nwipe:\n\trm -rf .\n",
        "package.json": '{"name": "mono", "scripts": {"lint": "eslint .", "seed": "node seed.js"}}\n',
        "apps/web/package.json": '{"name": "web", "scripts": {"dev": "vite", "seed": "node web-seed.js"}}\n',
        "apps/api/package.json": '{"name": "api", "scripts": {"dev": "nodemon"}}\n',
        "libs/old/compat.py": _LINES,
        "libs/new/compat.py": "import sys\n",
        "libs/old/retry.py": _LINES.replace("step", "retry"),
        "apps/api/handlers.py": "def load_user(name):\n    return name\n\n\ndef parse_all(text):\n    pass\n",
        "apps/web/handlers.py": "def load_user(name):\n    return [name]\n",
        "apps/web/models.py": "class Order:\n    total = 0\n",
        "ops/rotate.sh": "#!/bin/sh\nset -e\nfind logs -mtime +14 -delete\n",
        "ops/legacy/sync.sh": "#!/bin/sh\nrsync -a out/ host:/srv\n",
    },
    (
        Step("No old compat", remove=("libs/old/compat.py",)),
        Step("Moved", move=(("libs/old/retry.py", "libs/new/retry.py"),)),
        Step(
            "No users in the api",
            edit=(("apps/api/handlers.py", "def load_user(name):\n    return name\n", ""),),
        ),
        Step(
            "Restore",
            remove=("ops/rotate.sh",),
            write=(("ops/restore.sh", "#!/bin/sh\nset -e\npg_restore x\n"),),
        ),
        Step("No wiping", edit=(("Makefile", "\nwipe:\n\trm -rf out\n", ""),)),
        Step("No seeds", edit=(("package.json", ', "seed": "node seed.js"', ""),)),
        Step("No sync", remove=("ops/legacy/sync.sh",)),
        Step("Models again", write=(("apps/api/models.py", "class Invoice:\n    total = 0\n"),)),
    ),
)

DOUBT_HISTORIES = (_MONO,)
