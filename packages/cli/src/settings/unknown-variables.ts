import { nearestName } from "@budgetkit/core/store";
import { settingNames } from "./settings.js";

const PREFIX = "BUDGETKIT_";

/** Variables with the prefix that are no settings: of `copy`, of worker processes, of the client's first example. */
const OTHERS = ["COPY_FROM", "COPY_TO", "SHARED_PORT", "URL", "KEY"].map((name) => PREFIX + name);

/** Shorter names without the prefix are too close to names of other programs. */
const MIN_LENGTH = 9;

/** A variable that the server does not read, and the one that was probably meant. */
export interface UnknownVariable {
  readonly name: string;
  readonly advice: string;
}

/** The variables that look like settings of the server and are none: with the prefix, or nearly the name of one. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): UnknownVariable[] {
  const known = settingNames();
  const bare = new Map(known.map((name) => [withoutPrefix(name), name]));
  const long = known.filter((name) => name.length >= MIN_LENGTH && !isSet(environment, name));
  return Object.keys(environment).flatMap((name) => {
    if (!isSet(environment, name) || known.includes(name) || OTHERS.includes(name)) return [];
    const hasPrefix = name.toUpperCase().startsWith(PREFIX);
    const near = hasPrefix
      ? bare.get(nearestName(withoutPrefix(name), [...bare.keys()]) ?? "")
      : nearestName(name, long);
    if (near) return [{ name, advice: `is not a setting of the server. Did you mean ${near}?` }];
    return hasPrefix ? [{ name, advice: "is not a setting of the server: docs/configuration.md lists them" }] : [];
  });
}

function withoutPrefix(name: string): string {
  return name.toUpperCase().startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}

function isSet(environment: Readonly<Record<string, string | undefined>>, name: string): boolean {
  return (environment[name] ?? "") !== "";
}
