"""A server that asks to wait is understood in both forms of the header, and nonsense is ignored."""

import pytest

from memdir.models.vendors.http import retry_after

DATE = "Sun, 15 Nov 2026 09:30:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "Sun, 15 Nov 2026 09:30:30 GMT", "date": DATE}, 30.0),
        ({"retry-after": "Sun, 15 Nov 2026 09:29:00 GMT", "date": DATE}, 0.0),
        ({"retry-after": "Sun, 15 Nov 2026 09:30:30 GMT"}, 0.0),
        ({"retry-after": "soon", "date": DATE}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "²"}, 0.0),
        ({"retry-after": ""}, 0.0),
        ({}, 0.0),
    ],
)
def test_the_header_is_read(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers) == seconds
