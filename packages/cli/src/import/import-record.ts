import { isDeepStrictEqual } from "node:util";
import { type Answer, problemText } from "../problem-text.js";
import type { ImportedRecord } from "./import-line.js";
import type { ImportTarget } from "./import-target.js";
import { CREATED, type Outcome, SKIPPED } from "./outcome.js";

export type RecordType = "customer" | "product" | "package";

/** The operations on records of one kind, whose input the service checks. */
interface Records {
  get(id: string): Promise<Answer<object>>;
  create(input: object, now: number): Promise<Answer<object>>;
}

function recordsOf({ service, actor }: ImportTarget, type: RecordType): Records {
  const { customers, products, packages } = service;
  // What a line holds is unknown; the service parses it by the schema of the operation.
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

/** What stands in the place of a record already: nothing (null), the same, or something else. */
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

/** Makes a record under its id, at the moment when it was made first. */
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

/** What is the record's own: neither its history nor what is computed. */
function contentOf(record: object): object {
  const left = ["version", "createdAt", "updatedAt", "deletedAt", "effectivePrice"];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
}
