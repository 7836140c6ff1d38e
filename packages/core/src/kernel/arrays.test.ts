import { expect, it } from "vitest";
import { at, byId, numberAt, valueAt } from "./arrays.js";

it("`at` and `numberAt` return the element at an index, and throw where there is none", () => {
  expect(at([0, "", null], 0)).toBe(0);
  expect(at(Float64Array.of(1.5), 0)).toBe(1.5);
  expect(numberAt(Float64Array.of(1.5), 0)).toBe(1.5);
  expect(() => numberAt(Float64Array.of(1.5), 1)).toThrow("nothing at 1 of 1");
  expect(() => at([1, 2], 2)).toThrow(RangeError);
  expect(() => at([], 0)).toThrow("nothing at 0 of 0");
});

it("valueAt returns the value of a key, and throws where there is none", () => {
  expect(valueAt(new Map([["a", 0]]), "a")).toBe(0);
  expect(() => valueAt(new Map([["a", 0]]), "b")).toThrow(RangeError);
});

it("byId maps entries by their id", () => {
  const [a, b] = [{ id: "a" }, { id: "b" }];
  expect([...byId([a, b])]).toEqual([
    ["a", a],
    ["b", b],
  ]);
});
