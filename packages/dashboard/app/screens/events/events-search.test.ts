import { describe, expect, it } from "vitest";
import { readEventsSearch } from "./events-search.js";

describe("readEventsSearch", () => {
  it("reads filters, and ids that the address has as numbers", () => {
    const search = { type: "budget.*", subject: 812, actor: "user:7", since: "2026-11-01", entry: 2003 };
    expect(readEventsSearch(search)).toEqual({
      type: "budget.*",
      subject: "812",
      actor: "user:7",
      since: "2026-11-01",
      entry: "2003",
    });
  });

  it("leaves out what is no name, no day and no id", () => {
    expect(
      readEventsSearch({
        tab: "x",
        type: "*",
        since: "yesterday",
        until: "2026-1-1",
        entry: "a",
        actor: "x".repeat(201),
      }),
    ).toEqual({});
  });
});
