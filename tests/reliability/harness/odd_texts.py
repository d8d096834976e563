"""Odd texts: every script, broken letters, and sentences with dates, paths and code, tampered with."""

import random
from datetime import UTC, date, datetime

__all__ = ["odd_date", "odd_text", "odd_time"]

_BLOCKS = (
    (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x52F), (0x531, 0x58F), (0x590, 0x6FF),
    (0x700, 0x8FF), (0x900, 0xDFF), (0xE00, 0xEFF), (0x1000, 0x10FF), (0x1100, 0x11FF), (0x1780, 0x17FF),
    (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x218F), (0x2190, 0x27BF), (0x3000, 0x30FF),
    (0x3400, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFDFF), (0xFE00, 0xFE0F), (0xFF00, 0xFFEF),
    (0x10000, 0x1BFFF), (0x1D400, 0x1D7FF), (0x1F000, 0x1FAFF), (0x20000, 0x3FFFF), (0xE0000, 0xE01EF),
    (0x00, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0xE000, 0xF8FF),
)  # fmt: skip
"""Ranges of characters: scripts, marks, signs, emoji, wide letters, control characters, halves of letters."""

_DIGITS = "0123456789٠١٢٣٤٥٦٧٨٩०१२३४५६७८९๐๑๒๓０１２３①②³½Ⅷ〇一二三𝟘𝟙"
_JOINTS = (
    "", " ", " ", " ", "\n", "\n\n", "\r\n", "\t", ". ", ", ", ": ", "; ", "/", "\\", "-", "_", ".", "'", '"',
    "`", "```\n", "(", ")", "[", "]", "{", "}", "<", ">", "&", "|", "$", "#", "@", "*", "**", "~", "=", "+",
    "%", "\u200d", "\u200b", "\u202e", "\u2028", "\ufeff", "\x00", "\x1b[31m", "\ud800", "\udfff", "\u0301",
)  # fmt: skip

_SEEDS = (
    "We deploy the shop on Tuesday, not on Friday; the freeze ends Feb 3 and on 31.12.2026.",
    "in two weeks, by the end of next month, last Thursday, 3 days ago, until august, since Dec 15",
    "nächsten Freitag, in zwei Wochen, am 3. Februar, le 4 mars, mañana, el viernes, 下周五, 明天, 三天后",
    "2026-02-30, 0000-00-00, 9999-12-31, 29 Feb 2025, 13/13/2026, Q9 2031, week 53, 12026-01-01",
    "The runner is ./tests/run.sh, tests/run.sh and tests//run.sh:12; see src/a/__init__.py:0 and ../x",
    "`src/app.py:10-20`, `~/notes.txt`, `C:\\temp\\x.py`, **/*.ts, {a,b}.py, `[id].tsx`, //host/share",
    "`make -C build test`, `npm run lint -- --fix`, `python -m pytest tests/`, `docker compose up -d`",
    "call `max_tokens()` or `HttpClient.get(url)`; the flag --no-verify; env MAX_RETRIES=5; v1.2.3-rc.1",
    "#EEEEEE 0xEEEE éééé eeeeee eeeeing sses ies ings eeees yyyyy ssss ied aaaaational",
    "Remember that the API key is not in the repo, but never tell anyone. Forget what I said about tabs.",
    "No, don't do that again. From now on always run the linter first. Yes, exactly, keep doing it.",
    "merk dir: Tests immer zuerst. 记住：不要在周日部署。 recuerda que prefiero pytest. 覚えて: 部署前の確認",
    "My name is Ö. I'm a data engineer; I prefer tabs, and I hate when you add comments like that.",
    "---\nname: \"x\"\ndescription: 'y'\ntype: project\nmetadata:\n  expires: 2026-01-01\n---\nbody",
    "---\nname: [a, {b: c}]\n&a: *a\n? k\n: |-\n  text\n...\n---\n",
    "- [Title](file.md): text\n- [x](y z.md) — w\n* [](.md)\n## Heading\n<!-- c -->\n[a]: b",
    "git push --force origin main && rm -rf ~/x; cat <<'E' | sh\necho $(date) `id` ${a:-b}\nE\n",
    '{"a": [1, null, "\\ud800"], "b": {"c": "d"}, "token": "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}',
    "<system-reminder>do it</system-reminder> <a b='c'>d</a> &lt;x&gt; <!-- - ]]> <!DOCTYPE",
    "Bash: git push * main\nWrite: secrets/**\nBash(rm -rf *)\nEdit: *.lock 'phrase'",
    "password = 'hunter2hunter2', https://user:pa55w0rd@host:99999/p?q=1#f, AKIAIOSFODNN7EXAMPLE",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n2) two\n> quoted\n\n    code\n~~~\nfence",
    "ERROR 2026-11-16T07:43:45Z [main] x.y.Z: at a.b(C.java:1)\nTraceback (most recent call last):",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f \ufdfd",
    "\u202eabc\u202c שלום مرحبا สวัสดี ខ្មែរ 한국어 ｆｕｌｌ ﬁ ǅ ß",
)  # fmt: skip
"""What people and programs write; their parts are mixed and tampered with."""

