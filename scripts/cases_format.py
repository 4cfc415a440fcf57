"""Write the reference page of the cases file and of the fields of acts: ``python -m scripts.cases_format``.

Which names there are comes from the runner and from the shapes of acts; what they mean is in ``cases_format.toml``. A
name that nobody explained, or an explanation of no name, is an error.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from legalbasis import PosturasError
from procedure.domain import act_shapes as shapes
from procedure.domain import field_checks as checks
from procedure.domain.field_checks import Check, Shape
from procedure.services.rulebook_expectations import EXPECTATIONS
from procedure.services.rulebook_filling import STEP_KEYS
from procedure.services.rulebook_testing import CASE_KEYS, NEEDED, TOP_KEYS
from scripts.reference import taken

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "reference" / "cases.md"
OBJECTS: dict[str, Shape] = {
    "person": shapes.PERSON, "address": shapes.ADDRESS, "fact": shapes.FACT, "goods": shapes.GOODS,
    "signature": shapes.SIGNATURE, "evidence": shapes.EVIDENCE, "by": shapes.BY,
}  # fmt: skip
_KINDS: dict[Check, str] = {
    checks.read_text: "texto", checks.read_line: "texto",
    checks.read_amount: "valor", checks.read_quantity: "quantidade",
    checks.read_when: "dia, ou dia e hora", checks.read_flag: "`true` ou `false`", checks.read_provision: "artigo",
    checks.read_term: "prazo", checks.read_document: "CPF ou CNPJ", checks.read_sha256: "SHA-256",
}  # fmt: skip


def source() -> dict[str, Any]:
    """What is written of the page."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def names() -> dict[str, tuple[str, ...]]:
    """The names that each list of the page must explain."""
    fields = dict.fromkeys(name for shape in shapes.SHAPES.values() for name in shape.fields)
    listed = {"file": tuple(sorted(TOP_KEYS)), "case": tuple(sorted(CASE_KEYS)), "step": STEP_KEYS}
    listed |= {"expected": tuple(sorted(EXPECTATIONS)), "field": tuple(sorted(fields))}
    return {**listed, **{name: tuple(shape.fields) for name, shape in OBJECTS.items()}}


def check(said: Mapping[str, Any]) -> list[str]:
    """What is not explained, and what is explained and is not there."""
    found = []
    for kind, wanted in names().items():
        told = set(said[kind]) - {"title", "idea"}
        found += [f"{kind}.{name}: not explained" for name in wanted if name not in told]
        found += [f"{kind}.{name}: there is none" for name in sorted(told - set(wanted))]
    return found


def page(said: Mapping[str, Any]) -> str:
    """The reference page."""
    order = names()
    parts = [said["head"].rstrip()]
    for kind in ("file", "case", "step", "expected"):
        rows = [(name, said[kind][name] + (" (obrigatória)" if _needed(kind, name) else "")) for name in order[kind]]
        parts.append(_table(said[kind], ("chave", "significado"), rows))
    parts.append(said["filled"].rstrip())
    parts.append(_table(said["acts"], ("atos", "obrigatórios", "podem vir"), _acts()))
    described = {"field": [*shapes.SHAPES.values()], **{name: [shape] for name, shape in OBJECTS.items()}}
    head = ("campo", "tipo", "significado")
    parts += [_table(said[name], head, _fields(said[name], of)) for name, of in described.items()]
    return "\n\n".join(parts) + "\n"


def _acts() -> list[tuple[str, ...]]:
    """The acts that have the same fields, with them."""
    alike: list[tuple[Shape, list[str]]] = []
    for act, shape in shapes.SHAPES.items():
        same = next((acts for known, acts in alike if known == shape), None)
        if same is None:
            alike.append((shape, [act.value]))
        else:
            same.append(act.value)
    return [
        ("`, `".join(acts), _listed(shape, needed=True), _listed(shape, needed=False)) for shape, acts in alike
    ]


def _needed(kind: str, name: str) -> bool:
    return kind == "case" and name in NEEDED


def _listed(shape: Shape, *, needed: bool) -> str:
    return ", ".join(f"`{name}`" for name, (_, required) in shape.fields.items() if required is needed)


def _fields(said: Mapping[str, str], of: Iterable[Shape]) -> list[tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for shape in of:
        for name, (one, _) in shape.fields.items():
            kinds = found.setdefault(name, [])
            kinds += [kind for kind in [_kind(one)] if kind not in kinds]
    return [(name, "; ou ".join(kinds), said[name]) for name, kinds in sorted(found.items())]


def _kind(one: Check) -> str:
    if isinstance(one, Shape):
        return "objeto"
    if words := taken(one):
        return ", ".join(f"`{word}`" for word in words)
    try:
        one("?", "campo")
    except PosturasError as error:
        if "lista" in error.message:
            return "lista"
    return _KINDS.get(one, "texto")


def _table(said: Mapping[str, str], head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [f"## {said['title']}", "", said["idea"].strip(), "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [f"| `{name}` | {' | '.join(rest)} |" for name, *rest in rows]
    return "\n".join(lines)


def answer() -> str:
    """The page. Raises ValueError where the words and the program differ."""
    said = source()
    differences = check(said)
    if differences:
        raise ValueError("\n".join(differences))
    return page(said)


def main() -> int:
    """Write the page when it differs."""
    text = answer()
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{PAGE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
