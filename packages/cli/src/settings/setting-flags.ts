import type { Command } from "commander";
import type { Settings } from "./settings.js";

/** Settings that have a flag as well. Secrets have none: every user of a machine can read arguments. */
export type FlagSetting = Exclude<keyof Settings, "BUDGETKIT_SECRET" | "BUDGETKIT_ADMIN_PASSWORD" | "SMTP_URL">;

const HELP: Readonly<Record<FlagSetting, string>> = {
  PORT: "where to listen; 0 lets the system pick a free port",
  HOST: "the address to listen on; 0.0.0.0 for all",
  DATABASE_URL: "file:./data/budgetkit.db, postgres://… or memory:",
  REDIS_URL: "redis://…: keeps the windows of the rate limits",
  WEB_CONCURRENCY: "how many processes serve",
  METRICS_PORT: "where metrics are served; not at all without",
  METRICS_HOST: "the address of the metrics",
  BUDGETKIT_DOCS: "false leaves the reference page out",
  BUDGETKIT_DASHBOARD: "false leaves the dashboard out",
  BUDGETKIT_HEADERS_TIMEOUT_SECONDS: "how long a client may take to send the headers of a request",
  BUDGETKIT_BODY_TIMEOUT_SECONDS: "how long a client may take to send a body that is no file",
  BUDGETKIT_LOG_LEVEL: "debug, info, warn or error",
  BUDGETKIT_LOG_FORMAT: "pretty or json",
  BUDGETKIT_ADMIN_EMAIL: "who owns the first business",
  BUDGETKIT_BUSINESS_NAME: "the name of the first business",
  BUDGETKIT_PUBLIC_URL: "where the world reaches the server",
  BUDGETKIT_FRAMEWORK: "hono or express",
  BUDGETKIT_REFERENCES: "open, or strict for references that the catalog has to know",
  BUDGETKIT_MEMBER_SCOPES: "scopes of users with the role MEMBER, separated by commas, or none",
  BUDGETKIT_TRUSTED_PROXIES: "addresses or CIDR ranges, separated by commas",
  BUDGETKIT_TRUSTED_ORIGINS: "origins whose pages may call the server from a browser, separated by commas",
  BUDGETKIT_USER_RATE_PER_HOUR: "how many requests each user may make in an hour; the tier's without",
  BUDGETKIT_USER_RATE_PER_MINUTE: "how many requests each user may make in a minute",
  BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true lets webhooks lead to private addresses",
  MAIL_FROM: "the sender of mails to users, which SMTP_URL needs",
  BUDGETKIT_PASSWORD_PAGE_URL: "your own page on which users set a password; the server has one",
  BUDGETKIT_MAX_BUDGETS: "how many budgets each business may store, or unlimited",
  BUDGETKIT_MAX_BYTES: "how many bytes of documents and files each business may store, or unlimited",
  BUDGETKIT_ATTACHMENTS_DIR: "where attached files are kept",
};

export const FLAG_SETTINGS = Object.keys(HELP).filter((name): name is FlagSetting => name in HELP);

/** Gives a command a flag for each of these settings: DATABASE_URL is `--database-url`, BUDGETKIT_PUBLIC_URL `--public-url`. */
export function withSettingFlags(command: Command, names: readonly FlagSetting[]): Command {
  for (const name of names) command.option(`--${flagOf(name)} <value>`, `${HELP[name]} (${name})`);
  return command;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the flags in place of their variables. */
export function environmentOf(environment: Environment, command: Command): Environment {
  const given = FLAG_SETTINGS.map((name) => [name, command.getOptionValue(camelCase(flagOf(name)))]);
  return { ...environment, ...Object.fromEntries(given.filter(([, value]) => typeof value === "string")) };
}

function flagOf(name: FlagSetting): string {
  return name
    .replace(/^BUDGETKIT_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
}

function camelCase(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
