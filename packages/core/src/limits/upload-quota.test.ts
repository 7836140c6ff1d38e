import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { counts, decideHold, UPLOAD_WINDOW, uploadSubject, userUploadSubject } from "./upload-quota.js";
import type { UploadCharge } from "./upload-quota-store.js";

const WINDOW = { lengthMs: 1_000, limit: 100 };

describe("the quota of uploads", () => {
  it("the upload quota is 100 MiB an hour for a key (QUOTA_EXCEEDED)", () => {
    expect(UPLOAD_WINDOW).toEqual({ lengthMs: 3_600_000, limit: 104_857_600 });
    expect(uploadSubject("1", "20")).toBe("upload:1:20");
    expect(userUploadSubject("1", "20")).toBe("upload:1:user:20");
  });

  it("counts an upload until it leaves, unless a clock that was ahead recorded it", () => {
    const at = (leavesAt: number) => counts({ holdId: "a", bytes: 1, leavesAt }, WINDOW, 5_000);
    expect([5_000, 5_001, 6_000, 6_001].map(at)).toEqual([false, true, true, false]);
  });

  it("reports an empty window as the time at which an upload above the limit fits", () => {
    expect(decideHold([], { id: "a", needed: 101, wanted: 101 }, WINDOW, 0)).toEqual({
      held: null,
      room: 100,
      fitsAt: 1_000,
    });
  });

  it("shows zero room when more is held than the lowered limit", () => {
    const charges = [{ holdId: "a", bytes: 150, leavesAt: 500 }];
    expect(decideHold(charges, { id: "b", needed: 1, wanted: 1 }, WINDOW, 0)).toEqual({
      held: null,
      room: 0,
      fitsAt: 500,
    });
  });

  it("never admits more than the quota within any stretch of the window", () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 700 }),
      needed: fc.integer({ min: 0, max: 80 }),
      extra: fc.integer({ min: 0, max: 80 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const received: { at: number; bytes: number }[] = [];
        let charges: UploadCharge[] = [];
        let now = 0;
        for (const [index, { wait, needed, extra }] of steps.entries()) {
          now += wait;
          const id = String(index);
          const { held } = decideHold(charges, { id, needed, wanted: needed + extra }, WINDOW, now);
          if (held === null) continue;
          expect(held).toBeGreaterThanOrEqual(needed);
          expect(held).toBeLessThanOrEqual(needed + extra);
          charges = [...charges, { holdId: id, bytes: held, leavesAt: now + WINDOW.lengthMs }];
          received.push({ at: now, bytes: held });
        }
        for (const { at } of received) {
          const within = received.filter((each) => each.at >= at && each.at < at + WINDOW.lengthMs);
          expect(within.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(WINDOW.limit);
        }
      }),
    );
  });
});
