import assert from "node:assert/strict";
import { routes } from "../../http/route-table.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import type { SendOutcome, SendRequest, WebhookSender } from "../../webhooks/sender.js";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { assertInvalid, assertRule, assertStatus, createBudget } from "./samples.js";
import { PASSWORD, START, type World } from "./world.js";

const WEBHOOKS = "/api/developer/webhooks";
const TEST = "/api/public/webhooks/test";
const CALLS_URL = "https://hooks.example/calls";
const KEY_PATHS = ["/api-keys", "/api/developer/api-keys"];

/** A receiver without a socket: it notes what it is sent and answers what it is told to. */
interface ScriptedReceiver extends WebhookSender {
  readonly sent: readonly SendRequest[];
  status: number;
}

function scriptedReceiver(): ScriptedReceiver {
  const sent: SendRequest[] = [];
  return {
    sent,
    status: 204,
    async send(request): Promise<SendOutcome> {
      sent.push(request);
      return { kind: "answered", responseCode: this.status, responseBody: "", retryAfterSeconds: null, durationMs: 7 };
    },
  };
}

export function webhookCases({ describe, it }: HttpCases): void {
  const itSending = (name: string, body: (world: World, receiver: ScriptedReceiver) => Promise<void>) => {
    const receiver = scriptedReceiver();
    it(name, (world) => body(world, receiver), { service: { webhooks: { sender: receiver } } });
  };

  describe("managing webhook endpoints", () => {
    it("creates one that is sent every event, and shows its secret once", async ({ owner, member }) => {
      const created = await owner.post(WEBHOOKS, { url: CALLS_URL });
      assertStatus(created, 201);
      const path = `${WEBHOOKS}/${created.text("id")}`;
      const location = new URL(created.headers.location ?? "", `http://host.example/v1${WEBHOOKS}`);
      assert.equal(location.pathname, `/v1${path}`);
      assert.equal(created.headers["cache-control"], "no-store");
      assert.match(created.text("secret"), /^whsec_/);
      const read = await member.get(path);
      assertStatus(read, 200);
      assert.deepEqual(JSON.parse(read.body), {
        id: created.at("id"),
        url: CALLS_URL,
        description: null,
        events: null,
        status: "ACTIVE",
        disabledReason: null,
        allowedIps: null,
        retryPolicy: { delaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200] },
        failingSince: null,
        createdAt: START,
        updatedAt: START,
      });
      assert.ok(!(await member.get(WEBHOOKS)).body.includes(created.text("secret")));
    });

    it("keeps every setting that is given, changes some, and clears them by null", async ({ owner }) => {
      const created = await owner.post(WEBHOOKS, {
        url: CALLS_URL,
        description: "Stock",
        events: ["budget.approved"],
        secret: "a secret of one's own",
        allowedIps: ["203.0.113.7", "2001:db8::1/32"],
        retryPolicy: { delaysSeconds: [0, 5] },
        status: "DISABLED",
      });
      assertStatus(created, 201);
      assert.equal(created.at("secret"), "a secret of one's own");
      const path = `${WEBHOOKS}/${created.text("id")}`;
      const changed = await owner.put(path, { url: `${CALLS_URL}/2`, status: "ACTIVE" });
      assertStatus(changed, 200);
      assert.equal(changed.at("url"), `${CALLS_URL}/2`);
      assert.equal(changed.at("status"), "ACTIVE");
      assert.equal(changed.at("description"), "Stock");
      assert.deepEqual(changed.at("events"), ["budget.approved"]);
      assert.deepEqual(changed.at("allowedIps"), ["203.0.113.7", "2001:db8::/32"]);
      assert.deepEqual(changed.at("retryPolicy"), { delaysSeconds: [0, 5] });
      const cleared = await owner.put(path, { description: null, events: null, allowedIps: null, retryPolicy: null });
      for (const field of ["description", "events", "allowedIps"]) assert.equal(cleared.at(field), null, field);
      assert.equal(cleared.at("retryPolicy.delaysSeconds.5"), 43_200);
    });

    const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ url: undefined }, "url"],
      [{ url: "ftp://hooks.example" }, "url"],
      [{ url: "http://127.0.0.1/calls" }, "url"],
      [{ url: "http://[::ffff:169.254.169.254]/" }, "url"],
      [{ url: "http://2130706433/" }, "url"],
      [{ url: "https://user:pass@hooks.example/" }, "url"],
      [{ events: [] }, "events"],
      [{ events: ["budget.exploded"] }, "events[0]"],
      [{ secret: "short" }, "secret"],
      [{ allowedIps: ["10/8"] }, "allowedIps[0]"],
      [{ retryPolicy: { delaysSeconds: [] } }, "retryPolicy.delaysSeconds"],
      [{ retryPolicy: { delaysSeconds: [5] } }, "retryPolicy.delaysSeconds"],
      [{ retryPolicy: { delaysSeconds: [0, 86_401] } }, "retryPolicy.delaysSeconds[1]"],
      [{ retryPolicy: { delaysSeconds: new Array(13).fill(0) } }, "retryPolicy.delaysSeconds"],
      [{ status: "PAUSED" }, "status"],
    ];
    for (const [overrides, field] of wrong) {
      it(`refuses ${JSON.stringify(overrides)}`, async ({ owner }) => {
        const refused = await owner.post(WEBHOOKS, { url: CALLS_URL, ...overrides });
        assertStatus(refused, 400);
        assert.equal(refused.at("error.details.0.field"), field);
        assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
      });
    }

    it("refuses to send an endpoint elsewhere where it could not have been made", async ({ owner }) => {
      const path = await endpointAt(owner);
      const refused = await owner.put(path, { url: "http://10.0.0.1/" });
      assertStatus(refused, 400);
      assert.equal(refused.at("error.details.0.field"), "url");
      assert.equal((await owner.get(path)).at("url"), CALLS_URL);
    });

    it("lists them by pages, newest first", async ({ owner }) => {
      const paths: string[] = [];
      for (let count = 0; count < 3; count += 1) paths.push(await endpointAt(owner));
      const list = await owner.get(`${WEBHOOKS}?limit=2`);
      assertStatus(list, 200);
      assert.equal(`${WEBHOOKS}/${list.text("data.0.id")}`, paths[2]);
      assert.equal(list.at("pagination.total"), 3);
      assert.equal(list.at("pagination.hasMore"), true);
      const rest = await owner.get(`${WEBHOOKS}?limit=2&page=2`);
      assert.equal(`${WEBHOOKS}/${rest.text("data.0.id")}`, paths[0]);
      assertStatus(await owner.get(`${WEBHOOKS}?limit=0`), 400);
    });

    it("lets a MEMBER look and nothing else, and keys not even that", async ({ owner, member, withKey }) => {
      const path = await endpointAt(owner);
      const key = await withKey({ scopes: ["WEBHOOKS", "READ_BUDGETS"] });
      for (const read of [WEBHOOKS, path, `${path}/deliveries`]) {
        assertStatus(await member.get(read), 200);
        assertStatus(await key.get(read), 401);
      }
      const refused = [
        await member.post(WEBHOOKS, { url: CALLS_URL }),
        await member.put(path, { description: "x" }),
        await member.delete(path),
        await member.get(`${path}/secret`),
        await member.post(`${path}/secret/rotate`),
        await member.post(`${path}/test`),
        await member.post(`${path}/deliveries/1/retry`),
        await member.post(`${path}/recover`, { since: START }),
      ];
      for (const reply of refused) {
        assertStatus(reply, 403);
        assert.equal(reply.at("error.code"), "FORBIDDEN");
      }
    });

    itSending("reads the secret again, and signs with both for a day after a rotation", async (world, receiver) => {
      const { owner, clock } = world;
      const created = await owner.post(WEBHOOKS, { url: CALLS_URL });
      const path = `${WEBHOOKS}/${created.text("id")}`;
      const read = await owner.get(`${path}/secret`);
      assertStatus(read, 200);
      assert.deepEqual(JSON.parse(read.body), { secret: created.at("secret") });
      assert.equal(read.headers["cache-control"], "no-store");
      const rotated = await owner.post(`${path}/secret/rotate`);
      assertStatus(rotated, 200);
      assert.notEqual(rotated.at("secret"), created.at("secret"));
      assert.equal(rotated.at("previousSecretUntil"), "2026-03-03T12:00:00.000Z");
      assert.equal(rotated.headers["cache-control"], "no-store");
      assert.equal((await owner.get(`${path}/secret`)).at("secret"), rotated.at("secret"));
      for (const [advanceMs, signatures] of [
        [HOUR_MS / 2, 2],
        [DAY_MS, 1],
      ] as const) {
        clock.advance(advanceMs);
        const again = await logInAgain(world);
        assertStatus(await again.post(`${path}/test`), 200);
        assert.equal(receiver.sent.at(-1)?.headers["webhook-signature"]?.split(" ").length, signatures);
      }
    });

    it("takes over a secret that is given", async ({ owner }) => {
      const path = await endpointAt(owner);
      const secret = "a secret of one's own";
      const rotated = await owner.post(`${path}/secret/rotate`, { secret });
      assertStatus(rotated, 200);
      assert.equal(rotated.at("secret"), secret);
      assertStatus(await owner.post(`${path}/secret/rotate`, { secret: "short" }), 400);
    });

    itSending("cancels what waits when it is disabled, and again when it is deleted", async (world, receiver) => {
      const { owner, full, service } = world;
      receiver.status = 503;
      const path = await endpointAt(owner);
      await createBudget(full);
      await service.webhooks.tick();
      assertStatus(await owner.put(path, { status: "DISABLED" }), 200);
      assert.equal((await owner.get(`${path}/deliveries`)).at("data.0.status"), "cancelled");
      const deleted = await owner.delete(path);
      assertStatus(deleted, 200);
      assert.deepEqual(deleted.at("data"), { id: path.split("/").at(-1), deletedAt: START });
      for (const gone of [path, `${path}/deliveries`, `${path}/secret`]) assertStatus(await owner.get(gone), 404);
      assertStatus(await owner.delete(path), 404);
    });

    itSending("is disabled by a receiver that is gone, and says so", async ({ owner, full, service }, receiver) => {
      receiver.status = 410;
      const path = await endpointAt(owner);
      await createBudget(full);
      await service.webhooks.tick();
      const read = await owner.get(path);
      assert.equal(read.at("status"), "DISABLED");
      assert.match(read.text("disabledReason"), /410/);
      const restored = await owner.put(path, { status: "ACTIVE" });
      assert.equal(restored.at("disabledReason"), null);
    });
  });

  describe("testing a webhook", () => {
    itSending("calls the key's webhookUrl once and tells what came of it", async ({ withKey }, receiver) => {
      const key = await withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
      const data = { id: "5", status: "APPROVED" };
      const tested = await key.post(TEST, { event: "budget.approved", data });
      assertStatus(tested, 200);
      assert.equal(tested.at("data.status"), "delivered");
      assert.equal(tested.at("data.response_code"), 204);
      assert.equal(tested.at("data.response_time"), 7);
      assert.equal(typeof tested.at("data.delivered_at"), "string");
      const [call] = receiver.sent;
      assert.equal(call?.url, CALLS_URL);
      assert.equal(call?.headers["webhook-id"], tested.at("data.delivery_id"));
      const sent = JSON.parse(call?.body ?? "");
      assert.equal(sent.event, "budget.approved");
      assert.deepEqual(sent.data, data);
      assert.equal(sent.metadata.event_id, null);
      receiver.status = 500;
      const failed = await key.post(TEST, { event: "budget.approved", data });
      assertStatus(failed, 200);
      assert.equal(failed.at("data.status"), "failed");
      assert.equal(failed.at("data.response_code"), 500);
    });

    itSending("is refused without a webhookUrl, without the scope and without a body", async (world, receiver) => {
      const body = { event: "budget.created", data: {} };
      assertRule(await (await world.withKey({ scopes: ["WEBHOOKS"] })).post(TEST, body), "NO_WEBHOOK_URL");
      assertStatus(await world.full.post(TEST, body), 403);
      assertStatus(await world.owner.post(TEST, body), 401);
      const key = await world.withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
      assertInvalid(await key.post(TEST, {}), "event:REQUIRED", "data:REQUIRED");
      assertStatus(await key.post(TEST, { event: "budget.exploded", data: {} }), 400);
      assertStatus(await key.post(TEST, { event: "budget.created", data: { a: "x".repeat(70_000) } }), 400);
      assert.equal(receiver.sent.length, 0);
    });

    itSending("is possible ten times a minute, for keys and endpoints each", async (world, receiver) => {
      const { withKey, owner, clock } = world;
      const key = await withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
      const path = await endpointAt(owner);
      const tests = [
        () => key.post(TEST, { event: "budget.created", data: {} }),
        () => owner.post(`${path}/test`, { event: "budget.created", data: {} }),
      ];
      for (const test of tests) {
        for (let count = 1; count <= 10; count += 1) assertStatus(await test(), 200);
        const refused = await test();
        assertStatus(refused, 429);
        assert.equal(refused.headers["retry-after"], "60");
      }
      assert.equal(receiver.sent.length, 20);
      clock.advance(MINUTE_MS);
      for (const test of tests) assertStatus(await test(), 200);
    });

    itSending("needs no body at an endpoint, even a disabled one", async ({ owner }, receiver) => {
      const path = await endpointAt(owner, { status: "DISABLED" });
      const tested = await owner.post(`${path}/test`);
      assertStatus(tested, 200);
      assert.equal(receiver.sent.length, 1);
      const list = await owner.get(`${path}/deliveries`);
      assert.equal(list.at("data.0.id"), tested.at("data.delivery_id"));
      assert.equal(list.at("data.0.eventId"), null);
    });
  });

  describe("deliveries", () => {
    itSending("are listed with their attempts, newest first, by status, event and page", async (world, receiver) => {
      const { owner, full, service } = world;
      const path = await endpointAt(owner);
      const id = await createBudget(full);
      await service.webhooks.tick();
      receiver.status = 503;
      await full.delete(`/api/public/budgets/${id}`);
      await service.webhooks.tick();
      const list = await owner.get(`${path}/deliveries`);
      assertStatus(list, 200);
      assert.equal(list.at("pagination.total"), 2);
      assert.equal(list.at("data.0.event"), "budget.deleted");
      assert.equal(list.at("data.0.status"), "retrying");
      assert.equal(list.at("data.0.responseCode"), 503);
      assert.equal(list.at("data.1.status"), "delivered");
      assert.equal(list.at("data.1.nextAttemptAt"), null);
      assert.deepEqual(list.at("data.1.payload"), JSON.parse(receiver.sent[0]?.body ?? ""));
      assert.deepEqual(list.at("data.1.attempts"), [
        { number: 1, startedAt: START, durationMs: 7, responseCode: 204, responseBody: "", error: null },
      ]);
      const totals = async (query: string) => (await owner.get(`${path}/deliveries?${query}`)).at("pagination.total");
      assert.equal(await totals("status=retrying"), 1);
      assert.equal(await totals("status=failed"), 0);
      assert.equal(await totals("event=budget.created&status=delivered"), 1);
      assert.equal((await owner.get(`${path}/deliveries?limit=1&page=2`)).at("data.0.event"), "budget.created");
      for (const query of ["status=lost", "event=budget.exploded", "limit=101"]) {
        assertStatus(await owner.get(`${path}/deliveries?${query}`), 400);
      }
    });

    itSending("begin anew when asked, with the same id and bytes", async ({ owner, full, service }, receiver) => {
      receiver.status = 503;
      const path = await endpointAt(owner, { retryPolicy: { delaysSeconds: [0] } });
      await createBudget(full);
      await service.webhooks.tick();
      const id = (await owner.get(`${path}/deliveries?status=failed`)).text("data.0.id");
      const retried = await owner.post(`${path}/deliveries/${id}/retry`);
      assertStatus(retried, 200);
      assert.equal(retried.at("data.status"), "pending");
      const early = await owner.post(`${path}/deliveries/${id}/retry`);
      assertStatus(early, 422);
      assert.equal(early.at("error.rule"), "DELIVERY_NOT_FINISHED");
      receiver.status = 200;
      await service.webhooks.tick();
      const list = await owner.get(`${path}/deliveries`);
      assert.equal(list.at("data.0.status"), "delivered");
      assert.equal(list.at("data.0.attemptCount"), 2);
      assert.equal(receiver.sent[1]?.body, receiver.sent[0]?.body);
      assert.equal(receiver.sent[1]?.headers["webhook-id"], id);
      assertStatus(await owner.post(`${path}/deliveries/999999/retry`), 404);
      assertStatus(await owner.post(`${await endpointAt(owner)}/deliveries/${id}/retry`), 404);
      await owner.put(path, { status: "DISABLED" });
      const disabled = await owner.post(`${path}/deliveries/${id}/retry`);
      assertStatus(disabled, 422);
      assert.equal(disabled.at("error.rule"), "WEBHOOK_DISABLED");
    });

    itSending("that failed since a time begin anew together", async ({ owner, full, service, clock }, receiver) => {
      receiver.status = 503;
      const path = await endpointAt(owner, { retryPolicy: { delaysSeconds: [0] } });
      for (let count = 0; count < 3; count += 1) {
        await createBudget(full);
        await service.webhooks.tick();
        clock.advance(1_000);
      }
      const recovered = await owner.post(`${path}/recover`, { since: "2026-03-02T12:00:01Z" });
      assertStatus(recovered, 200);
      assert.deepEqual(recovered.at("data"), { restarted: 2 });
      assert.equal((await owner.post(`${path}/recover`, { since: START })).at("data.restarted"), 1);
      receiver.status = 204;
      await service.webhooks.tick();
      assert.equal((await owner.get(`${path}/deliveries?status=delivered`)).at("pagination.total"), 3);
      assertStatus(await owner.post(`${path}/recover`, {}), 400);
      assertStatus(await owner.post(`${path}/recover`, { since: "yesterday" }), 400);
    });

    for (const keys of KEY_PATHS) {
      itSending(`of a key's webhookUrl are managed in the same way below ${keys}`, async (world, receiver) => {
        const { owner, member, full, service } = world;
        const made = await owner.post(keys, { name: "Shop", scopes: ["READ_BUDGETS"], webhookUrl: CALLS_URL });
        const path = `${keys}/${made.text("id")}`;
        await createBudget(full);
        await service.webhooks.tick();
        const id = (await member.get(`${path}/deliveries?status=delivered`)).text("data.0.id");
        assertStatus(await member.post(`${path}/deliveries/${id}/retry`), 403);
        assertStatus(await owner.post(`${path}/deliveries/${id}/retry`), 200);
        await service.webhooks.tick();
        assert.equal(receiver.sent[1]?.body, receiver.sent[0]?.body);
        assert.deepEqual((await owner.post(`${path}/recover`, { since: START })).at("data"), { restarted: 0 });
        await owner.put(path, { webhookUrl: null });
        const refused = await owner.post(`${path}/recover`, { since: START });
        assertStatus(refused, 422);
        assert.equal(refused.at("error.rule"), "NO_WEBHOOK_URL");
        const rotated = await owner.post(`${path}/webhook-secret/rotate`);
        assertStatus(rotated, 200);
        assert.notEqual(rotated.at("webhookSecret"), made.at("webhookSecret"));
        assertStatus(await member.post(`${path}/webhook-secret/rotate`), 403);
      });
    }
  });

  describe("another business's webhooks", () => {
    const ofOne = routes.filter(({ paths: [path] }) => /\{(?:webhookId|subscriberId)\}/.test(path));
    for (const route of ofOne) {
      it(`answer like unknown ones to ${route.operationId}`, async ({ owner, otherOwner, full }) => {
        const id = route.paths[0].startsWith("/api-keys") ? full.id : (await endpointAt(owner)).split("/").at(-1);
        const body = route.operationId.startsWith("recover") ? { since: START } : undefined;
        const sent = route.body.reading === "required" ? (body ?? {}) : undefined;
        const ask = (asked = "") => {
          const path = route.paths[0].replace(/\{(?:webhookId|subscriberId)\}/, asked).replace("{deliveryId}", "1");
          return otherOwner.send(route.method, path, sent);
        };
        const [foreign, unknown] = [await ask(id), await ask("999999")];
        assertStatus(foreign, 404);
        assertStatus(unknown, 404);
        assert.equal(foreign.body.replaceAll(`${id}`, "ID"), unknown.body.replaceAll("999999", "ID"));
      });
    }

    itSending("are in no list and are told of nothing", async (world, receiver) => {
      const { owner, otherOwner, full, stranger, service } = world;
      await endpointAt(owner);
      assert.equal((await otherOwner.get(WEBHOOKS)).at("pagination.total"), 0);
      await createBudget(stranger);
      await service.webhooks.tick();
      assert.equal(receiver.sent.length, 0);
      await createBudget(full);
      await service.webhooks.tick();
      assert.equal(receiver.sent.length, 1);
    });
  });
}

/** Creates an endpoint and gives its path. */
async function endpointAt(client: Client, settings: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const created = await client.post(WEBHOOKS, { url: CALLS_URL, ...settings });
  assertStatus(created, 201);
  return `${WEBHOOKS}/${created.text("id")}`;
}

/** A login token lives an hour. */
async function logInAgain({ anonymous, as }: World): Promise<Client> {
  const session = await anonymous.post("/auth/login", { email: "olga@example.com", password: PASSWORD });
  assertStatus(session, 201);
  return as(session.text("access_token"));
}
