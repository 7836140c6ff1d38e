import { createHmac } from "node:crypto";
import { verifyWebhook } from "@budgetkit/core";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type ReceivedCall,
  type Receiver,
  type Respond,
  startReceiver,
} from "../packages/core/src/testing/receiver.js";
import { ask } from "./api-client.js";
import { builtServer } from "./build-programs.js";
import { type Environment, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 60_000 });

const OWNER = { email: "ana@example.org", password: "correct horse" };
const WAIT = { timeout: 20_000, interval: 50 };

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

describe("webhooks of the standalone server", () => {
  it("tell of an approval in signed calls", async () => {
    const receiver = await receive();
    const { key, send } = await furnish({}, `${receiver.origin}/hooks?shop=1`);
    const id = await send.createBudget();
    await send.approve(id);
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

  it("are tried again while the receiver is down, arrive when it is back, and can be replayed", async () => {
    const first = await receive();
    const { owner, key, send } = await furnish({}, `${first.origin}/key`);
    const delaysSeconds = [0, ...Array.from({ length: 11 }, () => 1)];
    const settings = { url: `${first.origin}/endpoint`, events: ["budget.created"], retryPolicy: { delaysSeconds } };
    const endpoint = (await owner("POST", "/api/developer/webhooks", settings)).body;
    const deliveries = `/api/developer/webhooks/${endpoint.id}/deliveries`;
    await first.close();

    await send.createBudget();
    for (const list of [deliveries, `/api-keys/${key.id}/deliveries`]) {
      await vi.waitFor(async () => {
        const [delivery] = (await owner("GET", `${list}?status=retrying`)).body.data;
        expect(delivery).toMatchObject({ event: "budget.created", responseCode: null });
        expect(delivery.attempts[0]).toMatchObject({ number: 1, error: "The connection was refused." });
        expect(delivery.nextAttemptAt).not.toBeNull();
      }, WAIT);
    }

    const second = await receive(undefined, first.port);
    await vi.waitFor(() => expect(second.calls).toHaveLength(1), WAIT);
    const delivered = await vi.waitFor(async () => {
      const [delivery] = (await owner("GET", `${deliveries}?status=delivered`)).body.data;
      expect(delivery).toMatchObject({ status: "delivered", responseCode: 204, nextAttemptAt: null });
      return delivery;
    }, WAIT);
    expect(delivered.attemptCount).toBe(delivered.attempts.length);
    expect(delivered.attempts.length).toBeGreaterThan(1);

    const replayed = await owner("POST", `${deliveries}/${delivered.id}/retry`);
    expect(replayed.status).toBe(200);
    await vi.waitFor(() => expect(second.calls).toHaveLength(2), WAIT);
    expect(second.calls[1]?.body).toBe(second.calls[0]?.body);
    expect(second.calls[1]?.headers["webhook-id"]).toBe(delivered.id);
  });

  it("are given up when the schedule is used up, and delivered when somebody asks for it", async () => {
    let status = 503;
    const receiver = await receive((_, response) => response.writeHead(status).end("busy"));
    const { owner, send } = await furnish({}, null);
    const settings = { url: receiver.origin, retryPolicy: { delaysSeconds: [0] } };
    const endpoint = (await owner("POST", "/api/developer/webhooks", settings)).body;
    const path = `/api/developer/webhooks/${endpoint.id}`;
    const since = new Date().toISOString();
    await send.createBudget();
    await send.createBudget();
    const failed = await vi.waitFor(async () => {
      const { data } = (await owner("GET", `${path}/deliveries?status=failed`)).body;
      expect(data).toHaveLength(2);
      return data[0];
    }, WAIT);
    expect(failed.attempts).toMatchObject([{ number: 1, responseCode: 503, responseBody: "busy", error: null }]);
    status = 200;
    expect((await owner("POST", `${path}/deliveries/${failed.id}/retry`)).body.data.id).toBe(failed.id);
    await vi.waitFor(async () => {
      expect((await owner("GET", `${path}/deliveries?status=delivered`)).body.data).toHaveLength(1);
    }, WAIT);
    expect((await owner("POST", `${path}/recover`, { since })).body.data).toEqual({ restarted: 1 });
    await vi.waitFor(async () => {
      expect((await owner("GET", `${path}/deliveries?status=delivered`)).body.data).toHaveLength(2);
    }, WAIT);
  });

  it("can be tested ten times a minute by the key that has them", async () => {
    const receiver = await receive();
    const { url, key, owner } = await furnish({}, receiver.origin);
    const test = (credential: string) =>
      ask(url, credential, "POST", "/api/public/webhooks/test", { event: "budget.approved", data: { a: 1 } });
    const { status, body } = await test(key.key);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      delivery_id: receiver.calls[0]?.headers["webhook-id"],
      status: "delivered",
      response_code: 204,
      response_time: expect.any(Number),
      delivered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(JSON.parse(receiver.calls[0]?.body ?? "")).toMatchObject({ event: "budget.approved", data: { a: 1 } });
    for (let count = 2; count <= 10; count += 1) expect((await test(key.key)).status).toBe(200);
    expect((await test(key.key)).status).toBe(429);
    expect(receiver.calls).toHaveLength(10);

    const without = await owner("POST", "/api-keys", { name: "no address", scopes: ["WEBHOOKS"] });
    const refused = await test(without.body.key);
    expect(refused.status).toBe(422);
    expect(refused.body.details.rule).toBe("NO_WEBHOOK_URL");
  });

  it("reach no private address unless the operator lets them, not even one that was saved before", async () => {
    const receiver = await receive();
    const database = { DATABASE_URL: `file:${temporaryFolder()}/b.db` };
    const allowing = await furnish(database, receiver.origin);
    await allowing.stop();
    const url = await serve({ ...database, BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "false" }).url;
    const owner = await logIn(url);
    for (const [path, settings] of [
      ["/api-keys", { name: "shop", scopes: ["READ_BUDGETS"], webhookUrl: receiver.origin }],
      ["/api/developer/webhooks", { url: receiver.origin }],
    ] as const) {
      const refused = await owner("POST", path, settings);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].message).toBe("The URL must lead to a public address.");
    }
    const data = { event: "budget.created", data: {} };
    const tested = await ask(url, allowing.key.key, "POST", "/api/public/webhooks/test", data);
    expect(tested.status).toBe(200);
    expect(tested.body.data).toMatchObject({ status: "failed", response_code: 0 });
    expect(receiver.connections()).toBe(0);
  });
});

