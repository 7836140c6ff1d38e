import { createBudgetService, type Role, SCOPES, type Scope } from "@budgetkit/core";
import { routes } from "@budgetkit/core/routes";
import { manualClock, memoryBlobStore, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { askDirectly } from "../hosts/direct-host.js";
import { SCOPES_BY_ROLE } from "./access.js";

const REFUSED = [401, 403];

/** The operations of the public interface that a user may try, as the route table has them. */
const OPEN = routes.flatMap(({ operationId, auth }) =>
  auth.kind === "key" && auth.keysAlone !== true ? [{ operationId, scope: auth.scope }] : [],
);

describe("the operations of the public API that a role may call", () => {
  it.each([
    ["OWNER", undefined, SCOPES],
    ["OWNER", [], SCOPES],
    ["ADMIN", undefined, SCOPES],
    ["ADMIN", [], SCOPES],
    ["MEMBER", undefined, SCOPES_BY_ROLE.MEMBER],
    ["MEMBER", [], []],
    ["MEMBER", [...SCOPES], SCOPES],
    ...SCOPES.map((scope): [Role, Scope[], Scope[]] => ["MEMBER", [scope], [scope]]),
  ] as const)("%s with memberScopes %j may call the operations that need %j", async (role, memberScopes, held) => {
    const expected = OPEN.filter(({ scope }) => held.some((each) => each === scope));
    expect(await allowedTo(role, memberScopes)).toEqual(expected.map(({ operationId }) => operationId));
  });

  it("every scope but WEBHOOKS opens at least one operation to a role, since WEBHOOKS tests a key", () => {
    expect(SCOPES.filter((scope) => !OPEN.some((each) => each.scope === scope))).toEqual(["WEBHOOKS"]);
  });
});

describe("the option memberScopes", () => {
  it.each([["ALL"], [["READ_BUDGETS", "ALL"]], [["read_budgets"]]])("memberScopes refuses %j", (memberScopes) => {
    const options = { store: memoryStore(), secret: "s".repeat(32), memberScopes };
    // @ts-expect-error no list of scopes
    expect(() => createBudgetService(options)).toThrow("memberScopes must be a list of READ_BUDGETS, ");
  });
});

/** Calls every public operation on records that do not exist, and returns those that are not refused for the role. */
async function allowedTo(role: Role, memberScopes: readonly Scope[] | undefined): Promise<readonly string[]> {
  const clock = manualClock();
  const service = createBudgetService({
    store: memoryStore(),
    blobs: memoryBlobStore(),
    clock,
    secret: "a secret for tests that is long enough",
    resolveUser: () => ({ businessId: "1", userId: "7", role }),
    ...(memberScopes === undefined ? {} : { memberScopes }),
  });
  const allowed: string[] = [];
  for (const { operationId, auth, method, paths } of routes) {
    if (auth.kind !== "key") continue;
    const path = `/v1${paths[0].replace(/\{\w+\}/g, "999")}`;
    const { status } = await askDirectly(service, { method, path, headers: {}, body: null });
    if (!REFUSED.includes(status)) allowed.push(operationId);
    clock.advance(1_000); // below the limit of requests a minute
  }
  return allowed;
}
