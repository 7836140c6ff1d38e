import { PRODUCT_SUMMARY_FUNCTIONS, PRODUCT_SUMMARY_TABLES } from "./product-summary-schema.js";

/** Columns that customers, products and packages have in common, behind those of their key. */
const COLUMNS = ["version", "name_key", "created_at", "deleted_at", "held", "search_text", "document"] as const;

interface Kind {
  readonly name: string; // as the functions are named
  readonly table: string;
  readonly ownColumns: Readonly<Record<string, string>>; // their definitions
  readonly unique: "cuit" | "sku" | null; // what `held` lists the values of
  readonly alsoWrite: string; // a statement that runs behind those that write the record
}

const CUSTOMER: Kind = {
  name: "customer",
  table: "customers",
  ownColumns: { name: `text COLLATE "C" NOT NULL`, email: `text COLLATE "C"`, phone: `text COLLATE "C"` },
  unique: "cuit",
  alsoWrite: "",
};
const PRODUCT: Kind = {
  name: "product",
  table: "products",
  ownColumns: {},
  unique: "sku",
  alsoWrite: "PERFORM @keep_summaries(given.business_id, given.id, argument -> 'summaries');",
};
const PACKAGE: Kind = { name: "package", table: "packages", ownColumns: {}, unique: null, alsoWrite: "" };

/**
 * Customers, products and packages, and the values that no two records of a business may hold. What budgets show of a
 * customer has columns of its own, so that a list need not read the documents.
 */
export const CATALOG_TABLES = `
  CREATE TABLE @held_values (
    business_id bigint NOT NULL,
    field text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, field, value)
  );
  ${PRODUCT_SUMMARY_TABLES}
  ${[CUSTOMER, PRODUCT, PACKAGE].map(tableOf).join("\n")}
`;

function tableOf({ table, ownColumns }: Kind): string {
  const own = Object.entries(ownColumns).map(([column, definition]) => `${column} ${definition},`);
  return `
  CREATE TABLE @${table} (
    business_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    name_key text COLLATE "C" NOT NULL, -- the folded name, as it is sorted
    created_at bigint NOT NULL,
    deleted_at bigint,
    held text[] COLLATE "C" NOT NULL, -- its values among those that are unique
    ${own.join("\n    ")}
    search_text text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  -- The deletion at the end lets lists that leave deleted records out, and counts, stay within the index.
  CREATE INDEX ${table}_by_creation ON @${table} (business_id, created_at, id, deleted_at);
  CREATE INDEX ${table}_by_name ON @${table} (business_id, name_key, id, deleted_at);
  ALTER TABLE @${table} ADD PRIMARY KEY (business_id, id);
  `;
}

export const CATALOG_FUNCTIONS = `
  -- The first of the values that are new to a record and that another one holds; null when there is none.
  CREATE FUNCTION @find_taken(business bigint, of_field text, former text[], held text[]) RETURNS jsonb
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

  CREATE FUNCTION @hold_values(business bigint, of_field text, former text[], held text[]) RETURNS void
  LANGUAGE plpgsql AS $$
  BEGIN
    IF held = former THEN RETURN; END IF;
    DELETE FROM @held_values
    WHERE business_id = business AND field = of_field AND value = ANY (former) AND value <> ALL (held);
    INSERT INTO @held_values (business_id, field, value)
    SELECT business, of_field, fresh FROM unnest(held) AS fresh WHERE fresh <> ALL (former);
  END $$;
  ${PRODUCT_SUMMARY_FUNCTIONS}
  ${[CUSTOMER, PRODUCT, PACKAGE].map(functionsOf).join("\n")}
`;

function functionsOf({ name, table, ownColumns, unique, alsoWrite }: Kind): string {
  const columns = [...COLUMNS, ...Object.keys(ownColumns)];
  const find = `FROM @${table} WHERE business_id = given.business_id AND id = given.id`;
  const ifUnique = (sql: string) => (unique === null ? "" : sql);
  const refuseTaken = (former: string) =>
    ifUnique(`taken := @find_taken(given.business_id, '${unique}', ${former}, given.held);
    IF taken IS NOT NULL THEN RETURN taken; END IF;`);
  const holdValues = (former: string) =>
    ifUnique(`PERFORM @hold_values(given.business_id, '${unique}', ${former}, given.held);`);
  return `
  CREATE FUNCTION @insert_${name}(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @${table} := jsonb_populate_record(NULL::@${table}, argument -> 'record');
    ${ifUnique("taken jsonb;")}
  BEGIN
    PERFORM ${find};
    IF FOUND THEN RETURN jsonb_build_object('taken', 'id', 'value', given.id); END IF;
    ${refuseTaken("'{}'")}
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    INSERT INTO @${table} SELECT given.*;
    ${holdValues("'{}'")}
    ${alsoWrite}
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;

  CREATE FUNCTION @replace_${name}(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    given @${table} := jsonb_populate_record(NULL::@${table}, argument -> 'record');
    stored record;
    ${ifUnique("taken jsonb;")}
  BEGIN
    SELECT version, held INTO stored ${find};
    IF NOT FOUND OR stored.version <> (argument ->> 'expectedVersion')::bigint THEN RETURN '"stale"'; END IF;
    ${refuseTaken("stored.held")}
    IF NOT @complete_claim(argument -> 'receipt') THEN RETURN '"receipt-lost"'; END IF;
    UPDATE @${table} SET ${columns.map((column) => `${column} = given.${column}`).join(", ")}
    WHERE business_id = given.business_id AND id = given.id;
    ${holdValues("stored.held")}
    ${alsoWrite}
    PERFORM @append_events(jsonb_build_array(argument), '{1}');
    RETURN '"written"';
  END $$;
  `;
}

export const CATALOG_CALLS = [CUSTOMER, PRODUCT, PACKAGE].flatMap(({ name }) => [`insert_${name}`, `replace_${name}`]);
