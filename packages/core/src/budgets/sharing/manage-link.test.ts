import { seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { deriveSecrets } from "../../kernel/secret-box.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { createPublicLink, readPublicLink } from "./manage-link.js";

const unreadable = { kind: "rule", rule: "PUBLIC_LINK_UNREADABLE" };

describe("a public link that was encrypted with another secret", () => {
  it("reads no link of another secret (PUBLIC_LINK_UNREADABLE), and replaces it on request", async () => {
    const { context, budgets, actor } = budgetWorld();
    const items = [{ description: "Table", quantity: 1, unitPrice: 450 }];
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const later = { ...context, box: deriveSecrets(["a new secret"], seededRandom(1)).box };
    expect((await readPublicLink(later, actor, id))._unsafeUnwrapErr()).toMatchObject(unreadable);
    const kept = await createPublicLink(later, actor, id, { rotate: false });
    expect(kept._unsafeUnwrapErr()).toMatchObject(unreadable);
    expect((await budgets.openPublicLink(publicToken)).isOk()).toBe(true); // the customer's link still works
    const { link } = (await createPublicLink(later, actor, id, { rotate: true }))._unsafeUnwrap();
    expect((await readPublicLink(later, actor, id))._unsafeUnwrap()).toMatchObject(link);
    expect((await budgets.openPublicLink(publicToken)).isErr()).toBe(true);
  });
});
