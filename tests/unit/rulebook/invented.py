"""A small invented law, made by the skeleton with every answer given: what the tests of its author's path work on."""

from __future__ import annotations

from pathlib import Path

from procedure.services.rulebook_new import Identity, calendar_skeleton, identity, skeleton

LAW = "sp-3599999/lei-100-2001"
ANSWERS = {
    "DATA_LEI": "2001-05-10", "VIGENCIA": "90", "AUTO": "40", "CIENCIA": "41", "DEFESA": "42", "PRAZO_DEFESA": "15d",
    "JULGAMENTO": "43", "RECURSO": "44", "PRAZO_RECURSO": "10d", "PAGAMENTO": "cala", "PRAZO_PAGAMENTO": "30d",
    "INSCRICAO": "cala", "ANULACAO": "cala", "REINCIDENCIA": "50", "UNIDADE": "UFSB", "NOME_UNIDADE": "Unidade",
    "MULTA": "51", "QUANTIDADE": "10", "INFRACAO": "12", "DESCRICAO": "Jogar lixo.", "CAPITULO": "Da limpeza",
}  # fmt: skip


def who(norm: str = "Lei 100/2001") -> Identity:
    return identity(municipality="3599999", uf="SP", name="Serra Bonita", norm=norm)


def text() -> str:
    return skeleton(who(), ANSWERS)


def folder(root: Path, law: str | None = None) -> Path:
    """A folder of rulebooks with the law and its calendar."""
    place = root / "leis" / "sp-3599999"
    place.mkdir(parents=True)
    (place / "lei-100-2001.toml").write_text(law or text(), encoding="utf-8")
    (place / "calendario.toml").write_text(calendar_skeleton(who(), ANSWERS), encoding="utf-8")
    return root / "leis"
