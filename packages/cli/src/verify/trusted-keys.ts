import { readFile } from "node:fs/promises";
import type { KeySet } from "@budgetkit/client/evidence";
import { z } from "zod";
import { withoutMark } from "../lines/lines-of.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure, UsageError } from "../terminal/failures.js";

const TIMEOUT_MS = 10_000;
/** A key set has a few hundred bytes a key, a public budget at most some hundred kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const keySetSchema = z.object({ keys: z.array(z.looseObject({})) });
const KEY_SET_PATH = "/.well-known/jwks.json";
/** An address to which a path may be added: nothing in it leads elsewhere then. Its path is plain. */
const ADDRESS = /^https?:\/\/[^/?#@\\\s]+(\/[\w~-][\w.~-]*)*\/*$/i;

/** The keys of a service that the operator knows: what a file names itself proves nothing. */
export interface TrustedKeys {
  readonly keys: KeySet;
  readonly from: string; // where the keys are
  readonly expected: { readonly issuer?: string };
}

/** Of each issuer that may have signed. */
export type AllTrusted = readonly [TrustedKeys, ...TrustedKeys[]];

/** Addresses of a service: it may have signed before and after a change of its address. */
export const issuersFlag = z
  .array(
    z
      .string()
      .refine(isAddress, "must be the address of a service without user, query and fragment, such as https://host/v1")
      .transform((text) => text.replace(/\/+$/, "")),
  )
  .default([]);

/** A file, or the URL of a key set: a service also serves files that anyone has sent to it. */
export const jwksFlag = z
  .string()
  .min(1, "is empty")
  .refine((place) => !isUrl(place) || isKeySetUrl(place), `must be a file, or a URL that ends with ${KEY_SET_PATH}`)
  .optional();

function isUrl(place: string): boolean {
  return /^https?:/i.test(place);
}

function isAddress(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text);
}

function isKeySetUrl(url: string): boolean {
  return url.endsWith(KEY_SET_PATH) && isAddress(url.slice(0, -KEY_SET_PATH.length));
}

/**
 * Reads each key set once, that of `jwks` or of each issuer. Throws a UsageError when the operator names neither a service
 * nor keys.
 */
export async function trustedKeys(given: {
  readonly jwks?: string | undefined;
  readonly issuer: readonly string[];
}): Promise<AllTrusted> {
  const { jwks, issuer: issuers } = given;
  const [first, ...others] = issuers;
  if (jwks !== undefined) {
    const keys = await keySetAt(jwks);
    const ofIssuer = (issuer: string) => ({ keys, from: jwks, expected: { issuer } });
    return first === undefined ? [{ keys, from: jwks, expected: {} }] : [ofIssuer(first), ...others.map(ofIssuer)];
  }
  if (first === undefined) {
    throw new UsageError(
      "--issuer or --jwks is missing: nothing is valid without the keys of a service that you know. " +
        "The file names a service itself, which may be anyone's.",
    );
  }
  const read = async (issuer: string): Promise<TrustedKeys> => {
    const from = `${issuer}${KEY_SET_PATH}`;
    return { keys: await keySetAt(from), from, expected: { issuer } };
  };
  return [await read(first), ...(await Promise.all(others.map(read)))];
}

async function keySetAt(place: string): Promise<KeySet> {
  const text = await textAt(place);
  try {
    return keySetSchema.parse(JSON.parse(text));
  } catch {
    throw new StartFailure(`${printable(place)} gives no JSON Web Key Set.`);
  }
}

/** The text of a file or a URL. Throws a StartFailure that names the place. */
export async function textAt(place: string): Promise<string> {
  try {
    return withoutMark(isUrl(place) ? await fetched(place) : await readFile(place, "utf8"));
  } catch (error) {
    throw error instanceof StartFailure ? error : new StartFailure(`${printable(place)} cannot be read.`);
  }
}

/** Follows no redirect: the keys of another address are those of another service. */
async function fetched(url: string): Promise<string> {
  const headers = { accept: "application/json" };
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status >= 300 && response.status < 400) {
    throw new StartFailure(`${printable(url)} redirects, which is not followed: name the final address.`);
  }
  if (!response.ok) throw new StartFailure(`${printable(url)} answers with the status ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new StartFailure(`${printable(url)} gives more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
