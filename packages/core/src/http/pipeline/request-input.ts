import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { ownTurn } from "../../kernel/in-turns.js";
import { exceedsJsonLimits } from "../../kernel/json-limits.js";
import { invalid, type Problem, tooLarge, unsupportedMediaType } from "../../kernel/problem.js";
import { checkJsonShape } from "../../kernel/validation.js";
import { isBodyTaken } from "../body/receive-body.js";
import type { ApiRequest } from "../message.js";
import type { Route } from "../route.js";

/** A body as text, for digests, and as the parsed value. */
export interface ReadBody {
  readonly text: string;
  readonly value: unknown;
}

const NO_BODY: ReadBody = { text: "", value: undefined };

const MAX_PARAMETERS = 100;

/** A body that takes milliseconds to check and parse. */
const LARGE_BODY_BYTES = 64 * 1024;

/**
 * Parses a query string or a form. Errors: 400 for more than `max` parameters, a repeated one, and forbidden characters.
 */
export function readQuery(query: string, max = MAX_PARAMETERS): Result<Readonly<Record<string, string>>, Problem> {
  if (query === "") return ok({});
  if (query.split("&", max + 1).length > max) {
    return err({ kind: "malformed", message: `There are more than ${max} parameters.` });
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (parameters.has(name)) return err(invalid(name, "INVALID_VALUE", "This parameter may be given only once."));
    parameters.set(name, value);
  }
  const values = Object.fromEntries(parameters);
  const misshapen = checkJsonShape(values);
  return misshapen === null ? ok(values) : err(misshapen);
}

/**
 * The query of a customer's link, to which mail programs and trackers add parameters. Reads the parameters that the route
 * knows, the first of each. An optional one that the schema refuses, and any with forbidden characters, counts as absent.
 */
export function readLinkQuery(query: string, schema: z.ZodType): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, unknown>> = schema instanceof z.ZodObject ? schema.shape : {};
  const values: Record<string, string> = {};
  if (query === "") return values;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!Object.hasOwn(known, name) || Object.hasOwn(values, name)) continue;
    const field = known[name];
    const isRefused = field instanceof z.ZodOptional && !field.safeParse(value).success;
    if (checkJsonShape(value) !== null || isRefused) continue;
    values[name] = value;
  }
  return values;
}

/** Reads the body by the route's rules; the handler reads a body with a file itself. Errors: 400, 413, 415. */
export async function readBody(
  request: ApiRequest,
  { body, bodyLimitBytes }: Route,
): Promise<Result<ReadBody, Problem>> {
  if (body.reading === "none") return ok(NO_BODY);
  if (body.reading === "file") return isFileForm(request) ? ok(NO_BODY) : err(unsupportedForm);
  const takesForms = body.fromForm !== null;
  const format = isEncoded(request) ? "unsupported" : formatOf(request.header("content-type"), takesForms);
  // A body of an unsupported type is read just far enough to see whether there is one: an empty body has no type.
  const bytes = await receive(request, format === "unsupported" ? 0 : bodyLimitBytes);
  if (bytes.isErr()) {
    const isOther = format === "unsupported" && bytes.error.kind === "too-large";
    return err(isOther ? unsupported(takesForms) : bytes.error);
  }
  if (bytes.value.byteLength === 0) {
    const isMissing = body.reading === "required";
    return isMissing ? err(invalid("", "REQUIRED", "The request needs a body.")) : ok({ text: "", value: {} });
  }
  if (format === "unsupported") return err(unsupported(takesForms));
  const isJson = format === "json" || body.fromForm === null;
  if (bytes.value.byteLength > LARGE_BODY_BYTES) await ownTurn();
  const excess = isJson ? exceedsJsonLimits(bytes.value) : null;
  if (excess !== null) return err(excess);
  const text = decode(bytes.value);
  if (text === null) return err({ kind: "malformed", message: "The body is not valid UTF-8." });
  if (isJson) return parseJson(text);
  const fields = readQuery(text, body.maxFields);
  return fields.isErr() ? err(fields.error) : ok({ text, value: body.fromForm(fields.value) });
}

const FILE_FORM = /^multipart\/form-data[ \t]*;.*\bboundary=(?:"[^"]+"|[^\s;"]+)/i;

function isFileForm(request: ApiRequest): boolean {
  return FILE_FORM.test(request.header("content-type") ?? "") && !isEncoded(request);
}

const unsupportedForm = unsupportedMediaType("multipart/form-data with a boundary");

type Format = "json" | "form" | "unsupported";

const JSON_MEDIA_TYPE = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/;

function formatOf(contentType: string | null, takesForms: boolean): Format {
  if (contentType === null) return "unsupported";
  const [type = "", ...parameters] = contentType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return "unsupported";
  if (JSON_MEDIA_TYPE.test(type)) return "json";
  return takesForms && type === "application/x-www-form-urlencoded" ? "form" : "unsupported";
}

function isEncoded(request: ApiRequest): boolean {
  const encoding = request.header("content-encoding");
  return encoding !== null && encoding.toLowerCase() !== "identity";
}

function unsupported(takesForms: boolean): Problem {
  const expected = takesForms ? "application/json or application/x-www-form-urlencoded" : "application/json";
  return unsupportedMediaType(expected);
}

async function receive(request: ApiRequest, limitBytes: number): Promise<Result<Uint8Array, Problem>> {
  try {
    const bytes = await request.readBody(limitBytes);
    return bytes === "too-large" ? err(tooLarge(limitBytes)) : ok(bytes);
  } catch (error) {
    if (isBodyTaken(error)) throw error;
    // The client disconnected or sent broken framing, so the operator gets no error report.
    return err({ kind: "malformed", message: "The body is incomplete." });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): Result<ReadBody, Problem> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return err({ kind: "malformed", message: "The body is not valid JSON." });
  }
  const misshapen = checkJsonShape(value);
  return misshapen === null ? ok({ text, value }) : err(misshapen);
}
