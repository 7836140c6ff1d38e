import { BodyTaken } from "@budgetkit/core/http";
import type { Context } from "hono";

/** A body that a middleware has read with a method of `c.req`. */
export interface HostBody {
  readonly bytes: Uint8Array;
  readonly contentType: string | null; // of the bytes; null = that of the request
}

/** A middleware that bypasses the methods of `c.req` leaves no copy. */
export const takenRaw = () => new BodyTaken("a middleware that reads c.req.raw; the methods of c.req keep a copy");

const takenAsText = () =>
  new BodyTaken("a middleware that calls c.req.text(), which does not keep bytes that are not UTF-8");
const takenAsForm = () =>
  new BodyTaken("a middleware that calls c.req.formData(), which does not keep a body that is no form");
const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;
const MULTIPART = /^multipart\//i;
const FAILED = "the body did not arrive whole, or is malformed";
const REPLACEMENT = "\uFFFD"; // stands for bytes that are not UTF-8

/**
 * The body that a middleware has read, from Hono's copy; null = there is no copy, an error = it has not the bytes. Never
 * rejects, although Hono also keeps the failure of a body that did not arrive.
 *
 * Hono keeps a form as its fields: they become a form again, of the same type and with another boundary. A body that lost
 * bytes as text is taken: what is not UTF-8 became a character of three bytes, which the length shows, unless it had three
 * bytes too. With the same length, the client may have sent that character itself.
 */
export async function hostBodyOf({ req }: Context): Promise<HostBody | Error | null> {
  const kept = Object.keys(req.bodyCache);
  if (kept.length === 0) return null;
  const { headers } = req.raw;
  const type = headers.get("content-type") ?? "";
  const isMultipart = MULTIPART.test(type);
  const isForm = kept[0] === "formData" && !kept.includes("arrayBuffer");
  try {
    if (isForm) return await formAgain(await req.formData(), isMultipart);
    const bytes = new Uint8Array(await req.arrayBuffer());
    const hasReplaced = kept[0] === "text" && (await req.text()).includes(REPLACEMENT);
    const isWhole = !isMultipart && headers.get("content-length") === String(bytes.byteLength);
    return hasReplaced && !isWhole ? takenAsText() : { bytes, contentType: null };
  } catch (error) {
    return isForm && !FORM.test(type) ? takenAsForm() : new Error(FAILED, { cause: error });
  }
}

async function formAgain(form: FormData, isMultipart: boolean): Promise<HostBody> {
  if (isMultipart) {
    const response = new Response(form);
    return { bytes: new Uint8Array(await response.arrayBuffer()), contentType: response.headers.get("content-type") };
  }
  const fields = new URLSearchParams();
  for (const [name, value] of form) fields.append(name, typeof value === "string" ? value : value.name);
  return { bytes: new TextEncoder().encode(fields.toString()), contentType: null };
}
