"""Acts that forgive or erase: the closed lists of their grounds, and the second person that they ask (spec 04, 05).

The grounds of an annulment are those of Lei 4.717/1965, art. 2º (incompetência, forma, objeto, motivos, finalidade),
the defects of notice and of defence, and what an office must be able to mend: the wrong person, the same thing twice,
an act typed wrong, and a decision taken without a filing that had come in time.
"""

from __future__ import annotations

from procedure.domain.vocabulary import Act, CancellationGround

CANCELLATION_GROUNDS = tuple(ground.value for ground in CancellationGround)
OTHER = "outro_vicio"
ANNULMENT_GROUNDS = (
    "incompetencia", "vicio_de_forma", "ilegalidade_do_objeto", "inexistencia_dos_motivos", "desvio_de_finalidade",
    "vicio_de_ciencia", "cerceamento_de_defesa", "erro_de_pessoa", "duplicidade", "erro_de_lancamento",
    "ato_tempestivo_registrado_depois", "decisao_judicial", OTHER,
)  # fmt: skip
LOWERING_GROUNDS = ("antecedente_que_caiu", "decisao_judicial")
GROUNDS = {Act.ANULACAO: ANNULMENT_GROUNDS, Act.RECALCULO_MULTA: LOWERING_GROUNDS}
"""Of the acts that no other list holds to a ground; those of the register have theirs in ``register_guards``."""
FOUR_EYES = (Act.CANCELAMENTO, Act.ANULACAO, Act.RESTITUICAO, Act.RECALCULO_MULTA)


def annulment_ground(ground: str | None, grounds: str) -> str:
    """The ground of the list: the one said, else the text itself where it is one, else ``outro_vicio``."""
    return ground or (grounds if grounds in ANNULMENT_GROUNDS else OTHER)
