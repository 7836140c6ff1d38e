import { z } from "zod";
import { checkDatabase } from "../doctor/check-database.js";
import { checkLedgers } from "../doctor/check-ledgers.js";
import { checkRedis } from "../doctor/check-redis.js";
import { checkSecret } from "../doctor/check-secret.js";
import { checkExposure, checkFolder, checkUnknown, checkVariables } from "../doctor/check-settings.js";
import type { Finding } from "../doctor/checks.js";
import { keysIn, readCheckpoint } from "../ledger/checkpoint-file.js";
import { problemOfUrl } from "../settings/open-store.js";
import { FLAG_SETTINGS } from "../settings/setting-flags.js";
import { judgeSettings, type Settings } from "../settings/settings.js";
import { unknownVariables } from "../settings/unknown-variables.js";
import { StartFailure, UsageError } from "../terminal/failures.js";
import type { Report } from "../terminal/report.js";
import { defineCommand } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const MARKS = { ok: "ok     ", warning: "warning", wrong: "wrong  " } as const;

export const doctorCommand = () =>
  defineCommand({
    usage: "doctor",
    summary: "check settings, database, secret, folders and Redis",
    about:
      "Checks what the server needs, changes nothing, and prints a line for each check: ok, warning or wrong, and how to fix " +
      "it. With NODE_ENV=production a public URL of this machine and private destinations are wrong, otherwise warnings. " +
      "It exits with 1 when something is wrong.",
    examples: [
      "budgetkit doctor",
      "NODE_ENV=production budgetkit doctor --json",
      "budgetkit doctor --ledger --business 1001 --checkpoint checkpoint.json",
    ],
    settings: FLAG_SETTINGS,
    flags: [
      ["--ledger", "verify the ledger instead: name the first entry that was changed, removed or added"],
      ["--business <id>", "with --ledger: of this business alone"],
      ["--checkpoint <file>", "with --ledger: compare with a checkpoint that was kept elsewhere"],
    ],
    run: async ({ environment, report, flags, settings: configured }) => {
      const given = flags(ledgerFlags);
      if (!given.ledger && (given.business ?? given.checkpoint) !== undefined) {
        throw new UsageError("--business and --checkpoint need --ledger");
      }
      if (given.ledger) return reportFindings(report, await ledgerFindings(configured(), given, report.progress));
      const { variables: judged, settings } = judgeSettings(environment);
      const { DATABASE_URL: database, BUDGETKIT_ATTACHMENTS_DIR: attachments, REDIS_URL: redis } = settings;
      const ofUrl = await problemOfUrl(database);
      const variables = judged.map((each) =>
        each.name === "DATABASE_URL" ? { ...each, problem: each.problem ?? ofUrl } : each,
      );
      const isWrong = (setting: string) => variables.some(({ name, problem }) => name === setting && problem !== null);
      const isRead = !isWrong("DATABASE_URL");
      const findings: Finding[] = [
        ...checkVariables(variables),
        ...checkUnknown(unknownVariables(environment)),
        ...checkExposure(settings, environment, isWrong("BUDGETKIT_PUBLIC_URL")),
        ...(isRead && !isWrong("BUDGETKIT_SECRET") ? checkSecret(settings.BUDGETKIT_SECRET, database) : []),
        ...(isRead ? await checkDatabase(database, settings, report.progress) : []),
        ...(attachments === null ? [] : [checkFolder("attachments", attachments)]),
        ...(redis === null ? [] : [await checkRedis(redis)]),
      ];
      reportFindings(report, findings);
    },
  });

const ledgerFlags = z.object({
  ledger: z.boolean().default(false),
  business: z.string().optional(),
  checkpoint: z.string().optional(),
});

function reportFindings(report: Report, findings: readonly Finding[]): void {
  report.result(findings, findings.map(({ name, state, says }) => `${MARKS[state]}  ${name}: ${says}`).join("\n"));
  const wrong = findings.filter(({ state }) => state === "wrong").length;
  if (wrong > 0) throw new StartFailure(`${wrong} of ${findings.length} checks found something wrong.`);
}

function ledgerFindings(
  settings: Settings,
  { business, checkpoint }: z.output<typeof ledgerFlags>,
  progress: (text: string) => void,
): Promise<readonly Finding[]> {
  return withService(settings, async ({ service, store }) => {
    if (business !== undefined) await actorIn(service, business);
    const known = checkpoint === undefined ? null : await readCheckpoint(checkpoint, await keysIn(store));
    if (known !== null && known.businessId !== (business ?? known.businessId)) {
      throw new StartFailure(`The checkpoint is of the business ${known.businessId}.`);
    }
    if (known !== null) await actorIn(service, known.businessId);
    return checkLedgers(service, { businessId: business ?? null, known }, progress);
  });
}
