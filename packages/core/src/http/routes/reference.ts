import { err, ok } from "neverthrow";
import { z } from "zod";
import { notFound } from "../../kernel/problem.js";
import { fileContent, pageContent } from "../body/static-content.js";
import type { ReferencePage } from "../reference-page.js";
import { defineRoute, nothing, type Route, withoutBody } from "../route.js";

const DOCS = "/docs";

const read = {
  method: "GET",
  surface: "meta",
  auth: { kind: "none" },
  query: nothing,
  body: withoutBody,
  success: { status: 200, schema: z.unknown() },
} as const;

/** The routes of a reference page. They are not part of the OpenAPI document. */
export function referenceRoutes(page: ReferencePage): readonly Route[] {
  const content = pageContent(page);
  return [
    defineRoute({
      ...read,
      operationId: "readReference",
      summary: "The reference page",
      paths: [DOCS],
      params: nothing,
      refusals: [],
      handler: async () => ok({ content }),
    }),
    defineRoute({
      ...read,
      operationId: "findReference",
      summary: "Redirects to the page: its relative links need the path without a slash",
      paths: [`${DOCS}/`],
      params: nothing,
      refusals: [],
      handler: async () => ok({ seeOther: DOCS }),
    }),
    defineRoute({
      ...read,
      operationId: "readReferenceFile",
      summary: "A file of the reference page",
      paths: [`${DOCS}/{file}`],
      params: z.object({ file: z.string() }),
      refusals: [404],
      handler: async (call) => {
        const file = page.files.get(call.params.file);
        if (file === undefined) return err(notFound("file", call.params.file));
        return ok({ content: fileContent(file, call.request.acceptEncoding()) });
      },
    }),
  ];
}
