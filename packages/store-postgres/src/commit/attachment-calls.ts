import type { Attachment } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { ATTACHMENT_COMMITS } from "../attachments/attachment-functions.js";
import { limitArgument } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";
import { bytesOf, documentsOf, plannedIn, takeEvents } from "./event-calls.js";

export function attachmentCalls(connection: Connection) {
  const call = connection.commits(ATTACHMENT_COMMITS);

  return {
    attachment(parts: CommitParts, { attachment, expected }: WriteOf<"attachment">): SendCommit {
      const { id, budgetId, size } = attachment;
      const row = attachmentRow(attachment, expected === "absent" ? idToWrite(id) : idToFind(id));
      const changed = {
        attachment: row,
        budgetVersion: versionOf(parts, budgetId),
        events: takeEvents(parts, connection),
      };
      if (expected === "present") return () => call("replace_attachment", row.business_id, changed, plannedIn(parts));
      const below = parts.takeCondition("attachments-below");
      if (below?.budgetId !== budgetId) return parts.refuse("a new attachment requires a limit of those of its budget");
      const argument = {
        ...changed,
        maxOfBudget: limitArgument(below.limit),
        bytes: size + bytesOf(...documentsOf(changed.events)),
        quota: parts.take("quota"),
      };
      return () => call("insert_attachment", row.business_id, argument, plannedIn(parts));
    },

    removal(parts: CommitParts, { budgetId, id }: WriteOf<"attachment-removal">): SendCommit {
      const business = idToFind(parts.businessId);
      const argument = {
        business_id: business,
        budget_id: idToFind(budgetId),
        id: idToFind(id),
        budgetVersion: versionOf(parts, budgetId),
        events: takeEvents(parts, connection),
      };
      return () => call("remove_attachment", business, argument, plannedIn(parts));
    },
  };
}

function versionOf(parts: CommitParts, budgetId: string): number {
  const version = parts.takeCondition("budget-version");
  return version?.budgetId === budgetId ? version.is : parts.refuse("an attachment requires the version of its budget");
}

function attachmentRow(attachment: Attachment, id: number) {
  const { businessId, budgetId, createdAt } = attachment;
  return {
    business_id: idToFind(businessId),
    budget_id: idToFind(budgetId),
    id,
    created_at: createdAt,
    document: JSON.stringify(attachment),
  };
}
