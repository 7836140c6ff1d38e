import { nearestName } from "./nearest-name.js";

/** Every name of an options type: the compiler refuses a missing one and an unknown one. */
export type OptionNames<Options> = Readonly<Record<Options extends unknown ? keyof Options : never, true>>;

/** Throws a RangeError that names an option that `owner` does not have. `owner` reads `createBudgetService`. */
export function checkOptionNames<Options extends object>(
  owner: string,
  options: Options | undefined,
  names: OptionNames<Options>,
): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options ?? {}).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const advice = nearest === null ? `Options: ${known.join(", ")}` : `Did you mean "${nearest}"?`;
  throw new RangeError(`${owner} has no option "${unknown}". ${advice}`);
}
