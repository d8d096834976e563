"""A question over HTTP: sent again while that may help; every other outcome says what to do."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar

from memdir.errors import ModelBusy, ModelError, ModelRejected, ModelReplyError
from memdir.models.plain_text import json_in, with_calls_from_text, with_schema_in_text, with_tools_in_text
from memdir.models.protocol import Question, QuestionDeadline, Reply
from memdir.models.vendors.address import Address
from memdir.models.vendors.post import MAX_BYTES, ConnectionLost, HttpResponse, ResponseTooLong, post
from memdir.text.value import value_class

__all__ = ["Backoff", "HttpModel", "objects_in", "retry_after", "tokens_in"]


@value_class(frozen=True, slots=True)
class Backoff:
    """How often a question is sent, and how long the pauses are."""

    attempts: int = 4
    first: float = 0.5
    """Seconds before the second attempt; each later pause is twice as long."""
    longest: float = 8.0

    def pause(self, attempt: int) -> float:
        """Return the seconds after the attempt of this number, varied so that many clients spread out."""
        return min(self.first * 2.0**attempt, self.longest) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret


class HttpModel(ABC):
    """One model behind a vendor's server; each vendor says how questions and answers are written there."""

    vendor: ClassVar[str]
    url: ClassVar[str]
    """The vendor's own server."""
    path: ClassVar[str]
    """Of a call, below the address."""
    key_name: ClassVar[str]
    base_name: ClassVar[str]
    """The variables that people set for the key and for another address."""

    def __init__(
        self, model: str, address: Address, *, name: str = "", backoff: Backoff | None = None
    ) -> None:
        """Take the model's own name and the address without the path; `name` is how settings call it."""
        self.model, self.name = model, name or f"{self.vendor}:{model}"
        self._address, self._backoff = address, backoff or Backoff()

    @abstractmethod
    def headers(self, key: str) -> dict[str, str]:
        """Return the vendor's own headers; the key is empty where none may be sent."""

    @abstractmethod
    def body(self, question: Question) -> dict[str, Any]:
        """Return a question in the vendor's form."""

    @abstractmethod
    def reply(self, content: Mapping[str, Any], question: Question) -> Reply:
        """Return what an answer in the vendor's form says."""

    def ask(self, question: Question) -> Reply:
        """Return the answer to a question."""
        reply = self.reply(self._answer(with_tools_in_text(question)), question)
        return with_calls_from_text(reply, question, self.name)

    def _answer(self, question: Question) -> Mapping[str, Any]:
        """Return the server's answer as an object; where it takes no schema, ask again with one in words."""
        deadline, server = QuestionDeadline(question, self.name), (self._address.url, self.name)
        if question.schema is None or server not in _FORMLESS:
            answer = self._exchange(self.body(question), deadline)
            if answer.status not in _UNPROCESSABLE or question.schema is None:
                return self._object(answer)
        answer = self._exchange(self.body(with_schema_in_text(question)), deadline)
        if answer.status in _OK:
            _FORMLESS.add(server)
        return self._object(answer)

    def _exchange(self, body: Mapping[str, Any], deadline: QuestionDeadline) -> HttpResponse:
        """Send a body until it is answered for good, or no attempt or no time is left."""
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        headers |= self.headers(self._address.key)
        attempt = 0
        while True:
            attempt += 1
            outcome: HttpResponse | ConnectionLost
            try:
                outcome = post(self._address, self.path, headers, data, deadline)
            except ConnectionLost as lost:
                outcome, asked, final = lost, 0.0, not lost.connected
            except ResponseTooLong:
                raise ModelReplyError(
                    f"{self.name} sent more than {MAX_BYTES:,} bytes, which no answer needs. "
                    f"Check that {self._address.url} is a model's address."
                ) from None
            else:
                if outcome.status not in _AGAIN and outcome.status < 500:
                    return outcome
                asked, final = retry_after(outcome.headers), False
            wait = asked or self._backoff.pause(attempt - 1)
            if final or attempt >= self._backoff.attempts or wait >= deadline.left:
                raise self._busy(outcome, attempt, asked)
            deadline.pause(wait)

    def _busy(self, outcome: HttpResponse | ConnectionLost, attempts: int, asked: float) -> ModelBusy:
        times = "" if attempts == 1 else f" after {attempts} attempts"
        if isinstance(outcome, ConnectionLost):
            return ModelBusy(
                f"{self.name} cannot be reached at {self._address.url}{times}: {outcome}. "
                "Check that the server runs and that the address is right."
            )
        what = _BUSY.get(outcome.status, "has trouble")
        asks = f" It asks to wait {asked:.0f} s." if asked else ""
        return ModelBusy(f"{self.name} {what} (HTTP {outcome.status}){times}.{asks} Try again later.")

    def _object(self, answer: HttpResponse) -> Mapping[str, Any]:
        if answer.status not in _OK:
            raise self._refusal(answer)
        content = json_in(answer.body)
        if isinstance(content, dict):
            return content
        what = "nothing" if not answer.body.strip() else "something else than a JSON object"
        raise ModelReplyError(
            f"{self.name} answered {what}. Check that {self._address.url} is a model's address."
        )

    def _refusal(self, answer: HttpResponse) -> ModelError:
        status, address = answer.status, self._address
        if 300 <= status < 400:
            mend = f"That is not followed, or the key would go there too. Correct the address {address.url}."
            return ModelRejected(f"{self.name} sends questions elsewhere (HTTP {status}). {mend}")
        if status in _KEY:
            return ModelRejected(f"{self.name} {_KEY[status]} (HTTP {status}). {address.key_advice}")
        said = address.without_key(_error_text(answer))
        if status == 404:
            mend = f"Check the name, and the address {address.url}."
            return ModelRejected(f"{self.name} is not known there (HTTP 404){said}. {mend}")
        return ModelRejected(
            f"{self.name} does not take the question (HTTP {status}){said}. "
            "Another model may; `memdir models` shows which is set."
        )


