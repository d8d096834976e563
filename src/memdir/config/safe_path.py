"""The one judge of paths: which directory memory may live in, and what lies inside it."""

import os
import re
import unicodedata

from memdir.text.value import value_class

__all__ = [
    "RELATIVE",
    "Refused",
    "contain",
    "error_reason",
    "memory_directory",
    "path_below",
    "valid_directory",
]


@value_class(frozen=True, slots=True)
class Refused:
    """A path was not accepted, and why, as the end of a sentence that begins with the path."""

    because: str


RELATIVE = Refused("it is a relative path")
"""The refusal of a path that would be another one in another working directory."""


def valid_directory(raw: str, *, expand_tilde: bool, home: str) -> str | Refused:
    """Return the directory normalised, in NFC, with exactly one trailing separator; or why it is refused."""
    # Composed first: a Kelvin sign composes to the K of a drive, an accent to the only letter after the root.
    text = unicodedata.normalize("NFC", raw)
    refusal = _text_problem(text)
    if refusal is not None:
        return refusal
    path = _expand_home(text, home) if expand_tilde and text.startswith("~") else text
    if isinstance(path, Refused):
        return path
    if path.startswith("~"):
        return Refused("a leading ~ is not expanded here; write the path out")
    if not os.path.isabs(path):
        return RELATIVE
    clean = os.path.normpath(path)
    if len(clean.rstrip("/\\")) < _SHORTEST:
        return _text_problem(clean) or Refused("it is the root directory or nearly so")
    return _text_problem(clean) or clean.rstrip(os.sep) + os.sep


def memory_directory(raw: str, *, expand_tilde: bool, home: str) -> str | Refused:
    """Return the directory as `valid_directory` does, but refuse places where no agent may write."""
    path = valid_directory(raw, expand_tilde=expand_tilde, home=home)
    if isinstance(path, Refused):
        return path
    try:
        return _unfit_place(path, home) or path
    except OSError as error:
        return Refused(f"it cannot be resolved: {error_reason(error)}")


def contain(directory: str, path: str) -> str | Refused:
    """Return the real absolute path of what lies inside the directory; or why it does not.

    A relative path is taken from the directory. What does not exist yet is judged by its deepest existing
    ancestor. The directory itself is not inside itself.
    """
    if not path or "\0" in path:
        return Refused("it is empty" if not path else "it contains a NUL character")
    root = _real(directory) if os.path.isabs(directory) else RELATIVE
    if isinstance(root, Refused):
        return Refused(f"the memory directory cannot be resolved: {root.because}")
    asked = os.path.join(root, path)
    real = _real(os.path.normpath(asked))
    if isinstance(real, Refused):
        return real
    if _kernel_disagrees(asked, real):
        return Refused("its '..' steps lead through a link")
    return real if path_below(root, real) else Refused(f"it leads to {real!r}, outside the memory directory")


def path_below(folder: str, path: str) -> str:
    """Return the path, as text, from a folder down to what lies in it, with slashes; empty for all else."""
    inside = os.path.join(folder, "")
    lies_there = os.path.normcase(path).startswith(os.path.normcase(inside))
    return path[len(inside) :].replace(os.sep, "/") if lies_there else ""


def _text_problem(text: str) -> Refused | None:
    """Say what is wrong with the text on any platform, before anything is expanded."""
    try:
        data = os.fsencode(text)
    except UnicodeEncodeError:
        data = b""
    drive = _DRIVE.match(text)  # C:, C:/ and what folds back to it, such as C:/x/.., also here
    in_drive = os.path.normpath("/" + text[drive.end() :].replace("\\", "/")) if drive else text
    wrong = (
        (not text, "it is empty"),
        ("\0" in text, "it contains a NUL character"),
        (
            any(sign < " " or "\x7f" <= sign <= "\x9f" for sign in text),
            "it contains control characters",
        ),
        (not data, "it contains characters that no file name can hold"),
        (
            len(data) > _LONGEST or max(map(len, data.split(b"/"))) > _LONGEST_NAME,
            "it is too long for the system",
        ),
        (text[:2] in _DOUBLE_SEPARATORS, "it is a network path (two leading separators)"),
        (drive and not in_drive.strip("/\\"), "it is the root of a drive"),
    )
    return next((Refused(because) for is_wrong, because in wrong if is_wrong), None)


