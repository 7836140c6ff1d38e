import { describe, expect, it } from "vitest";
import { neighboursIn } from "./neighbours.js";

const page = (...ids: string[]) => ({ data: ids.map((id) => ({ id })), pagination: { total: 130 } });

describe("neighboursIn", () => {
  it("finds the place of a budget in a page and in an endless list", () => {
    const found = { position: 2, total: 130, previous: "a", next: "c" };
    expect(neighboursIn(page("a", "b", "c"), "b")).toEqual(found);
    expect(neighboursIn({ pages: [page("a"), page("b", "c")] }, "b")).toEqual(found);
  });

  it("a budget has no neighbour before the first and after the last one", () => {
    expect(neighboursIn(page("a"), "a")).toMatchObject({ previous: null, next: null });
  });

  it.each([undefined, null, {}, { pages: "x" }, page("a")])(
    "finds nothing in a list without the budget: %j",
    (list) => {
      expect(neighboursIn(list, "b")).toBeNull();
    },
  );
});
