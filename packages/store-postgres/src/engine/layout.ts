import { asInteger } from "@budgetkit/store-kit";
import {
  type DigestLookUp,
  type DirectedRows,
  directed,
  type FindRows,
  type KeyedRows,
  type LookUp,
  loneLookUps,
  lookUpByOne,
  lookUpStatement,
  sharedLookUps,
} from "./dataloader.js";
import { type Inserting, insertingArrays, insertingValues } from "./inserting.js";

/** The records that are found without their business: a key by its digests, a user by email, a budget by its public link. */
export type DirectoryKind = "key" | "email" | "link";

/** Runs a statement that only reads. */
type Reads = (sql: string) => FindRows;

/** How statements reach the rows: on one server, or on the nodes of Citus, which route a statement by the business in it. */
export interface Layout {
  readonly inserting: Inserting;
  /** `isShared`: concurrent look-ups may share a statement. */
  lookUp(rows: KeyedRows, reads: Reads, isShared: boolean): LookUp;
  lookUpDigest(kind: DirectoryKind, rows: DirectedRows, reads: Reads, isShared: boolean): DigestLookUp;
  /** Statements behind the one that begins a batch. */
  readonly begin: readonly string[];
  /** Statements that a piece in a host's transaction begins with. */
  readonly beginPiece: readonly string[];
  /** Whether a batch of several businesses that cannot be written is tried again one by one. */
  readonly mayFailInPart: boolean;
}

function lookUpTogether(rows: KeyedRows, reads: Reads, isShared: boolean): LookUp {
  const find = reads(lookUpStatement(rows));
  return isShared ? sharedLookUps(rows, find) : loneLookUps(rows, find);
}

export const ON_ONE_SERVER: Layout = {
  inserting: insertingArrays,
  lookUp: lookUpTogether,
  lookUpDigest: (kind, rows, reads, isShared) => {
    const find = lookUpTogether(directed(kind, rows), reads, isShared);
    return async (digest) => (await find([[digest]]))[0] ?? null;
  },
  begin: [],
  beginPiece: [],
  mayFailInPart: false,
};

export const ON_CITUS: Layout = {
  inserting: insertingValues,
  lookUp: (rows, reads) => lookUpByOne(rows, reads),
  lookUpDigest: (kind, { row }, reads, isShared) => {
    const findPlace = lookUpTogether(placeOf(kind), reads, isShared);
    const find = lookUpByOne({ key: { business: "bigint", id: "bigint", digest: "text" }, row }, reads);
    return async (digest) => {
      const [place] = await findPlace([[digest]]);
      if (place === null || place === undefined) return null;
      const [business, id] = place;
      return (await find([[asInteger(business), asInteger(id), digest]]))[0] ?? null;
    };
  },
  begin: ["SELECT set_config('plan_cache_mode', 'force_custom_plan', true)"],
  // As a batch does: the transaction of the host commits in two phases.
  beginPiece: ["INSERT INTO @batches (id, answers) VALUES (gen_random_uuid(), '[]')"],
  mayFailInPart: true,
};

/** The directory is on the coordinator, the record on a worker. */
function placeOf(kind: DirectoryKind): KeyedRows {
  return {
    key: { digest: "text" },
    row: `SELECT business_id, id FROM @directory WHERE kind = '${kind}' AND digest = key.digest`,
  };
}
