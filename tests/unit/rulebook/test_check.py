"""`rulebook check`: each class of defect, made in a copy of a sound law, is found at its place."""

from __future__ import annotations

import re
import tomllib

import pytest

from legalbasis import load_toml
from procedure.domain.machine_check import COVERAGE
from procedure.domain.outcomes import OUTCOME_FUNCTIONS
from procedure.domain.rulebook_check import CheckReport, check_rulebook
from procedure.domain.rulebook_reader import shipped_rulebook

LAW = "es-3204708/lei-1522-2005"
TEXT = shipped_rulebook(LAW).text


def check(text: str) -> CheckReport:
    return check_rulebook(text, file="lei.toml")


def broken(before: str, after: str) -> CheckReport:
    assert TEXT.count(before) >= 1, before
    return check(TEXT.replace(before, after, 1))


def test_a_sound_law_has_no_defect_and_lists_its_silences() -> None:
    report = check(TEXT)
    assert report.defects == ()
    assert report.law == LAW
    filled = {(s.what, s.article, s.status, s.basis) for s in report.silences}
    assert ("impediment", "26", "subsidiario", "Lei 9.784/1999, art. 18") in filled
    assert ("second_instance", "34,§2", "subsidiario", "Lei 9.784/1999, art. 64, parágrafo único") in filled
    assert all(s.line and s.status in ("subsidiario", "reconstrucao") for s in report.silences)


@pytest.mark.parametrize(
    ("file", "defects"),
    [
        ("leis/es-3204708/lei-1522-2005.toml", []),
        ("leis/es-3204708/lei-1522.toml", ["law.id"]),
        ("leis/mg-3204708/lei-1522-2005.toml", ["law.id"]),
        ("rascunho/lei.toml", []),  # a draft outside any municipality's folder
    ],
)
def test_the_law_is_where_its_id_says(file: str, defects: list[str]) -> None:
    found = check_rulebook(TEXT, file=file, in_place=True).defects
    assert [d.key for d in found] == defects
    assert all(d.line and "es-3204708/lei-1522-2005" in d.reason for d in found)


def test_what_is_counted_has_the_side_tracks() -> None:
    """Counted apart in the file: every term; every row of every track, by origin and outcome."""
    data = tomllib.loads(TEXT)
    assert check(TEXT).counts["deadlines"] == len(data["deadline"])
    assert {d.get("track") for d in data["deadline"]} > {None}
    rows = [*data["row"], *data["track_row"]]
    assert check(TEXT).counts["rows"] == sum(len(r.get("from", [1])) * len(r.get("outcome", [1])) for r in rows)


def test_no_case_can_take_the_unit_of_the_day_of_payment() -> None:
    switch = re.search(r'\[switches\.dia_da_unidade\]\ndefault = "fato"\n', TEXT)
    assert switch is not None
    found = broken(switch[0], switch[0].replace("fato", "pagamento")).defects
    assert {d.key for d in found} == {"switches.dia_da_unidade.default"}
    assert any("dia do pagamento" in d.reason for d in found)
    assert broken(switch[0], switch[0].replace("fato", "decisao")).defects == ()


@pytest.mark.parametrize(
    ("said", "key", "reason"),
    [
        ("", "discount[0].within", "falta dizer até quando"),
        ('when = "chuva"\n', "discount[0].when", "sanado, sem_defesa"),
        ('within = "chuva"\nuntil = 2013-12-31\n', "discount[0].within", "não é um destes"),
    ],
)
def test_a_discount_says_until_when(said: str, key: str, reason: str) -> None:
    discount = f'\n[[discount]]\npercent = 10\narticle = "7"\n{said}'
    (found,) = check(TEXT + discount).defects
    assert (found.key, reason in found.reason) == (key, True)
    assert check(TEXT + discount.replace(said, "") + "until = 2013-12-31\n").defects == ()


def test_every_outcome_function_of_the_engine_has_its_rule_of_coverage() -> None:
    assert set(COVERAGE) == OUTCOME_FUNCTIONS


