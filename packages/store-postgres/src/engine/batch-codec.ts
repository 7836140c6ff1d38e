import { type MadeDelivery, StoreUnavailable } from "@budgetkit/core/store";
import { asList, asText, fieldOf } from "@budgetkit/store-kit";
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
  /** Ids of deliveries of the business that the call may make. The commit reports those that it has made. */
  readonly planned?: readonly number[];
}

/** What a call has returned, and the planned deliveries that it has made; null = unknown, or none were planned. */
export interface Answer {
  readonly value: unknown;
  readonly made: readonly MadeDelivery[] | null;
}

/** The keys of planned deliveries, as columns. */
export function keysOfPlanned(calls: readonly Call[]): [businesses: readonly number[], ids: readonly number[]] {
  const keys = calls.flatMap(({ business, planned = [] }) => planned.map((id) => [business ?? 0, id] as const));
  return [keys.map(([business]) => business), keys.map(([, id]) => id)];
}

/** The deliveries that each call has made. `answer` has a body for each of {@link keysOfPlanned}; null = not made. */
export function decodeMade(calls: readonly Call[], answer: unknown): readonly Answer["made"][] {
  const bodies = asList(answer);
  let from = 0;
  return calls.map(({ planned }) => {
    if (planned === undefined) return null;
    const first = from;
    from += planned.length;
    return planned.flatMap((id, index) => {
      const body = bodies[first + index] ?? null;
      return body === null ? [] : [{ id: String(id), body: asText(body) }];
    });
  });
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

/** The bundles and the texts that `commit_batch` and `commit_within` take. */
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
export type CallResult = PromiseSettledResult<Answer> | "busy";

/** The result of each call, in their order. `made` is by the indexes of the calls. */
export function decodeBatch(
  groups: readonly CallGroup[],
  answer: unknown,
  made: readonly Answer["made"][] = [],
): readonly CallResult[] {
  const answers = asList(answer);
  const results: CallResult[] = [];
  groups.forEach(({ indexes }, group) => {
    const values = fieldOf(answers[group], "values");
    const apart = fieldOf(answers[group], "apart");
    indexes.forEach((index, position) => {
      const ofCall = made[index] ?? null;
      if (values !== undefined) results[index] = fulfilment(asList(values)[position], ofCall);
      else results[index] = apart === undefined ? "busy" : resultApart(asList(apart)[position], ofCall);
    });
  });
  return results;
}

/** The outcome of a call; StoreUnavailable when it was left out. */
export function outcomeOf(result: CallResult | undefined): PromiseSettledResult<Answer> {
  if (result === undefined) return rejection(new TypeError("the database answered fewer calls than it was sent"));
  if (result !== "busy") return result;
  return rejection(new StoreUnavailable("another transaction holds the business for too long"));
}

/** The answer of a call. Throws the error of a call that failed. */
export function readAnswer(result: CallResult | undefined): Answer {
  const outcome = outcomeOf(result);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function fulfilment(value: unknown, made: Answer["made"]): PromiseFulfilledResult<Answer> {
  return { status: "fulfilled", value: { value, made } };
}

function rejection(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}

/** The result of a call that ran alone, since a call of the batch failed. */
function resultApart(answer: unknown, made: Answer["made"]): PromiseSettledResult<Answer> {
  const failure = failureIn(answer);
  return failure === null ? fulfilment(fieldOf(answer, "value"), made) : rejection(failure.reason);
}

/** The error that a function has caught and returned, as the driver would throw it; null = none. */
export function failureIn(answer: unknown): { readonly reason: unknown } | null {
  const message = fieldOf(answer, "error");
  if (message === undefined) return null;
  const failure = Object.assign(new Error(asText(message)), { code: asText(fieldOf(answer, "code")) });
  return { reason: storeFailure(failure) };
}
