import { MAX_FILE_BYTES } from "../../attachments/attachment.js";
import type { Route } from "../route.js";
import type { OperationExample } from "./example.js";
import type { Json, SchemaWriter } from "./json-schema.js";

const KIB = 1024;

/** The body that a route reads; null = it reads none. */
export function requestBodyOf(
  { body, bodyLimitBytes }: Route,
  example: OperationExample | undefined,
  { schemaOf }: SchemaWriter,
): Json | null {
  if (body.reading === "none") return null;
  const shown = example?.body === undefined ? {} : { example: example.body };
  if (body.reading === "file") {
    const media = { schema: FILE_FORM, ...shown };
    const description = `One file in the part \`file\`, of ${sizeWords(MAX_FILE_BYTES)} at most.`;
    return { description, required: true, content: { "multipart/form-data": media } };
  }
  const media = { schema: schemaOf(body.schema, "input"), ...shown };
  return {
    description: `At most ${sizeWords(bodyLimitBytes)}, in UTF-8. Fields that are not listed are dropped.`,
    required: body.reading === "required",
    content: {
      "application/json": media,
      ...(body.fromForm === null ? {} : { "application/x-www-form-urlencoded": media }),
    },
  };
}

const FILE_FORM: Json = {
  type: "object",
  properties: {
    file: {
      type: "string",
      contentMediaType: "application/octet-stream",
      description: "The bytes; the part's filename and Content-Type are kept.",
    },
  },
  required: ["file"],
};

function sizeWords(bytes: number): string {
  return bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : `${bytes / KIB} KiB`;
}
