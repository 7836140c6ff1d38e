import { Violation } from "../engine/violation.js";
import type { World } from "../world/world.js";

/** Whether each consumer has read every entry. */
export function areUpToDate({ consumers, ledgers }: World): boolean {
  return consumers.every(({ tenant, cursor }) => cursor === (ledgers.get(tenant.businessId)?.length ?? 0));
}

/** A consumer takes every event once and in order, apart from events that retention has removed. */
export async function checkConsumers({ consumers, ledgers, store }: World): Promise<void> {
  for (const { tenant, taken, removed } of consumers) {
    const entries = ledgers.get(tenant.businessId) ?? [];
    const isEvent = (sequence: number) => /^(budget|customer|product)\./.test(entries[sequence - 1]?.type ?? "");
    const all = entries.map((_, index) => index + 1).filter(isEvent);
    const { start } = await store.findLedgerBounds(tenant.businessId);
    if (removed > (start?.sequence ?? 0))
      throw new Violation("a consumer takes every event once", `${removed} is there`);
    const wrong = taken.find((sequence, index) => sequence <= (taken[index - 1] ?? 0) || !isEvent(sequence));
    const missed = all.find((sequence) => sequence > removed && !taken.includes(sequence));
    if (wrong !== undefined || missed !== undefined) {
      const what = wrong === undefined ? `event ${missed} was never taken` : `event ${wrong} came again or too late`;
      throw new Violation("a consumer takes every event once", `${tenant.name}: ${what}`);
    }
  }
}
