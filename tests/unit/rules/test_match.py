"""Rules are taken apart by hand, exactly as these expressions say: loading `re` takes a hook too long."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memdir.errors import Rejected
from memdir.memories.enforce import read_rule, rule_lines
from memdir.rules.match import pattern_of, star_pattern

RULE = st.text("aB1_*.-|: \t\"';\n%é²\u2028\x1f", max_size=12)
HEADS = st.lists(
    st.sampled_from([*"aB1_*.-|:% ;\"'é²\u2028()", ": ", "ask ", "Bash", " | ", ":*)"]), max_size=8
).map("".join)
PARTS = re.compile(r"""(?:"[^"]*"|'[^']*'|[^;"']|["'])+""")
TOOLS = r"(?:(\w+)\s+)?([\w*.-]+(?:\s*\|\s*[\w*.-]+)*)\s*"
HEAD = re.compile(rf"{TOOLS}:(.*)\Z")
HOST_HEAD = re.compile(rf"{TOOLS}\((?:domain:)?(.*?)(?::\*)?\)\Z")
WORD = re.compile(r'"([^"]*)"|\'([^\']*)\'|(\S+)')
CLUSTER = re.compile(r"-[A-Za-z]{1,6}\Z")
WILD = re.compile(r"[*?\0]+|\[[^\]]*\]")


@given(RULE | HEADS)
def test_semicolons_and_line_ends_part_rules_except_inside_quotes(text: str) -> None:
    parts = PARTS.findall(text.replace("\n", ";"))
    assert rule_lines(text) == [part.strip() for part in parts if part.strip()]


@given(HEADS | RULE)
def test_a_rule_has_a_verb_tools_and_a_pattern(text: str) -> None:
    for line in rule_lines(text):
        found = HEAD.match(line) or HOST_HEAD.match(line)
        if found is None or (found[1] or "ask") not in ("ask", "deny") or not found[3].strip():
            with pytest.raises(Rejected):
                read_rule(line)
            continue
        rule = read_rule(line)
        assert rule.verb == (found[1] or "deny")
        assert rule.tools == tuple(tool.strip() for tool in found[2].split("|"))
        assert rule.pattern == found[3].strip()


@given(st.text("ab-*\"' \t\u2028é", max_size=12))
@example("-a-*")
def test_a_pattern_has_words_phrases_and_options(text: str) -> None:
    found = [*WORD.finditer(f"program {text}")]
    quoted = [one[1] or one[2] or "" for one in found]
    words = [one[3] or word for one, word in zip(found, quoted, strict=True)]
    is_phrase = [" " in one or one[:1] not in ("", "-") for one in quoted]
    plain = [word for word, is_one in zip(words, is_phrase, strict=True) if not is_one][1:]
    plain = [re.sub(r"\A(-.*[^-*].*?)\*+\Z", r"\1", word) for word in plain]  # a star ends an option
    end = plain.index("--") if "--" in plain else len(plain)
    options = [word for word in plain[:end] if word.startswith("-") and len(word) > 1]
    letters = [[f"-{one}" for one in word[1:]] if CLUSTER.match(word) else [word] for word in options]
    read = pattern_of(f"program {text}")
    operands = [*[word for word in plain[:end] if word not in options], *plain[end + 1 :]]
    # A word that begins with a star may stand anywhere, as if a star of its own stood before it.
    before = zip(operands, ["", *operands], strict=False)
    anywhere = [
        [*("*" for _ in range(len(one) > 1 and one[0] == "*" != other)), one] for one, other in before
    ]
    assert read.operands == tuple(word for some in anywhere for word in some)
    assert read.options == tuple(one for some in letters for one in some)
    phrases = [word for word, is_one in zip(words, is_phrase, strict=True) if is_one]
    assert read.phrases == tuple(" ".join(word.split()).lower() for word in phrases)


@given(st.text("ab*?[]\0é", max_size=12))
def test_wildcards_are_runs_of_signs_and_brackets(word: str) -> None:
    assert star_pattern(word) == WILD.sub("*", word)
