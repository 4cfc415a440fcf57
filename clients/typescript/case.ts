// One case from the auto to the Certidão de Dívida Ativa, through the types generated from /openapi.json.
// POSTURAS_URL and POSTURAS_KEY say whom to ask; the argument is the file that the certidão goes to.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.js";

type Act = components["schemas"]["Ato"];

const ibge = "3204708";
const auto = "1/2013";
const [file] = process.argv.slice(2);
const { POSTURAS_URL: baseUrl, POSTURAS_KEY: key } = process.env;
assert(file && baseUrl && key, "POSTURAS_URL, POSTURAS_KEY and a file name are needed");

const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const here = { ibge, auto };

/** What came back, or an end with the code and the message of the refusal. */
function answered<T>(reply: { data?: T; error?: unknown; response: Response }): T {
  if (reply.data === undefined) throw new Error(`${reply.response.status}: ${JSON.stringify(reply.error)}`);
  return reply.data;
}

async function record(act: Act, idempotencyKey: string) {
  const done = answered(
    await api.POST("/v1/municipalities/{ibge}/autos/{auto}/acts", {
      params: { path: here, header: { "idempotency-key": idempotencyKey } },
      body: act,
    }),
  );
  console.log(`  ${act.date}  ${act.act}: ${done.state}`);
  return done;
}

async function sweep(asOf: string, state: string) {
  const done = answered(
    await api.POST("/v1/municipalities/{ibge}/sweeps", {
      params: { path: { ibge } },
      body: { as_of: asOf, dry_run: false },
    }),
  );
  assert.deepEqual(done.failed, []);
  const { data: found } = await api.GET("/v1/municipalities/{ibge}/autos/{auto}", { params: { path: here } });
  assert.equal(found?.state, state);
  console.log(`  ${asOf}  varredura: ${found.state}`);
}

const officer = { actor: "F. Lima", role: "fiscal" } as const;
const byPost = (act: Act["act"], day: string): Act => ({
  act, date: day, ...officer, method: "postal", received: day, juntada: day,
});

const drawnUp: Act = {
  act: "lavratura",
  date: "2013-03-01",
  ...officer,
  law: "es-3204708/lei-1522-2005",
  infrator: {
    name: "Bar do Zé Ltda", doc: "11.222.333/0001-81", kind: "pj",
    address: { street: "Rua A", number: "12", city: "São Gabriel da Palha", uf: "ES" },
  },
  fact: { date: "2013-02-20T22:00", place: "Praça Central", article: "64-I", description: "Som alto na calçada" },
  perigo_iminente: "risco à saúde",
  signature: { by: "recusa", witnesses: ["Um da Silva", "Dois da Silva"] },
};
await record(drawnUp, "ts-1");
assert.equal((await record(drawnUp, "ts-1")).known, true, "the same key is the same act");

const { response: read } = await api.GET("/v1/municipalities/{ibge}/autos/{auto}", { params: { path: here } });
const version = read.headers.get("etag");
await record(byPost("ciencia", "2013-03-08"), "ts-2");
const stale = await api.POST("/v1/municipalities/{ibge}/autos/{auto}/acts", {
  params: { path: here, header: { "if-match": version } },
  body: { act: "renuncia", date: "2013-03-11", actor: "Bar do Zé Ltda", role: "autuado" },
});
assert.equal(stale.response.status, 403, "the key does not act for the person");
const other = await api.POST("/v1/municipalities/{ibge}/autos/{auto}/acts", {
  params: { path: here, header: { "if-match": version } },
  body: byPost("ciencia", "2013-03-09"),
});
assert.equal(other.response.status, 412, "the case went on since it was read");
assert.equal(other.error?.code, "versao_divergente");

await sweep("2013-04-01", "em_julgamento"); // 15 days from Friday 08/03
await record(
  {
    act: "julgamento", date: "2013-04-01", actor: "S. Reis", role: "secretario", outcome: "subsistente",
    report: "relatório", grounds: "fundamentos", articles_infringed: ["64-I"], articles_penalty: ["64-T"],
  },
  "ts-3",
);
await record(byPost("ciencia_decisao", "2013-04-02"), "ts-4");
await sweep("2013-04-22", "definitivo"); // 15 days from Tuesday 02/04
await record({ ...byPost("intimacao_pagamento", "2013-04-24"), received: "2013-04-23" }, "ts-5");
await sweep("2013-05-02", "inscrito"); // 48 hours from Wednesday 24/04 ended on Friday: inscribed on Monday 29/04

const register = answered(await api.GET("/v1/municipalities/{ibge}/divida-ativa", { params: { path: { ibge } } }));
const debt = register.items.find((item) => item.auto === auto);
assert(debt, "the auto is in the register");
assert.equal(debt.date, "2013-04-29");
// 11 units of R$ 30,00, and the tenth that comes with not paying.
assert.deepEqual([debt.original_amount, debt.charges, debt.total], ["330.00", "33.00", "363.00"]);
console.log(`  inscrição ${debt.number}: ${debt.original_amount} + ${debt.charges} = ${debt.total}`);

await record(
  {
    act: "autenticacao", date: "2013-05-06", actor: "Maria Prado", role: "divida_ativa", inscription: debt.number,
    office: "Chefe da Dívida Ativa",
  },
  "ts-6",
);
const paper = answered(
  await api.GET("/v1/municipalities/{ibge}/divida-ativa/{number}/cda", {
    params: { path: { ibge, number: debt.number }, query: { issued: "2013-05-07" } },
    headers: { Accept: "application/pdf" },
    parseAs: "arrayBuffer",
  }),
);
const bytes = new Uint8Array(paper as unknown as ArrayBuffer);
assert.equal(new TextDecoder("latin1").decode(bytes.subarray(0, 5)), "%PDF-");
await writeFile(file, bytes);
console.log(`  certidão: ${bytes.length} bytes`);
