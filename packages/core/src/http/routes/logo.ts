import { z } from "zod";
import { MAX_LOGO_BYTES } from "../../access/business.js";
import { businessViewSchema } from "../../access/business-view.js";
import { getLogo, openLinkedLogo, removeLogo, setLogo } from "../../attachments/logo.js";
import { receiveSmallFile } from "../body/upload.js";
import { byAdministrator, byUser, defineRoute, fileBody, noInput, nothing, type Route, withoutBody } from "../route.js";
import { reporting } from "./attachments.js";
import { tokenParams } from "./public-link.js";

const paths = ["/api/developer/business/logo"] as const;
const changed = { status: 200, schema: businessViewSchema, headers: ["etag"] } as const;

/** The logo of the caller's business. */
export const logoRoutes: readonly Route[] = [
  defineRoute({
    ...byUser,
    ...noInput,
    operationId: "getLogo",
    summary: "Download the logo of the business",
    method: "GET",
    paths,
    params: nothing,
    success: { status: 200, schema: z.string(), headers: ["etag"] },
    download: true,
    refusals: [404],
    handler: async ({ context, actor }) =>
      (await getLogo(context, actor)).map(({ logo, content }) => {
        const fileName = `logo.${EXTENSIONS[logo.contentType]}`;
        return { download: { ...logo, fileName, content: reporting(content, context.attachments.onError) } };
      }),
  }),
  defineRoute({
    ...byAdministrator,
    operationId: "setLogo",
    summary: "Set the logo of the business, by a form with the part `file`: PNG, JPEG or SVG",
    method: "PUT",
    paths,
    params: nothing,
    query: nothing,
    body: fileBody,
    success: changed,
    refusals: [409, 422],
    handler: async ({ context, actor, request }) => {
      const set = await receiveSmallFile(request.upload(), MAX_LOGO_BYTES, ({ content }) =>
        setLogo(context, actor, content),
      );
      return set.map((view) => ({ body: view, version: view.version }));
    },
  }),
  defineRoute({
    ...byAdministrator,
    ...noInput,
    operationId: "removeLogo",
    summary: "Remove the logo of the business",
    method: "DELETE",
    paths,
    params: nothing,
    success: changed,
    refusals: [404, 409, 501],
    handler: async ({ context, actor }) =>
      (await removeLogo(context, actor)).map((view) => ({ body: view, version: view.version })),
  }),
];

const EXTENSIONS = { "image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg" } as const;

/** The logo on the page of a link, and in mails, which load it from elsewhere. Its address changes with its content. Not in the OpenAPI document. */
export const linkedLogoRoute: Route = defineRoute({
  operationId: "readLinkedLogo",
  summary: "The logo of the business of a public link",
  method: "GET",
  paths: ["/p/{token}/logo"],
  surface: "link",
  auth: { kind: "none" },
  params: tokenParams,
  query: z.object({ v: z.string().max(100).optional() }),
  body: withoutBody,
  success: { status: 200, schema: z.unknown() },
  refusals: [404],
  handler: async ({ context, params }) =>
    (await openLinkedLogo(context, params.token)).map(({ logo, content }) => ({
      content: {
        headers: {
          "content-type": logo.contentType,
          "content-length": String(logo.size),
          "content-security-policy": "sandbox; default-src 'none'",
          "cross-origin-resource-policy": "cross-origin",
          "referrer-policy": "no-referrer",
          "cache-control": "private, max-age=86400",
          etag: `"${logo.sha256}"`,
        },
        body: reporting(content, context.attachments.onError),
      },
    })),
});