ROW = 'from = ["lavrado"]\nact = "ciencia"\nto = "aguardando_defesa"'
SERVED = 'act = "ciencia_decisao"\nto = "definitivo"'
ORDERED = 'from = ["definitivo"]\nact = "intimacao_pagamento"\nto = "aguardando_pagamento"'
JUDGE = 'acts = ["julgamento"]\nroles = ["secretario"]'
IMPEDED = 'article = "26"\nstatus = "subsidiario"\nbasis = "Lei 9.784/1999, art. 18"'
COSTED = '"iniciada", "cumprida", "executada"]\nact = "cobranca"'
COLLECTING = '"notificacao_encerrada", "cobranca"]\n'
DEFENCE = 'kind = "defesa"\nterm = "15d"\nanswers = ["defesa"]'


@pytest.mark.parametrize(
    ("before", "after", "key", "reason"),
    [
        # rows
        (ROW, ROW.replace("aguardando_defesa", "julgado"), "row[]", "nenhum caminho leva"),
        (ROW, ROW.replace("aguardando_defesa", "extinto"), "row[].to", "“extinto” não é um destes: aguardando_defesa"),
        (ROW, ROW.replace('"lavrado"', '"lavrado", "pago"'), "row[].to", "“pago” é final"),
        (ROW, ROW.replace('["lavrado"]', '["lavrado", "lavrado"]'), "row[]", "já está em row["),
        ('act = "renuncia"\nto = "definitivo"', 'act = "renuncia"\nto = "regularizado"', "row[].then", "não tem linha"),
        ('outcome = ["insubsistente", "nulo"]\nto', 'outcome = ["insubsistente"]\nto', "row[]", "resultado “nulo”"),
        ('outcome = ["integral"]\nto = "pago"', 'outcome = ["parcial"]\nto = "pago"', "row[]", "resultado “integral”"),
        ('then = ["acrescimo"]', "then = []", "row[].act", "nada o provoca"),
        ('then = ["acrescimo"]', 'then = ["juros"]', "row[].then", "não há “juros”"),
        ('requires = ["decisao_notificada"]', 'requires = ["selo"]', "row[].requires", "não há “selo”"),
        (ROW, ROW.replace('"ciencia"', '"desfazimento"'), "row[].act", "não tem linha: o caso volta"),
        ('by = "payment_cover"', 'by = "sorteio"', "outcomes.pagamento.by", "não há a função “sorteio”"),
        ('["apta", "recusada"]', '["apta", "recusada", "adiada"]', "outcomes.inscricao.values", "“adiada”"),
        ('"devolvido_a_origem",\n]\nact = "anulacao"', ']\nact = "anulacao"', "row[]", "anular"),
        (SERVED, SERVED.replace("ciencia_decisao", "saneamento"), "row[].requires", "espera “ciencia_decisao”"),
        (ORDERED, ORDERED.replace("aguardando_pagamento", "vencido"), "row[]", "leva ao estado “aguardando_pagamento”"),
        # deadlines
        (DEFENCE, DEFENCE.replace('["defesa"]', "[]"), "deadline[].answers", "nenhum ato responde"),
        (DEFENCE, DEFENCE.replace("15d", "quinze"), "deadline[].term", "não é um prazo"),
        (DEFENCE, DEFENCE.replace('"defesa"]', '"renuncia"]'), "deadline[].answers", "não tem linha de “renuncia”"),
        ('expiry = "decurso_defesa"', 'expiry = "decurso_recurso"', "deadline[].expiry", "não tem linha"),
        ('starts = "ciencia"\n', 'starts = "lavratura"\n', "deadline[].starts", "não abre o prazo “defesa”"),
        ('opens = ["impugnacao"]', "opens = []", "deadline[].kind", "nenhuma linha abre o prazo “impugnacao”"),
        ('kind = "impugnacao"', 'kind = "defesa"', "deadline[].kind", "está repetido"),
        # who and what
        (JUDGE, JUDGE.replace("julgamento", "remessa"), "row[].act", "quem pode"),
        (JUDGE, JUDGE.replace("secretario", "sistema"), "competence[].acts", "sistema"),
        (JUDGE, JUDGE.replace("]", ', "suspensao_fornecimento"]', 1), "competence[].acts", "não tem linha"),
        ('deadline = "pagamento"', 'deadline = "quitacao"', "surcharge.deadline", "não há o prazo “quitacao”"),
        ('act = "julgamento_recurso"\nmay_worsen', 'act = "retorno"\nmay_worsen', "second_instance.act", "retorno"),
        ('act = "reconsideracao"\nelement', 'act = "retirada"\nelement', "content[].act", "não tem linha"),
        # citations
        ('to = "regularizado"\narticle = "243"', 'to = "regularizado"', "row[].article", "falta esta chave"),
        ('term = "48h"\nanswers = ["pagamento"]', 'answers = ["pagamento"]', "deadline[].term", "falta esta chave"),
        ('article = "22"', 'article = "art. 22"', "row[].article", "não é um dispositivo"),
        ('basis = "Lei 9.784/1999, art. 18"\n', "", "impediment", "em que regra geral"),
        ('definition = "8"', 'definition = "oito"', "reincidencia.definition", "não é um dispositivo"),
        # readings and penalties
        ('switch = "sem_cominacao"', 'switch = "outra"', "penalty_choice[].switch", "não há a chave"),
        ('art_245 = "245"', 'art_246 = "245"', "penalty_choice[].options", "não são os valores"),
        ('art_245 = "245"', 'art_245 = "246"', "penalty_choice[].options", "não há penalidade “246”"),
        ('"mesmo_artigo", "mesmo_capitulo"', '"mesmo_artigo", "mesma_rua"', "switches.escopo.values", "“mesma_rua”"),
        ("[switches.base_acrescimo]", "[switches.base_do_acrescimo]", "switches.base_do_acrescimo", "nada lê"),
        ("[switches.escopo]", "[switches.alcance]", "reincidencia", "falta a chave switches.escopo"),
        ('unit = "UPFM"', 'unit = "UPMF"', "penalty[].unit", "não tem nome em [units]"),
        ("in_force_until = 2012-09-18", "in_force_until = 2012-09-19", "penalty[].in_force_from", "duas redações"),
        ('penalty = ["64-T"]', 'penalty = ["64-Z"]', "penalty", "não há penalidade “64-Z”"),
        ('special_over = ["101"]', 'special_over = ["1010"]', "special_over", "não é infração desta lei"),
        ('"64-U" = "condutor"', '"64-T" = "condutor"', "penalty_subject", "não está entre"),
        ('notice = { max = "60d" }', 'notice = { max = "60 dias" }', "infraction[].notice", "não é um prazo"),
        ('[[not_citable]]\nid = "39"', '[[not_citable]]\nid = "46"', "not_citable[].id", "“46” já está em infraction["),
        ('[[not_applied]]\nid = "65"', '[[not_applied]]\nid = "39"', "not_applied[].id", "já está em not_citable["),
        # one of two that go together
        ("[surcharge]", "[sobretaxa]", "row[].act", "não diz de quanto"),
        ("[second_instance]", "[instancia]", "row[].act", "pode agravar"),
        ("[reincidencia]", "[repeticao]", "switches.escopo", "a lei não tem [reincidencia]"),
        ("[reincidencia]", "[repeticao]", "penalty[].reincidencia", "nada acha o reincidente"),
        (IMPEDED, IMPEDED.replace('status = "subsidiario"\n', ""), "impediment", "e não o que é"),
        (COSTED, COSTED.replace(', "executada"', ""), "track_row[]", "não se pode cobrar"),
        (COLLECTING, COLLECTING.replace(', "cobranca"', ""), "outcomes.lavratura.values", "falta “cobranca”"),
        ('base = "faixa"', 'base = "faixa"\nper = "m2"', "penalty[].per", "a faixa não se multiplica"),
        # life and counting
        ("procedure_from = 2012-09-18", "procedure_from = 2002-09-18", "life.procedure_from", "anterior"),
        ('counting = "art-35-b"', 'counting = "lei-9784"', "law.counting", "calendars/data/laws.toml diz “art-35-b”"),
        ('espera = "leitura_padrao"', 'espera = "leitura_mais_favoravel"', "law.espera", "diz “leitura_padrao”"),
        ('pessoal = "juntada"', 'pessoal = "receipt"', "ciencia.pessoal", "diz “juntada”"),
        ('edital = "publication_next_expediente"', 'edital = "publication"', "ciencia.edital", "publication_next"),
        ('id = "es-3204708/lei-1522-2005"', 'id = "es-1/lei-1522-2005"', "law.id", "deve ser es-3204708/"),
        ('uf = "ES"', 'uf = "Espírito Santo"', "law.municipality", "sigla do Estado"),
        ('timezone = "America/Sao_Paulo"', 'timezone = "America/Vitoria"', "law.timezone", "não é um fuso"),
        (DEFENCE, f'{DEFENCE}\ncounting = "x"', "deadline[].counting", "não há a regra “x”"),
        ('edital = "publication_next_expediente"', 'edital = "jornal"', "ciencia.edital", "“jornal” não é um destes"),
        ('pessoal = "juntada"', 'pessoal = "juntada"\neletronica = "10d"', "ciencia.eletronica", "deve ser tacita:"),
        # words that the engine reads by name
        ("[[track_row]]\n", '[[track_row]]\nwhen = "coisas"\n', "track_row[].when", "“coisas” não é um destes"),
        (DEFENCE, f'{DEFENCE}\nagain = "terço"', "deadline[].again", "“terço” não é um destes: metade"),
        (DEFENCE, f'{DEFENCE}\ndefault_term = "5d"', "deadline[].default_term", "só com term = “fixado”"),
        ('progressao = "dobro"', 'progressao = "triplo"', "reincidencia.progressao", "“triplo” não é um destes"),
        ('fixed_by = ["julgamento"', 'fixed_by = ["retorno"', "fine.fixed_by", "“retorno” não é um destes"),
        ('group = "valor_proprio"', 'group = "proprio"', "infraction[].group", "“proprio” não é um destes"),
        ('label = "', 'label = "?NOME" # "', "content[].label", "está por preencher"),
        ("# ---- Infrações", "[anexo]\nx = 1\n# ---- Infrações", "anexo", "chave desconhecida"),
    ],
)  # fmt: skip
def test_a_defect_is_found(before: str, after: str, key: str, reason: str) -> None:
    found = broken(before, after).defects
    at = [d for d in found if key in (_placeless(d.key), d.key.rpartition(".")[2]) and reason in d.reason]
    assert at, [str(d) for d in found]
    assert all(d.file == "lei.toml" for d in found)


