import { type Client, createClient } from "@budgetkit/client";
import { SCALE } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { operationExamples } from "../../packages/core/src/http/openapi/examples.js";
import type { Route } from "../../packages/core/src/http/route.js";
import { routes } from "../../packages/core/src/http/route-table.js";
import { createRouter } from "../../packages/core/src/http/router.js";
import type { listeners } from "../hosts/http-hosts.js";
import { type DocumentedWorld, inFewWorlds } from "../operations/documented-world.js";
import { callMethod } from "./calls.js";
import { inServedWorld } from "./world.js";

const router = createRouter(routes);
const examples = operationExamples();

/** A world behind a framework, with a client that may do everything, and the operations that it asked for. */
async function withClient(
  framework: keyof typeof listeners,
  body: (client: Client, asked: readonly string[], world: DocumentedWorld) => Promise<void>,
  operationId = "",
): Promise<void> {
  const run = async (baseUrl: string, world: DocumentedWorld) => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: `${baseUrl}/`,
      apiKey: world.apiKey,
      accessToken: async () => world.login,
      retries: 0,
      fetch: (url, init) => {
        const match = router.match(init?.method ?? "GET", new URL(String(url)).pathname.replace("/v1", ""));
        asked.push(match.kind === "found" ? match.route.operationId : match.kind);
        return fetch(url, init);
      },
    });
    await body(client, asked, world);
  };
  await inServedWorld(framework, run, operationId);
}

/** The field names of an answer, without the values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

function dataOf(answer: unknown): unknown {
  const { data, pagination } = Object(answer);
  return data === undefined || pagination !== undefined ? answer : data;
}

/** A small run leaves out Express: openapi/openapi.test.ts sends it every documented request. */
const FRAMEWORKS = SCALE === "full" ? (["Hono", "Express"] as const) : (["Hono"] as const);

describe.each(FRAMEWORKS)("The client's method for an operation behind %s", (framework) => {
  it("the client's method reads the answer of each operation", async () => {
    expect(routes.length).toBeGreaterThan(100);
    await inFewWorlds<Parameters<Parameters<typeof withClient>[1]>, Route>(
      routes,
      (operationId, body) => withClient(framework, (...world) => body(world), operationId),
      ([client, asked], route) => expectReadAnswer(client, asked, route),
    );
  });
});

/** Calls the method of an operation, and expects one request and the fields of the documented answer. */
async function expectReadAnswer(client: Client, asked: readonly string[], { operationId }: Route): Promise<void> {
  const before = asked.length;
  const data = await callMethod(client, operationId, examples[operationId]);
  expect(asked.slice(before)).toEqual([operationId]);
  const { answer } = examples[operationId] ?? {};
  if (operationId === "getOpenApi") expect(data).toMatchObject({ openapi: "3.1.0", info: { title: "Budgetkit" } });
  else expect(shapeOf(data), operationId).toEqual(shapeOf(dataOf(answer)));
}

