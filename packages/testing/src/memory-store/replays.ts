import { isFinished, type Replay, type ReplayCursor, type ReplayStore } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import type { OpenTables } from "./tables.js";
import { addAll } from "./webhook-dispatch.js";

export function memoryReplays(open: OpenTables): ReplayStore {
  return {
    findReplay: async (businessId, endpointId) => open().replays.find(businessId, endpointId),

    findRunningReplays: async (after, limit) => {
      const running = open()
        .replays.all()
        .filter((replay) => replay.status === "running" && (after === null || compare(replay, after) > 0));
      return running.sort(compare).slice(0, limit);
    },

    writeReplay: async (replay, expectedVersion, deliveries, audit = null) => {
      const tables = open();
      const { businessId, endpointId } = replay;
      if ((tables.replays.find(businessId, endpointId)?.version ?? 0) !== expectedVersion) return "stale";
      addAll(tables, deliveries);
      tables.replays.save(businessId, endpointId, replay);
      appendAuditEntry(tables, audit);
      return "written";
    },

    countUnfinished: async (businessId, { kind, id }, atMost) => {
      const unfinished = open()
        .deliveries.of(businessId)
        .filter(({ subscriber, status }) => subscriber.kind === kind && subscriber.id === id && !isFinished(status));
      return Math.min(atMost, unfinished.length);
    },
  };
}

function compare(a: ReplayCursor | Replay, b: ReplayCursor): number {
  return Number(a.businessId) - Number(b.businessId) || Number(a.endpointId) - Number(b.endpointId);
}
