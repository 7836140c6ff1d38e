import type { LedgerStore } from "@budgetkit/core/store";
import { bytesOf, countUse } from "./storage-use.js";
import type { OpenTables } from "./tables.js";

export function memoryLedger(open: OpenTables): LedgerStore {
  return {
    findLedgerBounds: async (businessId) => {
      const { ledgerStarts, lastEntries, undispatched } = open();
      const waiting = [...undispatched].filter((event) => event.businessId === businessId);
      return {
        start: ledgerStarts.get(businessId) ?? null,
        beginning: null, // a store in memory has no entries from before the chain
        head: lastEntries.get(businessId) ?? { sequence: 0, hash: null },
        waiting: waiting.length === 0 ? null : Math.min(...waiting.map(({ sequence }) => sequence)),
      };
    },

    findAgedLedgers: async (before, limit, without) => {
      const { events, auditEntries } = open();
      const aged = [...events, ...auditEntries]
        .filter(({ businessId, occurredAt }) => occurredAt < before && !without.includes(businessId))
        .sort((a, b) => a.occurredAt - b.occurredAt)
        .slice(0, limit);
      return [...new Set(aged.map(({ businessId }) => businessId))];
    },

    pruneLedger: async (businessId, start, former) => {
      const tables = open();
      const { events, auditEntries, hashes, ledgerStarts } = tables;
      if ((ledgerStarts.get(businessId)?.sequence ?? 0) !== former) return 0;
      ledgerStarts.set(businessId, { ...start });
      let removed = 0;
      for (const entries of [events, auditEntries]) {
        for (const [index, { sequence, revision, ...entry }] of [...entries.entries()].reverse()) {
          if (entry.businessId !== businessId || sequence <= former || sequence > start.sequence) continue;
          entries.splice(index, 1);
          hashes.remove(businessId, String(sequence));
          countUse(tables, businessId, { documentBytes: -bytesOf(entry) });
          removed += 1;
        }
      }
      return removed;
    },

    findUnsignedBeginnings: async () => {
      open();
      return [];
    },
    signBeginning: async () => {
      open();
      return false;
    },
  };
}
