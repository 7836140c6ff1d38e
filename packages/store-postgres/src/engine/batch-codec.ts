import { asList, asText, fieldOf, StoreUnavailable } from "@budgetkit/core/store";
import { storeFailure } from "./failures.js";
import { textArray } from "./text-rows.js";

/** A call of a function of the schema that changes rows, as a part of a transaction. */
export interface Call {
  readonly call: string;
  /** The business whose rows it changes: its calls run one after the other. Null = the call locks its own rows. */
  readonly business: number | null;
  readonly argument: string; // a JSON object
  /** Rows that travel beside the argument: see `textsOf`. */
  readonly texts?: readonly (string | null)[];
  /** Deliveries that the call may make, and what gets their bodies once they are committed. */
  readonly planned?: readonly ReportedPlan[];
}

/** The deliveries of a plan, by their ids, in a business. */
export interface ReportedPlan {
  readonly business: number;
  readonly ids: readonly number[];
  readonly onMade: (bodies: readonly string[]) => void;
}

/** The keys of planned deliveries, as columns. */
export function keysOfPlanned(plans: readonly ReportedPlan[]): [businesses: readonly number[], ids: readonly number[]] {
  return [plans.flatMap(({ business, ids }) => ids.map(() => business)), plans.flatMap(({ ids }) => ids)];
}

/** Reports the bodies to each plan whose deliveries were all made. `answer` has one for each key; null = not made. */
export function reportBodies(plans: readonly ReportedPlan[], answer: unknown): void {
  const bodies = asList(answer);
  let from = 0;
  for (const { ids, onMade } of plans) {
    const made = bodies.slice(from, from + ids.length).filter((body) => body !== null);
    from += ids.length;
    if (made.length === ids.length) onMade(made.map(asText));
  }
}

/** Calls of one function for one business. The function may change the rows of all by one statement a table. */
export interface CallGroup {
  readonly call: string;
  readonly business: number | null;
  readonly calls: Call[];
  readonly indexes: number[]; // of the calls among all
}

export function groupCalls(calls: readonly Call[]): readonly CallGroup[] {
  const groups = new Map<string, CallGroup>();
  calls.forEach((each, index) => {
    const { call, business } = each;
    const name = `${call} ${business}`;
    const group = groups.get(name) ?? { call, business, calls: [], indexes: [] };
    group.calls.push(each);
    group.indexes.push(index);
    groups.set(name, group);
  });
  return [...groups.values()];
}

/** The bundles and the texts that `commit` and `apply_within` take. */
export function encodeBatch(groups: readonly CallGroup[]): [bundles: string, texts: Uint8Array] {
  const all: (string | null)[] = [];
  const argumentOf = ({ argument, texts }: Call): string => {
    if (texts === undefined) return argument;
    const first = all.length + 1;
    for (const text of texts) all.push(text);
    return `{"first_text":${first},${argument.slice(1)}`;
  };
  const bundles = groups.map(
    ({ call, business, calls }) =>
      `{"call":"${call}","business":${business},"with":[${calls.map(argumentOf).join(",")}]}`,
  );
  return [`[${bundles.join(",")}]`, textArray(all)];
}

/** The result of a call. Busy: another transaction holds its business, and the batch left the call out. */
export type CallResult = PromiseSettledResult<unknown> | "busy";

/** The result of each call, in their order. */
export function decodeBatch(groups: readonly CallGroup[], answer: unknown): readonly CallResult[] {
  const answers = asList(answer);
  const results: CallResult[] = [];
  groups.forEach(({ indexes }, group) => {
    const values = fieldOf(answers[group], "values");
    const apart = fieldOf(answers[group], "apart");
    indexes.forEach((index, position) => {
      if (values !== undefined) results[index] = { status: "fulfilled", value: asList(values)[position] };
      else results[index] = apart === undefined ? "busy" : resultApart(asList(apart)[position]);
    });
  });
  return results;
}

/** The outcome of a call; StoreUnavailable when it was left out. */
export function outcomeOf(result: CallResult | undefined): PromiseSettledResult<unknown> {
  if (result === undefined) return rejection(new TypeError("the database answered fewer calls than it was sent"));
  if (result !== "busy") return result;
  return rejection(new StoreUnavailable("another transaction holds the business for too long"));
}

/** The value of a call. Throws the error of a call that failed. */
export function readValue(result: CallResult | undefined): unknown {
  const outcome = outcomeOf(result);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function rejection(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}

/** The result of a call that ran alone, since a call of the batch failed. */
function resultApart(answer: unknown): PromiseSettledResult<unknown> {
  const failure = failureIn(answer);
  return failure === null ? { status: "fulfilled", value: fieldOf(answer, "value") } : rejection(failure.reason);
}

/** The error that a function has caught and returned, as the driver would throw it; null = none. */
export function failureIn(answer: unknown): { readonly reason: unknown } | null {
  const message = fieldOf(answer, "error");
  if (message === undefined) return null;
  const failure = Object.assign(new Error(asText(message)), { code: asText(fieldOf(answer, "code")) });
  return { reason: storeFailure(failure) };
}
