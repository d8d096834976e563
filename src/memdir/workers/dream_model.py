"""Lets a model dream: four phases in its prompt, the tools of every worker, and an account of losses."""

from memdir.core.escape import escaped
from memdir.core.manifest import manifest
from memdir.llm.protocol import Message, Model, Question
from memdir.workers.content import disk
from memdir.workers.dream_scene import Draft, Material, Scene
from memdir.workers.dream_tools import DreamToolbox
from memdir.workers.loop import Limits, run
from memdir.workers.policy import Policy
from memdir.workers.run import FAILED
from memdir.workers.wording import worded
from memdir.workers.workbench import Workbench

__all__ = ["MOST_TURNS", "model_draft"]

MOST_TURNS = 24
"""Turns of one dream: it reads in some and writes in others, and one that needs more runs in circles."""

_MOST_LISTED = 400
"""Memories in the list that the model starts from; it finds older ones with grep and glob."""

_MOST_INSTRUCTIONS = 24_000
"""Characters of instructions: the beginning, which is the most general."""

_MOST_TOKENS = 8_192


def model_draft(model: Model, material: Material, directory: str, scene: Scene) -> Draft:
    """Return what the model wishes to change, and how it accounts for what is gone."""
    bench = Workbench(disk(directory))
    toolbox = DreamToolbox(Policy(directory, roots=scene.transcripts), bench, scene.said)
    limits = Limits(MOST_TURNS, scene.seconds)
    scene.said(f"asking {model.name}")
    question = _head(material, directory, scene)
    done = run(model, question, toolbox, clock=scene.timer, limits=limits, cancel=scene.cancel)
    if done.ended == FAILED:
        return Draft(failed=done.because)
    return Draft(done.wishes, tuple(toolbox.told.items()), summary=" ".join(done.text.split())[:500])


def _head(material: Material, directory: str, scene: Scene) -> Question:
    request = worded(
        "dream_request",
        today=scene.now.date().isoformat(),
        directory=escaped(directory),
        manifest=manifest(material.headers[:_MOST_LISTED]) or _NONE,
        logs="\n".join(f"- {log.file}" for log in material.logs) or _NONE,
        drifted="\n".join(f"- {escaped(line)}" for line in scene.drifted()) or _NONE,
        transcripts="\n".join(f"- {escaped(path)}" for path in scene.transcripts) or _NONE,
        instructions=escaped(scene.instructions()[:_MOST_INSTRUCTIONS]).strip() or _NONE,
    )
    return Question(
        (Message("user", request),),
        system=worded("dream", max_deletes=scene.max_deletes),
        max_tokens=_MOST_TOKENS,
        timeout=scene.seconds,
        cached=True,
        job="dream",
    )


_NONE = "-"
