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
  new BodyTaken("a middleware that calls c.req.text(), which does not keep the bytes of a file");
const MULTIPART = /^multipart\//i;
const REPLACEMENT = "\uFFFD"; // stands for bytes that are not UTF-8

/**
 * The body that a middleware has read, from Hono's copy; null = there is no copy. Hono keeps a form as its fields: they
 * become a form again, of the same type and with another boundary. A body that lost bytes as text is taken.
 */
export async function hostBodyOf({ req }: Context): Promise<HostBody | BodyTaken | null> {
  const kept = Object.keys(req.bodyCache);
  if (kept.length === 0) return null;
  const isMultipart = MULTIPART.test(req.raw.headers.get("content-type") ?? "");
  if (kept[0] === "formData" && !kept.includes("arrayBuffer")) return formAgain(await req.formData(), isMultipart);
  if (kept[0] === "text" && isMultipart && (await req.text()).includes(REPLACEMENT)) return takenAsText();
  return { bytes: new Uint8Array(await req.arrayBuffer()), contentType: null };
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
