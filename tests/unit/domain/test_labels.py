"""Every word of the vocabulary has its text for people."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import pytest

from procedure.domain import labels
from procedure.domain.rulebook_reader import shipped_laws, shipped_rulebook
from procedure.domain.vocabulary import Act, DeadlineStatus, Role, State

TABLES = [
    (State, labels.STATES),
    (Act, labels.ACTS),
    (Role, labels.ROLES),
    (DeadlineStatus, labels.DEADLINE_STATUSES),
]


@pytest.mark.parametrize(("words", "table"), TABLES, ids=["state", "act", "role", "deadline status"])
def test_every_word_has_its_own_label(words: type[StrEnum], table: Mapping[StrEnum, str]) -> None:
    assert set(table) == set(words)
    assert len(set(table.values())) == len(table), "two words with one label cannot be told apart"
    assert not [text for text in table.values() if not text.strip() or "_" in text]


def test_every_kind_of_deadline_of_every_law_has_a_label() -> None:
    kinds = {kind for law in shipped_laws() for kind in shipped_rulebook(law).deadlines}
    assert kinds, "no law was read"
    assert kinds <= set(labels.DEADLINES)


def test_every_outcome_of_every_law_has_a_label() -> None:
    outcomes = {
        value
        for law in shipped_laws()
        for act, rule in shipped_rulebook(law).outcomes.items()
        if act != "desfazimento"
        for value in rule.values
    }
    assert outcomes <= set(labels.OUTCOMES)
