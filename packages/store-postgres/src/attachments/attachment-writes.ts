import { type Attachment, uncounted } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Statements } from "../engine/statements.js";

const OF_BUDGET = "@attachments WHERE business_id = $1 AND budget_id = $2";

export function attachmentWrites(statements: Statements): Pick<WriteHandlers, "attachment" | "attachment-removal"> {
  const find = statements.value(`SELECT document FROM ${OF_BUDGET} AND id = $3`);
  const insert = statements.insert("@attachments", {
    budget_id: "bigint",
    id: "bigint",
    created_at: "bigint",
    document: "text",
  });
  const replace = statements.write(
    "UPDATE @attachments SET document = $4 WHERE business_id = $1 AND budget_id = $2 AND id = $3",
  );
  const remove = statements.write(`DELETE FROM ${OF_BUDGET} AND id = $3`);

  return {
    attachment: ({ attachment, expected }) => {
      const { budgetId, id, createdAt, size } = attachment;
      const document = JSON.stringify(attachment);
      const budget = idToFind(budgetId);
      if (expected === "absent") {
        const row = [budget, idToWrite(id), createdAt, document] as const;
        return async (open) => ({ added: { attachmentBytes: size }, apply: () => insert(open, ...row) });
      }
      const key = [budget, idToFind(id)] as const;
      return async (open) =>
        (await find(open, ...key)) === undefined ? "missing" : uncounted(() => replace(open, ...key, document));
    },

    "attachment-removal": ({ budgetId, id }) => {
      const key = [idToFind(budgetId), idToFind(id)] as const;
      return async (open) => {
        const document = await find(open, ...key);
        if (document === undefined) return "missing";
        const { size } = asDocument<Attachment>(document);
        return { added: { attachmentBytes: -size }, apply: () => remove(open, ...key) };
      };
    },
  };
}

export function attachmentConditions(statements: Statements): Pick<ConditionHandlers, "attachments-below"> {
  const count = statements.value(`SELECT count(*) FROM ${OF_BUDGET}`);
  return {
    "attachments-below":
      ({ budgetId, limit }) =>
      async (open) =>
        asInteger(await count(open, idToFind(budgetId))) < limit ? null : "attachment-limit",
  };
}
