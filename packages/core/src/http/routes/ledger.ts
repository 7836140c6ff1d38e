import { checkpointSchema, getCheckpoint } from "../../ledger/ledger-checkpoint.js";
import { byUser, defineRoute, noInput, nothing, type Route } from "../route.js";

/** The chain of events and audit entries. */
export const ledgerRoutes: readonly Route[] = [
  defineRoute({
    ...byUser,
    ...noInput,
    operationId: "getLedgerCheckpoint",
    summary: "Get a signed checkpoint of the ledger: its last entry, by sequence and hash, and the time",
    method: "GET",
    paths: ["/api/developer/business/ledger/checkpoint"],
    params: nothing,
    success: { status: 200, schema: checkpointSchema },
    refusals: [],
    handler: async ({ context, actor, now }) =>
      (await getCheckpoint(context.ledger, actor, now)).map((body) => ({ body })),
  }),
];
