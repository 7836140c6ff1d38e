import { type Change, type Integration, type IntegrationStore, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { WriteOf } from "./write-of.js";

export function memoryIntegrations(open: OpenTables): IntegrationStore {
  return {
    findIntegration: async (businessId, id) => open().integrations.find(businessId, id),

    listIntegrations: async (businessId, limit, offset) => {
      const integrations = open().integrations.of(businessId).sort(newestFirst);
      return { entries: integrations.slice(offset, offset + limit), total: integrations.length, nextCursor: null };
    },
  };
}

export function integrationChange({ integrations }: Tables, write: WriteOf<"integration">): Change | Refusal {
  const { integration, expected } = write;
  const { businessId, id } = integration;
  if (expected === "absent") integrations.assertFree(businessId, id);
  else if (integrations.find(businessId, id)?.version !== expected) return "stale";
  return uncounted(() => integrations.save(businessId, id, integration));
}

export function integrationRemoval({ integrations }: Tables, businessId: string, id: string): Change | Refusal {
  if (integrations.find(businessId, id) === null) return "missing";
  return uncounted(() => integrations.remove(businessId, id));
}

function newestFirst(a: Integration, b: Integration): number {
  return b.createdAt - a.createdAt || Number(b.id) - Number(a.id);
}
