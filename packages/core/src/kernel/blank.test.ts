import { seededRandom } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { filledCopy, fillIn, makeBlank, openWithNumber, sealedWithBlank } from "./blank.js";

const blank = makeBlank(seededRandom(1));

it("makeBlank makes another text each time, which lower case and JSON leave unchanged", () => {
  const random = seededRandom(2);
  expect(makeBlank(random)).not.toBe(makeBlank(random));
  expect(blank.toLowerCase()).toBe(blank);
  expect(JSON.stringify(blank)).toBe(`"${blank}"`);
});

it("fills in the blank everywhere in data, in place or in a copy", () => {
  const data = { number: blank, list: [{ text: `see ${blank}, ${blank}` }, 1, null], other: "{number:}" };
  const filled = { number: "$&-1", list: [{ text: "see $&-1, $&-1" }, 1, null], other: "{number:}" };
  expect(filledCopy(data, blank, "$&-1")).toEqual(filled);
  expect(data.number).toBe(blank);
  const [inner] = data.list;
  fillIn(data, blank, "$&-1");
  expect(data).toEqual(filled);
  expect(data.list[0]).toBe(inner);
});

it("fills in the blank within an encrypted text when that is opened", () => {
  const open = (sealed: string) => (sealed.startsWith("sealed ") ? sealed.slice(7) : null);
  const [sealed = "", ...added] = sealedWithBlank(`sealed the number is ${blank}`, blank).split("\n");
  const stored = [sealed, ...added.map((line) => line.replaceAll(blank, "Q-1"))].join("\n"); // as a commit does
  expect(openWithNumber(stored, open)).toBe("the number is Q-1");
  expect(openWithNumber("sealed without one", open)).toBe("without one");
  expect(openWithNumber("of another secret", open)).toBeNull();
});
