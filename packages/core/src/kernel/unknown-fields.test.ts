import { expect, test, vi } from "vitest";
import { z } from "zod";
import * as names from "./known-names.js";
import { checkUnknownFields } from "./unknown-fields.js";

const item = z.object({ description: z.string(), quantity: z.number() });
const budget = z.object({ customerId: z.string(), items: z.array(item), metadata: z.record(z.string(), z.unknown()) });

function fieldsOf(problem: ReturnType<typeof checkUnknownFields>): string[] {
  return problem?.kind === "invalid" ? problem.errors.map(({ field }) => field) : [];
}

test("reports unknown fields with their path, except within free data", () => {
  const input = { customerID: "1", items: [{ description: "a" }, { quantiti: 1 }], metadata: { anything: 1 } };
  expect(fieldsOf(checkUnknownFields(budget, input))).toEqual(["customerID", "items[1].quantiti"]);
  expect(checkUnknownFields(budget, { customerId: "1", items: [] })).toBeNull();
});

test("suggests the nearest field name, or those that continue the unknown name", () => {
  const discounted = z.object({ discountRate: z.number(), discountAmount: z.number(), unitPrice: z.number() });
  const messageOf = (input: object) => {
    const problem = checkUnknownFields(discounted, input);
    return problem?.kind === "invalid" ? problem.errors[0]?.message : null;
  };
  expect(messageOf({ unitprice: 1 })).toBe('A request has no such field. Did you mean "unitPrice"?');
  expect(messageOf({ discount: 1 })).toMatch(/ Did you mean "discountRate" or "discountAmount"\?$/);
  expect(messageOf({ tax: 1 })).toBe("A request has no such field.");
});

test("reports the unknown fields of a union against the nearest member", () => {
  const either = z.object({ target: z.union([item, z.object({ name: z.string() })]) });
  expect(fieldsOf(checkUnknownFields(either, { target: { name: "a", nane: "b" } }))).toEqual(["target.nane"]);
});

test("compares no more names than it reports, however many a body has", () => {
  const compared = vi.spyOn(names, "nearestName");
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 1]));
  const input = { ...many(10_000), items: Array.from({ length: 100 }, () => many(90)) };
  expect(fieldsOf(checkUnknownFields(budget, input))).toHaveLength(100);
  expect(compared.mock.calls.length).toBeLessThanOrEqual(100);
});
