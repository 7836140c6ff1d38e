import { type Columns, commitFunctions } from "../engine/commit-calls.js";
import { asCommitted } from "../engine/committed.js";
import type { Audited, EventRow, IdempotencyRow } from "../events/event-functions.js";

/** The columns that customers, products and packages share, after those of the key. */
const COLUMNS = ["version", "name_key", "created_at", "deleted_at", "held", "search_text", "document"] as const;

interface Kind {
  readonly name: string; // in the names of the functions
  readonly table: string;
  readonly ownColumns: readonly string[];
  readonly unique: "cuit" | "sku" | null; // the field whose values `held` lists; null = none
  readonly alsoWrite: string; // statements that run after the record is written
}

const CUSTOMER: Kind = {
  name: "customer",
  table: "customers",
  ownColumns: ["name", "email", "phone"],
  unique: "cuit",
  alsoWrite: "",
};
const PRODUCT: Kind = {
  name: "product",
  table: "products",
  ownColumns: [],
  unique: "sku",
  alsoWrite: "PERFORM @keep_summaries(given.business_id, given.id, argument -> 'summaries');",
};
const PACKAGE: Kind = { name: "package", table: "packages", ownColumns: [], unique: null, alsoWrite: "" };

export const CATALOG_FUNCTIONS = `
  -- The first new value of a record that another record holds; null = none.
  CREATE OR REPLACE FUNCTION @find_taken(business bigint, of_field text, former text[], held text[]) RETURNS jsonb
  LANGUAGE plpgsql AS $$
  DECLARE
    taken text;
  BEGIN
    IF held = former THEN RETURN NULL; END IF;
    SELECT value INTO taken FROM @held_values
    WHERE business_id = business AND field = of_field AND value = ANY (held) AND value <> ALL (former)
    ORDER BY array_position(held, value) LIMIT 1;
    RETURN CASE WHEN taken IS NOT NULL THEN jsonb_build_object('taken', of_field, 'value', taken) END;
  END $$;

  CREATE OR REPLACE FUNCTION @hold_values(business bigint, of_field text, former text[], held text[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    IF held = former THEN RETURN; END IF;
    DELETE FROM @held_values
    WHERE business_id = business AND field = of_field AND value = ANY (former) AND value <> ALL (held);
    INSERT INTO @held_values (business_id, field, value)
    SELECT business, of_field, fresh FROM unnest(held) AS fresh WHERE fresh <> ALL (former);
  END $$;

  -- Writes only the summaries that have changed.
  CREATE OR REPLACE FUNCTION @keep_summaries(business bigint, product text, summaries jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @product_summaries
    WHERE business_id = business AND product_id = product
      AND variant_id <> ALL (ARRAY(SELECT value ->> 'variant_id' FROM jsonb_array_elements(summaries)));
    INSERT INTO @product_summaries AS stored
    SELECT * FROM jsonb_populate_recordset(NULL::@product_summaries, summaries)
    ON CONFLICT (business_id, product_id, variant_id) DO UPDATE SET
      name = excluded.name, sku = excluded.sku, unit_price = excluded.unit_price, currency = excluded.currency,
      deleted_at = excluded.deleted_at
    WHERE (stored.name, stored.sku, stored.unit_price, stored.currency, stored.deleted_at)
      IS DISTINCT FROM (excluded.name, excluded.sku, excluded.unit_price, excluded.currency, excluded.deleted_at);
  END $$;
  ${[CUSTOMER, PRODUCT, PACKAGE].map(functionsOf).join("\n")}
`;

function functionsOf({ name, table, ownColumns, unique, alsoWrite }: Kind): string {
  const columns = [...COLUMNS, ...ownColumns];
  const find = `FROM @${table} WHERE business_id = given.business_id AND id = given.id`;
  const ifUnique = (sql: string) => (unique === null ? "" : sql);
  const refuseTaken = (former: string) =>
    ifUnique(`taken := @find_taken(given.business_id, '${unique}', ${former}, given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;`);
  const holdValues = (former: string) =>
    ifUnique(`PERFORM @hold_values(given.business_id, '${unique}', ${former}, given.held);`);
  return `
  CREATE OR REPLACE FUNCTION @insert_${name}(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @${table} := jsonb_populate_record(NULL::@${table}, argument -> 'record');
    ${ifUnique("taken jsonb;")}
  BEGIN
    PERFORM ${find};
    IF FOUND THEN RETURN jsonb_build_object('taken', 'id', 'value', given.id); END IF;
    ${refuseTaken("'{}'")}
    IF NOT @complete_claim(argument -> 'completes') THEN RETURN '"claim-lost"'; END IF;
    INSERT INTO @${table} SELECT given.*;
    ${holdValues("'{}'")}
    ${alsoWrite}
    PERFORM @append_events(argument);
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;

  CREATE OR REPLACE FUNCTION @replace_${name}(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @${table} := jsonb_populate_record(NULL::@${table}, argument -> 'record');
    stored record;
    ${ifUnique("taken jsonb;")}
  BEGIN
    SELECT version, held INTO stored ${find};
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    ${refuseTaken("stored.held")}
    IF NOT @complete_claim(argument -> 'completes') THEN RETURN '"claim-lost"'; END IF;
    UPDATE @${table} SET ${columns.map((column) => `${column} = given.${column}`).join(", ")}
    WHERE business_id = given.business_id AND id = given.id;
    ${holdValues("stored.held")}
    ${alsoWrite}
    PERFORM @append_events(argument);
    PERFORM @append_audit_of(argument);
    RETURN '"written"';
  END $$;
  `;
}

interface Insertion extends Audited {
  readonly record: Columns<"business_id" | "id" | (typeof COLUMNS)[number]>;
  readonly events: readonly EventRow[];
  readonly completes: IdempotencyRow | null;
}

interface Replacement extends Insertion {
  readonly expectedVersion: number;
}

interface Arguments {
  insert_customer: Insertion;
  replace_customer: Replacement;
  insert_product: Insertion;
  replace_product: Replacement;
  insert_package: Insertion;
  replace_package: Replacement;
}

export const CATALOG_COMMITS = commitFunctions<Arguments>()({
  insert_customer: asCommitted,
  replace_customer: asCommitted,
  insert_product: asCommitted,
  replace_product: asCommitted,
  insert_package: asCommitted,
  replace_package: asCommitted,
});
