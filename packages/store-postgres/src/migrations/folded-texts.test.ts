import { foldForSearch } from "@budgetkit/core/store";
import { aBudgetQuery, aCatalogQuery } from "@budgetkit/testing";
import { expect, it } from "vitest";
import { migrate } from "../engine/migrations.js";
import { SCHEMA } from "../schema.js";
import { testSchema } from "../testing/test-schema.js";
import { FOLDED_TEXTS } from "./0024-folded-texts.js";

/** Texts as records have them. Earlier releases kept them in lower case. */
const TEXTS = ["İstanbul", "Jose\u0301", "Straße", "ΟΔΟΣ", "Nº 7", "Ñandú", "plain"];

const SEARCHES = ["ISTANBUL", "jos\u00e9", "STRASSE", "οδοσ", "no 7", "ñandú", "plain"];

/** More than the rows that the step folds at once, and than the sample that a search reads first. */
const ROWS = 300;

const former = testSchema({ isMissing: true });

it("finds texts of earlier releases by their folded forms, before and after they are in the index", async () => {
  const { pool, schema, query } = former;
  const migrations = SCHEMA.migrations.slice(0, SCHEMA.migrations.indexOf(FOLDED_TEXTS));
  await migrate(pool, schema, { migrations, functionsVersion: 1, functions: "" }); // the present ones may need later tables
  const texts = Array.from({ length: ROWS }, (_, index) => (TEXTS[index] ?? `Größe of ${index}`).toLowerCase());
  await query(
    `INSERT INTO @budgets (business_id, id, version, revision, status, customer_id, currency, total, total_minor,
       created_at, search_text, document)
     SELECT 1, n, 1, 1, 'APPROVED', 'c', 'USD', n, n, n, content,
       json_build_object('id', n::text, 'total', n, 'currency', 'USD', 'createdAt', n, 'status', 'APPROVED')
     FROM unnest($1::text[]) WITH ORDINALITY AS texts (content, n)`,
    [texts],
  );
  await query(
    `INSERT INTO @products (business_id, id, version, name_key, created_at, held, search_text, document)
     SELECT 1, n, 1, '', n, '{}', content, json_build_object('id', n::text, 'name', '', 'createdAt', n)
     FROM unnest($1::text[]) WITH ORDINALITY AS texts (content, n)`,
    [texts],
  );
  const store = former.open();
  await store.migrate();
  for (let taken = 1; taken > 0; ) {
    for (const [index, text] of SEARCHES.entries()) {
      const search = foldForSearch(text);
      const budgets = await store.listBudgets("1", aBudgetQuery({ search }));
      const products = await store.listRecords("product", "1", aCatalogQuery({ search }));
      const ids = [...budgets.entries, ...products.entries].map(({ id }) => id);
      expect(ids, text).toEqual([String(index + 1), String(index + 1)]);
    }
    taken = (await store.indexTexts?.(1_000)) ?? 0;
  }
});
