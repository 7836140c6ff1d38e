import type { Delivery } from "@budgetkit/client";

/** What a delivery is about, as far as its payload says. */
export interface DeliverySubject {
  /** For people: a number, a name, or else the id. Null = the person may not read the payload. */
  readonly name: string | null;
  readonly customer: string | null;
  readonly id: string | null;
  readonly kind: "budget" | "customer" | "product";
}

const MAX_LETTERS = 200;

type Fields = Readonly<Record<string, unknown>>;

export function subjectOf({ event, payload }: Pick<Delivery, "event" | "payload">): DeliverySubject {
  const data = fieldsOf(payload.data);
  const id = textOf(data.id);
  const kind = event.startsWith("customer.") ? "customer" : event.startsWith("product.") ? "product" : "budget";
  return {
    name: textOf(data.number) ?? textOf(data.name) ?? id,
    customer: textOf(fieldsOf(data.customer).name),
    id,
    kind,
  };
}

/** When the event occurred, which may be long before the delivery. */
export function occurredAt({ payload, createdAt }: Pick<Delivery, "payload" | "createdAt">): string {
  const { timestamp } = payload;
  return typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)) ? timestamp : createdAt;
}

/** Sequence and revision of the event; null = a test. */
export function placeOf({ payload }: Pick<Delivery, "payload">) {
  const { sequence, revision } = fieldsOf(payload.metadata);
  return {
    sequence: typeof sequence === "number" ? sequence : null,
    revision: typeof revision === "number" ? revision : null,
  };
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_LETTERS) : null;
}
