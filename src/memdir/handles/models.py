"""`memory.models`: the language model that jobs ask, what it cost, and the model of meanings."""

from __future__ import annotations

from memdir.build import Parts
from memdir.models.build import ModelChoice
from memdir.models.ledger import Costs, costs_of
from memdir.recall.semantic.weights import weights_folder, weights_missing
from memdir.text.value import value_class

__all__ = ["ModelsHandle"]


@value_class(frozen=True, slots=True)
class ModelsHandle:
    """The models of one memory."""

    _parts: Parts

    @property
    def choice(self) -> ModelChoice:
        """The language model that is asked, counted and capped, and what named it; or none, and why."""
        return self._parts.model_choice

    def costs(self) -> Costs:
        """Return what calls to models used: today, this month, this conversation; and what is left."""
        return costs_of(self._parts.effective_setup, self._parts.world.session, self._parts.world.clock())

    def semantic_missing(self) -> str:
        """Say why recall goes by words alone, and what to do about it; empty when it knows meanings too."""
        return weights_missing(weights_folder(self._parts.world.env))

    def learn(self, seconds: float = 60.0, most: int | None = None) -> int:
        """Compute the vectors by which recall knows meanings where they are missing; return how many were."""
        return self._parts.learn(seconds, most)

    def count_unlearned(self) -> int:
        """Return how many memories have no vectors although there is a model to compute them with."""
        return sum(len(parts.vectors.missing()) for parts in self._parts.audiences)
