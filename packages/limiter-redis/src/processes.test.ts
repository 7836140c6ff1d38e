import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rounds } from "@budgetkit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundlePackage } from "../../../tests/programs/child-process.js";
import { anyRedis, noRedis } from "./testing/redis-server.js";

const PROCESSES = 4;
const ROUNDS = rounds({ small: 20, full: 100 });
const LIMIT = 20;

describe.skipIf(noRedis !== null)("processes that share a Redis", () => {
  it("admit exactly the limit between them, each by its own clock, round after round", async () => {
    const folder = mkdtempSync(join(tmpdir(), "budgetkit-redis-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const server = await anyRedis();
    onTestFinished(() => server.remove());
    const startChild = await bundlePackage("limiter-redis", folder);
    const children = Array.from({ length: PROCESSES }, (_, index) =>
      startChild(`
        const limiter = redisLimiter(new ioredis.Redis(${JSON.stringify(server.address)}), { timeoutMs: 30_000, clock: "caller" });
        const windows = [{ lengthMs: 3_600_000, limit: ${LIMIT} }, { lengthMs: 60_000, limit: ${LIMIT} }];
        const now = () => Date.now() + ${index * 200};
        process.on("message", async (subject) => {
          const calls = Array.from({ length: 60 }, () => limiter.consume(subject, windows, now()));
          process.send((await Promise.all(calls)).filter(({ refusal }) => refusal === null).length);
        });
        `),
    );
    onTestFinished(async () => void (await Promise.all(children.map((child) => child.kill()))));
    const run = process.hrtime.bigint();
    for (let round = 0; round < ROUNDS; round += 1) {
      const admitted = await Promise.all(children.map((child) => child.ask(`${run}:${round}`)));
      expect(admitted.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(LIMIT);
    }
  });
});
