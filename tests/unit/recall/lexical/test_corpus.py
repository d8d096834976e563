"""The corpus: ranked are the memories as they now stand, however little is read for it."""

import errno
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdir.disk.files import Folder
from memdir.memories.catalog.derived import Derived
from memdir.memories.directory import MemoryDir
from memdir.recall.lexical import corpus as lexical
from memdir.recall.lexical.bm25 import passages_of
from memdir.recall.lexical.corpus import Corpus

TEXT = '---\nname: "{name}"\ndescription: "{description}"\ntype: "project"\n---\n\n{body}\n'


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "m").mkdir()
    for number, animal in enumerate(("flamingo", "heron", "pelican")):
        write(tmp_path, f"{animal}.md", body=f"The {animal} stands in water.", saved=1000 + number)
    return tmp_path


def write(place: Path, file: str, body: str = "", description: str = "", saved: int = 0) -> None:
    path = place / "m" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(TEXT.format(name=path.stem, description=description, body=body))
    if saved:
        os.utime(path, (saved, saved))


def opened(place: Path) -> Corpus:
    return Corpus(MemoryDir(str(place / "m"), str(place / "s")))


def ranking(corpus: Corpus, query: str) -> list[str]:
    headers = corpus.refresh()
    scores = corpus.fit(query, expand=False).scores
    fitting = [(score, header.file) for score, header in zip(scores, headers, strict=True) if score]
    return [file for _, file in sorted(fitting, reverse=True)]


def test_scores_are_in_the_order_of_the_headers(place: Path) -> None:
    corpus = opened(place)
    assert [header.file for header in corpus.refresh()] == ["pelican.md", "heron.md", "flamingo.md"]
    assert [score > 0 for score in corpus.fit("heron", expand=False).scores] == [False, True, False]


def test_body_and_description_and_name_are_ranked(place: Path) -> None:
    write(place, "stork.md", body="It nests on chimneys.", description="A guest from the south")
    corpus = opened(place)
    for query in ("chimney", "southern guest", "storks"):
        assert ranking(corpus, query)[0] == "stork.md"


def test_an_edit_in_place_with_the_same_size_and_time_is_seen(place: Path) -> None:
    corpus = opened(place)
    assert ranking(corpus, "heron") == ["heron.md"]
    write(place, "heron.md", body="The raven stands in water.", saved=1001)
    assert ranking(corpus, "raven") == ["heron.md"]
    assert ranking(opened(place), "raven") == ["heron.md"]


def test_memories_that_come_and_go_are_seen(place: Path) -> None:
    corpus = opened(place)
    assert ranking(corpus, "ibis") == []
    write(place, "sub/ibis.md", body="An ibis.")
    (place / "m" / "heron.md").unlink()
    assert ranking(corpus, "ibis") == ["sub/ibis.md"]
    assert ranking(corpus, "heron") == []
    for file in ("flamingo.md", "pelican.md", "sub/ibis.md"):
        (place / "m" / file).unlink()
    assert corpus.refresh() == []
    assert corpus.fit("ibis").scores == []


def test_many_changes_in_one_process_rank_as_a_new_process_does(place: Path) -> None:
    corpus = opened(place)
    for number in range(12):
        write(place, f"m{number % 4}.md", body=f"Owl number {number} of the wood")
        corpus.refresh()
    fresh = opened(place)
    fresh.refresh()
    assert ranking(corpus, "owl number 11") == ranking(fresh, "owl number 11")
    assert corpus.fit("owl wood").scores == pytest.approx(fresh.fit("owl wood").scores, rel=0.5)


def test_another_process_reads_no_body_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = ranking(opened(place), "heron")
    monkeypatch.setattr(Derived, "put", lambda *_: pytest.fail("computed again"))
    assert ranking(opened(place), "heron") == expected


def test_a_renamed_or_touched_file_keeps_its_row(place: Path) -> None:
    ranking(opened(place), "heron")
    os.utime(place / "m" / "heron.md", (5000, 5000))
    (place / "m" / "pelican.md").rename(place / "m" / "bird.md")
    assert ranking(opened(place), "pelican") == ["bird.md"]


