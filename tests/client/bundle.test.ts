import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { signatureHeaders } from "../../packages/core/src/signing/signature.js";
import { bundle } from "./bundle.js";
import { inServedWorld } from "./world.js";

const budgets = JSON.parse(readFileSync(new URL("../../scripts/size-budgets.json", import.meta.url), "utf8"));
const TYPICAL = `
  import { BudgetkitError, createClient } from "@budgetkit/client";
  export const run = async (options, file) => {
    const client = createClient(options);
    const budget = await client.budgets.create({
      customerId: "ana",
      items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }],
    });
    const kept = await client.attachments.upload(budget.id, file, { fileName: "plan.txt" });
    const download = await client.attachments.download(budget.id, kept.id);
    const text = await (await download.blob()).text();
    const failure = await client.budgets.get("unknown").catch((error) => error);
    return { status: budget.status, text, isOurs: failure instanceof BudgetkitError, code: failure.code };
  };`;
const RECEIVER = `export { verifyWebhook } from "@budgetkit/client/webhooks";`;

/** What browsers, workers and Node all have; of Node's own there is nothing. */
function browserLike() {
  return createContext({
    AbortController,
    AbortSignal,
    Blob,
    FormData,
    Headers,
    ReadableStream,
    TextDecoder,
    TextEncoder,
    TransformStream,
    URLSearchParams,
    atob,
    clearTimeout,
    crypto,
    fetch,
    setTimeout,
  });
}

/** What a program exports, run where Node's globals are missing. */
async function runBundle(code: string) {
  return runInContext(`${await bundle(code)}; program`, browserLike());
}

const sizeOf = async (code: string) => gzipSync(await bundle(code)).byteLength;

describe("The client in a bundle for browsers", () => {
  it("the client stays within its size budget: all of it, compressed, with a typical use", async () => {
    expect(await sizeOf(TYPICAL)).toBeLessThanOrEqual(budgets["@budgetkit/client"]);
  });

  it("a bundle leaves out unused parts of the client", async () => {
    expect(await sizeOf(`export { BudgetkitError } from "@budgetkit/client";`)).toBeLessThan(1_000);
    expect(await sizeOf(RECEIVER)).toBeLessThan(2_000);
  });

  it("the client works without Node's globals, against a server", async () => {
    await inServedWorld("Hono", async (baseUrl, { apiKey }) => {
      const { run } = await runBundle(TYPICAL);
      for (const file of [new Blob(["a plan"]), new Blob(["a plan"]).stream()]) {
        expect(await run({ baseUrl, apiKey }, file)).toEqual({
          status: "PENDING",
          text: "a plan",
          isOurs: true,
          code: "RESOURCE_NOT_FOUND",
        });
      }
    });
  });

  it("the client verifies webhooks without Node's globals", async () => {
    const { verifyWebhook } = await runBundle(RECEIVER);
    const metadata = { source: "budgetkit", version: "1.1.0", delivery_id: "1", event_id: "2", sequence: 3 };
    const body = JSON.stringify({ event: "budget.created", timestamp: "2026-03-02T12:00:00.000Z", data: {}, metadata });
    const headers = signatureHeaders({ deliveryId: "1", sentAt: Date.now(), body, secrets: ["a secret of mine"] });
    expect(await verifyWebhook(headers, body, "a secret of mine")).toMatchObject({ ok: true });
    expect(await verifyWebhook(headers, `${body} `, "a secret of mine")).toMatchObject({ ok: false });
  });
});
