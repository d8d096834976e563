"""The draft of a dream by rules: duplicates, expired memories, broken links and daily logs."""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date

from memdir.dream.distil import distil
from memdir.dream.duplicates import Pair, contained_pairs, contradicting_pairs, near_pairs
from memdir.dream.ledger import SUPERSEDED, Fate
from memdir.dream.material import DreamContext, DreamDraft, Material
from memdir.dream.repeats import taken_back_report
from memdir.dream.statements import statements
from memdir.errors import Rejected
from memdir.inbox.proposals import draft_edits
from memdir.memories.change import Edit
from memdir.memories.contradiction.judge import may_contradict
from memdir.memories.names import replacement
from memdir.memories.topic import Draft, Provenance, Topic
from memdir.memories.writer import Writer
from memdir.text.frontmatter.header import parse, with_value

__all__ = ["MOST_PROPOSALS", "offline_draft"]

MOST_PROPOSALS = 20
"""Proposals of one dream: a person decides about each, and the next dream brings the others."""


def offline_draft(
    material: Material,
    writer: Writer,
    context: DreamContext,
    by: Provenance,
    is_repeat: Callable[[Edit], bool],
) -> DreamDraft:
    """Return what can be done without asking, what a person should decide, and what they may want to know."""
    linked = {link for topic in material.topics for link in _links(topic)}
    alike = contained_pairs(material.topics, material.protected)
    wanted = [pair for pair in alike if not _is_missed(pair, linked)]
    kept = {topic.header.file for topic in material.topics if is_repeat(_removal(topic))}
    same = [pair for pair in wanted if pair.gone.header.file not in kept][: context.max_deletes]
    gone = {pair.gone.header.file for pair in same}
    left = [topic for topic in material.topics if topic.header.file not in gone]
    logged = distil(material.logs, left, context.now)
    sure = [(draft, _edits_of(writer, draft, by, context)) for draft in logged.drafts]
    new = list({edit.file: edit for _, made in sure for edit in made}.values())
    edits = [*(_removal(pair.gone) for pair in same), *new]
    touched = {edit.file for edit in edits} | {pair.stays.header.file for pair in same}
    free = [topic for topic in left if topic.header.file not in touched | kept | material.protected]
    contradicting = list(contradicting_pairs(free, material.protected))
    paired = {one.header.file for pair in contradicting for one in (pair.gone, pair.stays)}
    alone = [topic for topic in free if topic.header.file not in paired]
    others = [
        *_expired_proposals(free, context.now.date()),
        *map(_superseding, contradicting),
        *_merges(alone, material),
    ]
    others = others[:MOST_PROPOSALS]
    unsure = [(draft, _edits_of(writer, draft, by, context)) for draft in logged.unsure]
    unsure = [one for one in unsure if one[1]][: MOST_PROPOSALS - len(others)]
    # Of two drafts for one file only the last is written: the other's line waits.
    written = [draft.name for draft, made in sure if made and set(made) <= set(new)]
    taken = {*written, *(draft.name for draft, _ in unsure)}
    dealt_with = logged.known | {line for name, line in logged.lines_of if name in taken}
    return DreamDraft(
        tuple(edits),
        tuple(_superseded_fates(new)),
        (*others, *((made, _UNSURE) for _, made in unsure)),
        (
            *_reports(material, context),
            *_undistilled_reports(material, dealt_with),
            *_kept_reports(wanted, kept),
        ),
        _summary(same, new),
        dealt_with=dealt_with,
    )


def _removal(topic: Topic) -> Edit:
    return Edit(topic.header.file, topic.text, None)


_UNSURE = "A log says it, and the rule that found it is not sure."


def _edits_of(writer: Writer, draft: Draft, by: Provenance, context: DreamContext) -> tuple[Edit, ...]:
    """Return what saving a draft would write; nothing when it cannot be a memory."""
    try:
        return tuple(draft_edits(writer, [draft], by, context.now))
    except Rejected:
        return ()


def _superseded_fates(edits: Sequence[Edit]) -> Iterator[tuple[str, Fate]]:
    """Say of what a log corrects that the same memory now says it otherwise."""
    for edit in edits:
        for statement in statements(edit.file, edit.before or ""):
            yield statement.id, Fate(SUPERSEDED, edit.file, "a daily log says it otherwise")


