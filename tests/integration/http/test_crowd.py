"""200 clients at once through a real server: every act is on record once, the sums are equal, nothing fails."""

from __future__ import annotations

import asyncio
from collections import Counter
from decimal import Decimal

import httpx

from tests.integration.cli.scenes import IBGE, Cli, inscribed_case, lavratura, supply_unit
from tests.integration.http.clients import OFFICE, make_key
from tests.integration.http.served import serving

CLIENTS = 200
SHARED = "1/2013"
PAYERS = CLIENTS // 4  # each payment goes through all the acts of the auto that they share
PAID = Decimal("1.00")


async def crowd(base: str, token: str) -> Counter[int]:
    """Each client draws up an auto of its own and sends it twice; some pay one real of an auto that they share."""
    seen: Counter[int] = Counter()
    limits = httpx.Limits(max_connections=CLIENTS)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=base, headers=headers, limits=limits, timeout=120) as client:

        async def send(auto: str, act: dict[str, object], key: str) -> httpx.Response:
            while True:
                sent = await client.post(f"{OFFICE}/autos/{auto}/acts", json=act, headers={"Idempotency-Key": key})
                seen[sent.status_code] += 1
                if sent.status_code != 503:  # busy: the same key again, as the contract says
                    return sent
                await asyncio.sleep(int(sent.headers["retry-after"]))

        async def one(number: int) -> None:
            auto = f"{number:03}/2014"
            drawn = lavratura(auto, "2014-03-03", fact="2014-02-20T22:00", person={
                "name": f"Pessoa {number}", "kind": "pf", "address": {"street": "Rua A", "uf": "ES"}})  # fmt: skip
            payment = {
                "act": "pagamento", "date": "2014-03-05", "actor": "Banco", "role": "tesouraria",
                "amount": str(PAID), "channel": "guia",
            }  # fmt: skip
            sent = [send(auto, drawn, f"auto-{number}"), send(auto, drawn, f"auto-{number}")]
            if number < PAYERS:
                sent.append(send(SHARED, payment, f"pago-{number}"))
            told = await asyncio.gather(*sent)
            assert sorted(response.status_code for response in told[:2]) == [200, 201], [r.text for r in told]
            assert [r.status_code for r in told[2:]] in ([], [201]), told[-1].text

        await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    return seen


def test_two_hundred_clients_lose_nothing(cli: Cli) -> None:
    supply_unit(cli.url)
    inscribed_case(cli.url)
    assert cli.json("sweep", "--as-of", "2013-05-10", "--municipality", IBGE)["inscribed"] == 1
    owed = Decimal(cli.json("auto", "show", SHARED)["amounts"]["saldo"])
    _, token = make_key(cli.url)
    with serving(cli.url, "--rate", "100000") as served:
        seen = asyncio.run(crowd(served.base, token))
        assert served.stop() == 0
    assert set(seen) <= {200, 201, 503}
    assert (seen[201], seen[200]) == (CLIENTS + PAYERS, CLIENTS)
    assert len(cli.json("auto", "list")) == CLIENTS + 1
    shared = cli.json("auto", "show", SHARED)
    assert Decimal(shared["amounts"]["saldo"]) == owed - PAYERS * PAID
    assert sum(act["act"] == "pagamento" for act in shared["acts"]) == PAYERS
    assert cli.json("verify", "--deep")["ok"] is True
