import { setImmediate as nextTurn } from "node:timers/promises";
import { asInteger, asList, asText, type Row } from "@budgetkit/store-kit";
import type { Pool } from "pg";
import { SEARCHED, type Searched } from "../commit/note-texts.js";
import { storeFailure } from "../engine/failures.js";
import { type SqlValue, sessionOn } from "../engine/session.js";
import { inTransaction } from "../engine/transactions.js";
import { SPARSE } from "./search-candidates.js";
import { addTerms, termOfId } from "./search-terms.js";

/** Records of a block. Larger ones make the index smaller, and a search compare more texts that lack the searched one. */
const BLOCK = 8;

/** Records whose texts are read at once. Their blocks are written in one statement. */
const RECORDS_AT_ONCE = 16 * BLOCK;

/** Runs a statement with names written as `@name`. */
type Run = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** The records of a business that wait. */
interface Waiting {
  readonly business: number;
  readonly ids: string[];
  readonly changed: string[]; // those that may be in blocks with their former texts
}

/**
 * Takes waiting texts into the search index, and returns the number taken: about `limit` for each table, 0 while another
 * process is at it.
 */
export function textIndexer(pool: Pool, named: (sql: string) => string): (limit: number) => Promise<number> {
  const kinds = Object.keys(SEARCHED).filter((kind): kind is Searched => kind in SEARCHED);
  const exists = kinds.map((kind) => `EXISTS (SELECT FROM @search_waiting WHERE searched = '${kind}')`).join(", ");

  async function indexTexts(limit: number): Promise<number> {
    const [found = []] = await sessionOn(pool).run({ text: named(`SELECT ${exists}`) }, []);
    let taken = 0;
    for (const [index, kind] of kinds.entries()) {
      if (found[index] === true) taken += await indexKind(kind, limit);
    }
    return taken;
  }

  function indexKind(kind: Searched, limit: number): Promise<number> {
    return inTransaction(pool, async (client) => {
      const session = sessionOn(client);
      const run: Run = (sql, ...values) => session.run({ text: named(sql) }, values);
      const lock = named("@search_blocks");
      const [row] = await run("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", lock);
      return row?.[0] === true ? takeWaiting(run, kind, limit) : 0;
    });
  }

  return (limit) => indexTexts(limit).catch((error: unknown) => Promise.reject(storeFailure(error)));
}

async function takeWaiting(run: Run, kind: Searched, limit: number): Promise<number> {
  const rows = await run(
    `SELECT number, business_id, to_json(ids), is_change FROM (
       SELECT number, business_id, ids, is_change,
         sum(cardinality(ids)) OVER (ORDER BY business_id, number) - cardinality(ids) AS before
       FROM @search_waiting WHERE searched = '${kind}' ORDER BY business_id, number LIMIT $1
     ) AS waiting WHERE before < $1`,
    limit,
  );
  const open = await run(
    `DELETE FROM @search_blocks WHERE searched = '${kind}' AND terms IS NULL AND business_id = ANY ($1::bigint[])
     RETURNING business_id, to_json(ids)`,
    [...new Set(rows.map(([, business]) => asInteger(business)))],
  );
  const rests: { business_id: number; ids: readonly string[] }[] = [];
  for (const { business, ids, changed } of waitingIn(rows, open)) {
    const freed = changed.length === 0 ? [] : await takeOut(run, kind, business, changed);
    const records = [...new Set([...ids, ...freed])];
    const full = records.length - (records.length % BLOCK);
    for (let from = 0; from < full; from += RECORDS_AT_ONCE) {
      await writeBlocks(run, kind, business, records.slice(from, Math.min(full, from + RECORDS_AT_ONCE)));
    }
    if (full < records.length) rests.push({ business_id: business, ids: records.slice(full) });
  }
  await run(
    `INSERT INTO @search_blocks (searched, business_id, ids)
     SELECT '${kind}', business_id, ids FROM json_to_recordset($1) AS rest (business_id bigint, ids text[])`,
    JSON.stringify(rests),
  );
  for (const [number, business] of rows) {
    await run(
      `DELETE FROM @search_waiting WHERE searched = '${kind}' AND business_id = $1 AND number = $2`,
      asInteger(business),
      asInteger(number),
    );
  }
  return rows.reduce((taken, [, , ids]) => taken + asList(ids).length, 0);
}

/** By business; with the records of blocks that were not full. */
function waitingIn(rows: readonly Row[], open: readonly Row[]): Iterable<Waiting> {
  const all = new Map<number, Waiting>();
  const add = (key: unknown, ids: unknown, isChange: boolean) => {
    const business = asInteger(key);
    const waiting = all.get(business) ?? { business, ids: [], changed: [] };
    const added = asList(ids).map(asText);
    waiting.ids.push(...added);
    if (isChange) waiting.changed.push(...added);
    all.set(business, waiting);
  };
  for (const [business, ids] of open) add(business, ids, false);
  for (const [, business, ids, isChange] of rows) add(business, ids, isChange === true);
  return all.values();
}

/** Takes changed records out of their blocks. Returns the other records of blocks that this has dissolved. */
async function takeOut(run: Run, kind: Searched, business: number, changed: readonly string[]): Promise<string[]> {
  const left = await run(
    `UPDATE @search_blocks SET ids = ARRAY(SELECT id FROM unnest(ids) AS id WHERE id <> ALL ($2))
     WHERE searched = '${kind}' AND business_id = $1 AND terms && $3::integer[] AND ids && $2::text[]
     RETURNING number, cardinality(ids)`,
    business,
    changed,
    changed.map((id) => termOfId(business, id)),
  );
  const sparse = left.filter(([, records]) => asInteger(records) < SPARSE).map(([number]) => asInteger(number));
  if (sparse.length === 0) return [];
  const dissolved = await run(
    "DELETE FROM @search_blocks WHERE number = ANY ($1::bigint[]) RETURNING to_json(ids)",
    sparse,
  );
  return dissolved.flatMap(([ids]) => asList(ids).map(asText));
}

/** Writes full blocks of these records. A record that was deleted has no text. */
async function writeBlocks(run: Run, kind: Searched, business: number, records: readonly string[]): Promise<void> {
  const rows = await run(
    `SELECT id::text, search_text FROM @${kind} WHERE business_id = $1 AND id = ANY ($2::${SEARCHED[kind]}[])`,
    business,
    records,
  );
  const texts = new Map(rows.map(([id, text]) => [asText(id), asText(text)]));
  const blocks: { readonly ids: readonly string[]; readonly terms: string }[] = [];
  for (let from = 0; from < records.length; from += BLOCK) {
    const ids = records.slice(from, from + BLOCK);
    const terms = new Set<number>();
    for (const id of ids) {
      terms.add(termOfId(business, id));
      addTerms(terms, business, texts.get(id) ?? "");
    }
    blocks.push({ ids, terms: `{${[...terms].join(",")}}` });
    await nextTurn();
  }
  await run(
    `INSERT INTO @search_blocks (searched, business_id, ids, terms)
     SELECT '${kind}', $1, ids, terms::integer[] FROM json_to_recordset($2) AS block (ids text[], terms text)`,
    business,
    JSON.stringify(blocks),
  );
}
