/** Where a table is when the schema is distributed by Citus. */
export type Placement =
  /** On the workers, by the business: all rows of a business are on one node. */
  | { readonly by: "business_id" | "id" }
  /** On the coordinator. `why`: the reason why it is not distributed. */
  | { readonly on: "coordinator"; readonly why: string };

const BY_BUSINESS: Placement = { by: "business_id" };

const global = (why: string): Placement => ({ on: "coordinator", why });

const IDS = "hands ids out for all businesses";
const QUEUE = "claims take what is due of all businesses, in one transaction";
const DELIVERED = "a settlement moves a delivery from the queue to the log, in one statement";
const SEARCH = "maintenance takes the texts of all businesses";
const LIMITS = "counts by subjects, which need not be businesses";
const SCHEMA_STATE = "describes the schema";

/**
 * All tables of the schema. The global ones are plain tables of the coordinator: Citus does not see them, so that their
 * statements run as on one server. They commit together with rows of workers because each transaction also writes
 * {@link COORDINATED}.
 */
export const PLACEMENTS: Readonly<Record<string, Placement>> = {
  businesses: { by: "id" },
  attachments: BY_BUSINESS,
  budget_numbers: BY_BUSINESS,
  budget_revisions: BY_BUSINESS,
  budget_sums: BY_BUSINESS,
  budgets: BY_BUSINESS,
  catalog_marks: BY_BUSINESS,
  claims: BY_BUSINESS,
  customers: BY_BUSINESS,
  endpoints: BY_BUSINESS,
  event_counters: BY_BUSINESS,
  events: BY_BUSINESS,
  former_revisions: BY_BUSINESS,
  held_values: BY_BUSINESS,
  integrations: BY_BUSINESS,
  keys: BY_BUSINESS,
  ledger_beginnings: BY_BUSINESS,
  ledger_starts: BY_BUSINESS,
  link_views: BY_BUSINESS,
  messages: BY_BUSINESS,
  number_series: BY_BUSINESS,
  packages: BY_BUSINESS,
  payments: BY_BUSINESS,
  product_summaries: BY_BUSINESS,
  products: BY_BUSINESS,
  reminder_opt_outs: BY_BUSINESS,
  replays: BY_BUSINESS,
  sales_sums: BY_BUSINESS,
  sessions: BY_BUSINESS,
  storage_use: BY_BUSINESS,
  usage: BY_BUSINESS,
  users: BY_BUSINESS,
  viewings: BY_BUSINESS,

  directory: global("leads from the digest of a key, an email or a public link to its business"),
  batches: global("an id of a transaction is unique, whatever businesses it writes to"),
  ids: global(IDS),
  id_ranges: global(IDS),
  signing_keys: global("one chain of keys signs the evidence of all businesses"),
  undispatched_events: global(QUEUE),
  delivery_queue: global(QUEUE),
  delivery_turns: global(QUEUE),
  delivery_log: global(DELIVERED),
  delivery_bodies: global(DELIVERED),
  delivery_use: global(DELIVERED),
  mails: global(QUEUE),
  reminder_checks: global(QUEUE),
  search_waiting: global(SEARCH),
  search_blocks: global(SEARCH),
  rate_subjects: global(LIMITS),
  rate_chunks: global(LIMITS),
  uploads: global(LIMITS),
  upload_sums: global(LIMITS),
  migrations: global(SCHEMA_STATE),
  schema_functions: global(SCHEMA_STATE),
  copies: global(SCHEMA_STATE),
};

/**
 * The one table of the coordinator that is in the metadata of Citus. A transaction that writes it and rows of a worker
 * commits in two phases, and the commit of the coordinator decides for both. Without it a worker commits first, and a crash
 * of the coordinator between the two commits loses the rows of the coordinator alone.
 */
export const COORDINATED = "batches";
