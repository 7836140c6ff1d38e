import { register } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { collectMetrics } from "./metrics.js";

it("serves the other metrics when the store has not told its backlog in two seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(collectMetrics(() => new Promise(() => {})));
  const reading = register.metrics();
  await vi.advanceTimersByTimeAsync(2_000);
  const text = await reading;
  expect(text).toContain("\nprocess_resident_memory_bytes ");
  expect(text).not.toMatch(/^budgetkit_outbox_backlog/m);
});
