/**
 * All data of a store except the rate limiter's windows, as tables in a neutral form that every store reads and writes.
 * The columns of the key come first.
 *
 * - Ids, counts, times and amounts in minor units are integers.
 * - The `total` of a budget and a `unit_price` are numbers in major units; the `total` of a sum is a decimal text.
 * - `email_verified` is a boolean, `held` a list of texts, a document JSON text, byte for byte as written.
 * - Everything else is text. A missing value is null. Text keys are ordered by their UTF-8 bytes.
 */
export const DATA_TABLES = [
  /**
   * `ids`: the next id of a business. `id_ranges`: the number of the next range of ids. `event_positions`: at least
   * the highest position of an undispatched event; later events get higher ones.
   */
  { name: "counters", key: ["name"], others: ["value"] },
  /** The range in which a business draws its ids, up to before `range_end`. */
  { name: "id_ranges", key: ["business_id"], others: ["next", "range_end"] },
  { name: "businesses", key: ["id"], others: ["name", "tier", "time_zone", "created_at", "version", "profile"] },
  {
    name: "users",
    key: ["business_id", "id"],
    others: [
      "email",
      "email_key",
      "display_name",
      "avatar_url",
      "role",
      "email_verified",
      "password_hash",
      "created_at",
      "version",
      "disabled_at",
      "one_time_token",
      "second_factor",
      "last_login_at",
    ],
  },
  {
    name: "sessions",
    key: ["business_id", "id"],
    others: ["user_id", "refresh_hash", "refresh_expires_at", "created_at", "ended_at"],
  },
  {
    name: "keys",
    key: ["business_id", "id"],
    others: [
      "version",
      "status",
      "expires_at",
      "webhook_url",
      "key_hash",
      "previous_key_hash",
      "created_at",
      "last_used_at",
      "previous_webhook_secret_until",
      "document",
    ],
  },
  {
    name: "customers",
    key: ["business_id", "id"],
    others: [
      "version",
      "name_key",
      "created_at",
      "deleted_at",
      "held",
      "name",
      "email",
      "phone",
      "search_text",
      "document",
    ],
  },
  {
    name: "products",
    key: ["business_id", "id"],
    others: ["version", "name_key", "created_at", "deleted_at", "held", "search_text", "document"],
  },
  {
    name: "packages",
    key: ["business_id", "id"],
    others: ["version", "name_key", "created_at", "deleted_at", "held", "search_text", "document"],
  },
  /** What budgets take of products and their variants; the variant "" is the product itself. */
  {
    name: "product_summaries",
    key: ["business_id", "product_id", "variant_id"],
    others: ["name", "sku", "unit_price", "currency", "deleted_at", "line_defaults"],
  },
  /** The values that no two records of a business may have: of `field` "cuit" or "sku". */
  { name: "held_values", key: ["business_id", "field", "value"], others: [] },
  {
    name: "budgets",
    key: ["business_id", "id"],
    others: [
      "version",
      "revision",
      "status",
      "customer_id",
      "currency",
      "total",
      "total_minor",
      "created_at",
      "valid_until",
      "public_token_hash",
      "search_text",
      "document",
    ],
  },
  { name: "budget_sums", key: ["business_id", "status", "currency"], others: ["budgets", "total"] },
  /** `slot`: the quarter of an hour in which the budgets were sent; 0 = of any time. */
  { name: "sales_sums", key: ["business_id", "slot", "kind", "currency"], others: ["budgets", "total"] },
  { name: "budget_revisions", key: ["business_id", "budget_id", "revision"], others: ["document"] },
  /** The next value of a series of numbers. */
  { name: "number_series", key: ["business_id", "series"], others: ["next"] },
  { name: "budget_numbers", key: ["business_id", "number"], others: ["budget_id"] },
  {
    name: "payments",
    key: ["business_id", "budget_id", "reference"],
    others: ["id", "amount", "currency", "paid_at", "created_at", "created_by"],
  },
  /** `due_at` null = finished. */
  { name: "mails", key: ["business_id", "id"], others: ["budget_id", "created_at", "due_at", "attempts", "document"] },
  { name: "reminder_checks", key: ["business_id", "budget_id"], others: ["due_at", "claims", "document"] },
  { name: "reminder_opt_outs", key: ["business_id", "customer_id", "recipient"], others: ["opted_out_at"] },
  {
    name: "link_views",
    key: ["business_id", "budget_id", "channel"],
    others: ["views", "first_at", "last_at"],
  },
  { name: "viewings", key: ["business_id", "budget_id", "viewed_at", "device"], others: [] },
  { name: "messages", key: ["business_id", "budget_id", "id"], others: ["created_at", "document"] },
  { name: "attachments", key: ["business_id", "budget_id", "id"], others: ["created_at", "document"] },
  {
    name: "storage_use",
    key: ["business_id"],
    others: ["budgets", "document_bytes", "attachment_bytes", "delivery_bytes"],
  },
  { name: "uploads", key: ["subject", "hold_id"], others: ["bytes", "leaves_at"] },
  { name: "integrations", key: ["business_id", "id"], others: ["version", "created_at", "document"] },
  {
    name: "events",
    key: ["business_id", "sequence"],
    others: ["id", "type", "occurred_at", "subject_id", "revision", "hash", "document"],
  },
  /** The last revisions of subjects whose entries were removed. */
  { name: "former_revisions", key: ["business_id", "kind", "subject_id"], others: ["revision"] },
  { name: "signing_keys", key: ["number"], others: ["kid", "public_key", "sealed_private_key", "created_at"] },
  { name: "undispatched_events", key: ["business_id", "sequence"], others: ["position"] },
  /** The last entries that retention has removed. */
  { name: "ledger_starts", key: ["business_id"], others: ["sequence", "hash", "checkpoint"] },
  /** Where the chains begin that have entries from before them. */
  { name: "ledger_beginnings", key: ["business_id"], others: ["sequence", "missing", "statement"] },
  { name: "event_counters", key: ["business_id"], others: ["last_sequence", "last_hash"] },
  {
    name: "claims",
    key: ["business_id", "key"],
    others: ["claim_id", "fingerprint", "lease_until", "expires_at", "response"],
  },
  {
    name: "usage",
    key: ["business_id", "key_id", "grain", "at", "path", "method"],
    others: ["requests", "errors", "refusals", "duration_us"],
  },
  {
    name: "endpoints",
    key: ["business_id", "id"],
    others: ["version", "status", "created_at", "previous_secret_until", "document"],
  },
  { name: "replays", key: ["business_id", "endpoint_id"], others: ["version", "status", "document"] },
  {
    name: "deliveries",
    key: ["business_id", "id"],
    others: [
      "subscriber_kind",
      "subscriber_id",
      "event_id",
      "event_type",
      "status",
      "attempts",
      "attempts_in_round",
      "next_attempt_at",
      "deadline_at",
      "lease_id",
      "lease_until",
      "response_code",
      "created_at",
      "updated_at",
      "ordered_subject",
      "ordered_sequence",
      "body_id",
    ],
  },
  /** A body is head, id of the delivery and tail; without a tail the head is the whole. `deliveries` of the business share it. */
  { name: "delivery_bodies", key: ["business_id", "id"], others: ["head", "tail", "origin", "deliveries"] },
  {
    name: "attempts",
    key: ["business_id", "delivery_id", "number"],
    others: ["started_at", "duration_ms", "response_code", "error", "response_body"],
  },
] as const;

export type DataTable = (typeof DATA_TABLES)[number];
export type DataTableName = DataTable["name"];

export type DataValue = string | number | boolean | null | readonly string[];

/** The values of a row, those of the key first, in the order of {@link columnsOf}. */
export type DataRow = readonly DataValue[];

export function columnsOf({ key, others }: DataTable): readonly string[] {
  return [...key, ...others];
}
