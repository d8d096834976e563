"""Words that say nothing or little, and forms of a word that no ending gives away, from `words.txt`."""

from memdir.text.tables import read_table, rows_of

__all__ = ["BASES", "ENGLISH_STOP_WORDS", "EVERYDAY", "STOP_CHARACTERS", "STOP_WORDS"]

_TABLE = read_table(__file__, "words.txt")

ENGLISH_STOP_WORDS = frozenset(" ".join(_TABLE["stop words"]).split())
"""Words that stand in every English text and say nothing about it."""

STOP_WORDS = ENGLISH_STOP_WORDS.union(" ".join(_TABLE["foreign stop words"]).split())
"""The same of six more languages."""

STOP_CHARACTERS = frozenset(_TABLE["stop characters"][0])
"""The same of scripts that put no spaces between words."""

EVERYDAY = frozenset(" ".join(_TABLE["everyday"]).split())
"""Words of any conversation: they count half, because a small store cannot know how common they are."""

BASES = {form: base for base, forms in rows_of(_TABLE["forms"]).items() for form in forms.split()}
"""Each form with the word it counts as."""
