import { asList, field } from "./rows.js";

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

/**
 * Calls of one function for one business are sent as one, so that the function may change the rows of all by one
 * statement. Isolated calls stay by themselves, so that each fails by itself.
 */
export function bundlesOf(calls: readonly Call[], isIsolated: boolean): readonly Bundle[] {
  const bundles = new Map<string, Bundle>();
  calls.forEach(({ call, business, with: argument }, place) => {
    const name = isIsolated ? String(place) : `${call} ${business}`;
    const bundle = bundles.get(name) ?? { sent: { call, business, with: [] }, places: [] };
    bundle.sent.with.push(argument);
    bundle.places.push(place);
    bundles.set(name, bundle);
  });
  return [...bundles.values()];
}

/** What each call was answered, of what its bundle was: a value of its own, or what became of all of them. */
export function answersOf(bundles: readonly Bundle[], answers: readonly unknown[]): readonly unknown[] {
  const each: unknown[] = [];
  bundles.forEach(({ places }, index) => {
    const values = field(answers[index], "value");
    places.forEach((place, turn) => {
      each[place] = values === undefined ? answers[index] : { value: asList(values)[turn] };
    });
  });
  return each;
}