function serve(environment: Environment) {
  return startProgram(main, {
    PORT: "0",
    DATABASE_URL: "memory:",
    BUDGETKIT_ADMIN_EMAIL: OWNER.email,
    BUDGETKIT_ADMIN_PASSWORD: OWNER.password,
    BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true",
    ...environment,
  });
}

async function logIn(url: string) {
  const { body } = await ask(url, "", "POST", "/auth/login", OWNER);
  return (method: string, path: string, input?: unknown) => ask(url, body.access_token, method, path, input);
}

/** A server with a key whose callbacks go to `webhookUrl`. */
async function furnish(environment: Environment, webhookUrl: string | null) {
  const program = serve(environment);
  const url = await program.url;
  const owner = await logIn(url);
  const scopes = ["READ_BUDGETS", "WRITE_BUDGETS", "WEBHOOKS"];
  const created = await owner("POST", "/api-keys", { name: "shop", scopes, webhookUrl });
  expect(created.status).toBe(201);
  const key: { readonly id: string; readonly key: string; readonly webhookSecret: string } = created.body;
  const items = [{ description: "Chair", quantity: 4, unitPrice: 79.5 }];
  return {
    url,
    owner,
    key,
    send: {
      createBudget: async (): Promise<string> => {
        const made = await ask(url, key.key, "POST", "/api/public/budgets", { customerId: "ana", items });
        expect(made.status).toBe(201);
        return made.body.data.id;
      },
      approve: async (id: string) => {
        const approved = await ask(url, key.key, "PUT", `/api/public/budgets/${id}`, { status: "APPROVED" });
        expect(approved.status).toBe(200);
      },
    },
    stop: async () => {
      program.signal("SIGTERM");
      expect(await program.end).toBe(0);
    },
  };
}

async function receive(respond?: Respond, port?: number): Promise<Receiver> {
  const receiver = await startReceiver(respond, port);
  onTestFinished(() => receiver.close());
  return receiver;
}

function eventsOf({ calls }: Receiver): string[] {
  return calls.map(({ body }: ReceivedCall) => JSON.parse(body).event).sort();
}
