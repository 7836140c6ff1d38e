import { createHmac } from "node:crypto";
import { type Client, createClient } from "@budgetkit/client";
import { verifyWebhook } from "@budgetkit/core";
import { type ReceivedCall, type Receiver, type Respond, startReceiver } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { quickServer } from "../programs/build-programs.js";
import { freePort, startProgram, temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const OWNER = { email: "ana@example.org", password: "correct horse" };
const CHAIRS = { customerId: "ana", items: [{ description: "Chair", quantity: 4, unitPrice: 79.5 }] };
const WAIT = { timeout: 120_000, interval: 50 };

const ENVIRONMENT = {
  DATABASE_URL: "memory:",
  BUDGETKIT_ADMIN_EMAIL: OWNER.email,
  BUDGETKIT_ADMIN_PASSWORD: OWNER.password,
  BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
};

describe("webhooks of the standalone server", () => {
  it("webhooks announce an approval in signed calls", async () => {
    const receiver = await receive();
    const program = startProgram(await quickServer(), { PORT: "0", ...ENVIRONMENT });
    const { key, shop } = await furnish(await program.url, `${receiver.origin}/hooks?shop=1`);
    const { id } = await shop.budgets.create(CHAIRS);
    await shop.budgets.update(id, { status: "APPROVED" });
    await vi.waitFor(() => expect(eventsOf(receiver)).toEqual(["budget.approved", "budget.created"]), WAIT);
    for (const call of receiver.calls) {
      expect(call).toMatchObject({ method: "POST", path: "/hooks?shop=1" });
      expect(call.headers["content-type"]).toBe("application/json");
      const hex = createHmac("sha256", key.webhookSecret).update(call.body).digest("hex");
      expect(call.headers["x-service-signature"]).toBe(`sha256=${hex}`);
      expect(verifyWebhook(call.headers, call.body, key.webhookSecret)).toMatchObject({
        ok: true,
        event: { data: { id }, metadata: { source: "budgetkit", delivery_id: call.headers["webhook-id"] } },
      });
    }
  });

  it("retries webhooks while the receiver is down, delivers when it is back, and redelivers on request", async () => {
    const first = await receive(undefined, await freePort());
    const { owner, key, shop } = await furnish((await serveHere(ENVIRONMENT)).url, `${first.origin}/key`);
    const delaysSeconds = [0, ...Array.from({ length: 11 }, () => 1)];
    const events = ["budget.created"] as const;
    const endpoint = await owner.webhooks.create({
      url: `${first.origin}/endpoint`,
      events,
      retryPolicy: { delaysSeconds },
    });
    await first.close();

    await shop.budgets.create(CHAIRS);
    for (const list of [
      () => owner.webhooks.listDeliveries(endpoint.id, { status: "retrying" }),
      () => owner.keys.listDeliveries(key.id, { status: "retrying" }),
    ]) {
      await vi.waitFor(async () => {
        const [delivery] = (await list()).data;
        expect(delivery).toMatchObject({ event: "budget.created", responseCode: null });
        expect(delivery?.attempts[0]).toMatchObject({ number: 1, error: "The connection was refused." });
        expect(delivery?.nextAttemptAt).toEqual(expect.any(String));
      }, WAIT);
    }

    const second = await receive(undefined, first.port);
    await vi.waitFor(() => expect(second.calls).toHaveLength(1), WAIT);
    const delivered = await vi.waitFor(async () => {
      const [delivery] = (await owner.webhooks.listDeliveries(endpoint.id, { status: "delivered" })).data;
      if (delivery === undefined) throw new Error("nothing was delivered");
      return delivery;
    }, WAIT);
    expect(delivered).toMatchObject({ status: "delivered", responseCode: 204, nextAttemptAt: null });
    expect(delivered.attemptCount).toBe(delivered.attempts.length);
    expect(delivered.attempts.length).toBeGreaterThan(1);

    await owner.webhooks.retryDelivery(endpoint.id, delivered.id);
    await vi.waitFor(() => expect(second.calls).toHaveLength(2), WAIT);
    expect(second.calls[1]?.body).toBe(second.calls[0]?.body);
    expect(second.calls[1]?.headers["webhook-id"]).toBe(delivered.id);
  });

  it("webhooks fail when the schedule is used up, and are delivered when they are retried", async () => {
    let status = 503;
    const receiver = await receive((_, response) => response.writeHead(status).end("busy"));
    const { owner, shop } = await furnish((await serveHere(ENVIRONMENT)).url, null);
    const { webhooks } = owner;
    const { id } = await webhooks.create({ url: receiver.origin, retryPolicy: { delaysSeconds: [0] } });
    const since = new Date().toISOString();
    await shop.budgets.create(CHAIRS);
    await shop.budgets.create(CHAIRS);
    const failed = await vi.waitFor(async () => {
      const { data } = await webhooks.listDeliveries(id, { status: "failed" });
      const [delivery] = data;
      if (delivery === undefined || data.length !== 2) throw new Error(`${data.length} have failed`);
      return delivery;
    }, WAIT);
    expect(failed.attempts).toMatchObject([{ number: 1, responseCode: 503, responseBody: "busy", error: null }]);
    status = 200;
    expect((await webhooks.retryDelivery(id, failed.id)).id).toBe(failed.id);
    const expectDelivered = (count: number) =>
      vi.waitFor(async () => {
        expect((await webhooks.listDeliveries(id, { status: "delivered" })).data).toHaveLength(count);
      }, WAIT);
    await expectDelivered(1);
    expect(await webhooks.recoverDeliveries(id, { since })).toEqual({ restarted: 1 });
    await expectDelivered(2);
  });

  it("a key tests its webhook ten times a minute (NO_WEBHOOK_URL)", async () => {
    const receiver = await receive();
    const { url } = await serveHere(ENVIRONMENT);
    const { owner, shop } = await furnish(url, receiver.origin);
    const test = ({ webhooks }: Client) => webhooks.testUrl({ event: "budget.approved", data: { a: 1 } });
    expect(await test(shop)).toEqual({
      delivery_id: receiver.calls[0]?.headers["webhook-id"],
      status: "delivered",
      response_code: 204,
      response_time: expect.any(Number),
      delivered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toMatchObject({ event: "budget.approved", data: { a: 1 } });
    for (let count = 2; count <= 10; count += 1) await test(shop);
    await expect(test(shop)).rejects.toMatchObject({ status: 429 });
    expect(receiver.calls).toHaveLength(10);

    const { key: apiKey } = await owner.keys.create({ name: "no address", scopes: ["WEBHOOKS"] });
    const without = createClient({ baseUrl: `${url}/v1`, apiKey });
    await expect(test(without)).rejects.toMatchObject({ status: 422, rule: "NO_WEBHOOK_URL" });
  });

  it("calls no private address unless the operator allows it, not even one that was saved before", async () => {
    const receiver = await receive();
    const environment = { ...ENVIRONMENT, DATABASE_URL: `file:${temporaryFolder()}/b.db` };
    const allowing = await serveHere(environment);
    const { key } = await furnish(allowing.url, receiver.origin);
    await allowing.stop();
    const { url } = await serveHere({ ...environment, BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "false" });
    const owner = await logIn(url);
    for (const refuse of [
      () => owner.keys.create({ name: "shop", scopes: ["READ_BUDGETS"], webhookUrl: receiver.origin }),
      () => owner.webhooks.create({ url: receiver.origin }),
    ]) {
      await expect(refuse()).rejects.toMatchObject({
        status: 400,
        fieldErrors: [{ message: "The URL must lead to a public address." }],
      });
    }
    const { webhooks } = createClient({ baseUrl: `${url}/v1`, apiKey: key.key });
    const tested = await webhooks.testUrl({ event: "budget.created", data: {} });
    expect(tested).toMatchObject({ status: "failed", response_code: 0 });
    expect(receiver.connections()).toBe(0);
  });
});

async function logIn(url: string): Promise<Client> {
  const baseUrl = `${url}/v1`;
  const { access_token: accessToken } = await createClient({ baseUrl }).auth.login(OWNER);
  return createClient({ baseUrl, accessToken });
}

/** The owner of a server, and a key whose callbacks go to `webhookUrl`. */
async function furnish(url: string, webhookUrl: string | null) {
  const owner = await logIn(url);
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS", "WEBHOOKS"] as const;
  const key = await owner.keys.create({ name: "shop", scopes, webhookUrl });
  return { owner, key, shop: createClient({ baseUrl: `${url}/v1`, apiKey: key.key }) };
}

async function receive(respond?: Respond, port?: number): Promise<Receiver> {
  const receiver = await startReceiver(respond, port);
  onTestFinished(() => receiver.close());
  return receiver;
}

function eventsOf({ calls }: Receiver): string[] {
  return calls.map(({ body }: ReceivedCall) => JSON.parse(body).event).sort();
}
