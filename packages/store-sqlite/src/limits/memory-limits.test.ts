import { setImmediate as endOfTurn } from "node:timers/promises";
import { rateLimitSuite } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { memoryLimits } from "./memory-limits.js";

const one = [{ lengthMs: 1_000, limit: 1 }];

describe("the limiter in memory, beside a database", () => {
  rateLimitSuite({ describe, it }, async () => ({ limits: memoryLimits() }));

  it("the limiter in memory decides the calls of one turn together, in their order", async () => {
    const limits = memoryLimits();
    const answered: string[] = [];
    const ask = (subject: string): Promise<void> =>
      limits.consume(subject, one, 0).then(({ refusal }) => {
        answered.push(`${subject} ${refusal === null ? "admitted" : "refused"}`);
      });
    void ask("a");
    await Promise.resolve();
    void ask("b");
    void ask("a");
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    expect(answered).toEqual([]);
    await endOfTurn();
    expect(answered).toEqual(["a admitted", "b admitted", "a refused"]);
  });
});
