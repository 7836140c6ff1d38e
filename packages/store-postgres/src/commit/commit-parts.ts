import type { Committed, Condition, DeliveryPlan, StoreCommit, Write } from "@budgetkit/core/store";

export type WriteOf<K extends Write["kind"]> = Extract<Write, { readonly kind: K }>;
type ConditionOf<K extends Condition["kind"]> = Extract<Condition, { readonly kind: K }>;

/** Calls the function of the schema that writes a commit. */
export type SendCommit = () => Promise<Committed>;

const BESIDE = ["events", "audit", "completes", "quota", "numbering"] as const;
type Beside = (typeof BESIDE)[number];

/**
 * The parts of a commit. Each function of the schema takes some of them; a part that none has taken is refused, since it
 * would be lost.
 */
export class CommitParts {
  readonly businessId: string;
  /** Of the events. */
  readonly plan: DeliveryPlan | null;
  readonly #commit: StoreCommit;
  readonly #writes: Write[];
  readonly #conditions: Condition[];
  readonly #beside: Set<Beside>;

  constructor(commit: StoreCommit) {
    this.businessId = commit.businessId;
    this.plan = commit.deliveries;
    this.#commit = commit;
    this.#writes = [...commit.writes];
    this.#conditions = [...commit.conditions];
    this.#beside = new Set(besideOf(commit));
  }

  /** Takes the first write. */
  takeLeading(): Write | undefined {
    return this.#writes.shift();
  }

  /** Takes a further write; null = there is none. */
  takeWrite<K extends Write["kind"]>(kind: K): WriteOf<K> | null {
    return takeFrom(this.#writes, (write): write is WriteOf<K> => write.kind === kind);
  }

  /** Takes a condition; null = there is none. */
  takeCondition<K extends Condition["kind"]>(kind: K): ConditionOf<K> | null {
    return takeFrom(this.#conditions, (condition): condition is ConditionOf<K> => condition.kind === kind);
  }

  take<N extends Beside>(name: N): StoreCommit[N] {
    this.#beside.delete(name);
    return this.#commit[name];
  }

  /** Throws a TypeError if a part is left. */
  refuseOthers(): void {
    const left = [...this.#writes.map(nameOf), ...this.#conditions.map(nameOf), ...this.#beside];
    if (left.length > 0) this.refuse(`no function takes ${left.join(", ")}`);
  }

  /** Throws a TypeError that names the parts of the commit. */
  refuse(reason: string): never {
    const { writes, conditions } = this.#commit;
    const parts = [...writes.map(nameOf), ...conditions.map(nameOf), ...besideOf(this.#commit)];
    throw new TypeError(`the PostgreSQL store does not write a commit of ${parts.join(", ")}: ${reason}`);
  }
}

function besideOf(commit: StoreCommit): readonly Beside[] {
  return BESIDE.filter((name) => {
    const part = commit[name];
    return Array.isArray(part) ? part.length > 0 : part !== null;
  });
}

function nameOf(part: Write | Condition): string {
  return "expected" in part && part.expected === "absent" ? `new ${part.kind}` : part.kind;
}

function takeFrom<T, Found extends T>(list: T[], isFound: (each: T) => each is Found): Found | null {
  const found = list.find(isFound);
  if (found === undefined) return null;
  list.splice(list.indexOf(found), 1);
  return found;
}
