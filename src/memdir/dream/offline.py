"""The draft of a dream by rules: duplicates, expired memories, broken links and daily logs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time

from memdir.conversation.messages import Spoken
from memdir.dream.daily_log import LogDay
from memdir.dream.inputs import DreamContext, DreamDraft, DreamInput
from memdir.dream.ledger import SUPERSEDED, Fate
from memdir.dream.reversals import taken_back_report
from memdir.dream.statements import statements
from memdir.errors import Rejected
from memdir.extract.heuristics.extraction import Judge, extract
from memdir.extract.result import Extracted
from memdir.inbox.proposals import draft_edits
from memdir.memories.change import Change
from memdir.memories.contradiction.judge import may_contradict
from memdir.memories.names import replacement
from memdir.memories.topic import Draft, Kind, Provenance, Topic
from memdir.memories.writer import Writer
from memdir.text.frontmatter.edits import with_value
from memdir.text.frontmatter.header import parse
from memdir.text.similarity import similarity, words
from memdir.text.value import replace, value_class
from memdir.text.word_starts import word_starts

__all__ = ["distil", "offline_draft"]

ALIKE = 0.6
"""The share of common words at which a person should compare two memories."""


@value_class(frozen=True, slots=True)
class Pair:
    """One memory that may go, and the one that says it too."""

    gone: Topic
    stays: Topic
    because: str = ""


def contained_pairs(topics: Sequence[Topic], untouchable: Container[str]) -> list[Pair]:
    """Pair each memory that may go with one of its kind that holds all its statements."""
    keys = {
        topic.header.file: frozenset(one.key for one in statements(topic.header.file, topic.text))
        for topic in topics
    }
    where: dict[str, set[str]] = defaultdict(set)
    for file, own in keys.items():
        for key in own:
            where[key].add(file)
    by_file = {topic.header.file: topic for topic in topics}
    gone, found = set[str](), list[Pair]()
    # The shortest first and, of equal ones, the oldest: what stays is the longest and newest.
    for topic in sorted(topics, key=lambda one: (len(keys[one.header.file]), one.header.saved_at)):
        file = topic.header.file
        if not keys[file] or file in untouchable:
            continue
        holders = set.intersection(*(where[key] for key in keys[file])) - gone - {file}
        alike = [by_file[one] for one in holders if by_file[one].header.kind == topic.header.kind]
        if alike:
            gone.add(file)
            longest = max(alike, key=lambda one: (len(keys[one.header.file]), one.header.file))
            found.append(Pair(topic, longest))
    return found


def contradicting_pairs(topics: Sequence[Topic]) -> Iterator[Pair]:
    """Return pairs that may contradict each other, the newer to take the older's place."""
    texts = {one.header.file: f"{one.header.description}\n{one.body}" for one in topics}
    said = {file: word_starts(text) for file, text in texts.items()}
    common = Counter(word for starts in said.values() for word in starts)
    telling = {file: [word for word in starts if common[word] <= _COMMON] for file, starts in said.items()}

    def contradiction(older: Topic, newer: Topic) -> str:
        later = newer.header.saved_at > older.header.saved_at
        return may_contradict(texts[older.header.file], texts[newer.header.file]) if later else ""

    return _pairs(topics, telling, contradiction)


_COMMON = 60
"""The most memories that may share a word that pairs two of them: a more common word says little."""


def near_pairs(topics: Sequence[Topic]) -> Iterator[Pair]:
    """Return pairs of one kind that are much alike, the newer to take in the older."""
    bags = {topic.header.file: words(f"{topic.header.description}\n{topic.body}") for topic in topics}
    rarity = Counter(word for bag in bags.values() for word in bag)
    # Two bags this much alike share one of so many of their rarest words.
    rare = {
        file: sorted(bag, key=lambda word: (rarity[word], word))[: len(bag) - int(ALIKE * len(bag)) + 1]
        for file, bag in bags.items()
    }

    def nearness(older: Topic, newer: Topic) -> str:
        alike = similarity(bags[older.header.file], bags[newer.header.file]) >= ALIKE
        return "they are alike" if alike and older.header.kind == newer.header.kind else ""

    return _pairs(topics, rare, nearness)


def _pairs(
    topics: Sequence[Topic], telling: Mapping[str, Sequence[str]], reason: Callable[[Topic, Topic], str]
) -> Iterator[Pair]:
    """Yield pairs that share a telling word and have a reason, the older to go; each memory once."""
    by_word: dict[str, list[Topic]] = defaultdict(list)
    paired: set[str] = set()
    for topic in sorted(topics, key=lambda one: one.header.saved_at, reverse=True):
        file = topic.header.file
        newer = {one.header.file: one for word in telling[file] for one in by_word[word]}
        for word in telling[file]:
            by_word[word].append(topic)
        for name, other in newer.items():
            if paired.isdisjoint((file, name)) and (because := reason(topic, other)):
                paired |= {file, name}
                yield Pair(topic, other, because)
                break


