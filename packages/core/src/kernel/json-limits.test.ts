import { memoryStore, rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBudgetService } from "../create-service.js";
import { exceedsJsonLimits } from "./json-limits.js";
import { checkJsonShape } from "./validation.js";

const check = (text: string) => exceedsJsonLimits(new TextEncoder().encode(text));
const list = (length: number) => `[${new Array(length).fill("0").join(" , ")}]`;
const nested = (levels: number) =>
  `${"[{".repeat(levels / 2)}"a":1${"}]".repeat(levels / 2)}`.replaceAll("{[", '{"a":[');

describe("the limits of a JSON document", () => {
  it("are 20,000 values and 32 levels", () => {
    expect(check(list(19_999))).toBeNull();
    expect(check(list(20_000))).toMatchObject({ message: "The document holds too many values." });
    expect(check(nested(32))).toBeNull();
    expect(check(nested(34))).toMatchObject({ message: "The document nests more than 32 levels deep." });
  });

  it("count nothing within texts, and each empty list and object once", () => {
    expect(check(`"${"[,".repeat(30_000)}"`)).toBeNull();
    expect(check(`["${'\\"[{,'.repeat(30_000)}\\\\", "${"ñ🙂,".repeat(30_000)}"]`)).toBeNull();
    expect(check(`[${new Array(19_999).fill("[ ]").join()}]`)).toBeNull();
    expect(check(`[${new Array(20_000).fill("{}").join()}]`)).not.toBeNull();
  });

  it("leave broken documents to the parser", () => {
    for (const text of ["", '"', '"\\', "]]]]", "nul", "\u0000"]) expect(check(text)).toBeNull();
  });

  it("refuse what the check of the parsed value refuses", () => {
    const surroundings = fc.record({
      others: fc.integer({ min: 0, max: 19_998 }),
      levels: fc.integer({ min: 0, max: 33 }),
    });
    fc.assert(
      fc.property(fc.json(), surroundings, (text, { others, levels }) => {
        const document = `[${"0,".repeat(others)}${"[".repeat(levels)}${text}${"]".repeat(levels)}]`;
        expect(check(document) !== null).toBe(checkJsonShape(JSON.parse(document))?.kind === "malformed");
      }),
      { seed: 20_261_122, numRuns: rounds({ small: 40, full: 1_000 }) },
    );
  });
});

describe("a body beyond the limits", () => {
  it.each([
    ["values", `[${"0,".repeat(500_000)}0]`],
    ["levels", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
  ])("of %s is refused before it is parsed", async (_, body) => {
    const secret = "a secret of at least thirty-two characters";
    const service = createBudgetService({ store: memoryStore(), secret });
    onTestFinished(() => service.stop());
    const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const settings = { name: "Shop", scopes: ["WRITE_BUDGETS"] } as const;
    const made = await service.keys.create(
      { kind: "system", businessId: id },
      { ...settings, scopes: [...settings.scopes] },
    );
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const headers = { "content-type": "application/json", authorization: `Bearer ${made._unsafeUnwrap().key}` };
    const url = "https://host.example/v1/api/public/budgets";
    const { status } = await service.fetch(new Request(url, { method: "POST", headers, body }));
    const parsed = parse.mock.calls.filter(([text]) => String(text).length === body.length);
    expect([status, parsed.length]).toEqual([400, 0]);
  });
});
