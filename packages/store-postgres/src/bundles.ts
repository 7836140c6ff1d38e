import { StoreUnavailable } from "@budgetkit/core/store";
import { storeFailure } from "./failures.js";
import { asList, asText, field } from "./rows.js";

/** A function of the schema that changes rows, as a part of a transaction. */
export interface Call {
  readonly call: string;
  /** Whose rows it changes: calls for one business wait for one another. Null: none but its own, in whatever order. */
  readonly business: number | null;
  readonly with: unknown;
}

/** Calls of one function for one business, as the server is sent them, and their places among all calls. */
export interface Bundle {
  readonly sent: { readonly call: string; readonly business: number | null; readonly with: unknown[] };
  readonly places: number[];
}

/** Calls of one function for one business are made one, so that the rows of all may be changed by one statement. */
export function bundlesOf(calls: readonly Call[]): readonly Bundle[] {
  const bundles = new Map<string, Bundle>();
  calls.forEach(({ call, business, with: argument }, place) => {
    const name = `${call} ${business}`;
    const bundle = bundles.get(name) ?? { sent: { call, business, with: [] }, places: [] };
    bundle.sent.with.push(argument);
    bundle.places.push(place);
    bundles.set(name, bundle);
  });
  return [...bundles.values()];
}

/** What the server takes. */
export function textOf(bundles: readonly Bundle[]): string {
  return JSON.stringify(bundles.map(({ sent }) => sent));
}

/** What became of a call. Busy: somebody else is at work on its business, and it was left out. */
export type Answer = PromiseSettledResult<unknown> | "busy";

/** What each call was answered, in their order, of what the server said of each bundle. */
export function answersOf(bundles: readonly Bundle[], said: unknown): readonly Answer[] {
  const answers = asList(said);
  const each: Answer[] = [];
  bundles.forEach(({ places }, index) => {
    const answer = answers[index];
    const values = field(answer, "values");
    const apart = field(answer, "apart");
    places.forEach((place, turn) => {
      if (values !== undefined) each[place] = { status: "fulfilled", value: asList(values)[turn] };
      else each[place] = apart === undefined ? "busy" : outcomeOf(asList(apart)[turn]);
    });
  });
  return each;
}

/** What a call gave. Throws what it threw, and StoreUnavailable when it was left out. */
export function resultOf(answer: Answer | undefined): unknown {
  if (answer === undefined) throw new TypeError("the database left a call out");
  if (answer === "busy") throw new StoreUnavailable("another transaction holds the business for too long");
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
}

/** What a call gave that was carried out by itself, or what it threw in the server, as the driver would tell it. */
function outcomeOf(answer: unknown): PromiseSettledResult<unknown> {
  const message = field(answer, "error");
  if (message === undefined) return { status: "fulfilled", value: field(answer, "value") };
  const failure = Object.assign(new Error(asText(message)), { code: asText(field(answer, "code")) });
  return { status: "rejected", reason: storeFailure(failure) };
}
