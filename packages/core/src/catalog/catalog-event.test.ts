import { describe, expect, it } from "vitest";
import { MAX_DATA_BYTES } from "../events/event-changes.js";
import { describeChange } from "./catalog-event.js";

const record = { id: "p-1", name: "Table" };
const NOW = Date.parse("2026-03-02T12:00:00.000Z");

/** A view whose event, `previous` included, takes so many bytes of JSON. */
function viewsOf(bytes: number, filler: string) {
  const viewWith = (text: string) => ({ ...record, unitPrice: 2, version: 2, description: text });
  const dataOf = (text: string) => ({ ...viewWith(text), previous: { unitPrice: 1 } });
  const room = bytes - Buffer.byteLength(JSON.stringify(dataOf("")));
  const size = Buffer.byteLength(filler);
  const text = filler.repeat(Math.floor(room / size)) + "x".repeat(room % size);
  return { before: { ...viewWith(text), unitPrice: 1, version: 1 }, after: viewWith(text), data: dataOf(text) };
}

describe("the event of a change", () => {
  it.each(["x", "漢"])("a catalog event contains the whole record up to the bound in bytes (%s)", (filler) => {
    const { before, after, data } = viewsOf(MAX_DATA_BYTES, filler);
    expect(describeChange({ before, after }, record, NOW)?.data).toEqual(data);
  });

  it.each(["x", "漢"])("a catalog event lists only the changed fields a byte above the bound (%s)", (filler) => {
    const { before, after } = viewsOf(MAX_DATA_BYTES + 1, filler);
    expect(describeChange({ before, after }, record, NOW)).toEqual({
      act: "updated",
      data: { ...record, truncated: true, fields: ["unitPrice"] },
      change: { fields: ["unitPrice"], from: "ACTIVE", to: "ACTIVE", reason: null },
    });
  });

  it("a catalog event lists no changed fields of a large new record", () => {
    const { after } = viewsOf(2 * MAX_DATA_BYTES, "x");
    expect(describeChange({ before: null, after }, record, NOW)).toMatchObject({
      act: "created",
      data: { ...record, truncated: true, fields: [] },
    });
  });

  it("a catalog event lists the field of a restored record, and describes every deletion alike", () => {
    const { after } = viewsOf(2 * MAX_DATA_BYTES, "x");
    const deletedAt = "2026-03-02T12:00:00.000Z";
    const restored = describeChange({ before: { ...after, deletedAt }, after }, record, NOW);
    expect(restored?.data).toEqual({ ...record, truncated: true, fields: ["deletedAt"] });
    expect(describeChange({ before: after, after: null }, record, NOW)?.data).toEqual({ id: "p-1", deletedAt });
  });
});
