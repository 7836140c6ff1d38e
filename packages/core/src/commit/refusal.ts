/** Why a store has written nothing of a commit. A closed union: each domain maps its own to Problems. */
export type Refusal =
  | "stale" // another version is stored than the write expects, or none
  | "missing" // the record that the write changes or removes does not exist
  | "repeated" // a view within the gap after the last one
  | "unchanged" // the record is as the write would make it
  | "last-owner" // the business would have no active OWNER
  | "key-limit"
  | "webhook-limit"
  | "integration-limit"
  | "attachment-limit"
  | "message-limit"
  | "quota-exceeded"
  | "claim-lost" // the claim of the idempotency record was taken over or completed
  | Taken;

/** Another record has this value. Of several callers with the same value exactly one writes. */
export interface Taken {
  readonly taken: "id" | "cuit" | "sku" | "email" | "reference" | "number";
  readonly value: string;
}

export function isTaken(refusal: Refusal): refusal is Taken {
  return typeof refusal === "object";
}
