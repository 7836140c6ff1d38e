import { anApiKey, anEndpoint } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { createKnownSubscribers } from "./known-subscribers.js";

const subscribers = (count: number) => ({
  endpoints: Array.from({ length: count - 1 }, (_, index) => anEndpoint({ id: String(index) })),
  keys: [anApiKey()],
});

it("remembers the subscribers of each business, up to sixteen", () => {
  const known = createKnownSubscribers();
  const [own, other] = [subscribers(16), subscribers(1)];
  known.beginRead()("1", own);
  known.beginRead()("2", other);
  expect([known.find("1"), known.find("2"), known.find("3")]).toEqual([own, other, undefined]);
  known.beginRead()("1", subscribers(17));
  expect(known.find("1")).toBeUndefined();
});

it("forgets subscribers unless newer ones were found since", () => {
  const known = createKnownSubscribers();
  const [former, present] = [subscribers(1), subscribers(2)];
  known.beginRead()("1", former);
  known.beginRead()("1", present);
  known.forget("1", former);
  expect(known.find("1")).toBe(present);
  known.forget("1", present);
  expect(known.find("1")).toBeUndefined();
});

it("forgets the subscribers of all businesses", () => {
  const known = createKnownSubscribers();
  for (const businessId of ["1", "2"]) known.beginRead()(businessId, subscribers(1));
  known.forgetAll();
  expect([known.find("1"), known.find("2")]).toEqual([undefined, undefined]);
});

it("forgets the business that was used longest ago beyond a thousand", () => {
  const known = createKnownSubscribers();
  for (let business = 1; business <= 1_001; business += 1) known.beginRead()(String(business), subscribers(1));
  expect(known.find("1")).toBeUndefined();
  expect(known.find("2")).toBeDefined();
});

it("remembers no subscribers whose read began before all were forgotten", () => {
  const known = createKnownSubscribers();
  const remember = known.beginRead();
  known.forgetAll();
  remember("1", subscribers(1));
  expect(known.find("1")).toBeUndefined();
});
