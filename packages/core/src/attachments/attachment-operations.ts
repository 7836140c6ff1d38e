import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import { pageQuerySchema } from "../kernel/fields.js";
import { addAttachment, type IncomingFile } from "./add-attachment.js";
import type { AttachmentContext } from "./attachment-context.js";
import { listAttachments, openAttachment } from "./read-attachments.js";
import { removeAttachment } from "./remove-attachment.js";
import { type ShareAttachment, shareAttachment, shareAttachmentSchema } from "./share-attachment.js";

/**
 * The host's operations for attachments. The host's uploads count towards no key's quota; the limits of size and number
 * apply.
 */
export function createAttachmentOperations(context: AttachmentContext, call: Call) {
  return {
    /** `shared`: the customer may download the file. */
    add: (actor: Actor, budgetId: string, file: IncomingFile, options: { readonly shared?: boolean } = {}) =>
      call.plain(actor, () => addAttachment(context, actor, budgetId, file, options)),
    list: (actor: Actor, budgetId: string, query: Query<typeof pageQuerySchema> = {}) =>
      call.with(actor, pageQuerySchema, asQueryText(query), (parsed) =>
        listAttachments(context, actor, budgetId, parsed),
      ),
    open: (actor: Actor, budgetId: string, id: string) =>
      call.plain(actor, () => openAttachment(context, actor, budgetId, id)),
    /** Lets the customer download the file, or ends that. */
    share: (actor: Actor, budgetId: string, id: string, input: ShareAttachment) =>
      call.with(actor, shareAttachmentSchema, input, (parsed) => shareAttachment(context, actor, budgetId, id, parsed)),
    remove: (actor: Actor, budgetId: string, id: string) =>
      call.plain(actor, () => removeAttachment(context, actor, budgetId, id)),
  };
}
export type AttachmentOperations = ReturnType<typeof createAttachmentOperations>;
