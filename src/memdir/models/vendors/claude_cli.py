"""Claude through the `claude` command: the user's own login, no key of ours."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from shutil import which
from threading import Thread
from typing import IO, Any

from memdir.errors import ModelBusy, ModelError, ModelRejected, ModelReplyError
from memdir.models.plain_text import calls_in, json_in, plain_question, without_fence
from memdir.models.protocol import Question, QuestionDeadline, Reply
from memdir.models.vendors.anthropic import stop_of, usage_of
from memdir.models.vendors.post import MAX_BYTES, ResponseTooLong
from memdir.text.secrets.search import mask_secrets
from memdir.text.value import replace

__all__ = ["ClaudeCli"]

_TICK = 0.02
"""Seconds between two looks at the clock and the cancel flag."""

_SUPERVISOR = '(exec </dev/fd/"$0" >/dev/null 2>&1; read -r _; kill -KILL 0) & exec "$@"'
"""Becomes the program, after leaving in its group a watch on a pipe that closes when we are gone."""


def run_program(
    command: Sequence[str], fed: bytes, *, env: Mapping[str, str], deadline: QuestionDeadline, most: int
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end; when the question ends first, so does the program, and this raises."""
    deadline.check()
    with _start(command, env) as process:
        # Fed by a thread: `communicate` forgets what it did not write before its time was over.
        pipe, process.stdin = process.stdin, None
        Thread(target=_feed, args=(pipe, fed), daemon=True).start()
        while True:
            ended = process.poll() is not None
            try:
                output, errors = process.communicate(timeout=min(_TICK, deadline.left))
            except subprocess.TimeoutExpired as late:
                deadline.check()
                output, errors = late.output or b"", late.stderr or b""
                if not ended and max(len(output), len(errors)) <= most:
                    continue
            if max(len(output), len(errors)) > most:
                raise ResponseTooLong
            # After its end, what still holds the pipes is nothing that answers.
            return subprocess.CompletedProcess(command, process.wait(), output, errors)


def _feed(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError), pipe:  # a program need not hear it all
        pipe.write(data)


