import { ok } from "neverthrow";
import { z } from "zod";
import { openShared } from "../../attachments/shared-attachments.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { LIVE_TOTAL_VERSION } from "../pages/live-offer.js";
import { LIVE_TOTAL_SCRIPT } from "../pages/live-total-script.js";
import { SEEN_IMAGE } from "../pages/page-images.js";
import { PAGE_SCRIPT } from "../pages/page-script.js";
import { defineRoute, nothing, type Route, withoutBody } from "../route.js";
import { reporting } from "./attachments.js";
import { tokenParams } from "./public-link.js";

const page = {
  method: "GET",
  surface: "link",
  auth: { kind: "none" },
  params: tokenParams,
  query: nothing,
  body: withoutBody,
  success: { status: 200, schema: z.unknown() },
  refusals: [404],
} as const;

/** Of images and scripts that only a page of this service loads. */
const ASSET = { "referrer-policy": "no-referrer", "cross-origin-resource-policy": "same-origin" } as const;

/** What the page of a link loads and offers to download. Not part of the OpenAPI document. */
export const publicPageRoutes: readonly Route[] = [
  defineRoute({
    ...page,
    operationId: "seePublicPage",
    summary: "The invisible image that only a displayed page loads: it counts the view",
    paths: ["/p/{token}/seen.svg"],
    query: z.object({ c: z.string().max(100).optional() }),
    uncounted: true, // the counter of views holds floods itself
    handler: async ({ context, params, query, request, now }) => {
      const viewed = { token: params.token, channel: query.c ?? null, userAgent: request.userAgent(), now };
      if (request.isDisplayed()) await context.countView(viewed);
      const headers = { ...ASSET, "content-type": "image/svg+xml", "cache-control": "no-store" };
      return ok({ content: { headers, body: SEEN_IMAGE } });
    },
  }),
  defineRoute({
    ...page,
    operationId: "downloadSharedAttachment",
    summary: "A file of the budget that its customer may download",
    paths: ["/p/{token}/attachments/{attachmentId}"],
    params: tokenParams.extend({ attachmentId: z.string() }),
    download: true,
    handler: async ({ context, params }) =>
      (await openShared(context.attachments, params.token, params.attachmentId)).map(({ attachment, content }) => ({
        download: { ...attachment, content: reporting(content, context.attachments.onError) },
      })),
  }),
  defineRoute({
    ...page,
    operationId: "readSignatureScript",
    summary: "The script of the page: the field to sign by hand, and one answer a click",
    paths: ["/p/signature.js"],
    params: nothing,
    handler: async () => {
      const headers = { ...ASSET, "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
      return ok({ content: { headers: { ...headers, etag: SCRIPT_TAG }, body: PAGE_SCRIPT } });
    },
  }),
  defineRoute({
    ...page,
    operationId: "readLiveTotalScript",
    summary: "The script of the page that computes the total of a selection",
    paths: ["/p/live-total.js"],
    params: nothing,
    query: z.object({ v: z.string().max(64).optional() }),
    handler: async ({ query }) => {
      const control = query.v === LIVE_TOTAL_VERSION ? FOREVER : "no-cache";
      const headers = { ...ASSET, "content-type": "text/javascript; charset=utf-8", "cache-control": control };
      return ok({ content: { headers, body: LIVE_TOTAL_SCRIPT } });
    },
  }),
];

/** Of a file whose address names its content. */
const FOREVER = "public, max-age=31536000, immutable";

const SCRIPT_TAG = `"${sha256Hex(PAGE_SCRIPT)}"`;
