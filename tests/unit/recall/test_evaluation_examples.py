"""What a person says about recalls is kept on this machine, and today's recall is scored by it."""

from pathlib import Path

from memdir.recall.evaluation import EXAMPLES, Example, add_example, read_examples, score_examples


def test_what_is_said_last_about_a_file_counts(tmp_path: Path) -> None:
    add_example(str(tmp_path), Example("deploy it", wanted=("a.md", "b.md")))
    add_example(str(tmp_path), Example("deploy it", unwanted=("b.md",)))
    assert read_examples(str(tmp_path)) == [Example("deploy it", ("a.md",), ("b.md",))]


def test_nothing_was_said_where_there_is_no_file(tmp_path: Path) -> None:
    assert read_examples(str(tmp_path / "none")) == []


def test_a_torn_line_costs_itself_alone(tmp_path: Path) -> None:
    add_example(str(tmp_path), Example("one", ("a.md",)))
    with open(tmp_path / EXAMPLES, "ab") as file:
        file.write(b'{"prompt": "tw')
    add_example(str(tmp_path), Example("three", ("c.md",)))
    assert [example.prompt for example in read_examples(str(tmp_path))] == ["one", "three"]


def test_credentials_are_masked(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    add_example(str(tmp_path), Example(f"push with {secret}", ("a.md",)))
    assert secret not in (tmp_path / EXAMPLES).read_text()


def test_the_score_counts_what_is_missed_and_what_is_noise() -> None:
    examples = [Example("one", ("a.md", "b.md"), ("c.md",)), Example("two", (), ("a.md",))]
    score = score_examples(examples, lambda file, prompt: prompt == "one" and file in ("a.md", "c.md"))
    assert (score.examples, score.wanted, score.found, score.unwanted, score.wrong) == (2, 2, 1, 2, 1)
    assert score.missed == (("one", "b.md"),)
    assert score.noise == (("one", "c.md"),)
