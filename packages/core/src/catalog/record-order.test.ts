import { aCustomer } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCursor } from "../kernel/list-query.js";
import type { RecordKey } from "./catalog-store.js";
import {
  compareRecordKeys,
  decodeRecordCursor,
  decodeRecordKey,
  encodeRecordKey,
  MAX_CURSOR,
  recordKeyOf,
} from "./record-order.js";

const names = fc
  .string({ unit: "binary", maxLength: 255 })
  .map((name) => recordKeyOf(aCustomer({ name }), "name").value);
const keys: fc.Arbitrary<RecordKey> = fc.record({
  value: fc.oneof(fc.maxSafeNat(), names),
  id: fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/),
});

describe("the keyset position of a record", () => {
  it("the keyset position of a catalog record holds its creation time, or its name in lower case", () => {
    const customer = aCustomer({ id: "7", name: "Ñandú", createdAt: 99 });
    expect(recordKeyOf(customer, "createdAt")).toEqual({ value: 99, id: "7" });
    expect(recordKeyOf(customer, "name")).toEqual({ value: "ñandú", id: "7" });
  });

  it("orders catalog records by the value, text by code points, and then by id", () => {
    const positions: RecordKey[] = [
      { value: "a", id: "9" },
      { value: "a", id: "a" },
      { value: "b", id: "1" },
      { value: "\uff21", id: "1" },
      { value: "🪑", id: "1" },
    ];
    expect([...positions].reverse().sort(compareRecordKeys)).toEqual(positions);
    expect([10, 9].map((value) => ({ value, id: "1" })).sort(compareRecordKeys)[0]?.value).toBe(9);
  });

  it("a catalog cursor decodes to its position, and stays within the accepted length", () => {
    fc.assert(
      fc.property(keys, fc.constantFrom("asc", "desc"), (key, order) => {
        const sort = typeof key.value === "string" ? "name" : "createdAt";
        const cursor = encodeCursor(encodeRecordKey(key), 3, { sort, order });
        expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR);
        expect(decodeRecordCursor(cursor, { sort, order })).toEqual({ page: 3, key });
      }),
    );
  });

  it("refuses a catalog cursor of another order", () => {
    const cursor = encodeCursor(encodeRecordKey({ value: "a", id: "1" }), 2, { sort: "name", order: "asc" });
    expect(decodeRecordCursor(cursor, { sort: "name", order: "desc" })).toBeNull();
    expect(decodeRecordCursor(cursor, { sort: "createdAt", order: "asc" })).toBeNull();
    expect(decodeRecordCursor(cursor.replace("name", "createdAt"), { sort: "createdAt", order: "asc" })).toBeNull();
  });

  it("refuses text that is no catalog cursor", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeRecordCursor(text, { sort: "name", order: "asc" })).toBeNull();
      }),
    );
    for (const content of [null, [], [1], [1, 2], [1.5, "a"], ["a", "b", "c"], { value: 1, id: "a" }]) {
      expect(decodeRecordKey(Buffer.from(JSON.stringify(content)).toString("base64url"))).toBeNull();
    }
    expect(decodeRecordKey(`${encodeRecordKey({ value: 1, id: "a" })}=`)).toBeNull();
  });
});
