import { counts, decideHold, type UploadCharge } from "@budgetkit/core/store";
import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSchema } from "../testing/test-schema.js";

const WINDOW = { lengthMs: 100, limit: 50 };
const SUBJECT = "upload:1:20";

const step = fc.record({
  at: fc.integer({ min: 1, max: 300 }), // clocks of several processes: not in any order
  holdId: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  act: fc.oneof(
    fc.record({ needed: fc.integer({ min: 0, max: 60 }), extra: fc.integer({ min: 0, max: 30 }) }),
    fc.record({ received: fc.constantFrom(0, 1, 10, 40) }),
  ),
});

describe("how PostgreSQL decides on uploads", () => {
  const schema = testSchema();

  it("PostgreSQL decides on uploads by the rule of core, for any history", async () => {
    const store = await schema.freshStore();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await schema.query("DELETE FROM @uploads");
        let charges: readonly UploadCharge[] = [];
        const save = (holdId: string, bytes: number, at: number) => {
          const others = charges.filter((charge) => charge.holdId !== holdId);
          charges = [...others, { holdId, bytes, leavesAt: at + WINDOW.lengthMs }];
        };
        for (const { at, holdId, act } of steps) {
          if ("received" in act) {
            await store.settleUpload(SUBJECT, holdId, act.received, WINDOW, at);
            save(holdId, act.received, at);
            charges = charges.filter((charge) => charge.bytes > 0 && counts(charge, WINDOW, at));
          } else {
            const hold = { id: holdId, needed: act.needed, wanted: act.needed + act.extra };
            const expected = decideHold(charges, hold, WINDOW, at);
            expect(await store.holdUpload(SUBJECT, hold, WINDOW, at)).toEqual(expected);
            if (expected.held !== null) save(holdId, expected.held, at);
          }
        }
      }),
      { seed: 1, numRuns: rounds({ small: 25, full: 100 }) },
    );
  });
});
