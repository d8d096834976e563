"""Who chooses: a model where there is one and it answers in time, else the embedded selector."""

from collections.abc import Container, Mapping

from memdir.conversation.receipts import receipt_query
from memdir.conversation.state import ALREADY_SHOWN
from memdir.errors import Cancelled, ModelTimeout
from memdir.recall.limits import Limits
from memdir.recall.ranked import REPLACED, Ranked
from memdir.recall.tiers import select
from memdir.recall.turn import RecallTurn
from memdir.text.value import replace, value_class

TYPE_CHECKING = False  # as in typing, whose import a prompt must not wait for
if TYPE_CHECKING:
    from memdir.models.protocol import Cancel, Model, Question, Reply

__all__ = ["Choice", "Chooser"]

_RESERVE = 0.1
"""Share of the budget that is kept for choosing without the model and for showing what was chosen."""


@value_class(frozen=True, slots=True)
class Choice:
    """The memories to show, why not the others, and who chose."""

    ranked: tuple[Ranked, ...]
    """Those to show in full."""
    cuts: Mapping[str, str]
    method: str
    likely: tuple[Ranked, ...] = ()
    """Those to show as one line each."""


@value_class(frozen=True, slots=True)
class Chooser:
    """Chooses among ranked memories."""

    limits: Limits
    model: "Model | None" = None

    def choice(
        self, turn: RecallTurn, ranked: list[Ranked], shown: Container[str], named: Container[str] = ()
    ) -> Choice:
        """Return what to show of these, best first, nothing of it shown before, replaced or expired.

        What was `named` in a line before may be shown in full, but gets no second line.
        """
        out = {one.header.file: note for one in ranked for note in one.notes if note.startswith(REPLACED)}
        over = [one.header for one in ranked if one.expired]
        out |= {header.file: f"its last day is over: expired {header.expires}" for header in over}
        ranked = [one for one in ranked if one.header.file not in out] if out else ranked
        choice = self._choice(turn, ranked, shown, named)
        return replace(choice, cuts={**choice.cuts, **out}) if out else choice

    def _choice(
        self, turn: RecallTurn, ranked: list[Ranked], shown: Container[str], named: Container[str]
    ) -> Choice:
        fresh = [one for one in ranked if one.header.file not in shown]
        if self.model is not None and fresh:
            by_model = self._by_model(self.model, turn, fresh)
            if by_model is not None:
                before = {one.header.file: ALREADY_SHOWN for one in ranked if one.header.file in shown}
                return Choice(by_model.ranked, {**by_model.cuts, **before}, by_model.method)
        certain, likely = self.limits.certain, self.limits.likely
        found = select(ranked, limit=turn.limit, certain=certain, likely=likely, shown=shown, named=named)
        semantic = any(one.semantic is not None for one in ranked)
        return Choice(found.certain, found.cuts, "semantic" if semantic else "lexical", found.likely)

    def _by_model(self, model: "Model", turn: RecallTurn, fresh: list[Ranked]) -> Choice | None:
        """Let the model choose; None, with the reason noted, when it cannot."""
        from memdir.recall.model_question import chosen, question

        offered = _offered(fresh, self.limits.candidates)
        seconds = turn.left() * (1 - _RESERVE)
        if seconds <= 0:
            turn.fallbacks.append(f"{model.name} was not asked: no time was left")
            return None
        headers = [one.header for one in offered]
        asked = question(turn.query, headers, turn.tools, limit=turn.limit, timeout=seconds, cancel=_cancel())
        try:
            reply = _answer(model, asked, turn)
            files = [header.file for header in chosen(reply, headers, turn.limit)]
        except Exception as error:
            if turn.called_off.is_set():
                raise Cancelled("The recall was called off.") from error
            turn.fallbacks.append(f"{model.name} did not choose: {_said(error)}")
            return None  # whatever a model does, the prompt goes on without it
        turn.model_tokens = reply.usage.total
        by_file = {one.header.file: one for one in fresh}
        cuts = dict.fromkeys(by_file, f"it was not among the {len(offered)} headers that {model.name} saw")
        cuts |= {one.header.file: f"{model.name} did not choose it" for one in offered}
        cuts = {file: because for file, because in cuts.items() if file not in files}
        return Choice(tuple([by_file[file] for file in files]), cuts, "model")


def _offered(fresh: list[Ranked], most: int) -> list[Ranked]:
    """Return all, newest first; of too many the best: cut by age, most of a large memory would be hidden."""
    if len(fresh) > most:
        return fresh[:most]
    by_name = sorted(fresh, key=lambda one: one.header.file)
    return sorted(by_name, key=lambda one: one.header.saved_at, reverse=True)


def _answer(model: "Model", asked: "Question", turn: RecallTurn) -> "Reply":
    """Ask beside us, so that a model that ignores its time cannot keep the prompt."""
    from memdir.recall.turn import Late, within

    cancel = asked.cancel
    try:
        return within(asked.timeout, turn.timer, lambda: model.ask(asked), turn.called_off)
    except Late:
        raise ModelTimeout(f"No answer within {asked.timeout:.1f} s.") from None
    finally:
        if cancel is not None:
            cancel.set()


def _cancel() -> "Cancel":
    from memdir.models.protocol import Cancel

    return Cancel()


def _said(error: Exception) -> str:
    return receipt_query(f"{type(error).__name__}: {error}")
