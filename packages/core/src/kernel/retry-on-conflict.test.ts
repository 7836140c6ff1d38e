import { err, ok } from "neverthrow";
import { describe, expect, it, vi } from "vitest";
import { notFound } from "./problem.js";
import { keepsChanging, retryOnConflict } from "./retry-on-conflict.js";

const conflict = () => keepsChanging("budget", "7");

describe("retryOnConflict", () => {
  it("retryOnConflict repeats an attempt that is stale, and returns the first result", async () => {
    const attempt = vi.fn().mockResolvedValueOnce("stale").mockResolvedValueOnce("stale").mockResolvedValue(ok(1));
    expect(await retryOnConflict(attempt, conflict)).toEqual(ok(1));
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it("retryOnConflict returns a problem without a retry", async () => {
    const attempt = vi.fn().mockResolvedValue(err(notFound("budget", "7")));
    expect(await retryOnConflict(attempt, conflict)).toEqual(err(notFound("budget", "7")));
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it.each([
    [undefined, 10],
    [3, 3],
  ])("retryOnConflict fails after %s attempts (CONFLICT)", async (attempts, made) => {
    const attempt = vi.fn().mockResolvedValue("stale");
    expect(await retryOnConflict(attempt, conflict, attempts)).toEqual(
      err({ kind: "conflict", message: "Others keep changing this budget; try again.", details: { id: "7" } }),
    );
    expect(attempt).toHaveBeenCalledTimes(made);
  });
});
