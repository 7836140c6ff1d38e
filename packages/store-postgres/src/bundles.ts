import { StoreUnavailable } from "@budgetkit/core/store";
import { storeFailure } from "./failures.js";
import { asList, asText, field } from "./rows.js";

/** A function of the schema that changes rows, as a part of a transaction. */
export interface Call {
  readonly call: string;
  /** Whose rows it changes: calls for one business wait for one another. Null: none but its own, in whatever order. */
  readonly business: number | null;
  readonly argument: string; // JSON
}

/** Calls of one function for one business, and their places among all calls. */
export interface Bundle {
  readonly call: string;
  readonly business: number | null;
  readonly arguments: string[];
  readonly places: number[];
}

/** Calls of one function for one business are made one, so that the rows of all may be changed by one statement. */
export function bundlesOf(calls: readonly Call[]): readonly Bundle[] {
  const bundles = new Map<string, Bundle>();
  calls.forEach(({ call, business, argument }, place) => {
    const name = `${call} ${business}`;
    const bundle = bundles.get(name) ?? { call, business, arguments: [], places: [] };
    bundle.arguments.push(argument);
    bundle.places.push(place);
    bundles.set(name, bundle);
  });
  return [...bundles.values()];
}

/** What the server is sent. */
export function textOf(bundles: readonly Bundle[]): string {
  const texts = bundles.map(
    ({ call, business, arguments: list }) => `{"call":"${call}","business":${business},"with":[${list.join(",")}]}`,
  );
  return `[${texts.join(",")}]`;
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
      else each[place] = apart === undefined ? "busy" : outcomeApart(asList(apart)[turn]);
    });
  });
  return each;
}

/** What became of a call; it fails with StoreUnavailable when it was left out. */
export function outcomeOf(answer: Answer | undefined): PromiseSettledResult<unknown> {
  if (answer === undefined) return rejection(new TypeError("the database left a call out"));
  if (answer !== "busy") return answer;
  return rejection(new StoreUnavailable("another transaction holds the business for too long"));
}

/** What it gave. Throws what it failed with. */
export function resultOf(answer: Answer | undefined): unknown {
  const outcome = outcomeOf(answer);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function rejection(reason: unknown): PromiseRejectedResult {
  return { status: "rejected", reason };
}

/** What a call gave that was carried out by itself, or what it threw in the server, as the driver would tell it. */
function outcomeApart(answer: unknown): PromiseSettledResult<unknown> {
  const message = field(answer, "error");
  if (message === undefined) return { status: "fulfilled", value: field(answer, "value") };
  const failure = Object.assign(new Error(asText(message)), { code: asText(field(answer, "code")) });
  return rejection(storeFailure(failure));
}
