"""The other readings of a counting rule in words: what each changes in the date."""

from __future__ import annotations

WORDS = {
    "days=corridos": "contando todos os dias",
    "days=uteis": "contando só os dias úteis",
    "start_on=any": "com o início em qualquer dia",
    "start_on=expediente": "com o início só em dia de expediente",
    "start_on_closed=first_counted": "a ciência em dia fechado vale nesse dia, e o 1º dia é o de expediente seguinte",
    "start_on_closed=deemed_next": "a ciência em dia fechado considera-se feita no expediente seguinte",
    "first_day=next_day": "o 1º dia é o seguinte à ciência, haja ou não expediente",
    "first_day=next_expediente": "o 1º dia é o de expediente seguinte à ciência",
    "end_on=any": "com o fim em qualquer dia",
    "end_on=expediente": "com o fim só em dia de expediente",
    "reduced=closed": "o dia de expediente reduzido conta como fechado",
    "reduced=closed_at_end": "o dia de expediente reduzido conta como fechado só no fim do prazo",
    "reduced=early_closing_at_end": "só o dia que fecha mais cedo conta como fechado, no fim do prazo",
    "reduced=open": "o dia de expediente reduzido conta como normal",
    "resume=next_day": "depois da suspensão o prazo volta a correr no dia seguinte",
    "resume=next_expediente": "depois da suspensão o prazo volta a correr no expediente seguinte",
    "months=last_day": "o prazo em meses acaba no último dia do mês a que falta o dia",
    "months=next_day": "o prazo em meses acaba no dia seguinte ao último do mês a que falta o dia",
    "hours=minute_to_minute": "as horas contam-se de minuto a minuto",
    "hours=as_days": "as horas contam-se em dias inteiros",
    "hours_end=end_of_expediente": "o prazo em horas acaba no fim do expediente seguinte",
    "hours_end=same_clock": "o prazo em horas acaba à mesma hora do expediente seguinte",
    "hours_end=first_minute": "o prazo em horas acaba no primeiro minuto do expediente seguinte",
}
PLACES = {"reparticao": "a repartição", "bancario": "o banco"}


def reading_br(reading: str) -> str:
    """``parameter=value``, or several joined by ``; ``, in words."""
    return "; ".join(_one(part) for part in reading.split("; "))


def _one(part: str) -> str:
    name, _, value = part.partition("=")
    if name == "places":
        where = " e ".join(PLACES.get(place, place) for place in value.split("+"))
        return f"o vencimento exige dia normal: {where}"
    return WORDS.get(part, part)
