import {
  type EvidenceVerification,
  type PublicBudget,
  type SignedAcceptance,
  verifyCheckpoint,
  verifyEvidence,
} from "@budgetkit/client/evidence";
import { z } from "zod";
import { checkpointText, isCheckpoint, validCheckpoint } from "../ledger/checkpoint-file.js";
import { printable } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { isolated, quoted } from "../terminal/quoted.js";
import type { Report } from "../terminal/report.js";
import { evidenceIn, type FoundEvidence } from "../verify/evidence-in-file.js";
import { firstValid } from "../verify/first-valid.js";
import {
  type AllTrusted,
  issuersFlag,
  jwksFlag,
  type TrustedKeys,
  textAt,
  trustedKeys,
} from "../verify/trusted-keys.js";
import { defineCommand } from "./define-command.js";

const path = z.string().min(1, "is empty").optional();

export const verifyCommand = () =>
  defineCommand({
    usage: "verify <file>",
    summary: "verify the evidence of acceptances, or a checkpoint of the ledger, without a database",
    about:
      "Verifies an evidence.json, or the evidence in an export, with the public keys of the service, and prints who " +
      "accepted what and when. The keys decide whose signature it is, so name a service that you know: anyone can write a " +
      "file that names a service of their own. Businesses and customers type their names themselves; the service assigns the " +
      "id of the business.",
    examples: [
      "budgetkit verify evidence.json --issuer https://quotes.example/v1",
      "budgetkit verify business.jsonl --issuer https://quotes.example/v1 --issuer https://quotes.example",
      "budgetkit verify evidence.json --jwks jwks.json --json | jq .signed.content.total",
      "budgetkit verify business.jsonl --jwks https://quotes.example/v1/.well-known/jwks.json",
    ],
    settings: [],
    flags: [
      [
        "--issuer <url>",
        "the service that has to have signed it; its keys are below this address. Repeat it for a former address",
        "repeatable",
      ],
      ["--jwks <file|url>", "the public keys, where they are not read from the issuer"],
      ["--shown <file|url>", "a public budget as JSON; the evidence must be of the same content"],
    ],
    run: async ({ args: [file = ""], flags, report }) => {
      const given = flags(z.object({ jwks: jwksFlag, issuer: issuersFlag, shown: path }));
      const trusted = await trustedKeys(given);
      const shown = given.shown === undefined ? undefined : await shownAt(given.shown);
      const counts = { verified: 0, refused: 0 };
      for await (const found of evidenceIn(file)) {
        if (found.evidence instanceof Uint8Array && isCheckpoint(found.evidence)) {
          return reportCheckpoint(report, found.evidence, trusted);
        }
        const { outcome, from } = await firstValid(trusted, (keys) => outcomeOf(found, keys, shown));
        if (found.line === null) return reportFile(report, outcome, from);
        counts[outcome.ok ? "verified" : "refused"] += 1;
        reportLine(report, found.line, outcome, from);
      }
      reportExport(report, counts);
    },
  });

async function outcomeOf(
  { evidence, budgetId }: FoundEvidence,
  { keys, expected }: TrustedKeys,
  shown: PublicBudget | undefined,
): Promise<EvidenceVerification> {
  const outcome = await verifyEvidence(evidence, keys, shown, expected);
  if (!outcome.ok || budgetId === null || outcome.signed.budgetId === budgetId) return outcome;
  return { ok: false, field: "budgetId", reason: `signed ${outcome.signed.budgetId}, exported ${budgetId}` };
}

function reportFile(report: Report, outcome: EvidenceVerification, from: string): void {
  if (!outcome.ok) throw new StartFailure(`The evidence is not valid: ${refusalText(outcome)}.`);
  report.result(outcome, `Valid: ${summaryOf(outcome.signed)}.`);
  report.note(`Signed by the key ${printable(outcome.kid)} of ${printable(from)}.`);
}

async function reportCheckpoint(report: Report, file: Uint8Array, trusted: AllTrusted): Promise<void> {
  const verify = ({ keys, expected }: TrustedKeys) => verifyCheckpoint(file, keys, expected);
  const { outcome, from } = await firstValid(trusted, verify);
  const valid = validCheckpoint(outcome);
  report.result(valid, `Valid: ${checkpointText(valid.signed)}.`);
  report.note(`Signed by the key ${printable(valid.kid)} of ${printable(from)}.`);
}

/** The result of an export is printed at its end, so that it is one JSON value. */
function reportLine(report: Report, line: number, outcome: EvidenceVerification, from: string): void {
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
  return isolated(printable(`${field}: ${reason}`));
}

/** The ids are those of the service; the names are what a customer and a business have typed. */
function summaryOf({ content, acceptance, version, businessId, budgetId }: SignedAcceptance): string {
  const { business, currency, total } = content;
  const by = quoted(acceptance.name ?? acceptance.by);
  const how = acceptance.channel === "link" ? "by the public link" : "recorded by the business";
  const name = business.legalName ?? business.name;
  const named = name === null || name === undefined ? "" : `, which calls itself ${quoted(name)}`;
  const budget = printable(`budget ${budgetId} (version ${version}) of the business ${businessId}`);
  return `${by} accepted ${budget}${named}: ${printable(`${currency} ${total}, at ${acceptance.at}`)}, ${how}`;
}

/** A public budget, alone or in the `data` of a response. Only its differences from the evidence matter. */
async function shownAt(place: string): Promise<PublicBudget> {
  const text = await textAt(place);
  try {
    const value = z.looseObject({}).parse(JSON.parse(text));
    return publicBudget.parse("data" in value ? value.data : value);
  } catch {
    throw new StartFailure(`${printable(place)} gives no public budget.`);
  }
}

const publicBudget = z.custom<PublicBudget>((value) => typeof value === "object" && value !== null && "items" in value);
