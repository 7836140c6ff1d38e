import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBudgetService } from "../../create-service.js";

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
