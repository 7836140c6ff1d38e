import { aCatalogQuery, aCustomer } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { explainedStore } from "../testing/explained-store.js";

/** More than a search reads one by one. */
const MANY = 2_300;

it("asks for the other trigrams too when many records have the rarest ones, before it reads the whole list", async () => {
  const { store, plansOf, close } = await explainedStore();
  const names: string[] = Array.from({ length: 3 * MANY }, (_, index) => (index % 3 === 0 ? "abc bcd cde def" : "efg"));
  names.splice(5, 1, "abcdefg");
  await Promise.all(
    names.map((name, index) =>
      store.insertCustomer(aCustomer({ id: `id-${index}`, name, cuit: null, email: null }), [], null),
    ),
  );
  const plans = await plansOf(async () => {
    const page = await store.listCustomers("1", aCatalogQuery({ search: "abcdefg" }));
    expect(page).toMatchObject({ entries: [{ id: "id-5" }], total: 1 });
  });
  expect(plans.filter((plan) => plan.startsWith("SCAN budgetkit_search_index"))).toHaveLength(2);
  expect(plans.filter((plan) => plan.includes("customers_by_"))).toHaveLength(1); // the sample
  await close();
});
