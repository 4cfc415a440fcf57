"""docs/howto/http.md: the case that it takes from the auto to the CDA, asked as it is written."""

from __future__ import annotations

import json
import re
import shlex

from tests.integration.cli.scenes import Cli
from tests.integration.http.clients import OFFICE, Client, make_key
from tests.structure.sources import ROOT

GUIDE = (ROOT / "docs" / "howto" / "http.md").read_text(encoding="utf-8")
WALK = GUIDE.split("## A case, from the auto to the CDA\n")[1].split("\n## ")[0]
ASKED = re.compile(r"^ask \$M(?P<path>/\S+)(?: --json '(?P<body>[^']+)')?", re.MULTILINE)
AUTHORITY = re.search(r"^for what in (.+?); do$", WALK, re.MULTILINE)
ROLES = re.search(r"--role (\S+)$", WALK, re.MULTILINE)


def test_the_case_of_the_guide_goes_from_the_auto_to_the_cda(http: Client, cli: Cli) -> None:
    assert AUTHORITY
    assert ROLES
    for word in shlex.split(AUTHORITY[1]):
        name, _, value = word.partition("=")
        cli.json(
            "rulebook", "option", "set", "--law", "es-3204708/lei-1522-2005", "--option", f"divida_ativa.{name}",
            "--value", value, "--act", "Portaria inventada 7/2013",
        )  # fmt: skip
    key = http.at(make_key(cli.url, roles=ROLES[1])[1])
    said = [
        key.post(OFFICE + path, json.loads(body)) if body else key.get(OFFICE + path)
        for path, body in ASKED.findall(WALK)
    ]
    assert [answer.status_code for answer in said] == [201, 201, 200, 201, 201, 201, 200, 200, 201, 200]
    assert [act["act"] for act in said[5].json()["acts"]] == ["decurso_recurso", "intimacao_pagamento"]
    assert said[7].json()["items"][0]["total"] == "363.00"  # 11 VRSGP of 30.00, and 10%
    assert said[9].content.startswith(b"%PDF-")