def _expand_home(text: str, home: str) -> str | Refused:
    """Replace the tilde by the home directory; refuse a path that is the home directory or above it."""
    if text[1:2] not in ("", "/", "\\"):
        return Refused("it names another user's home directory; write the path out")
    rest = text[2:].lstrip("/\\")
    rest = rest.replace("\\", "/") if text[1:2] == "\\" else rest
    base = unicodedata.normalize("NFC", home)
    # Both readings of a backslash, since the file may have been written on another platform.
    for reading in (rest, rest.replace("\\", "/")):
        if _contains(os.path.join(base, reading), base):
            return Refused("it is the home directory or above it")
    return os.path.join(base, rest)


def _unfit_place(path: str, home: str) -> Refused | None:
    """Say why a directory that is well-formed is not for memories, however it is spelled."""
    own = os.path.realpath(home)
    for one in (os.path.normpath(path), os.path.realpath(path)):
        steps = one.casefold().split(os.sep)
        if _contains(one, own) or _contains(one, home):
            return Refused("it is the home directory or above it")
        if not _KEYS.isdisjoint(steps):
            return Refused("keys are kept there")
        if not _contains(own, one) and _is_system(one.casefold()):
            return Refused("it is a directory of the system")
    return None


def _is_system(path: str) -> bool:
    """Tell whether a directory belongs to the system; below temporary and mounted ones it does not."""
    if path in _SYSTEM or path in _SHARED:
        return True
    is_below = any(path.startswith(f"{one}/") for one in _SYSTEM)
    return is_below and not any(path.startswith(f"{one}/") for one in _SHARED)


def _real(path: str) -> str | Refused:
    """Resolve every link in the existing part of the path; the part still to be made is kept as it is."""
    missing: list[str] = []
    ancestor = path
    while True:
        try:
            return os.path.join(os.path.realpath(ancestor, strict=True), *reversed(missing))
        except FileNotFoundError:
            if os.path.islink(ancestor):
                return Refused(f"{ancestor!r} is a link to something that does not exist")
        except (OSError, ValueError) as error:
            return Refused(f"{ancestor!r} cannot be resolved: {error_reason(error)}")
        ancestor, name = os.path.split(ancestor.rstrip(os.sep))
        if name in ("", os.pardir):
            return Refused(f"{path!r} steps back out of a directory that does not exist")
        missing.append(name)


def error_reason(error: Exception) -> str:
    """Return why a path cannot be resolved, as the end of a sentence."""
    return (getattr(error, "strerror", None) or "it is not a path a file can have").lower()


def _contains(path: str, home: str) -> bool:
    """Tell whether the path is the other directory or one that holds it, also where case does not count."""
    inside = os.path.join(os.path.normpath(path).casefold(), "")
    return os.path.join(os.path.normpath(home).casefold(), "").startswith(inside)


def _kernel_disagrees(asked: str, real: str) -> bool:
    """Tell whether the kernel resolves `link/../x` to another file than normalising the text does."""
    if os.pardir not in asked.replace(os.altsep or os.sep, os.sep).split(os.sep):
        return False
    opened = _real(asked)
    return isinstance(opened, str) and opened != real


_DOUBLE_SEPARATORS = frozenset({"//", "\\\\", "/\\", "\\/"})
_DRIVE = re.compile(r"[A-Za-z]:")
_SHORTEST = 3
"""Characters of an acceptable directory: the root and one-letter directories below it are too much."""
_LONGEST = 3_800
"""Bytes of a path: systems take 4,096, and the names of files come behind it."""
_LONGEST_NAME = 255
_KEYS = frozenset(
    {".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".pki", ".password-store"}
) | frozenset({"gcloud", "keyrings", "keychains"})
"""Folders in which programs keep keys."""
_TOPS = "bin boot dev etc lib lib32 lib64 proc run sbin sys system library applications usr var windows"
_SYSTEM = frozenset(f"{top}/{one}" for top in ("", "/private") for one in _TOPS.split())
_TEMPORARY = ("tmp", "var/tmp", "var/folders", "dev/shm", "run/user")
_MOUNTED = ("run/media", "mnt", "media", "volumes", "opt", "srv", "home", "users")
_SHARED = frozenset(f"{top}/{one}" for top in ("", "/private") for one in (*_TEMPORARY, *_MOUNTED))
"""Directories below which people have folders of their own."""