def distil(logs: Sequence[LogDay], known: Sequence[Topic], now: datetime) -> Extracted:
    """Return the memories that stand in these logs and are not known yet; each message is a line of a log."""
    lines = [one for log in logs for one in _lines(log)]
    about_user = {one.id: _about_user(one.text) for one in lines}
    asked = [
        replace(one, text=f"Remember that {(about_user[one.id] or one.text).replace('; ', ', ')}")
        for one in lines
        if about_user[one.id] or not _UNASKED.match(one.text)
    ]
    found = extract(asked, known, now.date(), judge=Judge())
    # What a log says of the user is how to work, or who they are.
    drafts = tuple(
        replace(one, kind=Kind.USER)
        if about_user[one.message].startswith("The user") and one.kind is not Kind.FEEDBACK
        else one
        for one in found.drafts
    )
    return replace(found, drafts=drafts)


_KNOWN = "it is already known"
_DONE = (
    "ran|read|did|went|wrote|built|made|found|looked|got|fixed|added|removed|deleted|merged|implemented|updated"
    "|changed|started|finished|committed|pushed|opened|closed|tested|checked|reviewed|refactored|renamed|moved"
    "|created|installed|deployed|debugged|investigated|explained|answered|discussed|helped|tried|worked"
)
_UNASKED = re.compile(rf"(?:(?:i|we) )?(?:{_DONE}|\w+ing)\b(?! by\b)|(?:the )?users?\b", re.IGNORECASE)
"""Lines about finished work and about what users of a program do: they make no memory."""
_MARK = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t]*[-\u2013\u2014:]?[ \t]+)?")


def _lines(log: LogDay) -> list[Spoken]:
    at = datetime.combine(log.day, time(12), UTC)
    lines = [
        (number, _MARK.sub("", line, count=1).strip()) for number, line in enumerate(log.text.split("\n"), 1)
    ]
    return [
        Spoken(f"{log.file}:{number}", "user", line, at)
        for number, line in lines
        if line and line[0] not in "#<"
    ]


def _about_user(line: str) -> str:
    """Return a line about the user with them as its subject; an order without who gave it; else nothing."""
    if order := _ORDERED.match(line):
        return line[order.end() :]
    if trait := _TRAIT.match(line):
        rest = line[trait.end() :]
        return f"The user{trait['owns'] or ' '}{rest[:1].lower()}{rest[1:]}"
    return ""


_ORDERED = re.compile(
    r"(?:(?:the )?user )?(?:(?:asked|told|wants)(?: me| us)? to|said(?: that)?:?) (?=(?:always|never|stop)\b)"
    r"|user: ",
    re.IGNORECASE,
)
_HOW = r"(?:also|always|usually|really|generally|mostly|strongly|only|never|rarely) "
_IS = (
    r"wants|prefers|likes|dislikes|hates|loves|expects|speaks|knows|is(?= (?:an?|new) )"
    r"|works(?= (?:as|from|for) )"
)
_TRAIT = re.compile(
    rf"(?:the )?user(?:(?P<owns>'s )| (?={_HOW}|(?:{_IS})\b))|(?=(?:{_HOW})?(?:{_IS})\b)", re.IGNORECASE
)
"""How lines about the user begin, also those that do not name them, as the prompt for logs shows it."""


MOST_PROPOSALS = 20
"""Proposals of one dream: a person decides about each, and the next dream brings the others."""


def offline_draft(
    inputs: DreamInput,
    writer: Writer,
    context: DreamContext,
    by: Provenance,
    is_repeat: Callable[[Change], bool],
) -> DreamDraft:
    """Return what can be done without asking, what a person should decide, and what they may want to know."""
    undone = {topic.header.file for topic in inputs.topics if is_repeat(_removal(topic))}
    needless = _needless_pairs(inputs)
    removed = [pair for pair in needless if pair.gone.header.file not in undone][: context.max_deletes]
    gone = {pair.gone.header.file for pair in removed}
    left = [topic for topic in inputs.topics if topic.header.file not in gone]
    logged = distil(inputs.logs, left, context.now)
    edits = {draft: _edits_of(writer, draft, by, context) for draft in logged.drafts}
    sure = [draft for draft in logged.drafts if not draft.inbox]
    saved = {edit.file: edit for draft in sure for edit in edits[draft]}
    busy = {*saved, *undone, *inputs.protected, *(pair.stays.header.file for pair in removed)}
    free = [topic for topic in left if topic.header.file not in busy]
    others = [*_proposals(free, context.now.date())][:MOST_PROPOSALS]
    room = MOST_PROPOSALS - len(others)
    unsure = [draft for draft in logged.drafts if draft.inbox and edits[draft]][:room]
    # Of two drafts for one file only the last is written: the other's line waits.
    written = [draft for draft in sure if edits[draft] and set(edits[draft]) <= set(saved.values())]
    known = [line for line, because in logged.skipped if because.startswith(_KNOWN)]
    dealt_with = frozenset([*known, *(draft.message for draft in (*written, *unsure))])
    left_alone = undone & {pair.gone.header.file for pair in needless}
    taken_back = [taken_back_report(left_alone)] if left_alone else []
    counts = {"duplicates removed": len(removed), "memories from daily logs": len(saved)}
    return DreamDraft(
        (*(_removal(pair.gone) for pair in removed), *saved.values()),
        dict(_superseded_fates(saved.values())),
        (*others, *((edits[draft], _UNSURE) for draft in unsure)),
        (*_reports(inputs, context), *_undistilled_reports(inputs, dealt_with), *taken_back),
        ", ".join(f"{what}: {count}" for what, count in counts.items() if count),
        dealt_with=dealt_with,
    )


