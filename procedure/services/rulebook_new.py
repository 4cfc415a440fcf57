"""The skeleton of a law to be encoded: what is known of it filled in, the rest marked with “?” for its author.

The skeleton is data (``procedure/rulebooks/skeleton.toml``), and so are its questions: the lines ``#? NAME text``, with
``[cala: norm]`` where general law fills a silence (``[cala: nada a supre]``: what would cite it is taken out) and
``[padrão: value]`` where there is a usual answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib import resources

from legalbasis import InputError

SILENT = "cala"
NOTHING_FILLS = "nada a supre"
_QUESTION = re.compile(
    r"(?m)^#\? (?P<name>[A-Z_]+) +(?P<text>.*?)(?: \[cala: (?P<basis>[^]]+)\])?(?: \[padrão: (?P<usual>[^]]+)\])?$"
)
_NORM = re.compile(r"(?P<kind>[^\W\d]+(?: (?!nº)[^\W\d]+)*) (?:nº )?(?P<number>\d[\d.]*)/(?P<year>\d{4})")
_DATE = "DATA_LEI"
_FIRST_YEAR = 1991  # every national day is known by its law since then (calendars/data/br.toml)
_LAST_DAY = "2035-12-31"
_PLAIN = str.maketrans("áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇ", "aaaaeeiooouucaaaaeeiooouuc")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing the author must say. ``basis``: the general law that fills it where the law is silent."""

    name: str
    text: str
    basis: str | None
    usual: str | None


@dataclass(frozen=True, slots=True)
class Identity:
    """The municipality and its law, checked."""

    municipality: str
    uf: str
    name: str
    norm: str
    title: str | None = None

    @property
    def place(self) -> str:
        """``sp-3522307``: the folder, and the calendar."""
        return f"{self.uf.lower()}-{self.municipality}"

    @property
    def law(self) -> str:
        """The id of the law."""
        found = _norm(self.norm)
        kind = found["kind"].translate(_PLAIN).lower().replace(" ", "-")
        return f"{self.place}/{kind}-{found['number'].replace('.', '')}-{found['year']}"

    def urn(self, day: str) -> str:
        """The LexML name of the law, of ``day``."""
        found = _norm(self.norm)
        kind = found["kind"].translate(_PLAIN).lower().replace(" ", ".")
        town = re.sub(r"[^a-z0-9]+", ".", self.name.translate(_PLAIN).lower()).strip(".")
        state = STATES[self.uf][1]
        return f"urn:lex:br;{state};{town}:municipal:{kind}:{day};{found['number'].replace('.', '')}"


class SkeletonAnswer(InputError):
    """Uma resposta do esqueleto não serve."""

    code = "esqueleto_invalido"


def identity(*, municipality: str, uf: str, name: str, norm: str, title: str | None = None) -> Identity:
    """The municipality and law asked for. Raises SkeletonAnswer."""
    state = STATES.get(uf.upper())
    if state is None:
        raise SkeletonAnswer(f"“{uf[:9]}” não é a sigla de um Estado.", field="uf", remedy="Escreva a sigla, como SP.")
    if not re.fullmatch(r"\d{7}", municipality) or not municipality.startswith(state[0]):
        raise SkeletonAnswer(
            f"“{municipality[:24]}” não é código do IBGE de município de {uf.upper()}.",
            field="municipality",
            remedy=f"São 7 algarismos, e os de {uf.upper()} começam por {state[0]}.",
        )
    _norm(norm)
    return Identity(municipality, uf.upper(), _one_line(name, "name"), norm, title and _one_line(title, "title"))


def _norm(text: str) -> re.Match[str]:
    found = _NORM.fullmatch(text)
    if found is None:
        raise SkeletonAnswer(
            f"“{text[:40]}” não é o nome de uma norma.",
            field="norm",
            remedy="Escreva espécie, número e ano: Lei N/AAAA.",
        )
    return found


def _one_line(text: str, field: str) -> str:
    if not text.strip() or not text.isprintable() or '"' in text or "\\" in text:
        raise SkeletonAnswer(f"{field}: deve ser texto de uma linha, sem aspas.", field=field)
    return text.strip()


def questions() -> list[Question]:
    """What the skeleton asks, in order."""
    found = _QUESTION.finditer(_template("skeleton.toml"))
    return [Question(m["name"], m["text"], m["basis"], m["usual"]) for m in found]


