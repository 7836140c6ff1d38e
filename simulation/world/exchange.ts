import type { Amounts, Status } from "./model.js";
import type { Credential, Tenant } from "./tenants.js";

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One request of a client, with what the model needs to judge the answer. */
export interface Ask {
  readonly action: string; // a move of the model, or another name for the statistics
  readonly tenant: Tenant;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly as: Credential | "owner" | null; // null = the customer, who has no credential
  readonly body?: Json;
  readonly idempotencyKey?: string;
  readonly ifMatch?: number;
  readonly budgetId?: string;
  readonly to?: Status; // the status after the move
  readonly amounts?: Amounts; // of the budget after it
  readonly token?: string; // of the public link
  readonly foreign?: boolean; // true = it names a record of another business
}

/** A request and its answer. */
export interface Exchange extends Ask {
  readonly client: string;
  readonly startStep: number;
  readonly startAt: number;
  readonly shownVersion: number; // of the budget: the highest that any client had been shown before
  endStep: number;
  endAt: number;
  status: number | null; // null = the process died, or no answer yet
  isReplay: boolean;
  text: string;
  json: Json;
}