@contextmanager
def _start(command: Sequence[str], env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program in a group of its own, from a place that is nobody's project; end the group at last.

    The group ends also when we are killed and can end nothing any more.
    """
    if which(command[0], path=env.get("PATH", "")) is None:
        raise FileNotFoundError(f"there is no program {command[0]}")
    watched, ours = os.pipe()
    try:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _SUPERVISOR, str(watched), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(env),
            cwd=os.sep,
            start_new_session=True,
            pass_fds=(watched,),
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(watched)
    try:
        with process:
            try:
                yield process
            finally:  # the watch keeps the number of the group its own, also after the program ended
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    finally:
        os.close(ours)


_LONGEST_WORD = 100_000
"""Bytes of one argument; Linux takes 131,072. A longer system text goes in front of the question."""

_RETRIES = "2"
"""Attempts that the command makes by itself; its own default goes on for minutes."""

_NOT_INHERITED = frozenset({"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"})
"""What tells a program that it runs inside of Claude Code: this one does not, even when a hook starts it."""


class ClaudeCli:
    """The command, with one of its models or with its own choice."""

    def __init__(self, program: str, model: str = "", *, env: Mapping[str, str]) -> None:
        """Take the path of the command, the name it has for a model, and the environment it runs in."""
        self._program, self._model = program, model
        self._env = {name: value for name, value in env.items() if name not in _NOT_INHERITED}

    @property
    def name(self) -> str:
        """Return how settings and the ledger call it."""
        return f"claude-cli:{self._model}" if self._model else "claude-cli"

    def ask(self, question: Question) -> Reply:
        """Return the answer to a question; tools are told in words, because the command takes none."""
        deadline, asked = QuestionDeadline(question, self.name), plain_question(question)
        text = asked.messages[0].text
        if len(asked.system.encode("utf-8", "replace")) > _LONGEST_WORD or "\0" in asked.system:
            text, asked = f"{asked.system}\n\n{text}", replace(asked, system="")
        env = {
            **self._env,
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.max_tokens),
            "CLAUDE_CODE_MAX_RETRIES": _RETRIES,
            "MEMDIR_DISABLE": "1",  # our own hooks must not start over inside
        }
        fed = text.encode("utf-8", "replace")
        try:
            run = run_program(self._command(asked), fed, env=env, deadline=deadline, most=MAX_BYTES)
        except ResponseTooLong:
            raise ModelReplyError(f"{self.name} printed more than {MAX_BYTES:,} bytes. Try again.") from None
        except (OSError, ValueError) as error:
            raise ModelRejected(
                f"{self._program} cannot be run ({error}). Install Claude Code anew."
            ) from error
        return self._reply(self._result(run), question)

    def _command(self, asked: Question) -> list[str]:
        """Return the command line: no tools, no settings, no servers, nothing kept."""
        command = [self._program, "-p", "--output-format", "json", "--tools", "", "--setting-sources", ""]
        command += ["--strict-mcp-config", "--no-session-persistence", "--system-prompt", asked.system]
        if self._model:
            command += ["--model", self._model]
        if asked.schema is not None:
            command += ["--json-schema", _json(asked.schema)]
        return command

    def _result(self, run: subprocess.CompletedProcess[bytes]) -> Mapping[str, Any]:
        """Return what the command printed, or raise what it says went wrong."""
        content = json_in(run.stdout)
        if isinstance(content, dict) and content.get("is_error"):
            raise self._trouble(content)
        if isinstance(content, dict) and ("result" in content or "structured_output" in content):
            return content
        if run.returncode < 0:
            raise ModelBusy(
                f"{self.name} was ended by signal {-run.returncode} before it answered. Try again."
            )
        if run.returncode and not run.stdout.strip():
            said = _beginning(run.stderr.decode("utf-8", "replace")) or "no reason given"
            raise ModelRejected(f"{self.name} ended with code {run.returncode}: {said}. Update Claude Code.")
        what = "something else than its result" if run.stdout.strip() else "nothing"
        raise ModelReplyError(f"{self.name} printed {what}. Try again, or update Claude Code.")

    def _trouble(self, content: Mapping[str, Any]) -> ModelError:
        status, said = content.get("api_error_status"), _beginning(str(content.get("result") or ""))
        code = status if isinstance(status, int) else 0
        if code in {401, 403} or (not code and "login" in said.lower()):
            return ModelRejected(f"{self.name} is not logged in. Run `claude` once and log in.")
        if code in {408, 409, 429} or code >= 500 or content.get("api_error") == "connection_failed":
            return ModelBusy(f"{self.name} cannot answer now: {said}. Try again later.")
        if code == 404:
            return ModelRejected(f"{self.name} is not a model it knows (HTTP 404). Choose another name.")
        return ModelRejected(f"{self.name} does not take the question: {said}. Try another model.")

    def _reply(self, content: Mapping[str, Any], question: Question) -> Reply:
        made, text = content.get("structured_output"), str(content.get("result") or "")
        usage, models = usage_of(content.get("usage")), content.get("modelUsage")
        by = next(iter(models), "") if isinstance(models, dict) else ""
        spoken_calls = made if made is not None else json_in(without_fence(text))
        if question.tools and isinstance(spoken_calls, dict):
            said, calls = calls_in(spoken_calls, self.name, len(question.messages))
            return Reply(said, calls, usage, "tools" if calls else _stop(content), by)
        said = _json(made) if made is not None else without_fence(text) if question.schema else text
        return Reply(said, (), usage, _stop(content), by)


def _stop(content: Mapping[str, Any]) -> str:
    """Return why it stopped; the command itself answers a schema through a tool, which is none of ours."""
    stop = stop_of(content.get("stop_reason"), ())
    return "end" if stop == "tools" else stop


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _beginning(said: str) -> str:
    """Return the beginning of what a program said, on one line and without anything secret."""
    return mask_secrets(" ".join(said.split())[:200]).rstrip(".")
