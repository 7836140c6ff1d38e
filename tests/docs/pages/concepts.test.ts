import { readFileSync } from "node:fs";
import { type Actor, createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { actorLabel } from "../../../packages/core/src/kernel/actor.js";
import { builtServer } from "../../programs/build-programs.js";
import { startProgram } from "../../programs/running-program.js";
import { besideFolder, blocksOf } from "../code/page-code.js";
import { pageTable } from "../code/page-table.js";

const page = readFileSync(new URL("../../../docs/concepts.md", import.meta.url), "utf8");
const [program = ""] = blocksOf(page, "ts");

const ACTORS: readonly Actor[] = [
  { kind: "system", businessId: "1" },
  { kind: "user", businessId: "1", id: "7", role: "OWNER", sessionId: null },
  { kind: "key", businessId: "1", id: "12", scopes: [] },
  { kind: "customer", businessId: "1", name: "Ana" },
];

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe("docs/concepts.md", () => {
  it("the program in docs/concepts.md prints what its comments state", async () => {
    const expected = [...program.matchAll(/\/\/ ([\d. ]+)$/gm)].map(([, figures]) => `${figures}\n`).join("");
    const run = startProgram(besideFolder("packages/cli", program), {});
    await run.end;
    expect(run.printed()).toBe(expected);
  });

  it("docs/concepts.md shows every kind of actor with all its parts as written in events", () => {
    expect(
      pageTable(page, "Events and budgets record the actor's label:").map(([actor, label]) => [actor, label]),
    ).toEqual(
      ACTORS.map((actor) => {
        const { kind, ...parts } = actor;
        return [`\`{ kind: "${kind}", ${Object.keys(parts).join(", ")} }\``, `\`${actorLabel(actor)}\``];
      }),
    );
  });

  it("docs/concepts.md describes a budget's version: every change raises it", async () => {
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32) });
    const actor = { kind: "system", businessId: "1" } as const;
    const items = [{ description: "Table", quantity: 1, unitPrice: 450 }];
    const made = (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
    await service.budgets.createPublicLink(actor, made.id);
    await service.budgets.recordPayment(actor, made.id, { amount: 1, reference: "a" });
    const changed = await service.budgets.update(actor, made.id, { metadata: { a: 1 } }, { expectedVersion: 3 });
    expect(changed._unsafeUnwrap().version).toBe(4);
    const late = await service.budgets.update(actor, made.id, { notes: "late" }, { expectedVersion: 3 });
    expect(late._unsafeUnwrapErr().kind).toBe("stale");
  });
});
