import { verifyEvidence } from "@budgetkit/client/evidence";
import { type Actor, createBudgetService, scryptHasher, systemRandom } from "@budgetkit/core";
import { memoryStore, startReceiver } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";

const OLD = "the old secret, of more than thirty-two characters";
const NEW = "the new secret, of more than thirty-two characters";
const PASSWORD = "correct horse battery";

/** A business that has used the old secret: a login, a key, a link, an answer kept for a key, and an endpoint. */
async function usedBefore() {
  const store = memoryStore();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const errors: unknown[] = [];
  const passwordHasher = scryptHasher(systemRandom, { cost: 2 }); // the cost that protects passwords would only take time
  const onError = (error: unknown) => errors.push(error);
  const serve = (...secret: string[]) => {
    const service = createBudgetService({ store, secret, allowPrivateDestinations: true, passwordHasher, onError });
    onTestFinished(() => service.stop());
    return service;
  };
  const service = serve(OLD);
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor: Actor = { kind: "system", businessId: business.id };
  const user = { businessId: business.id, email: "ana@example.com", displayName: "Ana", role: "OWNER" } as const;
  (await service.users.create({ ...user, password: PASSWORD }))._unsafeUnwrap();
  const login = (await service.sessions.login({ email: user.email, password: PASSWORD }))._unsafeUnwrap();
  const key = (await service.keys.create(actor, { name: "shop", scopes: ["WRITE_BUDGETS"] }))._unsafeUnwrap();
  const endpoint = (await service.webhooks.create(actor, { url: receiver.origin }))._unsafeUnwrap();
  const create = (by: typeof service) =>
    by.fetch(
      new Request("http://host.example/v1/api/public/budgets", {
        method: "POST",
        headers: {
          authorization: `Bearer ${key.key}`,
          "content-type": "application/json",
          "idempotency-key": "order-1",
        },
        body: '{"customerId":"ana","items":[{"description":"Table","quantity":1,"unitPrice":450}]}',
      }),
    );
  const made = await create(service);
  const id: string = JSON.parse(await made.text()).data.id;
  const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
  const readKeys = async (by: typeof service, token = login.access_token) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await by.fetch(new Request("http://host.example/v1/api-keys", { headers }))).status;
  };
  const call = async (by: typeof service) => {
    const tested = await by.webhooks.test(actor, endpoint.id, { event: "budget.created", data: {} });
    return tested._unsafeUnwrap().status;
  };
  return { serve, errors, actor, login, endpoint, create, publicToken, readKeys, call };
}

describe("replacing the secret, as SECURITY.md describes it", () => {
  it("replacing the secret ends nothing while the former one is listed behind the new one", async () => {
    const { serve, login, create, readKeys, call } = await usedBefore();
    const service = serve(NEW, OLD);
    expect(await readKeys(service)).toBe(200);
    expect((await service.sessions.refresh({ refresh_token: login.refresh_token })).isOk()).toBe(true);
    expect((await create(service)).headers.get("idempotent-replayed")).toBe("true");
    expect(await call(service)).toBe("delivered");
  });

  it("processes accept each other's tokens once all know both secrets, whichever signs", async () => {
    const { serve, login, readKeys } = await usedBefore();
    const signsOld = serve(OLD, NEW);
    const signsNew = serve(NEW, OLD);
    const renewed = (await signsNew.sessions.refresh({ refresh_token: login.refresh_token }))._unsafeUnwrap();
    expect(await readKeys(signsOld, renewed.access_token)).toBe(200);
    expect(await readKeys(serve(OLD), renewed.access_token)).toBe(401);
  });

  it("replacing the secret without the former one ends logins, replays and callbacks, and nothing else", async () => {
    const { serve, errors, login, create, publicToken, readKeys, call } = await usedBefore();
    const service = serve(NEW);
    expect(await readKeys(service)).toBe(401);
    expect((await service.sessions.refresh({ refresh_token: login.refresh_token })).isErr()).toBe(true);
    expect((await create(service)).status).toBe(409); // not 401: the key is good
    expect((await service.budgets.openPublicLink(publicToken)).isOk()).toBe(true);
    expect(errors).toEqual([]);
    expect(await call(service)).toBe("failed");
    expect(String(errors)).toContain("no configured secret of the service decrypts this webhook secret");
  });

  it("signs evidence with a new key without the former secret, and keeps earlier evidence verifiable", async () => {
    const { serve, actor } = await usedBefore();
    const items = [{ description: "Table", quantity: 1, unitPrice: 450 }];
    const accept = async (service: ReturnType<typeof serve>) => {
      const { id } = (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
      (await service.budgets.update(actor, id, { status: "APPROVED" }))._unsafeUnwrap();
      return (await service.budgets.getEvidence(actor, id))._unsafeUnwrap();
    };
    const [former, next, last] = [await accept(serve(OLD)), await accept(serve(NEW, OLD)), await accept(serve(NEW))];
    expect(next.protected).toBe(former.protected);
    expect(last.protected).not.toBe(former.protected);
    const keys = await serve(NEW).fetch(new Request("http://host.example/v1/.well-known/jwks.json"));
    const set = JSON.parse(await keys.text());
    for (const evidence of [former, next, last])
      expect(await verifyEvidence(evidence, set)).toMatchObject({ ok: true });
  });

  it("replacing each webhook secret restores webhooks, also without the former secret", async () => {
    const { serve, actor, endpoint, call } = await usedBefore();
    const service = serve(NEW);
    await expect(service.webhooks.readSecret(actor, endpoint.id)).rejects.toThrow("no configured secret");
    expect((await service.webhooks.rotateSecret(actor, endpoint.id)).isOk()).toBe(true);
    expect(await call(service)).toBe("delivered");
  });
});
