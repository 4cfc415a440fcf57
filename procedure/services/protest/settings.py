"""The municipality's own data for protest, as its options give them."""

from __future__ import annotations

from collections.abc import Mapping

from procedure.services.protest.remessa import Sequence52
from procedure.services.protest.titles import Address, Presenter

PRESENTER = (
    "portador", "nome", "cedente", "agencia", "cnpj", "endereco", "bairro", "cep", "cidade", "uf",
)  # fmt: skip
"""After ``protesto.``: the codes that the CRA gave, the municipality's name, CNPJ and seat."""
PLACE, SEQUENCE = "protesto.praca", "protesto.sequencia"
HOME, SEAT = "domicilio", "municipio"
PROTEST_CHOICES: Mapping[str, tuple[str, ...]] = {PLACE: (HOME, SEAT), SEQUENCE: tuple(s.value for s in Sequence52)}
"""Where a certidão is protested (the debtor's domicile, or always at the seat), and how records are numbered."""


def presenter_of(settings: Mapping[str, str], municipality_name: str, uf: str) -> Presenter:
    """Who presents the titles, from the options; what is missing is told by ``Presenter.check``."""
    given = {name: settings.get(f"protesto.{name}", "") for name in PRESENTER}
    return Presenter(
        portador=given["portador"],
        name=given["nome"] or f"Município de {municipality_name}",
        cedente_code=given["cedente"],
        agency=given["agencia"],
        cnpj=given["cnpj"],
        address=Address(
            street=given["endereco"],
            district=given["bairro"],
            cep="".join(c for c in given["cep"] if c.isdigit()),
            city=given["cidade"] or municipality_name,
            uf=given["uf"] or uf,
        ),
    )


def sequence_of(settings: Mapping[str, str]) -> Sequence52:
    """How field 52 runs."""
    return Sequence52(settings.get(SEQUENCE, Sequence52.ARQUIVO))
