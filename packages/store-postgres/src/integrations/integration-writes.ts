import type { Integration } from "@budgetkit/core/store";
import { asInteger } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import { versionedRows } from "../commit/versioned-rows.js";
import type { Statements } from "../engine/statements.js";

const COLUMNS = { version: "bigint", created_at: "bigint", document: "text" };

export function integrationWrites(statements: Statements): Pick<WriteHandlers, "integration" | "integration-removal"> {
  const rows = versionedRows(statements, "@integrations", COLUMNS);
  const valuesOf = (integration: Integration) => [
    integration.version,
    integration.createdAt,
    JSON.stringify(integration),
  ];
  return {
    integration: ({ integration, expected }) => rows.prepare(integration, valuesOf(integration), expected),
    "integration-removal": ({ id }) => rows.prepareRemoval(id, "present"),
  };
}

export function integrationConditions(statements: Statements): Pick<ConditionHandlers, "integrations-below"> {
  const count = statements.value("SELECT count(*) FROM @integrations WHERE business_id = $1");
  return {
    "integrations-below":
      ({ limit }) =>
      async (open) =>
        asInteger(await count(open)) < limit ? null : "integration-limit",
  };
}
