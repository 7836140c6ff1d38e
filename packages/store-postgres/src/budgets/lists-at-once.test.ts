import { insertBusinessCommit } from "@budgetkit/core/store";
import { aBudgetQuery, aBusiness } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { testSchema } from "../testing/test-schema.js";

const schema = testSchema();

it("lists that take long leave connections to look-ups", async () => {
  const store = await schema.freshStore();
  await store.commit(insertBusinessCommit(aBusiness()));
  const locking = await schema.pool.connect();
  await locking.query(`BEGIN; LOCK TABLE ${schema.schema}.budgets IN ACCESS EXCLUSIVE MODE`);
  const lists = Array.from({ length: 30 }, () => store.listBudgets("1", aBudgetQuery()));
  expect(await store.findBusiness("1")).toEqual(aBusiness());
  await locking.query("COMMIT");
  locking.release();
  expect((await Promise.all(lists)).map(({ total }) => total)).toEqual(Array.from({ length: 30 }, () => 0));
  await store.close();
});
