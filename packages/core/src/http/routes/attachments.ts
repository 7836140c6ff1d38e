import { err } from "neverthrow";
import { z } from "zod";
import { addAttachment, checkAttachable } from "../../attachments/add-attachment.js";
import {
  attachmentListSchema,
  attachmentViewSchema,
  removedAttachmentViewSchema,
} from "../../attachments/attachment-view.js";
import { listAttachments, openAttachment } from "../../attachments/read-attachments.js";
import { removeAttachment } from "../../attachments/remove-attachment.js";
import { shareAttachment, shareAttachmentSchema } from "../../attachments/share-attachment.js";
import { pageQuerySchema } from "../../kernel/fields.js";
import { receiveFile } from "../body/upload.js";
import { byKey, defineRoute, fileBody, jsonBody, noInput, nothing, type Route, withoutBody } from "../route.js";
import { BUDGETS, budgetParams } from "./budgets.js";

const ATTACHMENTS = `${BUDGETS}/{budgetId}/attachments`;
const attachmentParams = budgetParams.extend({ attachmentId: z.string() });

const shareQuery = z.object({
  shared: z.enum(["true", "false"]).optional().describe("Whether the customer may download it. Default false."),
});

export const attachmentRoutes: readonly Route[] = [
  defineRoute({
    operationId: "uploadAttachment",
    summary: "Attach a file to a budget, by a form with the part `file`",
    method: "POST",
    paths: [ATTACHMENTS],
    ...byKey("WRITE_BUDGETS"),
    params: budgetParams,
    query: shareQuery,
    body: fileBody,
    success: { status: 201, schema: z.object({ data: attachmentViewSchema }), headers: ["location"] },
    refusals: [404, 409, 422],
    handler: async ({ context, actor, params, query, now, request }) => {
      const attachable = await checkAttachable(context.attachments, actor, params.budgetId);
      if (attachable.isErr()) return err(attachable.error);
      const added = await receiveFile({ context, upload: request.upload() }, actor, (file, confirm) =>
        addAttachment(context.attachments, actor, params.budgetId, file, {
          now,
          confirm,
          shared: query.shared === "true",
        }),
      );
      return added.map((data) => ({
        body: { data },
        location: `${BUDGETS}/${params.budgetId}/attachments/${data.id}`,
      }));
    },
  }),
  defineRoute({
    operationId: "listAttachments",
    summary: "List the attachments of a budget, newest first",
    method: "GET",
    paths: [ATTACHMENTS],
    ...byKey("READ_BUDGETS"),
    params: budgetParams,
    query: pageQuerySchema,
    body: withoutBody,
    success: { status: 200, schema: attachmentListSchema },
    refusals: [404, 501],
    handler: async ({ context, actor, params, query }) =>
      (await listAttachments(context.attachments, actor, params.budgetId, query)).map((body) => ({ body })),
  }),
  defineRoute({
    operationId: "downloadAttachment",
    summary: "Download an attachment",
    method: "GET",
    paths: [`${ATTACHMENTS}/{attachmentId}`],
    ...byKey("READ_BUDGETS"),
    params: attachmentParams,
    ...noInput,
    success: { status: 200, schema: z.string(), headers: ["etag"] },
    download: true,
    refusals: [404],
    handler: async ({ context, actor, params }) =>
      (await openAttachment(context.attachments, actor, params.budgetId, params.attachmentId)).map(
        ({ attachment, content }) => ({
          download: { ...attachment, content: reporting(content, context.attachments.onError) },
        }),
      ),
  }),
  defineRoute({
    operationId: "shareAttachment",
    summary: "Let the customer download an attachment, or end that",
    method: "PUT",
    paths: [`${ATTACHMENTS}/{attachmentId}`],
    ...byKey("WRITE_BUDGETS"),
    params: attachmentParams,
    query: nothing,
    body: jsonBody(shareAttachmentSchema),
    success: { status: 200, schema: z.object({ data: attachmentViewSchema }) },
    refusals: [404, 409, 501],
    handler: async ({ context, actor, params, body, now }) =>
      (await shareAttachment(context.attachments, actor, params.budgetId, params.attachmentId, body, now)).map(
        (data) => ({ body: { data } }),
      ),
  }),
  defineRoute({
    operationId: "removeAttachment",
    summary: "Remove an attachment permanently",
    method: "DELETE",
    paths: [`${ATTACHMENTS}/{attachmentId}`],
    ...byKey("WRITE_BUDGETS"),
    params: attachmentParams,
    ...noInput,
    success: { status: 200, schema: z.object({ data: removedAttachmentViewSchema, message: z.string() }) },
    refusals: [404, 409, 501],
    handler: async ({ context, actor, params, now }) =>
      (await removeAttachment(context.attachments, actor, params.budgetId, params.attachmentId, now)).map((data) => ({
        body: { data, message: "Attachment removed." },
      })),
  }),
];

/** Reports a failure while streaming: the response has begun, so the client only gets an incomplete body. */
export async function* reporting(
  content: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* content;
  } catch (error) {
    onError(error);
    throw error;
  }
}
