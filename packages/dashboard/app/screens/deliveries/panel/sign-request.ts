import type { Signatures } from "./delivery-request.js";

const STANDARD_SECRET = "whsec_";
const encoder = new TextEncoder();

/**
 * The signatures of a delivery by the secret of its receiver, so that an integrator can compare them with those that a
 * program computes. Source: Standard Webhooks 1.0, and contract, Authentication, rule 7.
 */
export async function signaturesOf(
  secret: string,
  { id, seconds, body }: { readonly id: string; readonly seconds: number; readonly body: string },
): Promise<Signatures> {
  const standard = await hmac(standardKeyOf(secret), `${id}.${seconds}.${body}`);
  const service = await hmac(encoder.encode(secret), body);
  return { standard: `v1,${base64(standard)}`, service: `sha256=${hexadecimal(service)}` };
}

function standardKeyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(STANDARD_SECRET)) return encoder.encode(secret);
  return Uint8Array.from(atob(secret.slice(STANDARD_SECRET.length)), (letter) => letter.charCodeAt(0));
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