def _proposals(topics: Sequence[Topic], today: date) -> Iterator[tuple[tuple[Change, ...], str]]:
    """Yield what a person should decide: what is over, what may contradict, what says nearly the same."""
    yield from _expired_proposals(topics, today)
    contradicting = list(contradicting_pairs(topics))
    yield from map(_propose_replacement, contradicting)
    paired = {one.header.file for pair in contradicting for one in (pair.gone, pair.stays)}
    yield from _merges([topic for topic in topics if topic.header.file not in paired])


def _removal(topic: Topic) -> Change:
    return Change(topic.header.file, topic.text, None)


_UNSURE = "A log says it, and the rule that found it is not sure."


def _edits_of(writer: Writer, draft: Draft, by: Provenance, context: DreamContext) -> tuple[Change, ...]:
    """Return what saving a draft would write; nothing when it cannot be a memory."""
    try:
        return tuple(draft_edits(writer, [draft], by, context.now))
    except Rejected:
        return ()


def _superseded_fates(edits: Iterable[Change]) -> Iterator[tuple[str, Fate]]:
    """Say of what a log corrects that the same memory now says it otherwise."""
    for edit in edits:
        for statement in statements(edit.file, edit.before or ""):
            yield statement.id, Fate(SUPERSEDED, edit.file, "a daily log says it otherwise")


def _expired_proposals(topics: Sequence[Topic], today: date) -> Iterator[tuple[tuple[Change, ...], str]]:
    for topic in topics:
        if topic.header.is_over(today):
            because = f"{topic.header.file} expired on {topic.header.last_day}."
            yield (_removal(topic),), because


def _propose_replacement(pair: Pair) -> tuple[tuple[Change, ...], str]:
    """Propose that the newer of two memories takes the place of the older: never one text that says both."""
    newer, older = pair.stays, pair.gone
    named = replacement(older.header.name, older.header.saved_at.date())
    before = parse(newer.text).metadata.get("supersedes", "")
    text = with_value(newer.text, "metadata.supersedes", f"{before}, {named}" if before else named)
    because = (
        f"{newer.header.file} may contradict the older {older.header.file} ({pair.because}): it replaces it."
    )
    return (Change(newer.header.file, newer.text, text), _removal(older)), because


def _merges(topics: Sequence[Topic]) -> Iterator[tuple[tuple[Change, ...], str]]:
    for pair in near_pairs(topics):
        newer, older = pair.stays, pair.gone
        if may_contradict(*(f"{one.header.description}\n{one.body}" for one in (newer, older))):
            continue  # neither is newer: one text must not say both
        known = {one.key for one in statements(newer.header.file, newer.text)}
        old = statements(older.header.file, older.text)
        missing = "\n\n".join(one.text for one in old if one.key not in known)
        text = f"{newer.text.rstrip()}\n\n{missing}\n" if missing else newer.text
        edited = [Change(newer.header.file, newer.text, text)] if text != newer.text else []
        yield (*edited, _removal(older)), f"{older.header.file} and {newer.header.file} say nearly the same."


_LINK = re.compile(r"\[\[([^\]\[|#\n]{1,200})")


def _needless_pairs(inputs: DreamInput) -> list[Pair]:
    """Return duplicates with nothing of their own: no day on which they end, no links that lead to them."""
    linked = {link for topic in inputs.topics for link in _links(topic)}
    return [
        pair
        for pair in contained_pairs(inputs.topics, inputs.protected)
        if pair.gone.header.expires == pair.stays.header.expires
        and linked.isdisjoint(set(_names(pair.gone)) - set(_names(pair.stays)))
    ]


def _reports(inputs: DreamInput, context: DreamContext) -> Iterator[str]:
    names = {name for topic in inputs.topics for name in _names(topic)}
    for topic in inputs.topics:
        for link in _links(topic):
            if link not in names:
                yield f"{topic.header.file} links to [[{link}]], which does not exist."
    yield from context.drifted()


def _links(topic: Topic) -> list[str]:
    return [link.strip().casefold() for link in _LINK.findall(topic.body)]


def _names(topic: Topic) -> tuple[str, ...]:
    file = topic.header.file.casefold()
    return file, file.removesuffix(".md"), topic.header.name.casefold(), topic.header.title.casefold()


def _undistilled_reports(inputs: DreamInput, dealt_with: frozenset[str]) -> Iterator[str]:
    lines = sum(len(log.lines) for log in inputs.logs)
    left = {log.day: len(log.read(dealt_with).open) for log in inputs.logs}
    if count := sum(left.values()):
        days = ", ".join(day.isoformat() for day, of_day in left.items() if of_day)
        yield (
            f"{count} of {lines} logged lines ({days}) were not made into memories by rules;"
            " the next dream with a model looks at them again."
        )
