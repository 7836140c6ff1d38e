import { asBoolean } from "@budgetkit/store-kit";
import { expect, expectTypeOf, it } from "vitest";
import { asNothing, type Columns, commitFunctions } from "./commit-calls.js";
import { connectionOf } from "./connection.js";

const COMMITS = commitFunctions<{ rename: Columns<"id" | "name">; clear: { id: number } }>()({
  rename: asBoolean,
  clear: asNothing,
});

it("calls a function by a known name, with the fields of its argument, and reads its answer", async () => {
  const onCommit: unknown[] = [];
  const connection = connectionOf({
    clock: "caller",
    session: { run: async () => [] },
    named: (sql) => sql,
    commit: async ({ call, business, argument }) => ({
      value: call === "rename" && business === 1 && argument === '{"id":2,"name":"b"}',
      made: null,
    }),
    assertOpen: () => {},
    onCommit: (name, argument) => onCommit.push([name, argument]),
    repeatsReads: false,
  });
  const commit = connection.commits(COMMITS);
  const renamed = await commit("rename", 1, { id: 2, name: "b" });
  expectTypeOf(renamed).toEqualTypeOf<boolean>();
  expect(renamed).toBe(true);
  expect(onCommit).toEqual([["rename", { id: 2, name: "b" }]]);

  // @ts-expect-error a name that no function has
  await expect(commit("renam", 1, { id: 2, name: "b" })).rejects.toThrow(TypeError);
  // @ts-expect-error a field that the function does not take
  expect(await commit("rename", 1, { id: 2, nam: "b" })).toBe(false);
});
