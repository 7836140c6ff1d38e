import type { Integration } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { limitArgument } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import { INTEGRATION_COMMITS } from "../integrations/integration-functions.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";

export function integrationCalls(connection: Connection) {
  const call = connection.commits(INTEGRATION_COMMITS);

  return {
    integration(parts: CommitParts, { integration, expected }: WriteOf<"integration">): SendCommit {
      const audit = auditRows(parts.take("audit"));
      const row = integrationRow(integration);
      if (expected !== "absent") {
        const argument = { integration: row, expectedVersion: expected, audit };
        return () => call("replace_integration", row.business_id, argument);
      }
      const business = idToWrite(integration.businessId);
      const inserted = { ...row, id: idToWrite(integration.id) };
      const limit = limitArgument(parts.takeCondition("integrations-below")?.limit);
      return () => call("insert_integration", business, { integration: inserted, limit, audit });
    },

    removal(parts: CommitParts, { id }: WriteOf<"integration-removal">): SendCommit {
      const business = idToFind(parts.businessId);
      const argument = { business_id: business, id: idToFind(id), audit: auditRows(parts.take("audit")) };
      return () => call("delete_integration", business, argument);
    },
  };
}

function integrationRow(integration: Integration) {
  return {
    business_id: idToFind(integration.businessId),
    id: idToFind(integration.id),
    version: integration.version,
    created_at: integration.createdAt,
    document: JSON.stringify(integration),
  };
}
