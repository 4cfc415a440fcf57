"""What a step of a test case leaves out and the law asks of the piece, filled in from the law itself.

A case says only what matters to it: role and actor, the elements that the rulebook's contents ask for, the date of the
event from which a notice runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from procedure.domain.deadlines import TACIT
from procedure.domain.rulebook import Rulebook
from procedure.domain.vocabulary import Act, Decision, Role

Data = dict[str, Any]
FACT_KEYS = (
    "article", "penalty_article", "until", "place", "description", "subject", "same_fact",
)  # fmt: skip
STEP_KEYS = (
    "act", "date", "sweep", "auto", "role", "actor", "office", "recorded_at", "person", "fact", *FACT_KEYS, "without",
)  # fmt: skip
"""What a step may say beside the fields of its act and what it expects."""
_SERVED = (
    Act.NOTIFICACAO_PRELIMINAR, Act.CIENCIA, Act.CIENCIA_DECISAO, Act.INTIMACAO, Act.INTIMACAO_PAGAMENTO,
    Act.MULTA_DIARIA_IMPOSTA, Act.MULTA_DIARIA_CONSOLIDADA,
)  # fmt: skip
_DECISIONS = (Act.JULGAMENTO, Act.RECONSIDERACAO, Act.JULGAMENTO_RECURSO)
_OPENING = (Act.NOTIFICACAO_PRELIMINAR, Act.LAVRATURA, Act.NOTIFICACAO)
_FALLS = (Decision.INSUBSISTENTE, Decision.NULO)
_EVENT = {"publication_next_expediente": "publication", "receipt": "received"}
_FOUR_EYES = (Act.CANCELAMENTO, Act.ANULACAO, Act.RESTITUICAO)


@dataclass(slots=True)
class Desk:
    """The law, the people of the case file (the first is the one of a piece that names none), what was drawn up."""

    book: Rulebook
    people: Mapping[str, Any]
    facts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def filled(self, auto: str, step: Mapping[str, Any]) -> Data:
        """The step as the import format has it, its dates as text."""
        data: Data = iso(dict(step))
        act, without = str(data["act"]), data.pop("without", [])
        role = data.setdefault("role", self._role(act))
        data.setdefault("actor", f"{role}-{2 if self._is_impeded(act) else 1}")
        data.update(municipality=self.book.municipality, auto=auto, law=self.book.id)
        if act in _OPENING:
            self._opening(data)
        if act in _SERVED:
            self._notice(data)
        if act in _DECISIONS:
            self._decision(auto, data)
        if act in _FOUR_EYES:
            _four_eyes(data)
        for path in without:
            _remove(data, path)
        return data

    def drew(self, auto: str, act: str, facts: Sequence[Mapping[str, Any]]) -> None:
        """Remember the facts of an auto that was recorded, as the case has them, each with what punishes it."""
        if act in _OPENING:
            self.facts[auto] = list(facts)

    def _role(self, act: str) -> str:
        competence = self.book.competences.get(act)
        return competence.roles[0] if competence else Role.FISCAL.value

    def _is_impeded(self, act: str) -> bool:
        return self.book.impediment is not None and act in self.book.impediment[0]

    def _opening(self, data: Data) -> None:
        name = data.pop("person", None) or next(iter(self.people), None)
        if name is not None:
            data.setdefault("infrator", dict(self.people[name]))
        if not (data.get("infractions") or data.get("collects") or isinstance(data.get("fact"), dict)):
            fact: Data = {"date": data.pop("fact", data["date"]), "place": "lugar", "description": "fato descrito"}
            fact.update({key: data.pop(key) for key in FACT_KEYS if key in data})
            data["fact"] = fact
        if data["act"] == Act.LAVRATURA:
            data.setdefault("signature", {"by": "autuado"})
            if data.get("perigo_iminente") is False:
                del data["perigo_iminente"]

    def _notice(self, data: Data) -> None:
        method = data.setdefault("method", next(iter(self.book.notice_rule), "pessoal"))
        event = self.book.notice_rule.get(method, "receipt")
        data.setdefault("sent" if event.startswith(TACIT) else _EVENT.get(event, event), data["date"])
        if method == "edital":
            data.setdefault("reason", "lugar incerto e não sabido")

    def _decision(self, auto: str, data: Data) -> None:
        falls = data.setdefault("outcome", Decision.SUBSISTENTE.value) in _FALLS
        asked = {c.element for c in self.book.contents.get(data["act"], ())}
        for element, text in (("report", "relatório"), ("grounds", "fundamentos")):
            if element in asked:
                data.setdefault(element, text)
        facts = self.facts.get(auto, [])
        if not falls and data["act"] != Act.RECONSIDERACAO:
            for field_name, key in (("articles_infringed", "article"), ("articles_penalty", "penalty_article")):
                cited = list(dict.fromkeys(f[key] for f in facts if f[key]))
                data.update({field_name: cited, **data} if cited else {})


def iso(value: Any) -> Any:
    """Days and instants as text, inside lists and tables too."""
    if isinstance(value, dict):
        return {name: iso(item) for name, item in value.items()}
    if isinstance(value, list):
        return [iso(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _four_eyes(data: Data) -> None:
    data.setdefault("second_person", "segunda-pessoa")
    if data["act"] != Act.CANCELAMENTO:
        data.setdefault("grounds", "fundamentos")
    if data["act"] == Act.ANULACAO:
        data.setdefault("annuls", "lavratura")


def _remove(data: Data, path: str) -> None:
    """Take out the field at a dotted path; nothing when it is not there."""
    *outer, last = path.split(".")
    for name in outer:
        data = data.get(name, {})
    data.pop(last, None)
