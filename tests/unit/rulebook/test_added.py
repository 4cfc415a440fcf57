"""Laws that do not ship: a folder of the municipality, all of it or nothing."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

import procedure
from calendars import count_under_law, law_counting, load_calendar
from calendars.term import Term
from legalbasis import InputError, TomlDefects
from procedure.cli.main import main
from procedure.domain.rulebook_reader import shipped_laws
from procedure.domain.rulebooks import RulebookFolder, add_rulebook, added_folders, known_laws, rulebook_of
from procedure.services.context import law_of, laws_of, zone_of
from procedure.testing import FixedClock, MemoryOffice, acts_of
from tests.unit.rulebook.invented import LAW, folder, text

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
pytestmark = pytest.mark.usefixtures("no_laws_left")


def test_an_added_law_is_known_to_every_part(tmp_path: Path) -> None:
    leis = folder(tmp_path)
    assert procedure.add_rulebooks(leis) == (LAW,)
    assert laws_of("3599999") == [LAW]
    assert law_of("3599999", None) == LAW
    assert zone_of("3599999").key == "America/Sao_Paulo"
    assert rulebook_of(LAW).norm == "Lei 100/2001"
    assert set(known_laws()) == {*shipped_laws(), LAW}
    assert added_folders() == (leis,)
    counting = law_counting(LAW)
    assert (counting.places, counting.payment_places) == (("reparticao",), ("reparticao", "bancario"))
    assert counting.notice == {"pessoal": "receipt", "postal": "receipt", "edital": "publication"}


def test_before_it_is_added_it_is_unknown() -> None:
    with pytest.raises(InputError) as caught:
        laws_of("3599999")
    assert caught.value.error_code == "municipio_desconhecido"
    with pytest.raises(InputError) as caught:
        rulebook_of(LAW)
    assert caught.value.error_code == "lei_desconhecida"


def test_its_calendar_has_the_days_of_the_nation_and_of_the_state(tmp_path: Path) -> None:
    """9 July is São Paulo's: closed, its law to be confirmed. 20 November is national from 2024."""
    procedure.add_rulebooks(folder(tmp_path))
    calendar = load_calendar("sp-3599999")
    assert calendar.kind(date(2024, 7, 9)).value == "fechado"
    assert calendar.kind(date(2023, 11, 20)).value == "normal"
    assert calendar.kind(date(2024, 11, 20)).value == "fechado"
    state = calendar.fact(date(2024, 7, 9))
    assert state is not None
    assert (state.verified, "a confirmar" in str(state.act)) == (False, True)
    # 10 days from Friday 28/06/2024 end on Monday 08/07; 11 days, on the 9th, which is closed: Wednesday the 10th.
    assert count_under_law(LAW, Term.parse("10d"), date(2024, 6, 28)).due == date(2024, 7, 8)
    assert count_under_law(LAW, Term.parse("11d"), date(2024, 6, 28)).due == date(2024, 7, 10)


def test_the_laws_own_counting_is_used_and_cited(tmp_path: Path) -> None:
    """Fifteen business days from Monday 04/03/2024: Monday 25/03; running days would end on the 19th."""
    procedure.add_rulebooks(folder(tmp_path, f'{text()}\n[counting]\narticle = "39"\noptions = {{ days = "uteis" }}\n'))
    counted = count_under_law(LAW, Term.parse("15d"), date(2024, 3, 4), method="pessoal")
    assert counted.due == date(2024, 3, 25)
    assert ("Lei 100/2001", "39") in {(c.norm, c.provision) for c in counted.legal_basis}


def test_a_folder_added_again_is_read_again(tmp_path: Path) -> None:
    leis = folder(tmp_path)
    procedure.add_rulebooks(leis)
    file = leis / f"{LAW}.toml"
    file.write_text(file.read_text("utf-8").replace('term = "15d"', 'term = "20d"'), encoding="utf-8")
    procedure.add_rulebooks(leis)
    assert rulebook_of(LAW).deadlines["defesa"].term == "20d"
    assert added_folders() == (leis,)


