"""One case's acts of one day: the machine's order, held against trying every permutation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from procedure.domain.context import Context
from procedure.domain.rulebook_reader import shipped_rulebook
from procedure.domain.vocabulary import Act
from procedure.services.context import build_context
from procedure.services.importing.ordering import MOST_ACTS, Start, arrange, by_case, by_day, in_order, machine_order
from procedure.services.importing.staging import Item
from procedure.services.ports import MunicipalData

PLACE = "3204708"
CTX: Context = build_context(shipped_rulebook("es-3204708/lei-1522-2005"), MunicipalData(PLACE))
DAY = 734_900
STATES = sorted({row.origin for row in CTX.book.rows if row.origin})
KINDS = [
    Act.CIENCIA, Act.DEFESA, Act.IMPUGNACAO, Act.JULGAMENTO, Act.CIENCIA_DECISAO, Act.RECURSO, Act.REMESSA,
    Act.RENUNCIA, Act.JULGAMENTO_RECURSO, Act.INTIMACAO_PAGAMENTO, Act.PAGAMENTO, Act.LAVRATURA, Act.ANULACAO,
]  # fmt: skip


def item(line: int, kind: Act | None, clock: int | None = None, **others: object) -> Item:
    return Item(PLACE, "1/2013", DAY, clock, kind, line, **others)  # type: ignore[arg-type]  # fields of Item


def targets(state: str | None, act: Item) -> set[str]:
    """Every state that the act may lead to, by the table alone."""
    found: set[str] = set()
    for row in CTX.book.rows:
        if row.switch or row.origin != state or row.act != act.kind:
            continue
        if act.kind is not Act.PAGAMENTO and None not in (row.outcome, act.outcome) and row.outcome != act.outcome:
            continue
        found.add(row.target)
        for follower in row.then:
            found |= {r.target for r in CTX.book.rows if r.origin == row.target and r.act == follower}
    return found


def is_allowed(order: Sequence[Item], state: str | None) -> bool:
    states: set[str | None] = {state}
    for act in order:
        states = {target for before in states for target in targets(before, act)}
    return bool(states)


def allowed(group: Sequence[Item], state: str | None) -> Iterator[list[Item]]:
    """The allowed orders in which timed acts keep their clocks' order, the nearest to the lines first."""
    for order in itertools.permutations(group):
        clocks = [i.clock for i in order if i.clock is not None]
        if clocks == sorted(clocks) and is_allowed(order, state):
            yield list(order)


acts = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.sampled_from([None, None, 100, 200, 300]),
        st.sampled_from(["subsistente", "insubsistente"]),
    ),
    min_size=2,
    max_size=5,
    unique_by=lambda made: made[1] or object(),
)


@settings(max_examples=300, deadline=None)
@given(acts, st.sampled_from([None, *STATES]))
def test_the_machine_order_is_the_first_allowed_permutation(
    made: list[tuple[Act, int | None, str]], state: str | None
) -> None:
    group = [
        item(line, kind, clock, outcome=outcome if kind in (Act.JULGAMENTO, Act.JULGAMENTO_RECURSO) else None)
        for line, (kind, clock, outcome) in enumerate(made, start=1)
    ]
    found = machine_order(group, Start(state, None, CTX))
    assert sorted(i.line for i in found) == [i.line for i in group]
    first = next(allowed(by_clock(group), state), None)
    if first is not None:
        assert [i.line for i in found] == [i.line for i in first]


def by_clock(group: list[Item]) -> list[Item]:
    """The lines' order, with the timed acts among themselves in the order of their clocks."""
    timed = iter(sorted((i for i in group if i.clock is not None), key=lambda i: i.clock or 0))
    return [i if i.clock is None else next(timed) for i in group]


def lines(found: Sequence[Item]) -> list[int]:
    return [i.line for i in found]


def test_what_is_owed_tells_whether_a_payment_ends_the_case() -> None:
    # Owing 330,00: paying it all ends the case, so the intimation comes first; paying a part leaves the lines' order.
    whole = [item(1, Act.PAGAMENTO, centavos=330_00), item(2, Act.INTIMACAO_PAGAMENTO)]
    part = [item(1, Act.PAGAMENTO, centavos=100_00), item(2, Act.INTIMACAO_PAGAMENTO)]
    start = Start("definitivo", 330_00, CTX)
    assert lines(machine_order(whole, start)) == [2, 1]
    assert lines(machine_order(part, start)) == [1, 2]


