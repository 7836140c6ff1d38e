import {
  addedBy,
  addUse,
  assertOneBusiness,
  budgetToNumber,
  type Change,
  type CommitStore,
  type Committed,
  type Condition,
  inspectAll,
  type NumberDraw,
  type Refusal,
  type StoreCommit,
  type Write,
  withNumber,
} from "@budgetkit/core/store";
import { idToFind } from "@budgetkit/store-kit";
import { businessWrites } from "./access/businesses.js";
import { keyConditions, keyWrites } from "./access/keys.js";
import { sessionWrites } from "./access/sessions.js";
import { userConditions, userWrites } from "./access/users.js";
import { attachmentConditions, attachmentWrites } from "./attachments/attachments.js";
import { budgetConditions, budgetWrites } from "./budgets/budget-writes.js";
import { linkViewConditions, linkViewWrites } from "./budgets/link-views.js";
import { mailWrites } from "./budgets/mails.js";
import { messageConditions, messageWrites } from "./budgets/messages.js";
import { budgetNumbers } from "./budgets/numbers.js";
import { paymentWrites } from "./budgets/payments.js";
import { catalogConditions, catalogWrites } from "./catalog/catalog.js";
import {
  type ConditionHandlers,
  checkCondition,
  type Inspect,
  prepareWrite,
  type WriteHandlers,
} from "./commit/handlers.js";
import type { Connection } from "./engine/connection.js";
import { heldClaims } from "./events/idempotency.js";
import { integrationConditions, integrationWrites } from "./integrations/integrations.js";
import { quotaChecker } from "./limits/storage-use.js";
import { webhookConditions, webhookWrites } from "./webhooks/endpoints.js";
import { type OutboxWrite, outboxWriter } from "./webhooks/outbox.js";

/** A commit that is encoded. */
interface Prepared {
  readonly commit: StoreCommit;
  readonly inspections: readonly Inspect[];
  readonly outbox: OutboxWrite;
}

type Changes = readonly Change[];
type Refused = { readonly by: Refusal };

/**
 * Encodes a commit outside of the transaction. Within, it inspects everything before it writes anything: pieces that share
 * a transaction are not undone one by one, so a refused commit must have written nothing. To complete the claim of the
 * idempotency record is the last check and the first write.
 */
export function sqliteCommits(connection: Connection): CommitStore<Write, Condition> {
  const prepare = commitPreparer(connection);
  const inspect = commitInspector(connection);
  const numbers = budgetNumbers(connection);
  const claims = heldClaims(connection);

  function apply({ commit, outbox }: Prepared, changes: Changes, number: string | null): Committed {
    const { writes, numbering } = commit;
    connection.noteWrites(writes);
    for (const change of changes) change.apply();
    if (numbering?.kind === "keep") numbers.keep(budgetToNumber(writes), numbering);
    return { kind: "written", number, ...outbox.append(addedBy(changes)) };
  }

  /** The number may change the size of what is written, which counts as it is. */
  function applyWithNumber({ commit }: Prepared, draw: NumberDraw): Committed {
    const number = numbers.draw(budgetToNumber(commit.writes), draw);
    const numbered = prepare(withNumber(commit, draw.blank, number));
    const changes = inspectAll(numbered.inspections);
    if ("by" in changes) throw new TypeError("a number refuses no commit");
    claims.complete(numbered.commit.completes);
    return apply(numbered, changes, number);
  }

  function run(prepared: Prepared): Committed {
    const changes = inspect(prepared);
    if ("by" in changes) return { kind: "refused", by: changes.by };
    const { completes, numbering } = prepared.commit;
    const isDraw = numbering?.kind === "draw";
    const isHeld = isDraw ? claims.isHeld(completes) : claims.complete(completes); // with the number, or as it is
    if (!isHeld) return { kind: "refused", by: "claim-lost" };
    return isDraw ? applyWithNumber(prepared, numbering) : apply(prepared, changes, null);
  }

  return {
    commit: async (commit) => {
      assertOneBusiness(commit);
      const prepared = prepare(commit);
      return connection.write(() => run(prepared));
    },
  };
}

function commitPreparer(connection: Connection): (commit: StoreCommit) => Prepared {
  const handlers: WriteHandlers = {
    ...budgetWrites(connection),
    ...paymentWrites(connection),
    ...mailWrites(connection),
    ...messageWrites(connection),
    ...linkViewWrites(connection),
    ...attachmentWrites(connection),
    ...catalogWrites(connection),
    ...businessWrites(connection),
    ...userWrites(connection),
    ...sessionWrites(connection),
    ...keyWrites(connection),
    ...integrationWrites(connection),
    ...webhookWrites(connection),
  };
  const prepareOutbox = outboxWriter(connection);
  return (commit) => ({
    commit,
    inspections: commit.writes.map((write) => prepareWrite(handlers, write, commit.businessId)),
    outbox: prepareOutbox(commit),
  });
}

/** Returns a function that finds the changes of a commit, or why it is refused: the first reason in this order. */
function commitInspector(connection: Connection): (prepared: Prepared) => Changes | Refused {
  const handlers: ConditionHandlers = {
    ...budgetConditions(connection),
    ...linkViewConditions(connection),
    ...messageConditions(connection),
    ...attachmentConditions(connection),
    ...catalogConditions(connection),
    ...keyConditions(connection),
    ...userConditions(connection),
    ...integrationConditions(connection),
    ...webhookConditions(connection),
  };
  const exceeds = quotaChecker(connection);
  const numbers = budgetNumbers(connection);

  return ({ commit: { businessId, conditions, quota, numbering }, inspections, outbox }) => {
    const changes = inspectAll(inspections);
    if ("by" in changes) return changes;
    for (const condition of conditions) {
      const by = checkCondition(handlers, condition, businessId);
      if (by !== null) return { by };
    }
    const added = addUse(addedBy(changes), { documentBytes: outbox.bytes });
    if (exceeds(idToFind(businessId), added, quota)) return { by: "quota-exceeded" };
    if (numbering?.kind === "keep" && numbers.isTaken(businessId, numbering.number)) {
      return { by: { taken: "number", value: numbering.number } };
    }
    return changes;
  };
}
