"""How a payment is shared among the open parts of a debt, exact to the centavo: nothing lost, nothing made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from penalties.errors import PaidPartUnknown
from penalties.money import amount_text, centavos, check_amount, from_centavos


@dataclass(frozen=True, slots=True)
class OpenPart:
    """One part of the debt ("arbitrada", "acrescimo", "custos" …) and what of it is open, in reais."""

    key: str
    open: Decimal


@dataclass(frozen=True, slots=True)
class PaymentOrder:
    """The order that an act lays down: tiers of parts, each paid before the next, shared pro rata inside."""

    tiers: tuple[tuple[str, ...], ...]
    act: str


@dataclass(frozen=True, slots=True)
class PaidPart:
    """What a payment paid of one part, and what stays open."""

    key: str
    paid: Decimal
    remaining: Decimal


@dataclass(frozen=True, slots=True)
class Allocation:
    """The parts in the order given, the overpayment (a credit of the payer), and the order used, for people."""

    parts: tuple[PaidPart, ...]
    credit: Decimal
    order: str

    def paid(self, key: str) -> Decimal:
        """What went to ``key``, in reais."""
        return next(part.paid for part in self.parts if part.key == key)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able; every key always there."""
        return {
            "parts": [
                {"key": p.key, "paid": amount_text(p.paid), "remaining": amount_text(p.remaining)} for p in self.parts
            ],
            "credit": amount_text(self.credit),
            "order": self.order,
        }


def allocate(
    payment: Decimal,
    parts: Sequence[OpenPart],
    *,
    order: PaymentOrder | None = None,
    pays: Iterable[str] = (),
) -> Allocation:
    """Share ``payment`` reais among ``parts``.

    What the payment names (``pays``) comes first; then the tiers of ``order``; the rest pro rata. Inside a tier each
    part gets its share rounded down, and the centavos left over go to the largest remainders (the earlier part on a
    tie). Raises PaidPartUnknown for a name that is no part, and the typed errors of amounts.
    """
    cents = centavos(check_amount(payment, field="amount"))
    owed = {part.key: centavos(check_amount(part.open, allow_zero=True, field=part.key)) for part in parts}
    if len(owed) != len(parts):
        raise PaidPartUnknown("Duas parcelas do débito têm o mesmo nome.", field="parts")
    named = tuple(dict.fromkeys(pays))
    for key in named:
        if key not in owed:
            raise PaidPartUnknown(
                f"O pagamento nomeia “{key}”, que não é parcela deste débito.",
                field="pays",
                remedy=f"Nomeie uma destas: {', '.join(owed)}.",
            )
    paid = dict.fromkeys(owed, 0)
    for tier in _tiers(tuple(owed), named, order):
        for key, share in _pro_rata(min(cents, sum(owed[k] for k in tier)), [(k, owed[k]) for k in tier]):
            paid[key] = share
            cents -= share
    shares = (PaidPart(k, from_centavos(paid[k]), from_centavos(owed[k] - paid[k])) for k in owed)
    return Allocation(tuple(shares), from_centavos(cents), _words(named, order))


def _tiers(keys: tuple[str, ...], named: tuple[str, ...], order: PaymentOrder | None) -> Iterable[tuple[str, ...]]:
    done: set[str] = set()
    for tier in (named, *(order.tiers if order is not None else ()), keys):
        left = tuple(key for key in keys if key in tier and key not in done)
        done.update(left)
        yield left


def _pro_rata(cents: int, owed: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Largest remainder. ``cents`` is at most the sum of what is owed, so no part gets more than its own."""
    whole = sum(amount for _, amount in owed)
    if whole == 0:
        return [(key, 0) for key, _ in owed]
    shares = [cents * amount // whole for _, amount in owed]
    remainders = [cents * amount % whole for _, amount in owed]
    by_remainder = sorted(range(len(owed)), key=lambda i: (-remainders[i], i))
    for index in by_remainder[: cents - sum(shares)]:
        shares[index] += 1
    return [(key, share) for (key, _), share in zip(owed, shares, strict=True)]


def _words(named: tuple[str, ...], order: PaymentOrder | None) -> str:
    words = []
    if named:
        words.append(f"primeiro o que o pagamento nomeia ({', '.join(named)})")
    if order is not None:
        tiers = "; ".join(", ".join(tier) for tier in order.tiers)
        words.append(f"na ordem de {order.act}: {tiers}")
    words.append("em proporção às partes em aberto, ao centavo")
    return "; depois ".join(words)
