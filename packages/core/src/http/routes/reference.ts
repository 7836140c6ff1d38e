import { err, ok } from "neverthrow";
import { z } from "zod";
import { notFound } from "../../kernel/problem.js";
import type { ReferencePage } from "../reference-page.js";
import { defineRoute, noBody, nothing, type Route } from "../route.js";
import { fileContent, pageContent } from "../static-content.js";

const DOCS = "/docs";

const read = {
  method: "GET",
  surface: "meta",
  auth: { kind: "none" },
  query: nothing,
  body: noBody,
  success: { status: 200, schema: z.unknown() },
} as const;

/** The routes of a reference page. They are for people, and no part of the interface that the page describes. */
export function referenceRoutes(page: ReferencePage): readonly Route[] {
  const content = pageContent(page);
  return [
    defineRoute({
      ...read,
      operationId: "readReference",
      summary: "The interface, to be read and tried in a browser",
      paths: [DOCS],
      params: nothing,
      refusals: [],
      handler: async () => ok({ content }),
    }),
    defineRoute({
      ...read,
      operationId: "findReference",
      summary: "Leads to the page, whose links are relative to its path without a slash",
      paths: [`${DOCS}/`],
      params: nothing,
      refusals: [],
      handler: async () => ok({ seeOther: DOCS }),
    }),
    defineRoute({
      ...read,
      operationId: "readReferenceFile",
      summary: "A file that the page loads",
      paths: [`${DOCS}/{file}`],
      params: z.object({ file: z.string() }),
      refusals: [404],
      handler: async (call) => {
        const file = page.files.get(call.params.file);
        if (file === undefined) return err(notFound("file", call.params.file));
        return ok({ content: fileContent(file, call.acceptEncoding()) });
      },
    }),
  ];
}
