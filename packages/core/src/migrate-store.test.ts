import { manualClock, memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createBudgetService } from "./create-service.js";
import type { Logger } from "./telemetry/logger.js";

const secret = "a secret of at least thirty-two characters";

/** A service over a store that lacks so many steps, and takes five seconds to apply them; its log as it grows. */
function serviceLacking(steps: number) {
  const lines: unknown[] = [];
  const log = (line: object, message: string) => lines.push({ message, ...line });
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store = memoryStore();
  const { migrate } = store;
  store.pendingMigrations = async () => steps;
  store.migrate = async () => {
    lines.push("migrates");
    clock.advance(5_000);
    await migrate();
  };
  return { service: createBudgetService({ store, secret, clock, logger }), lines };
}

describe("a start", () => {
  it("start logs that the schema is migrated, before and after the missing steps", async () => {
    const { service, lines } = serviceLacking(3);
    await service.start();
    await service.stop();
    expect(lines).toEqual([
      { message: "migrating the schema", steps: 3 },
      "migrates",
      { message: "migrated the schema", steps: 3, durationMs: 5_000 },
    ]);
  });

  it("start logs nothing about a schema that is up to date", async () => {
    const { service, lines } = serviceLacking(0);
    await service.start();
    await service.stop();
    expect(lines).toEqual(["migrates"]);
  });
});
