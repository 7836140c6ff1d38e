import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { aBudgetBody, assertStatus, BUDGETS } from "./samples.js";

const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

export function publicLinkCases(cases: HttpCases): void {
  queryCases(cases);
}

/** A pending budget and the path of its link. */
async function linked(full: Client): Promise<{ readonly id: string; readonly link: string }> {
  const id = (await full.post(BUDGETS, aBudgetBody())).text("data.id");
  return { id, link: `/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}` };
}

const TRACKERS = "utm_source=mail&utm_source=news&fbclid=%00&__proto__=a&%ED%A0%80=b";
const QUERIES = [
  ["unknown parameters, some of them twice", TRACKERS, "Quote"],
  ["more than 100 parameters", Array.from({ length: 150 }, (_, index) => `p${index}=1`).join("&"), "Quote"],
  ["a second language", "lang=es&lang=pt", "Presupuesto"],
  ["a language that is too long, before one that fits", `lang=${"x".repeat(36)}&lang=es`, "Presupuesto"],
  ["a channel that is too long", `c=${"x".repeat(2_000)}`, "Quote"],
  ["a channel with forbidden characters", "c=%00", "Quote"],
] as const;

function queryCases({ describe, it }: HttpCases): void {
  describe("a public link", () => {
    for (const [name, query, title] of QUERIES) {
      it(`ignores ${name} in its query`, async ({ full, anonymous, send }) => {
        const { link } = await linked(full);
        const page = await anonymous.get(`${link}?${query}`, HTML);
        assertStatus(page, 200);
        assert.ok(page.body.includes(`<title>${title}`));
        for (const path of ["unsubscribe", "evidence.json", "seen.svg", "logo"]) {
          const loaded = await send({ method: "GET", path: `/v1${link}/${path}?${query}`, headers: {}, body: null });
          assert.notEqual(loaded.status, 400, path);
        }
        assert.notEqual((await anonymous.get(`${link}.pdf?${query}`)).status, 400);
        const answer = { version: 2, name: "Ana" };
        for (const path of ["unsubscribe", "decline"]) {
          assertStatus(await anonymous.post(`${link}/${path}?${query}`, answer), 200);
        }
      });
    }
  });
}