def _placeless(key: str) -> str:
    """The key without places in arrays, which move as the law is completed."""
    return re.sub(r"\[\d+\]", "[]", key)


def test_all_defects_come_at_once_with_their_lines() -> None:
    text = TEXT.replace('term = "15d"', 'term = "quinze"', 1).replace('unit = "UPFM"', 'unit = "UPMF"', 1)
    text = text.replace('roles = ["prefeito"]', 'roles = ["governador"]', 1)
    found = {_placeless(d.key): d for d in check(text).defects}
    assert {"deadline[].term", "penalty[].unit", "competence[].roles"} <= found.keys()
    lines = text.splitlines()
    assert lines[(found["deadline[].term"].line or 0) - 1] == 'term = "quinze"'
    assert lines[(found["penalty[].unit"].line or 0) - 1] == 'unit = "UPMF"'
    assert lines[(found["competence[].roles"].line or 0) - 1] == 'roles = ["governador"]'


@pytest.mark.parametrize(
    "text", ["", "row = 3", "[[row]]\nact = 5\nto = []", "outcomes = 1\ndeadline = [1, 2]", "= nada", "a = 0.1"]
)
def test_what_is_no_law_is_told_by_defects_not_by_a_traceback(text: str) -> None:
    assert check(text).defects


def test_a_key_is_looked_for_only_in_its_own_table() -> None:
    root = load_toml("[a.b]\nx = 1\n[c]\ny = 2\n[[d]]\nx = 3\n", file="f")
    for key in ("a.b", "a.b.x", "c.y", "c.x", "d[0].x"):
        root.defect(key, "")
    assert [d.line for d in root.defects] == [1, 2, 4, 3, 6]
