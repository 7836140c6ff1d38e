import { checkDatabase } from "../doctor/check-database.js";
import { checkQuotas } from "../doctor/check-quotas.js";
import { checkRedis } from "../doctor/check-redis.js";
import { checkSecret } from "../doctor/check-secret.js";
import { checkExposure, checkFolder, checkVariables } from "../doctor/check-settings.js";
import type { Finding } from "../doctor/checks.js";
import { FLAG_SETTINGS } from "../settings/setting-flags.js";
import { judgeSettings } from "../settings/settings.js";
import { StartFailure } from "../terminal/failures.js";
import { defineCommand } from "./define-command.js";

const MARKS = { ok: "ok     ", warning: "warning", wrong: "wrong  " } as const;

export const doctorCommand = () =>
  defineCommand({
    usage: "doctor",
    summary: "check settings, database, secret, folders and Redis",
    about:
      "Checks what the server needs, changes nothing, and prints a line for each check: ok, warning or wrong, and how to fix " +
      "it. With NODE_ENV=production a public URL of this machine and private destinations are wrong, otherwise warnings. " +
      "It exits with 1 when something is wrong.",
    examples: ["budgetkit doctor", "NODE_ENV=production budgetkit doctor --json"],
    settings: FLAG_SETTINGS,
    run: async ({ environment, report }) => {
      const { variables, settings } = judgeSettings(environment);
      const { DATABASE_URL: database, BUDGETKIT_ATTACHMENTS_DIR: attachments, REDIS_URL: redis } = settings;
      const isWrong = (setting: string) => variables.some(({ name, problem }) => name === setting && problem !== null);
      const isRead = !isWrong("DATABASE_URL");
      const databaseFindings = isRead ? await checkDatabase(database, report.progress) : [];
      const hasSchema = databaseFindings.some(({ name, state }) => name === "schema" && state === "ok");
      const findings: Finding[] = [
        ...checkVariables(variables),
        ...checkExposure(settings, environment, isWrong("BUDGETKIT_PUBLIC_URL")),
        ...(isRead && !isWrong("BUDGETKIT_SECRET") ? checkSecret(settings.BUDGETKIT_SECRET, database) : []),
        ...databaseFindings,
        ...(hasSchema ? await checkQuotas(database, settings) : []),
        ...(attachments === null ? [] : [checkFolder("attachments", attachments)]),
        ...(redis === null ? [] : [await checkRedis(redis)]),
      ];
      report.result(findings, findings.map(({ name, state, says }) => `${MARKS[state]}  ${name}: ${says}`).join("\n"));
      const wrong = findings.filter(({ state }) => state === "wrong").length;
      if (wrong > 0) throw new StartFailure(`${wrong} of ${findings.length} checks found something wrong.`);
    },
  });
