import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createBudgetService } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { testDeliveryCommit } from "@budgetkit/core/store";
import { postgresStore } from "@budgetkit/store-postgres";
import { aDelivery } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { testSchema } from "../../packages/store-postgres/src/testing/test-schema.js";
import { builtServer } from "../programs/build-programs.js";

const secret = "a secret of at least thirty-two characters";
const packages = fileURLToPath(new URL("../../packages/cli", import.meta.url));
const WAIT = { timeout: 120_000, interval: 10 };

/** Delivers until SIGTERM; one that is SLOW does not come to a call before that. */
const DELIVERING = `
  import { createBudgetService } from "@budgetkit/core";
  import { createMemoryRateLimitStore } from "@budgetkit/core/store";
  import { postgresStore } from "@budgetkit/store-postgres";
  const store = postgresStore(process.env.URL, { schema: process.env.SCHEMA });
  let letGo;
  const stopping = new Promise((resolve) => { letGo = resolve; });
  const { findEndpoint } = store;
  if (process.env.SLOW !== undefined) {
    store.findEndpoint = async (...of) => {
      process.send({ hasClaimed: true });
      await stopping;
      return findEndpoint(...of);
    };
  }
  const sender = {
    send: async () => {
      process.send({ hasCalled: true });
      return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 1 };
    },
  };
  const rateLimits = createMemoryRateLimitStore();
  const service = createBudgetService({ store, secret: process.env.SECRET, rateLimits, webhooks: { sender } });
  await service.start();
  process.on("SIGTERM", async () => {
    const stopped = service.stop();
    letGo();
    await stopped;
    await store.close();
    process.exit(0);
  });
  process.send({ isReady: true });
`;

interface Program {
  readonly child: ChildProcess;
  readonly said: Record<string, unknown>[];
}

beforeAll(async () => {
  await builtServer(); // and the packages that it stands on
});

describe("processes on one PostgreSQL", () => {
  const schema = testSchema();

  async function open(): Promise<Store> {
    await (await schema.freshStore()).close();
    const store = postgresStore(schema.url, { schema: schema.schema });
    onTestFinished(() => store.close());
    return store;
  }

  async function start(program: string, environment: Record<string, string> = {}): Promise<Program> {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: packages,
      env: { PATH: process.env.PATH, URL: schema.url, SCHEMA: schema.schema, SECRET: secret, ...environment },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const said: Record<string, unknown>[] = [];
    child.on("message", (message) => said.push(Object(message)));
    await vi.waitFor(() => expect(said).toEqual([{ isReady: true }]), WAIT);
    said.length = 0;
    return { child, said };
  }

  it("a process delivers what a process that ended left behind, long before its lease is over", async () => {
    const store = await open();
    const service = createBudgetService({ store, secret });
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const system = { kind: "system", businessId: business.id } as const;
    const input = { url: "https://hooks.example/", events: ["budget.created" as const] };
    const endpoint = (await service.webhooks.create(system, input))._unsafeUnwrap();
    const slow = await start(DELIVERING, { SLOW: "yes" });
    const delivery = aDelivery({
      businessId: business.id,
      id: "90",
      subscriber: { kind: "endpoint", id: endpoint.id },
      updatedAt: Date.now(),
      nextAttemptAt: Date.now(),
      deadlineAt: Date.now() + 3_600_000,
    });
    await store.commit(testDeliveryCommit(delivery));
    await vi.waitFor(() => expect(slow.said).toEqual([{ hasClaimed: true }]), WAIT);
    const other = await start(DELIVERING);
    slow.child.kill("SIGTERM");
    await vi.waitFor(() => expect(other.said).toEqual([{ hasCalled: true }]), WAIT);
    await vi.waitFor(async () => {
      expect(await store.findDelivery(business.id, "90")).toMatchObject({ status: "delivered", attempts: 1 });
    }, WAIT);
    await vi.waitFor(() => expect(slow.child.exitCode).toBe(0), WAIT);
    expect(slow.said).toEqual([{ hasClaimed: true }]);
  });
});