def test_what_could_not_be_read_for_a_moment_is_read_the_next_time(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = MemoryDir(str(place / "m"), str(place / "s"))
    memories.scan()
    corpus = Corpus(memories)
    with monkeypatch.context() as moment:
        moment.setattr(Folder, "read", out_of_files)
        assert [header.file for header in corpus.refresh()] == ["pelican.md", "heron.md", "flamingo.md"]
        assert ranking(corpus, "water") == []
    assert len(ranking(corpus, "water")) == 3


def out_of_files(*_: object) -> None:
    raise OSError(errno.EMFILE, "too many open files")


@pytest.mark.parametrize("damage", [b"", b"memdir terms 2\n", b"\xff\x00garbage"])
def test_a_damaged_cache_is_rebuilt_without_a_word(place: Path, damage: bytes) -> None:
    expected = ranking(opened(place), "water")
    (place / "s" / "terms").write_bytes(damage)
    assert ranking(opened(place), "water") == expected
    assert (place / "s" / "terms").read_bytes() != damage


def test_a_row_that_is_no_document_leaves_nothing_of_it_in_the_index(place: Path) -> None:
    memories = MemoryDir(str(place / "m"), str(place / "s"))
    Corpus(memories).refresh()
    rows, signature = (
        Derived(memories.state, "terms", lexical._VERSION),
        memories.catalog.signature("heron.md"),
    )
    rows.put("heron.md", signature or 0, "key", b"2\theron water\nno number\tpelican")
    rows.store(memories.catalog)
    corpus = opened(place)
    assert ranking(corpus, "heron") == []
    assert ranking(corpus, "flamingo") == ["flamingo.md"]
    assert "heron.md was left out: ValueError" in corpus.limitations()[0]


def test_a_directory_that_was_not_made_yet_has_nothing(tmp_path: Path) -> None:
    corpus = opened(tmp_path)
    assert corpus.refresh() == []
    assert corpus.fit("anything").scores == []


def test_what_cannot_be_read_as_text_is_ranked_by_what_can(place: Path) -> None:
    (place / "m" / "odd.md").write_bytes(b"---\nname: odd\n---\n\n\xff\xfe stork \x00" + b"x" * 200_000)
    assert ranking(opened(place), "stork") == ["odd.md"]


def test_a_low_limit_of_open_files_loses_nothing(place: Path) -> None:
    for number in range(150):
        write(place, f"folder{number}/m.md", body=f"Crane number {number}")
    with open_files(64):
        assert len(ranking(opened(place), "crane")) == 150


def test_a_process_that_ranks_loads_nothing_that_costs_more_than_ranking(place: Path) -> None:
    code = """
import sys
from memdir import Memory
from memdir.recall.lexical.corpus import Corpus
from memdir.memories.directory import MemoryDir
memory = Memory.open(sys.argv[1])
corpus = Corpus(MemoryDir(sys.argv[1] + "/m", sys.argv[1] + "/s"))
assert len(corpus.refresh()) == len(corpus.fit("heron").scores) == 3
print(*sys.modules)
"""
    command, env = [sys.executable, "-I", "-c", code, str(place)], {"HOME": str(place)}
    ranking(opened(place), "heron")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"dataclasses", "inspect", "typing", "json", "hashlib", "threading"}


@contextmanager
def open_files(limit: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_memory_that_cannot_be_counted_is_left_out_with_the_reason(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str, *texts: str) -> str:
        if name == "heron":
            raise IndexError("string index out of range")
        return passages_of(name, *texts)

    monkeypatch.setattr(lexical, "passages_of", broken)
    corpus = opened(place)
    assert ranking(corpus, "who stands in water") == ["pelican.md", "flamingo.md"]
    assert corpus.limitations() == ["heron.md was left out: IndexError: string index out of range"]
    monkeypatch.undo()
    write(place, "heron.md", body="The heron stands in water.", saved=1005)
    assert "heron.md" in ranking(corpus, "who stands in water")
    assert corpus.limitations() == []


def many(place: Path, count: int) -> None:
    for number in range(count):
        write(place, f"{number}.md", body=f"Number {number} stands in water.", saved=2000 + number)


def test_what_there_is_no_time_for_is_left_out_and_told_and_comes_later(place: Path) -> None:
    many(place, 300)
    corpus = opened(place)
    headers = corpus.refresh(lambda: 1.0)
    assert headers[0].file == "299.md"
    assert 200 < len(headers) < 303
    late, brief = corpus.limitations()
    assert late == f"{303 - len(headers)} of 303 memories were not ranked: no time was left"
    assert brief == f"{len(headers)} of 303 memories were ranked by their headers alone: no time was left"
    assert len(corpus.fit("water").scores) == len(headers)
    assert not (place / "s").exists()  # nothing is written down before all of it is known
    assert len(corpus.refresh()) == 303
    assert corpus.limitations() == []
    assert sum(score > 0 for score in corpus.fit("water").scores) == 303
    assert {path.name for path in (place / "s").iterdir()} >= {"catalog", "terms"}


def test_what_was_counted_before_needs_no_time_to_read(place: Path) -> None:
    opened(place).refresh()
    corpus = opened(place)
    assert len(corpus.refresh(lambda: 0.6)) == 3
    assert corpus.limitations() == []


def test_a_share_of_the_time_is_enough_for_a_share_of_the_memories(place: Path) -> None:
    many(place, 300)
    looks = iter(range(1_000_000))
    corpus = opened(place)
    headers = corpus.refresh(lambda: next(looks) / 20)  # a clock that goes on with each look
    assert 200 < len(headers) < 303
    scores = corpus.fit("water").scores
    assert 0 < sum(score > 0 for score in scores) < len(headers)
    assert len(corpus.refresh()) == 303