def _kept_reports(pairs: Sequence[Pair], kept: AbstractSet[str]) -> Iterator[str]:
    if files := {pair.gone.header.file for pair in pairs} & kept:
        yield taken_back_report(files)


def _expired_proposals(topics: Sequence[Topic], today: date) -> Iterator[tuple[tuple[Edit, ...], str]]:
    for topic in topics:
        try:
            over = date.fromisoformat(topic.header.expires[:10]) < today
        except ValueError:
            continue
        if over:
            because = f"{topic.header.file} expired on {topic.header.expires[:10]}."
            yield (_removal(topic),), because


def _superseding(pair: Pair) -> tuple[tuple[Edit, ...], str]:
    """Propose that the newer of two memories takes the place of the older: never one text that says both."""
    newer, older = pair.stays, pair.gone
    named = replacement(older.header.name, older.header.saved_at.date())
    before = parse(newer.text).metadata.get("supersedes", "")
    text = with_value(newer.text, "metadata.supersedes", f"{before}, {named}" if before else named)
    because = (
        f"{newer.header.file} may contradict the older {older.header.file} ({pair.because}): it replaces it."
    )
    return (Edit(newer.header.file, newer.text, text), _removal(older)), because


def _merges(topics: Sequence[Topic], material: Material) -> Iterator[tuple[tuple[Edit, ...], str]]:
    for pair in near_pairs(topics, material.protected):
        newer, older = pair.stays, pair.gone
        if may_contradict(*(f"{one.header.description}\n{one.body}" for one in (newer, older))):
            continue  # neither is newer: one text must not say both
        text = f"{newer.text.rstrip()}\n\n{_missing(pair)}\n" if _missing(pair) else newer.text
        edited = [Edit(newer.header.file, newer.text, text)] if text != newer.text else []
        because = f"{older.header.file} and {newer.header.file} say nearly the same."
        yield (*edited, Edit(older.header.file, older.text, None)), because


def _missing(pair: Pair) -> str:
    """Return what only the older of two memories says."""
    known = {one.key for one in statements(pair.stays.header.file, pair.stays.text)}
    old = statements(pair.gone.header.file, pair.gone.text)
    return "\n\n".join(one.text for one in old if one.key not in known)


_LINK = re.compile(r"\[\[([^\]\[|#\n]{1,200})")


def _is_missed(pair: Pair, linked: AbstractSet[str]) -> bool:
    """Tell whether a duplicate has something of its own: a day on which it ends, or links that lead to it."""
    own = set(_names(pair.gone)) - set(_names(pair.stays))
    return pair.gone.header.expires != pair.stays.header.expires or bool(own & linked)


def _reports(material: Material, context: DreamContext) -> Iterator[str]:
    names = {name for topic in material.topics for name in _names(topic)}
    for topic in material.topics:
        for link in _links(topic):
            if link not in names:
                yield f"{topic.header.file} links to [[{link}]], which does not exist."
    yield from context.drifted()


def _links(topic: Topic) -> list[str]:
    return [link.strip().casefold() for link in _LINK.findall(topic.body)]


def _names(topic: Topic) -> tuple[str, ...]:
    file = topic.header.file.casefold()
    return file, file.removesuffix(".md"), topic.header.name.casefold(), topic.header.title.casefold()


def _undistilled_reports(material: Material, dealt_with: AbstractSet[str]) -> Iterator[str]:
    lines = sum(len(log.lines) for log in material.logs)
    left = {log.day: len(log.read(frozenset(dealt_with)).open) for log in material.logs}
    if count := sum(left.values()):
        days = ", ".join(day.isoformat() for day, of_day in left.items() if of_day)
        yield (
            f"{count} of {lines} logged lines ({days}) were not made into memories by rules;"
            " the next dream with a model looks at them again."
        )


def _summary(same: Sequence[Pair], new: Sequence[Edit]) -> str:
    parts = [f"duplicates removed: {len(same)}"] if same else []
    parts += [f"memories from daily logs: {len(new)}"] if new else []
    return ", ".join(parts)
