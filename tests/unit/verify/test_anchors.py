"""Anchors fit into one value of a header and come back from it as they went in."""

from memdir.text.frontmatter.header import parse, render_header
from memdir.verify.anchors import anchor_value, line_print, parse_anchors
from memdir.verify.claims.mentions import Claim


def test_anchors_come_back_from_a_header_as_they_went_in() -> None:
    claim, other = Claim("path", "a", 'a b/ü"\\.py'), Claim("symbol", "f()", "f")
    value = anchor_value("9fceb02d0ae5f00", {claim: "5e884898", other: 'src/ö "x"\\y.py'})
    header = render_header({"name": "x"}, {"anchors": value})
    assert value.isascii()
    assert "\\" not in header
    read = parse_anchors(parse(header).metadata["anchors"])
    assert (read.commit, read.of(claim), read.of(other)) == ("9fceb02d0ae5", "5e884898", 'src/ö "x"\\y.py')


def test_a_line_of_few_signs_is_known_by_its_neighbours() -> None:
    lines = ["a {", "}", "b {", "}"]
    assert line_print(lines, 2) != line_print(lines, 4)
    assert line_print(["  x = 1"], 1) == line_print(["x = 1"], 1)
