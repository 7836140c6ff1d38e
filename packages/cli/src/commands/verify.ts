import { readFile } from "node:fs/promises";
import { type KeySet, type SignedAcceptance, verifyEvidence } from "@budgetkit/client/evidence";
import { z } from "zod";
import { checkpointText, isCheckpoint, verifiedCheckpoint } from "../ledger/checkpoint-file.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { defineCommand } from "./define-command.js";

const TIMEOUT_MS = 10_000;
const keySetSchema = z.object({ keys: z.array(z.looseObject({})) });

export const verifyCommand = () =>
  defineCommand({
    usage: "verify <file>",
    summary: "verify the evidence of an acceptance, or a checkpoint of the ledger, without a database",
    about:
      "Verifies an evidence.json with the public keys of the service, and prints who accepted what and when. " +
      "The keys decide whose signature it is: take them from a service that you know.",
    examples: [
      "budgetkit verify evidence.json --jwks https://quotes.example/.well-known/jwks.json",
      "budgetkit verify evidence.json --jwks jwks.json --json | jq .signed.content.total",
    ],
    settings: [],
    flags: [["--jwks <file|url>", "the public keys; by default those of the service that the evidence names"]],
    run: async (call) => {
      const [path = ""] = call.args;
      const { jwks } = call.flags(z.object({ jwks: z.string().min(1, "is empty").optional() }));
      const file = await contentOf(path);
      const from = jwks ?? keysOf(issuerIn(file));
      const keys = await keySetAt(from);
      if (isCheckpoint(file)) {
        const valid = await verifiedCheckpoint(file, keys);
        call.report.result(valid, `Valid: ${checkpointText(valid.signed)}.`);
        return call.report.note(`Signed by the key ${printable(valid.kid)} of ${printable(from)}.`);
      }
      const verified = await verifyEvidence(file, keys);
      if (!verified.ok) throw new StartFailure(`The evidence is not valid: ${verified.field} ${verified.reason}.`);
      call.report.result(verified, summaryOf(verified.signed));
      call.report.note(`Signed by the key ${printable(verified.kid)} of ${printable(from)}.`);
    },
  });

function summaryOf({ content, acceptance, version }: SignedAcceptance): string {
  const { business, currency, total } = content;
  const by = acceptance.name ?? acceptance.by;
  const how = acceptance.channel === "link" ? "by the public link" : "recorded by the business";
  return printable(
    `Valid: ${by} accepted budget ${content.id} (version ${version}) of ${business.legalName ?? business.name ?? "?"}, ` +
      `${currency} ${total}, at ${acceptance.at}, ${how}.`,
  );
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch {
    throw new StartFailure(`${path} cannot be read.`);
  }
}

/** The service that the evidence names. It is not verified yet: the output says whose keys were used. */
function issuerIn(file: Uint8Array): string {
  try {
    const { payload } = z.object({ payload: z.string() }).parse(JSON.parse(Buffer.from(file).toString()));
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return z.object({ issuer: z.url({ protocol: /^https?$/ }) }).parse(claims).issuer;
  } catch {
    throw new StartFailure("The evidence is not valid: it names no service. With --jwks it is read in detail.");
  }
}

function keysOf(issuer: string): string {
  return `${issuer}/.well-known/jwks.json`;
}

async function keySetAt(place: string): Promise<KeySet> {
  try {
    const text = /^https?:/i.test(place) ? await fetched(place) : await readFile(place, "utf8");
    return keySetSchema.parse(JSON.parse(text));
  } catch {
    throw new StartFailure(`${place} gives no JSON Web Key Set.`);
  }
}

async function fetched(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}
