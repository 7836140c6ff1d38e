import { type BlobStore, createBudgetService, type Store } from "@budgetkit/core";
import { manualClock, memoryBlobStore, memoryStore, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";

const HOUR_MS = 3_600_000;
const FATES = ["fails", "dies-before", "dies-after"] as const;
const SECRET = "a secret for tests that is long enough";
const actor = { kind: "system", businessId: "1" } as const;

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  for (const part of text) yield Buffer.from(part);
}

const file = (text: string) => ({ fileName: "a.txt", contentType: "text/plain", content: bytes(text) });

/**
 * A service whose `fatal`-th call of either store ends as the fate says: it throws; or the process ends before the
 * call, or after it, and with that everything that it was about to do.
 */
function falteringService(store: Store, blobs: BlobStore, clock: ReturnType<typeof manualClock>) {
  const state: { fatal: number; calls: number; fate: (typeof FATES)[number]; isDead: boolean } = {
    fatal: Number.POSITIVE_INFINITY,
    calls: 0,
    fate: "fails",
    isDead: false,
  };
  let die: () => void = () => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = () => new Promise<never>(() => {});
  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (state.isDead) return never();
    state.calls += 1;
    if (state.calls !== state.fatal) return call();
    if (state.fate === "fails") throw new Error("a fault on the way");
    state.isDead = true;
    if (state.fate === "dies-after") await call();
    die();
    return never();
  }
  function faltering<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => pass(async () => Reflect.apply(method, target, args));
      },
    });
  }
  const service = createBudgetService({
    store: faltering(store),
    blobs: faltering(blobs),
    clock,
    secret: SECRET,
    random: seededRandom(2),
    onError: () => {},
  });
  return { service, state, death };
}

describe("attachments over a crash", () => {
  for (const fate of FATES) {
    it(`attachments have their bytes, and bytes their attachment, wherever the process ${fate}`, async () => {
      let fatal = 0;
      for (let hasFaltered = true; hasFaltered; ) {
        fatal += 1;
        const [store, blobs, clock] = [memoryStore(), memoryBlobStore(), manualClock()];
        const sound = createBudgetService({ store, blobs, clock, secret: SECRET, onError: () => {} });
        const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
        const budget = (await sound.budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
        const old = (await sound.attachments.add(actor, budget.id, file("old")))._unsafeUnwrap();

        const { service, state, death } = falteringService(store, blobs, clock);
        await service.budgets.get(actor, budget.id);
        Object.assign(state, { fatal: state.calls + fatal, fate });
        const work = async () => {
          await service.attachments.add(actor, budget.id, file("new"));
          await service.attachments.remove(actor, budget.id, old.id);
        };
        await Promise.race([work().catch(() => {}), death]);
        hasFaltered = state.calls >= state.fatal;

        clock.advance(HOUR_MS + 1);
        await sound.tick();
        const rows = (await sound.attachments.list(actor, budget.id))._unsafeUnwrap().data.map(({ id }) => id);
        const kept = (await blobs.findBlobsBefore(clock.now() + 1, null, 100)).ids;
        expect([...kept].sort(), `at call ${fatal}`).toEqual([...rows].sort());
        const events = (await sound.events.list(actor, { limit: 50 }))._unsafeUnwrap().data;
        const changes = events.filter(({ change }) => change.fields.includes("attachments")).length;
        expect(changes - 1, `at call ${fatal}`).toBe(
          Number(rows.some((id) => id !== old.id)) + Number(!rows.includes(old.id)),
        );
      }
      expect(fatal).toBeGreaterThan(10);
    });
  }
});
