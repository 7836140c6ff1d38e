import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBudgetService } from "../../create-service.js";

const MEGABYTE = 1024 * 1024;

/** A service, and a function that sends it a body with a key. */
async function world() {
  const secret = "a secret of at least thirty-two characters";
  const service = createBudgetService({ store: memoryStore(), secret });
  onTestFinished(() => service.stop());
  const { id } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const made = await service.keys.create(
    { kind: "system", businessId: id },
    { name: "Shop", scopes: ["WRITE_BUDGETS"] },
  );
  const headers = { "content-type": "application/json", authorization: `Bearer ${made._unsafeUnwrap().key}` };
  const url = "https://host.example/v1/api/public/budgets";
  return (body: string) => service.fetch(new Request(url, { method: "POST", headers, body }));
}

describe("a body beyond the limits", () => {
  it.each([
    ["values", `[${"0,".repeat(500_000)}0]`],
    ["levels", `${"[".repeat(500_000)}${"]".repeat(500_000)}`],
  ])("of %s is refused before it is parsed", async (_, body) => {
    const send = await world();
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const { status } = await send(body);
    const parsed = parse.mock.calls.filter(([text]) => String(text).length === body.length);
    expect([status, parsed.length]).toEqual([400, 0]);
  });

  it("waits for a turn of the event loop of its own, so that other requests run between such bodies", async () => {
    const send = await world();
    const body = `["${"a".repeat(MEGABYTE - 100)}",${"[".repeat(40)}`;
    let turn = 0;
    const count = (): void => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    onTestFinished(() => clearImmediate(counting));
    const requests = Array.from({ length: 20 }, async () => {
      const { status } = await send(body);
      return { status, turn };
    });
    const responses = await Promise.all(requests);
    expect(responses.map(({ status }) => status)).toEqual(new Array(20).fill(400));
    expect(new Set(responses.map(({ turn }) => turn)).size).toBe(20);
  });
});
