"""Whether a text is in English: the language that the extraction tagger knows well enough to save alone."""

import re

__all__ = ["is_english"]

OTHER_LETTERS = 0.2
"""Share of letters of other scripts from which a text is not English."""


def is_english(text: str) -> bool:
    """Tell whether a text reads as English; one whose words give no sign does, if its letters are plain."""
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter > "\u024f" for letter in letters) > OTHER_LETTERS * len(letters):
        return False
    said = re.findall(r"[^\W\d_]+", text.casefold())
    english = sum(_ENGLISH.fullmatch(word) is not None for word in said)
    foreign = sum(_FOREIGN.fullmatch(word) is not None for word in said)
    accented = any(letter > "\x7f" for word in said for letter in word)
    return english >= foreign and (english > 0 or not accented)


# The words that hold sentences together: half of what people write, and few in each language.
_ENGLISH = re.compile(
    r"the|an|and|or|but|of|to|in|at|by|for|from|with|is|are|were|be|been|it|its|this|that|these|those|i|you|we"
    r"|they|he|she|my|your|our|their|not|don|t|m|re|ve|ll|does|did|have|has|had|can|will|would|should|if|when"
    r"|what|where|how|why|who|which|there|here|please|pls|just|then|also|only|never|always|than|into|about"
    r"|yes|ok|thanks|all|any|some|more"
)
_FOREIGN = re.compile(
    # German
    r"der|das|den|dem|ein|eine|einen|einer|und|oder|aber|nicht|kein|keine|ist|wir|ich|du|ihr|sie|es|mit|von|zu"
    r"|zum|zur|auf|für|bei|nach|aus|wenn|dass|weil|auch|noch|nur|schon|immer|nie|bitte|mal|doch|im|vom|wie|der"
    # French
    r"|le|la|les|un|une|des|du|et|ou|mais|pas|ne|est|sont|qu|que|qui|je|tu|nous|vous|il|elle|dans|sur|pour|par"
    r"|avec|sans|ce|cette|ces|mon|ma|mes|notre|nos|si|quand|toujours|jamais|merci|au|aux|plus"
    # Spanish and Portuguese
    r"|el|los|las|una|pero|es|son|está|están|con|por|para|sin|se|lo|su|sus|mi|mis|nuestro|cuando|siempre|nunca"
    r"|ya|muy|más|gracias|del|al|hay|como|este|esta|esto|eso|um|uma|mas|não|é|são|com|sem|seu|sua|meu|minha"
    r"|nosso|quando|sempre|já|muito|mais|obrigado|da|dos|das|na|nas|ao|isso|pra|pro"
    # Italian and Dutch
    r"|gli|uno|ed|non|è|sono|per|senza|che|di|della|nel|nella|questo|questa|mai|het|een|maar|niet|geen|zijn"
    r"|wij|jullie|met|voor|naar|bij|als|dat|ook|nog|alleen|altijd|nooit|graag"
)
