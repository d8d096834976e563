"""A symbol that a memory names is gone once no file defines it, also as a member of a class."""

from pathlib import Path

from bench.verify.histories import History, Step, built
from tests.unit.verify.verdict import GIT, claim_verdicts

from memdir.verify.project import Project


def test_a_member_that_prose_names_is_gone_with_its_class(tmp_path: Path) -> None:
    code = "class LedgerWriter:\n    def post(self, entry):\n        return entry\n"
    step = Step("names", edit=(("books.py", "LedgerWriter", "Journal"), ("books.py", "post", "append")))
    where = Project(built(History("one", {"books.py": code}, (step,)), tmp_path), GIT)
    text = "Every refund passes LedgerWriter.post, or the totals drift."
    assert [verdict for verdict, _ in claim_verdicts(text, where)] == ["gone"]