def test_an_act_that_fits_nowhere_comes_after_those_that_do() -> None:
    group = [item(1, Act.REMESSA), item(2, Act.CIENCIA), item(3, Act.LAVRATURA, outcome="perigo_iminente")]
    assert lines(machine_order(group, Start(None, None, CTX))) == [3, 2, 1]


def test_a_line_already_rejected_whose_act_is_known_stands_in_its_place() -> None:
    group = [item(1, Act.DEFESA), item(2, Act.CIENCIA, stone=True), item(3, Act.LAVRATURA, outcome="perigo_iminente")]
    assert lines(machine_order(group, Start(None, None, CTX))) == [3, 2, 1]


@pytest.mark.parametrize("count", [MOST_ACTS + 1, 1_000])
def test_too_many_acts_of_one_day_keep_the_order_of_their_lines(count: int) -> None:
    group = [item(n, Act.PAGAMENTO) for n in range(count)]
    assert lines(machine_order(group, Start("em_julgamento", None, CTX))) == list(range(count))


def test_the_largest_day_that_the_machine_orders_is_quick() -> None:
    group = [item(n, Act.CIENCIA if n else None) for n in range(MOST_ACTS)]
    assert len(machine_order(group, Start("lavrado", None, CTX))) == MOST_ACTS


def test_days_and_cases_come_by_moment_then_auto() -> None:
    given = [
        Item(PLACE, "2/2013", DAY, 500, Act.DEFESA, 1),
        Item(PLACE, "1/2013", DAY, 900, Act.DEFESA, 2),
        Item(PLACE, "3/2013", DAY, None, Act.DEFESA, 3),
        Item(PLACE, "9/2013", DAY - 1, 100, Act.DEFESA, 4),
    ]
    ordered = [
        found.line
        for day in by_day(given)
        for _, found in sorted(arrange(by_case(day), list), key=lambda pair: pair[0])
    ]
    assert ordered == [4, 3, 1, 2]


def of(auto: str, line: int, clock: int | None = None, linked: str | None = None) -> Item:
    return Item(PLACE, auto, DAY, clock, Act.CIENCIA, line, linked=linked)


@pytest.mark.parametrize(
    ("named", "clock", "expected"),
    [
        ("E-1", None, ["E-1", "F-1", "E-1", "D-1"]),  # after the whole day of the auto that it names
        ("E-1", 50, ["E-1", "D-1", "F-1", "E-1"]),  # its own hour stands
        (None, None, ["D-1", "E-1", "F-1", "E-1"]),  # no link: by number
        ("X-1", None, ["D-1", "E-1", "F-1", "E-1"]),  # nothing of that auto on this day
    ],
)
def test_an_auto_comes_after_the_one_it_names(named: str | None, clock: int | None, expected: list[str]) -> None:
    items = [of("D-1", 1, clock, named), of("E-1", 2), of("E-1", 3, 100), of("F-1", 4, 60)]
    for lines_of in itertools.permutations(items):
        assert [i.auto for i in in_order(arrange(by_case(list(lines_of)), list))] == expected


def test_links_may_be_chained_and_a_ring_of_them_ends() -> None:
    chain = [of("A-1", 1, linked="B-1"), of("B-1", 2, linked="C-1"), of("C-1", 3)]
    assert [i.auto for i in in_order(arrange(by_case(chain), list))] == ["C-1", "B-1", "A-1"]
    ring = [of("A-1", 1, linked="B-1"), of("B-1", 2, linked="A-1")]
    assert sorted(i.auto for i in in_order(arrange(by_case(ring), list))) == ["A-1", "B-1"]


def test_acts_of_side_tracks_wait_for_each_other_and_for_the_auto() -> None:
    """Goods are given away after they are seized, and seized after the auto is drawn up, whatever the lines' order."""
    kinds = [Act.DOACAO, Act.CIENCIA, Act.APREENSAO, Act.LAVRATURA]
    for order in itertools.permutations(kinds):
        group = [item(line, kind, outcome="perigo_iminente" if kind is Act.LAVRATURA else None)
                 for line, kind in enumerate(order)]
        found = [each.kind for each in machine_order(group, Start(None, None, CTX))]
        assert found.index(Act.LAVRATURA) == 0, order
        assert found.index(Act.APREENSAO) < found.index(Act.DOACAO), order


def test_a_track_that_began_before_the_day_is_where_it_stood() -> None:
    group = [item(1, Act.HASTA_PUBLICA), item(2, Act.DEVOLUCAO)]
    start = Start("julgado", None, CTX, {"apreensao": "nao_reclamado"})
    assert lines(machine_order(group, start)) == [1, 2]
    assert lines(machine_order(group[::-1], start)) == [1, 2]  # what was given back is not auctioned
