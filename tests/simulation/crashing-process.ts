import {
  type BudgetService,
  type BudgetServiceOptions,
  createBudgetService,
  type WebhookSender,
} from "@budgetkit/core";

/** What happens to a process at one of its awaits. */
export type Fate =
  | "fails" // the call throws, and the process lives on
  | "dies-before" // the process ends before the call has any effect
  | "dies-after"; // the call has its effect, and the process ends before the answer

export interface Process {
  readonly service: BudgetService;
  /** Resolves when the process has died. */
  readonly death: Promise<"dead">;
  /** True when the fatal await was reached. */
  hasFaltered(): boolean;
}

/** A service whose `fatalAwait`-th call of the store or of a receiver, counted from 1, ends as `fate` says. */
export function startProcess(
  options: BudgetServiceOptions,
  sender: WebhookSender,
  fatalAwait: number,
  fate: Fate,
): Process {
  let calls = 0;
  let isDead = false;
  let die: (outcome: "dead") => void = () => {};
  const death = new Promise<"dead">((resolve) => {
    die = resolve;
  });

  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (isDead) return never();
    calls += 1;
    if (calls !== fatalAwait) return call();
    if (fate === "fails") throw new Error("a fault on the way");
    isDead = true;
    if (fate === "dies-after") await call();
    die("dead");
    return never();
  }

  const store = new Proxy(options.store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => pass(async () => Reflect.apply(method, target, args));
    },
  });
  const service = createBudgetService({
    ...options,
    store,
    webhooks: { ...options.webhooks, sender: { send: (request) => pass(() => sender.send(request)) } },
  });
  return { service, death, hasFaltered: () => calls >= fatalAwait };
}

/** A call of a dead process never returns. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}
