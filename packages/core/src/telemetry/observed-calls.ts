import type { Clock } from "../kernel/clock.js";
import { type Attributes, isWatched, observed, storeChannel } from "./channels.js";

export interface NamedDatabase {
  /** OpenTelemetry's `db.system.name`: `sqlite`, `postgresql`, `redis`. */
  readonly databaseSystem?: string;
}

/**
 * Wraps a port so that each call is published on the channel `budgetkit:store`: the name of the method, without arguments
 * and result. Without subscribers a call goes straight to the port. `system` is the database; undefined = unknown.
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
      if (typeof method !== "function") throw new TypeError(`${name} is not a method`);
      return Reflect.apply(method, port, args);
    };
    const isSynchronous = SYNCHRONOUS.has(name);
    const call = (...args: unknown[]): unknown => {
      if (isSynchronous || !isWatched(storeChannel)) return direct(args);
      const attributes: Attributes = { "db.operation.name": name === "commit" ? commitName(args[0]) : name };
      if (system !== undefined) attributes["db.system.name"] = system;
      return observed(storeChannel, { attributes, durationMs: null }, clock, async () => direct(args));
    };
    Object.defineProperty(calls, name, { value: call });
  }
  return calls;
}

/** Commits by the kind of their first write, since they take as long as it does; one of entries alone is an audit. */
function commitName(commit: unknown): string {
  const writes = typeof commit === "object" && commit !== null && "writes" in commit ? commit.writes : [];
  const [first]: unknown[] = Array.isArray(writes) ? writes : [];
  const hasKind = typeof first === "object" && first !== null && "kind" in first;
  return `commit ${hasKind ? String(first.kind) : "audit"}`;
}

/** Methods that return at once and send nothing to the database. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(["withConnection", "onWork", "onLostCommits"]);

/** The methods of the object and of its prototypes. */
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
