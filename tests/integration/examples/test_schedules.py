"""The schedules of examples/operate: cron, systemd and Kubernetes files that parse, with commands the program takes."""

from __future__ import annotations

import configparser
import re
import shlex
from typing import Any

import pytest
import yaml

from procedure.cli.main import UsageError
from tests.integration.examples.commands import parsed
from tests.structure.sources import ROOT

FOLDER = ROOT / "examples" / "operate"
MOMENT = re.compile(r"^(?:\*|[\d*/,-]+)(?: +(?:\*|[\d*/,-]+)){4} +(?P<command>.+)$")


def test_a_line_that_the_program_does_not_take_is_seen() -> None:
    with pytest.raises(UsageError):
        parsed("posturas sweep --as-off 2013-03-26")


def test_the_crontab() -> None:
    lines = [line for line in (FOLDER / "crontab").read_text(encoding="utf-8").splitlines() if line]
    named = [line for line in lines if not line.startswith("#") and not re.match(r"[A-Z_]+=", line)]
    found = [MOMENT.match(line) for line in named]
    assert all(found)
    commands = [match["command"] for match in found if match]
    # cron reads a bare % as the end of the line.
    assert [command for command in commands if re.search(r"(?<!\\)%", command)] == []
    told = [parsed(command.replace("\\%", "%")) for command in commands]
    assert [name for name, _ in told] == ["sweep", "verify", "verify", "db", "db"]
    assert (told[0][1].as_of, told[0][1].workers, told[1][1].head) == ("2013-03-26", 2, True)
    assert (told[4][1].action, told[4][1].keep) == ("prune-events", 100_000)


def unit(name: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # systemd's names have capitals
    parser.read(FOLDER / name, encoding="utf-8")
    return {section: dict(parser[section]) for section in parser.sections()}


def test_the_systemd_units() -> None:
    service = unit("posturas-sweep.service")["Service"]
    words = shlex.split(service["ExecStart"])
    assert words[:2] == ["/bin/sh", "-c"]
    # systemd reads %F as a specifier and $NAME as a variable: both are doubled in the file.
    assert re.search(r"(?<![%])%(?!%)|(?<!\$)\$(?!\$)", words[2]) is None
    name, args = parsed(words[2].replace("%%", "%").replace("$$", "$").removeprefix("exec "))
    assert (name, args.as_of, args.json) == ("sweep", "2013-03-26", True)
    assert (service["Type"], service["KillSignal"]) == ("oneshot", "SIGTERM")
    timer = unit("posturas-sweep.timer")
    assert timer["Timer"] == {"OnCalendar": "*-*-* 00:05:00 America/Sao_Paulo", "Persistent": "true"}
    assert timer["Install"] == {"WantedBy": "timers.target"}


def test_the_kubernetes_cronjob() -> None:
    job: dict[str, Any] = yaml.safe_load((FOLDER / "cronjob.yaml").read_text(encoding="utf-8"))
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "CronJob")
    assert (job["spec"]["schedule"], job["spec"]["timeZone"]) == ("5 0 * * *", "America/Sao_Paulo")
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    shell, flag, line = container["command"]
    assert (shell, flag) == ("/bin/sh", "-c")
    name, args = parsed(line.removeprefix("exec "))
    assert (name, args.as_of) == ("sweep", "2013-03-26")
    assert {each["name"] for each in container["env"]} == {"TZ", "POSTURAS_DB"}