def objects_in(content: Mapping[str, Any], name: str, who: str) -> list[Mapping[str, Any]]:
    """Return a list of objects; without one the answer is not a model's."""
    found = content.get(name)
    if not isinstance(found, list):
        raise ModelReplyError(
            f"{who} answered without {name!r}, so it is no answer of this kind of model. "
            "Check the address, and whether the model is named by the right vendor."
        )
    return [one for one in found if isinstance(one, dict)]


def tokens_in(usage: Any, name: str) -> int:
    """Return a count of tokens; 0 when none is given."""
    found = usage.get(name) if isinstance(usage, dict) else None
    return found if isinstance(found, int) and found > 0 else 0


def retry_after(headers: Mapping[str, str]) -> float:
    """Return the seconds to wait; 0 when the header is missing or says nothing sensible.

    A date is taken relative to the server's own, so that nobody's clock has to be right.
    """
    said = headers.get("retry-after", "").strip()
    digits = said.replace(".", "", 1)
    if digits.isascii() and digits.isdigit():
        return float(said)
    until, now = _seconds(said), _seconds(headers.get("date", ""))
    return max(0.0, until - now) if until and now else 0.0


def _seconds(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _error_text(answer: HttpResponse) -> str:
    """Return the beginning of a server's own words about an error, as the end of a sentence."""
    content = json_in(answer.body)
    error = content.get("error", content) if isinstance(content, dict) else None
    words = error.get("message") if isinstance(error, dict) else error
    line = " ".join(words.split()) if isinstance(words, str) else ""
    return f": {line[:_QUOTED].rstrip('.')}" if line else ""


_QUOTED = 200
"""Characters of a server's own words: enough for a sentence, too few to flood a terminal."""

_OK = range(200, 300)
_UNPROCESSABLE = frozenset({400, 422})
_AGAIN = frozenset({408, 409, 429})
"""Besides all from 500 on: another attempt may be answered."""

_BUSY = {429: "takes no more questions for now", 503: "is overloaded", 529: "is overloaded"}
_KEY = {401: "does not take the key", 403: "may not be used with this key"}

_FORMLESS: set[tuple[str, str]] = set()
"""Servers, each with a model, that refused a schema in a request and answered without; for this process."""
