import { foldForSearch } from "@budgetkit/core/store";
import { asInteger, asText } from "@budgetkit/store-kit";
import type { Migration } from "../engine/migrations.js";

/** The tables that are searched, and the type of their ids. */
const SEARCHED = { budgets: "bigint", customers: "text", products: "text", packages: "text" } as const;

/** Texts that are in memory at once. */
const ROWS_AT_ONCE = 100;

type Rewrite = NonNullable<Migration["rewrite"]>;

/**
 * Texts are folded as searches are now: by full case folding and NFKC. Those were in lower case, which folds as the original
 * does; ASCII stays the same. The triggers note the changed records, and maintenance indexes them.
 *
 * The lock keeps a process of an older release from writing a text meanwhile.
 */
export const FOLDED_TEXTS: Migration = {
  version: 24,
  sql: "LOCK TABLE @budgets, @customers, @products, @packages IN SHARE ROW EXCLUSIVE MODE;",
  rewrite: async (session, named) => {
    for (const [table, idType] of Object.entries(SEARCHED)) await foldTexts(session, named, table, idType);
  },
};

async function foldTexts(...[session, named, table, idType]: [...Parameters<Rewrite>, string, string]): Promise<void> {
  const run = (sql: string, ...values: string[]) => session.run({ text: named(sql) }, values);
  await run(
    `DECLARE texts NO SCROLL CURSOR FOR SELECT business_id, id::text, search_text FROM @${table}
     WHERE octet_length(search_text) <> length(search_text)`,
  );
  for (;;) {
    const rows = await run(`FETCH ${ROWS_AT_ONCE} FROM texts`);
    const changed = rows.flatMap(([business, id, stored]) => {
      const search_text = foldForSearch(asText(stored));
      return search_text === stored ? [] : { business_id: asInteger(business), id: asText(id), search_text };
    });
    if (changed.length > 0) {
      await run(
        `UPDATE @${table} AS record SET search_text = folded.search_text
         FROM json_to_recordset($1) AS folded (business_id bigint, id ${idType}, search_text text)
         WHERE record.business_id = folded.business_id AND record.id = folded.id`,
        JSON.stringify(changed),
      );
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await run("CLOSE texts");
}
