import { decideHold, type UploadCharge } from "@budgetkit/core/store";
import { drawInteger, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../index.js";

const WINDOW = { lengthMs: 100, limit: 50 };
const SUBJECT = "upload:1:20";

describe("how SQLite decides on uploads", () => {
  it("SQLite decides on uploads by the rule of core, for any history", async () => {
    const store = sqliteStore(":memory:");
    await store.migrate();
    const random = seededRandom(3);
    let charges: readonly UploadCharge[] = [];
    let now = 1_000;
    for (let step = 0; step < 600; step += 1) {
      now += drawInteger(random, 20) - 4; // the clock steps back at times
      const id = `hold-${drawInteger(random, 6)}`;
      const others = charges.filter(({ holdId }) => holdId !== id);
      const leavesAt = now + WINDOW.lengthMs;
      if (drawInteger(random, 3) === 0) {
        const bytes = drawInteger(random, 40);
        await store.settleUpload(SUBJECT, id, bytes, WINDOW, now);
        charges = [...others, { holdId: id, bytes, leavesAt }].filter(
          (charge) => charge.bytes > 0 && charge.leavesAt > now && charge.leavesAt <= leavesAt,
        );
      } else {
        const needed = drawInteger(random, 60);
        const hold = { id, needed, wanted: needed + drawInteger(random, 30) };
        const expected = decideHold(charges, hold, WINDOW, now);
        expect(await store.holdUpload(SUBJECT, hold, WINDOW, now)).toEqual(expected);
        if (expected.held !== null) charges = [...others, { holdId: id, bytes: expected.held, leavesAt }];
      }
    }
    await store.close();
  });
});