def skeleton(law: Identity, answers: Mapping[str, str]) -> str:
    """The text of the rulebook. Answers by the name of the question; ``cala`` where the law is silent.

    What is not answered stays marked with “?”. Raises SkeletonAnswer.
    """
    asked = {q.name: q for q in questions()}
    for name in answers:
        if name not in asked:
            raise SkeletonAnswer(f"o esqueleto não pergunta “{name[:40]}”.", remedy=f"Pergunta: {', '.join(asked)}.")
    text = _template("skeleton.toml")
    if _DATE in answers:
        text = text.replace(f'"?{_DATE}"', _day(answers[_DATE]))
    for name, answer in answers.items():
        if answer == SILENT:
            text = _silenced(text, asked[name], answers)
        else:
            text = text.replace(f'"?{name}"', f'"{_one_line(answer, name)}"')
    left = {name for name in asked if re.search(rf'"\?{name}"', text)}
    text = _QUESTION.sub(lambda m: m[0].replace("#? ", "#   ?", 1) if m["name"] in left else "", text)
    text = re.sub(r"(?m)(^#.*\n)\n+(?=#   \?)", r"\1", text)
    if not left:
        text = re.sub(r"(?m)^#\n# O que preencher .*\n", "", text)
    return re.sub(r"\n{3,}", "\n\n", _named(text, law, answers))


def calendar_skeleton(law: Identity, answers: Mapping[str, str]) -> str:
    """The text of ``calendario.toml``: the municipality's own days are its author's to add."""
    since = answers.get(_DATE) or f"{_norm(law.norm)['year']}-01-01"
    first = f"{max(_FIRST_YEAR, int(since[:4]))}-01-01"
    text = _template("skeleton-calendario.toml").replace("?PRIMEIRO_DIA", first).replace("?ULTIMO_DIA", _LAST_DAY)
    return _named(text, law, answers)


def _silenced(text: str, question: Question, answers: Mapping[str, str]) -> str:
    """Where the law is silent: the article of the auto, and the general law that fills it."""
    if question.basis is None:
        raise SkeletonAnswer(f"{question.name}: nenhuma norma geral o supre; diga-o.", field=question.name)
    if question.basis == NOTHING_FILLS:
        return _without(text, f'"?{question.name}"')
    served = answers.get("AUTO", "?AUTO")
    filled = f'article = "{served}"\nstatus = "subsidiario"\nbasis = "{question.basis}"'
    return text.replace(f'article = "?{question.name}"', filled)


def _without(text: str, mark: str) -> str:
    """The text without the tables whose article is ``mark``, and without the lines of other tables that cite it."""
    tables = [table for table in text.split("\n\n") if not re.search(rf"(?m)^article = {re.escape(mark)}", table)]
    return "\n\n".join("\n".join(line for line in table.split("\n") if mark not in line) for table in tables)


def _named(text: str, law: Identity, answers: Mapping[str, str]) -> str:
    known = {
        "ID": law.law,
        "NORMA": law.norm,
        "TITULO": law.title or f"{law.norm} de {law.name}",
        "URN": law.urn(answers.get(_DATE) or _norm(law.norm)["year"]),
        "IBGE": law.municipality,
        "NOME": law.name,
        "UF": law.uf,
        "CALENDARIO": law.place,
        "FUSO": f"America/{STATES[law.uf][2]}",
    }
    return re.sub(r"\?([A-Z]+)\b(?!_)", lambda m: known.get(m[1], m[0]), text)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise SkeletonAnswer(f"“{text[:24]}” não é uma data (AAAA-MM-DD).", field=_DATE) from None


def _template(name: str) -> str:
    return resources.files("procedure.rulebooks").joinpath(name).read_text(encoding="utf-8")


def schema_text() -> str:
    """The JSON Schema of the format, for editors."""
    return _template("schema.json")


STATES: dict[str, tuple[str, str, str]] = {  # IBGE's number, the name in LexML, the zone's city
    "RO": ("11", "rondonia", "Porto_Velho"),
    "AC": ("12", "acre", "Rio_Branco"),
    "AM": ("13", "amazonas", "Manaus"),
    "RR": ("14", "roraima", "Boa_Vista"),
    "PA": ("15", "para", "Belem"),
    "AP": ("16", "amapa", "Belem"),
    "TO": ("17", "tocantins", "Araguaina"),
    "MA": ("21", "maranhao", "Fortaleza"),
    "PI": ("22", "piaui", "Fortaleza"),
    "CE": ("23", "ceara", "Fortaleza"),
    "RN": ("24", "rio.grande.norte", "Fortaleza"),
    "PB": ("25", "paraiba", "Fortaleza"),
    "PE": ("26", "pernambuco", "Recife"),
    "AL": ("27", "alagoas", "Maceio"),
    "SE": ("28", "sergipe", "Maceio"),
    "BA": ("29", "bahia", "Bahia"),
    "MG": ("31", "minas.gerais", "Sao_Paulo"),
    "ES": ("32", "espirito.santo", "Sao_Paulo"),
    "RJ": ("33", "rio.janeiro", "Sao_Paulo"),
    "SP": ("35", "sao.paulo", "Sao_Paulo"),
    "PR": ("41", "parana", "Sao_Paulo"),
    "SC": ("42", "santa.catarina", "Sao_Paulo"),
    "RS": ("43", "rio.grande.sul", "Sao_Paulo"),
    "MS": ("50", "mato.grosso.sul", "Campo_Grande"),
    "MT": ("51", "mato.grosso", "Cuiaba"),
    "GO": ("52", "goias", "Sao_Paulo"),
    "DF": ("53", "distrito.federal", "Sao_Paulo"),
}