def test_every_defect_of_every_file_is_told_and_nothing_is_added(tmp_path: Path) -> None:
    leis = folder(tmp_path)
    second = leis / "sp-3599999" / "lei-200-2002.toml"
    second.write_text(text().replace("lei-100-2001", "lei-200-2002").replace('"defesa"]', '"nada"]'), encoding="utf-8")
    third = leis / "sp-3599999" / "lei-300-2003.toml"
    third.write_text("[law]\n", encoding="utf-8")
    with pytest.raises(TomlDefects) as caught:
        procedure.add_rulebooks(leis)
    assert {Path(d.file).name for d in caught.value.defects} == {second.name, third.name}
    assert known_laws() == shipped_laws()


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda leis: (leis / "sp-3599999" / "calendario.toml").unlink(), "não há o calendário “sp-3599999”"),
        (lambda leis: (leis / f"{LAW}.toml").rename(leis / "sp-3599999" / "outra.toml"), "law.id é “"),
        (lambda leis: (leis / f"{LAW}.toml").unlink(), "não há nenhuma lei"),
        (lambda leis: (leis / f"{LAW}.toml").write_bytes("ã".encode("latin-1")), "UTF-8"),
    ],
)
def test_a_folder_that_is_not_as_it_should_be(tmp_path: Path, break_it: object, words: str) -> None:
    leis = folder(tmp_path)
    break_it(leis)  # type: ignore[operator]  # one of the functions above
    with pytest.raises(RulebookFolder, match=words):
        procedure.add_rulebooks(leis)
    assert known_laws() == shipped_laws()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RulebookFolder, match="não existe"):
        procedure.add_rulebooks(tmp_path / "leis")


def test_a_shipped_law_is_not_replaced(tmp_path: Path) -> None:
    law = shipped_laws()[0]
    place = tmp_path / f"{law}.toml"
    place.parent.mkdir()
    place.write_text(rulebook_of(law).text, encoding="utf-8")
    with pytest.raises(RulebookFolder, match="já vem com o programa"):
        procedure.add_rulebooks(tmp_path)
    with pytest.raises(RulebookFolder, match="já vem com o programa"):
        add_rulebook(place)


def test_a_calendar_of_another_place_is_refused(tmp_path: Path) -> None:
    leis = folder(tmp_path)
    calendar = leis / "sp-3599999" / "calendario.toml"
    calendar.write_text(calendar.read_text("utf-8").replace('id = "sp-', 'id = "mg-'), encoding="utf-8")
    with pytest.raises(InputError, match=r"calendar\.id"):
        procedure.add_rulebooks(leis)


def test_its_own_rule_of_counting_is_not_said_to_be_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """10 days from Friday 28/06/2024 end on Monday 08/07, or later if the count begins on a working day."""
    asked = ["prazo", "--law", LAW, "--start", "2024-06-28", "--term", "10d"]
    silent = folder(tmp_path / "silent")
    assert main([*asked, "--rulebooks", str(silent)]) == 0
    assert "A lei não tem regra de contagem: o município espera até" in capsys.readouterr().out
    speaks = text() + '\n[counting]\narticle = "39"\noptions = { hours_end = "same_clock" }\n'
    assert main([*asked, "--rulebooks", str(folder(tmp_path / "speaks", speaks))]) == 0
    said = capsys.readouterr().out
    assert "A regra da lei (Lei 100/2001, art. 39) admite mais de uma leitura: o município espera até" in said
    assert "não tem regra de contagem" not in said


def test_a_notice_that_says_no_term_has_the_default_of_the_law(tmp_path: Path) -> None:
    """A law that lets the fiscal fix the term, 7 days if he does not: from Monday 12/05/2025 to Monday 19/05."""
    source = (RULEBOOKS / "sp-3544905" / "lei-2456-2025.toml").read_text(encoding="utf-8")
    fixed = source.replace('term = "5d"\nanswers = ["regularizacao"]', '{}\nanswers = ["regularizacao"]', 1)
    notice = {"method": "pessoal", "received": "2025-05-12", "article": "3", "term": None}
    for written, due in (('term = "fixado"\ndefault_term = "7d"', date(2025, 5, 19)), ('term = "fixado"', None)):
        place = tmp_path / str(due) / "sp-3544905"
        place.mkdir(parents=True)
        (place / "lei-2456-2025.toml").write_text(fixed.replace("{}", written, 1), encoding="utf-8")
        shutil.copy(RULEBOOKS / "sp-3544905" / "calendario.toml", place)
        procedure.add_rulebooks(place.parent)
        office = MemoryOffice("3544905", FixedClock("2025-06-01T12:00-03:00"))
        (act,) = acts_of("3544905", "1/2025").notificacao("2025-05-12", **notice).acts
        said = {name: value for name, value in act.items() if value is not None and name != "juntada"}
        if due is None:
            with pytest.raises(InputError) as caught:
                office.record(said)
            assert (caught.value.error_code, caught.value.field) == ("campo_ausente", "term")
        else:
            office.record(said)
            assert [(d.term, d.due) for d in office.case("1/2025").deadlines] == [("7d", due)]
