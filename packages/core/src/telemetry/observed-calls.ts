import type { Clock } from "../kernel/clock.js";
import { type Attributes, isWatched, observed, storeChannel } from "./channels.js";

/** What a store may say of itself. */
export interface NamedDatabase {
  /** What it keeps its data in, as OpenTelemetry's `db.system.name` has it: `sqlite`, `postgresql`, `redis`. */
  readonly databaseSystem?: string;
}

/**
 * The same port, whose calls are told of on the channel `budgetkit:store` while anybody listens there: by the name of the
 * method, without its arguments and its result. `system` is the database behind it, where that is known.
 */
export function observedCalls<Port extends object>(
  port: Port,
  system: string | undefined,
  clock: Pick<Clock, "monotonicMs">,
): Port {
  const calls: Port = Object.create(port);
  for (const name of methodsOf(port)) {
    const direct = (args: readonly unknown[]): unknown => {
      const method: unknown = Reflect.get(port, name);
      if (typeof method !== "function") throw new TypeError(`${name} is no method any more`);
      return Reflect.apply(method, port, args);
    };
    const call = (...args: unknown[]): unknown => {
      if (SYNCHRONOUS.has(name) || !isWatched(storeChannel)) return direct(args);
      const attributes: Attributes = { "db.operation.name": name };
      if (system !== undefined) attributes["db.system.name"] = system;
      return observed(storeChannel, { attributes, durationMs: null }, clock, async () => direct(args));
    };
    Object.defineProperty(calls, name, { value: call });
  }
  return calls;
}

/** What asks nothing of the database itself: a port or an end to listening is given out at once. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(["within", "onWork"]);

/** The methods of the object itself and of the classes that it is made from. */
function methodsOf(port: object): ReadonlySet<string> {
  const names = new Set<string>();
  let owner: object | null = port;
  while (owner !== null && owner !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name !== "constructor" && typeof Reflect.get(port, name) === "function") names.add(name);
    }
    owner = Object.getPrototypeOf(owner);
  }
  return names;
}