describe("The client", () => {
  it("the client has one method for each operation, beside those that walk a list and resumeReminders", () => {
    const client = createClient({ baseUrl: "http://127.0.0.1" });
    const methods = Object.values(client).flatMap((part) => (typeof part === "function" ? ["it"] : Object.keys(part)));
    expect(methods.filter((name) => !name.startsWith("each") && name !== "resumeReminders")).toHaveLength(
      routes.length,
    );
  });

  it("the client walks every list, page by page, by cursor where there is one", async () => {
    await withClient("Hono", async (client, asked, { named }) => {
      const customer = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
      for (let made = 0; made < 3; made += 1) await client.budgets.create(customer);
      await client.budgets.recordPayment(named("budgetId"), { amount: 1, reference: "second" });
      await client.budgets.sendMessage(named("budgetId"), { message: "Delivery is included." });
      await client.publicLinks.sendMessage(named("token"), { name: "Ana", message: "Is delivery included?" });
      const before = asked.length;
      const all = (await client.budgets.list({ limit: 100 })).data.map(({ id }) => id);
      const seen: string[] = [];
      for await (const budget of client.budgets.each({ limit: 3 })) seen.push(budget.id);
      expect(seen).toEqual(all);
      expect(asked).toHaveLength(before + 1 + Math.ceil(all.length / 3));
      const { customers, products, packages, keys, webhooks, integrations, events, attachments, budgets, publicLinks } =
        client;
      const one = { limit: 1 };
      const key = named("keyId");
      const lists: readonly [AsyncIterable<unknown>, Promise<{ data: readonly unknown[] }>][] = [
        [customers.each({ ...one, includeDeleted: true }), customers.list({ includeDeleted: true })],
        [products.each({ ...one, includeDeleted: true }), products.list({ includeDeleted: true })],
        [packages.each({ ...one, includeDeleted: true }), packages.list({ includeDeleted: true })],
        [keys.each(one), keys.list()],
        [keys.eachDelivery(key, { limit: 5 }), keys.listDeliveries(key, { limit: 100 })],
        [webhooks.each(one), webhooks.list()],
        [webhooks.eachDelivery(named("webhookId"), one), webhooks.listDeliveries(named("webhookId"), { limit: 100 })],
        [integrations.each(one), integrations.list()],
        [events.each({ limit: 5 }), events.list({ limit: 100 })],
        [attachments.each(named("budgetId"), one), attachments.list(named("budgetId"))],
        [budgets.eachRevision(named("budgetId"), one), budgets.listRevisions(named("budgetId"))],
        [budgets.eachPayment(named("budgetId"), one), budgets.listPayments(named("budgetId"))],
        [budgets.eachMessage(named("budgetId"), one), budgets.listMessages(named("budgetId"))],
        [publicLinks.eachMessage(named("token"), one), publicLinks.listMessages(named("token"))],
      ];
      for (const [each, list] of lists) {
        const entries: unknown[] = [];
        for await (const entry of each) entries.push(entry);
        expect(entries).toEqual((await list).data);
        expect(entries).not.toEqual([]);
      }
    });
  });

  it("withResponse returns the values of the headers", async () => {
    await withClient("Express", async (client, _asked, { named }) => {
      const id = named("budgetId");
      const { data, etag, rateLimit, requestId, status } = await client.budgets
        .get(id, { requestId: "order-4711" })
        .withResponse();
      expect([data.id, status, requestId]).toEqual([id, 200, "order-4711"]);
      expect(etag).toMatch(new RegExp(`^"v${data.version}-`));
      expect(rateLimit).toMatchObject({ limit: 1_000 });
      expect(rateLimit?.remaining).toBeLessThan(1_000);
      expect(rateLimit?.resetAt.getUTCFullYear()).toBe(2026);
      expect((await client.keys.list().withResponse()).rateLimit).toMatchObject({ limit: 1_000, remaining: 999 });
      expect((await client.publicLinks.open(named("token")).withResponse()).rateLimit).toBeNull();

      const changed = await client.budgets.update(id, { notes: "By ETag" }, { ifMatch: etag ?? "" });
      await client.budgets.update(id, { notes: "By version" }, { ifMatch: changed.version });
      await expect(client.budgets.update(id, { notes: "Late" }, { ifMatch: changed.version })).rejects.toMatchObject({
        status: 412,
        code: "PRECONDITION_FAILED",
      });

      const once = { idempotencyKey: "order-1" };
      const first = await client.budgets.duplicate(id, once).withResponse();
      const second = await client.budgets.duplicate(id, once).withResponse();
      expect([second.data.id, first.isReplay, second.isReplay]).toEqual([first.data.id, false, true]);
      expect((await client.budgets.duplicate(id)).id).not.toBe(first.data.id);
    });
  });

  it.each(["Hono", "Express"] as const)(
    "the client sends an empty ifMatch and an empty idempotencyKey, refused behind %s",
    async (framework) => {
      await withClient(framework, async ({ budgets }, _asked, world) => {
        const id = world.named("budgetId");
        await expect(budgets.update(id, { notes: "a" }, { ifMatch: "" })).rejects.toMatchObject({ status: 412 });
        await expect(budgets.duplicate(id, { idempotencyKey: "" })).rejects.toMatchObject({ status: 400 });
      });
    },
  );

  it.each(["Hono", "Express"] as const)("the client streams files in and out, behind %s", async (framework) => {
    await withClient(framework, async ({ attachments }, _asked, world) => {
      const budgetId = world.named("budgetId");
      const chunks = ["2.10 m ", "by ", "0.95 m"].map((text) => new TextEncoder().encode(text));
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const chunk = chunks.shift();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
      const named = { fileName: 'Plan "Ñandú".txt', contentType: "text/plain" };
      const kept = await attachments.upload(budgetId, stream, named);
      expect(kept).toMatchObject({ size: 16, contentType: "text/plain" });
      const { stream: read, ...download } = await attachments.download(budgetId, kept.id);
      let text = "";
      for await (const chunk of Object(read)) text += new TextDecoder().decode(chunk);
      expect(text).toBe("2.10 m by 0.95 m");
      expect(download).toMatchObject({ fileName: kept.fileName, contentType: "text/plain", size: 16 });
      expect(kept.fileName).toContain("Ñandú");
      const file = Object.assign(new Blob(["<svg/>"], { type: "image/svg+xml" }), { name: "door.svg" });
      expect(await attachments.upload(budgetId, file)).toMatchObject({
        fileName: "door.svg",
        contentType: "image/svg+xml",
      });
    });
  });
});
