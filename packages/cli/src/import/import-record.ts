import { isDeepStrictEqual } from "node:util";
import type { Actor, BudgetService, Problem } from "@budgetkit/core";
import type { Store } from "@budgetkit/core/store";
import { type OperationResult, problemText } from "../terminal/problem-text.js";
import type { ImportedRecord } from "./import-line.js";

/** The business that an import fills. */
export interface ImportTarget {
  readonly service: BudgetService;
  readonly store: Store;
  readonly actor: Actor;
}

/** The outcome of a line. */
export type Outcome =
  | { readonly kind: "created" }
  | { readonly kind: "skipped" } // the target has the same
  | { readonly kind: "conflict"; readonly why: string } // the target has something different
  | { readonly kind: "refused"; readonly why: string } // the service refuses it
  | { readonly kind: "left-out" }; // its kind is not imported

export const CREATED: Outcome = { kind: "created" };
export const SKIPPED: Outcome = { kind: "skipped" };
export const LEFT_OUT: Outcome = { kind: "left-out" };

export function refused(problem: Problem): Outcome {
  return { kind: "refused", why: problemText(problem) };
}

export type RecordType = "customer" | "product" | "package";

/** The operations on records of one kind, whose input the service checks. */
interface Records {
  get(id: string): Promise<OperationResult<object>>;
  create(input: object, now: number): Promise<OperationResult<object>>;
}

function recordsOf({ service, actor }: ImportTarget, type: RecordType): Records {
  const { customers, products, packages } = service;
  // The content of a line is unknown; the service parses it by the schema of the operation.
  const asInput = <T>(input: object) => input as T;
  const operations = {
    customer: {
      get: (id: string) => customers.get(actor, id),
      create: (input: object, now: number) => customers.create(actor, asInput(input), { now }),
    },
    product: {
      get: (id: string) => products.get(actor, id),
      create: (input: object, now: number) => products.create(actor, asInput(input), { now }),
    },
    package: {
      get: (id: string) => packages.get(actor, id),
      create: (input: object, now: number) => packages.create(actor, asInput(input), { now }),
    },
  };
  return operations[type];
}

/** The state of the target: no such record (null), the same record, or a different one. */
export async function findRecord(
  target: ImportTarget,
  type: RecordType,
  data: ImportedRecord,
): Promise<Outcome | null> {
  const found = await recordsOf(target, type).get(data.id);
  return found.match(
    (present) => (isDeepStrictEqual(contentOf(present), contentOf(data)) ? SKIPPED : differs(type, data.id)),
    () => null,
  );
}

/** Creates a record under its id, with its original creation time. */
export async function importRecord(target: ImportTarget, type: RecordType, data: ImportedRecord): Promise<Outcome> {
  const made = await recordsOf(target, type).create(contentOf(data), Date.parse(data.createdAt));
  return made.match<Outcome>(
    () => CREATED,
    (problem) => ({ kind: problem.kind === "conflict" ? "conflict" : "refused", why: problemText(problem) }),
  );
}

function differs(type: RecordType, id: string): Outcome {
  return { kind: "conflict", why: `the ${type} ${id} is there already and differs` };
}

/** The content of a record, without history and computed fields. */
function contentOf(record: object): object {
  const left = ["version", "createdAt", "updatedAt", "deletedAt", "effectivePrice"];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
}
