import { readFile } from "node:fs/promises";
import {
  type EvidenceVerification,
  type KeySet,
  type PublicBudget,
  type SignedAcceptance,
  verifyEvidence,
} from "@budgetkit/client/evidence";
import { z } from "zod";
import { checkpointText, isCheckpoint, verifiedCheckpoint } from "../ledger/checkpoint-file.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import type { Report } from "../terminal/report.js";
import { evidenceIn, type FoundEvidence } from "../verify/evidence-in-file.js";
import { defineCommand } from "./define-command.js";

const TIMEOUT_MS = 10_000;
const keySetSchema = z.object({ keys: z.array(z.looseObject({})) });
const path = z.string().min(1, "is empty").optional();

export const verifyCommand = () =>
  defineCommand({
    usage: "verify <file>",
    summary: "verify the evidence of acceptances, or a checkpoint of the ledger, without a database",
    about:
      "Verifies an evidence.json, or the evidence in an export, with the public keys of the service, and prints who " +
      "accepted what and when. The keys decide whose signature it is: take them from a service that you know.",
    examples: [
      "budgetkit verify evidence.json --jwks https://quotes.example/.well-known/jwks.json",
      "budgetkit verify evidence.json --jwks jwks.json --json | jq .signed.content.total",
      "budgetkit verify business.jsonl --jwks jwks.json",
    ],
    settings: [],
    flags: [
      ["--jwks <file|url>", "the public keys; by default those of the service that the evidence names"],
      ["--shown <file|url>", "a public budget as JSON; the evidence must be of the same content"],
    ],
    run: async ({ args: [file = ""], flags, report }) => {
      const given = flags(z.object({ jwks: path, shown: path }));
      const shown = given.shown === undefined ? undefined : await shownAt(given.shown);
      const keySets = new Map<string, Promise<KeySet>>();
      const verify = async (found: FoundEvidence): Promise<Verified> => {
        const from = given.jwks ?? keysOf(issuerIn(found.evidence));
        const keys = keySets.get(from) ?? keySetAt(from);
        keySets.set(from, keys);
        return { ...found, from, outcome: await outcomeOf(found, await keys, shown) };
      };
      const counts = { verified: 0, refused: 0 };
      for await (const found of evidenceIn(file)) {
        if (found.evidence instanceof Uint8Array && isCheckpoint(found.evidence)) {
          return reportCheckpoint(report, found.evidence, given.jwks ?? keysOf(issuerIn(found.evidence)));
        }
        const verified = await verify(found);
        if (found.line === null) return reportFile(report, verified);
        counts[verified.outcome.ok ? "verified" : "refused"] += 1;
        reportLine(report, found.line, verified);
      }
      reportExport(report, counts);
    },
  });

interface Verified extends FoundEvidence {
  readonly from: string; // where the keys are
  readonly outcome: EvidenceVerification;
}

async function outcomeOf({ evidence, budgetId }: FoundEvidence, keys: KeySet, shown: PublicBudget | undefined) {
  const outcome = await verifyEvidence(evidence, keys, shown);
  if (!outcome.ok || budgetId === null || outcome.signed.budgetId === budgetId) return outcome;
  return { ok: false, field: "budgetId", reason: `signed ${outcome.signed.budgetId}, exported ${budgetId}` } as const;
}

function reportFile(report: Report, { from, outcome }: Verified): void {
  if (!outcome.ok) throw new StartFailure(`The evidence is not valid: ${refusalText(outcome)}.`);
  report.result(outcome, `Valid: ${summaryOf(outcome.signed)}.`);
  report.note(`Signed by the key ${printable(outcome.kid)} of ${printable(from)}.`);
}

async function reportCheckpoint(report: Report, file: Uint8Array, from: string): Promise<void> {
  const valid = await verifiedCheckpoint(file, await keySetAt(from));
  report.result(valid, `Valid: ${checkpointText(valid.signed)}.`);
  report.note(`Signed by the key ${printable(valid.kid)} of ${printable(from)}.`);
}

/** The result of an export is printed at its end, so that it is one JSON value. */
function reportLine(report: Report, line: number, { from, outcome }: Verified): void {
  const signer = outcome.ok ? `, signed by the key ${printable(outcome.kid)} of ${printable(from)}` : "";
  const text = outcome.ok ? `valid: ${summaryOf(outcome.signed)}` : `not valid: ${refusalText(outcome)}`;
  report.note(`line ${line}: ${text}${signer}.`);
}

function reportExport(report: Report, counts: { readonly verified: number; readonly refused: number }): void {
  const { verified, refused } = counts;
  if (verified + refused === 0) throw new StartFailure("The export has no evidence.");
  report.result(counts, `${verified} valid, ${refused} not valid`);
  if (refused > 0) throw new StartFailure(`${refused} of the ${verified + refused} lines of evidence are not valid.`);
}

function refusalText({ field, reason }: EvidenceVerification & { readonly ok: false }): string {
  return printable(`${field}: ${reason}`);
}

function summaryOf({ content, acceptance, version }: SignedAcceptance): string {
  const { business, currency, total } = content;
  const by = acceptance.name ?? acceptance.by;
  const how = acceptance.channel === "link" ? "by the public link" : "recorded by the business";
  return printable(
    `${by} accepted budget ${content.id} (version ${version}) of ${business.legalName ?? business.name ?? "?"}, ` +
      `${currency} ${total}, at ${acceptance.at}, ${how}`,
  );
}

/** The service that the evidence names. It is not verified yet: the output says whose keys were used. */
function issuerIn(evidence: FoundEvidence["evidence"]): string {
  try {
    const parts: unknown = evidence instanceof Uint8Array ? JSON.parse(Buffer.from(evidence).toString()) : evidence;
    const { payload } = z.object({ payload: z.string() }).parse(parts);
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
    return keySetSchema.parse(JSON.parse(await textAt(place)));
  } catch {
    throw new StartFailure(`${printable(place)} gives no JSON Web Key Set.`);
  }
}

/** A public budget, alone or in the `data` of a response. Only its differences from the evidence matter. */
async function shownAt(place: string): Promise<PublicBudget> {
  try {
    const value = z.looseObject({}).parse(JSON.parse(await textAt(place)));
    return publicBudget.parse("data" in value ? value.data : value);
  } catch {
    throw new StartFailure(`${place} gives no public budget.`);
  }
}

const publicBudget = z.custom<PublicBudget>((value) => typeof value === "object" && value !== null && "items" in value);

async function textAt(place: string): Promise<string> {
  return /^https?:/i.test(place) ? fetched(place) : readFile(place, "utf8");
}

async function fetched(url: string): Promise<string> {
  const headers = { accept: "application/json" };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}