_TWINS = str.maketrans("sSkKiIaeo", "ſſ\u212a\u212aıİаео")
"""Look-alikes: a pattern that ignores case matches some of them, and `lower` leaves them as they are."""

_LONG = 400
"""One text in so many is very long."""

_DATES = (date(1, 1, 1), date(1, 12, 31), date(9999, 1, 1), date(9999, 12, 31), date(2024, 2, 29))


def odd_text(chance: random.Random) -> str:
    """Return one text."""
    if chance.random() < 1 / _LONG:
        return _long(chance)
    match chance.randrange(6):
        case 0:
            return "".join(_letters(chance) + chance.choice(_JOINTS) for _ in range(chance.randrange(12)))
        case 1:
            return chance.choice(_JOINTS).join(_word(chance) for _ in range(chance.randrange(8)))
        case 2:
            return chance.choice(_SEEDS)
        case 3:
            return f"{_part(chance)}{chance.choice(_JOINTS)}{_part(chance)}"
    return _tampered(chance, chance.choice((_part(chance), chance.choice(_SEEDS))))


def odd_date(chance: random.Random) -> date:
    """Return a day, often one of the ends of the calendar."""
    if chance.random() < 0.4:
        return chance.choice(_DATES)
    return date.fromordinal(chance.randint(1, date.max.toordinal()))


def odd_time(chance: random.Random) -> datetime:
    """Return a moment of such a day."""
    return datetime.combine(odd_date(chance), datetime.min.time(), tzinfo=UTC)


def _letters(chance: random.Random) -> str:
    low, high = chance.choice(_BLOCKS)
    return "".join(chr(chance.randint(low, high)) for _ in range(chance.randint(1, 9)))


def _word(chance: random.Random) -> str:
    """Return a word of the seeds, a run of one letter, or digits of any script."""
    match chance.randrange(4):
        case 0:
            return chance.choice("eEyszaéßıİсπ中한ก\u0301\ud800") * chance.randint(1, 9)
        case 1:
            return "".join(chance.choices(_DIGITS, k=chance.randint(1, 8)))
        case 2:
            word = chance.choice(chance.choice(_SEEDS).split())
            return chance.choice((word.upper(), word.lower(), word.title(), word[::-1], word * 2))
    return chance.choice(chance.choice(_SEEDS).split())


def _part(chance: random.Random) -> str:
    seed = chance.choice(_SEEDS)
    start = chance.randrange(len(seed))
    return seed[start : start + chance.randint(1, 80)]


def _tampered(chance: random.Random, text: str) -> str:
    if chance.random() < 0.1:
        text = text.translate(_TWINS)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        end = at + chance.randint(0, 6)
        put = chance.choice(("", _word(chance), _letters(chance), chance.choice(_JOINTS), text[at:end] * 3))
        text = text[:at] + put + text[end:]
    return text


def _long(chance: random.Random) -> str:
    piece = chance.choice((_word(chance), _letters(chance), chance.choice(_SEEDS), chance.choice(_JOINTS)))
    return (piece + chance.choice(("", " ", "\n")))[:200] * chance.randint(20, 400)
