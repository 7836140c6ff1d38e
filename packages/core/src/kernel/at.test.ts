import { expect, it } from "vitest";
import { at, numberAt } from "./at.js";

it("gives what is there and throws for what is not, rather than going on with nothing", () => {
  expect(at([0, "", null], 0)).toBe(0);
  expect(at(Float64Array.of(1.5), 0)).toBe(1.5);
  expect(numberAt(Float64Array.of(1.5), 0)).toBe(1.5);
  expect(() => numberAt(Float64Array.of(1.5), 1)).toThrow("nothing at 1 of 1");
  expect(() => at([1, 2], 2)).toThrow(RangeError);
  expect(() => at([], 0)).toThrow("nothing at 0 of 0");
});
