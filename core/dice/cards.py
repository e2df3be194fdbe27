"""The action deck: 52 cards and two Jokers (SW-25).

Here: the cards, their order, and drawing one from those that are left. Never: who holds which card and when
the deck is shuffled (the systems' state), and the names of the cards in any language.
"""

from __future__ import annotations

from collections.abc import Collection

from core.dice.source import Source
from core.refusal import Refusal

RANKS: tuple[str, ...] = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS: tuple[str, ...] = ("C", "D", "H", "S")
JOKERS: tuple[str, ...] = ("black_joker", "red_joker")

# From the lowest card to the highest. The order is part of `rollbook-dice-1`: a number drawn is a place in
# what is left of this deck, so a change would make every recorded card come out differently.
DECK: tuple[str, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), *JOKERS)

_PLACES = {card: place for place, card in enumerate(DECK)}


def remaining(out: Collection[str]) -> tuple[str, ...]:
    """The deck without the cards in `out`, in the deck's order."""
    gone = frozenset(out)
    return tuple(card for card in DECK if card not in gone)


def draw(source: Source, out: Collection[str]) -> str:
    """One of the remaining cards. Refuses with limit_reached.deck_empty (cards) when all are out."""
    left = remaining(out)
    if not left:
        raise Refusal("limit_reached", "deck_empty", cards=len(DECK))
    return left[source.pick(len(left))]


def rank(card: str) -> int:
    """A sort key, higher acts first: Jokers (red above black), A K Q J 10 … 2; spades, hearts, diamonds, clubs.

    KeyError for what is no card.
    """
    return _PLACES[card]


def is_joker(card: str) -> bool:
    """Whether this is one of the two Jokers."""
    return card in JOKERS
