import type { LedgerEntry } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import { chainedHash, faultOfChain } from "../hash-chain.js";
import { MOST_SKEW_MS } from "../world/kinds.js";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";

/** Each new entry carries the hash over itself and the hash of the entry before. */
export function keepEntry({ ledgers }: World, { businessId }: Tenant, { entry, hash }: LedgerEntry): void {
  const known = ledgers.get(businessId) ?? [];
  ledgers.set(businessId, known);
  const expected = chainedHash({ entry }, known.at(-1)?.hash ?? null);
  if (hash !== expected)
    throw new Violation("the entries are chained", `the hash of entry ${entry.sequence} is ${hash}`);
  const { occurredAt, type, subjectId, data } = entry;
  known.push({ hash, occurredAt, type, subjectId, data });
}

/** No entry has changed. Retention alone removes entries: a prefix, and leaves a signed checkpoint. */
export async function checkLedger(world: World, { businessId }: Tenant): Promise<void> {
  const { store, ledgers, scheduler, retentionMs } = world;
  const known = ledgers.get(businessId) ?? [];
  const { start, head } = await store.findLedgerBounds(businessId);
  if (start !== null) {
    const last = known[start.sequence - 1];
    if (last === undefined || last.hash !== start.hash)
      throw new Violation("a checkpoint names the last removed entry", `it names ${start.sequence}, ${start.hash}`);
    const { sequence, hash } = payloadOf(start.checkpoint);
    if (sequence !== start.sequence || hash !== start.hash)
      throw new Violation("a checkpoint names the last removed entry", `it signs ${String(sequence)}`);
    const tooYoung = scheduler.now - (retentionMs ?? Number.POSITIVE_INFINITY) + 2 * MOST_SKEW_MS;
    const lost = known.slice(0, start.sequence).findIndex(({ occurredAt }) => occurredAt > tooYoung);
    if (lost !== -1) throw new Violation("retention removes what is old", `entry ${lost + 1} is gone`);
  }
  const first = start ?? { sequence: 0, hash: null };
  const ledger = await store.readLedger(businessId, { after: first.sequence, limit: 10_000 });
  const fault = faultOfChain(ledger, first);
  if (fault !== null) throw new Violation("the entries are chained", fault);
  const [end, newest] = [first.sequence + ledger.length, known.length];
  if (end !== newest || head.sequence !== newest)
    throw new Violation("sequences have no gaps", `the log of ${businessId} ends at ${end}, not ${newest}`);
}

function payloadOf(checkpoint: string): { readonly sequence?: unknown; readonly hash?: unknown } {
  const { payload } = JSON.parse(checkpoint);
  return JSON.parse(Buffer.from(String(payload), "base64url").toString("utf8"));
}
