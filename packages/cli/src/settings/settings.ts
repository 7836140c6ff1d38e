import { resolve } from "node:path";
import {
  canonicalOrigin,
  canonicalRange,
  isEmailAddress,
  MIN_PASSWORD_LENGTH,
  SCOPES,
  type StorageQuota,
  type UserRateLimitOptions,
} from "@budgetkit/core";
import { z } from "zod";
import { StartFailure } from "../terminal/failures.js";
import { type Database, databaseOf } from "./database-url.js";

const MIN_SECRET_LENGTH = 32;

/** From the most lines to the fewest. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export const DEFAULT_BUSINESS_NAME = "First business";

const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

const list = z.string().transform((text) => text.split(",").map((entry) => entry.trim()));

const addressRanges = list.pipe(
  z.array(
    z.string().refine((range) => canonicalRange(range) !== null, {
      message: "must be addresses or CIDR ranges, separated by commas",
    }),
  ),
);

const origins = list.pipe(
  z.array(
    z.string().refine((origin) => canonicalOrigin(origin) !== null, {
      message: "must be origins such as https://app.example, separated by commas",
    }),
  ),
);

/** Requests of each user in a window; null = by the tier. */
const userRate = z
  .string()
  .regex(/^[1-9]\d{0,4}$|^100000$/, "must be a number from 1 to 100000")
  .transform(Number)
  .nullable();

/** Secrets, separated as in the environment and the secret file: the first one signs, all verify. */
export const secretsSchema = list.pipe(
  z.array(z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)),
);

const databaseUrl = z.string().transform((text, context): Database => {
  try {
    return databaseOf(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: error instanceof Error ? error.message : "is no URL" });
    return z.NEVER;
  }
});

/** The base of links, which ends in /v1 as that of the API does. A path that the operator gives is left as it is. */
const publicUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => !/[?#@]/.test(text), "must have no user, query or fragment")
  .transform((text) => text.replace(/\/+$/, ""))
  .transform((text) => (new URL(text).pathname === "/" ? `${text}/v1` : text));

const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a number from 0 to 65535")
  .transform(Number)
  .refine((number) => number <= 65_535, "must be a number from 0 to 65535");

/** A limit for each business; null = unlimited. */
const limit = z
  .string()
  .regex(/^(?:\d{1,15}|unlimited)$/, "must be a whole number or unlimited")
  .transform((text) => (text === "unlimited" ? null : Number(text)));

const seconds = z
  .string()
  .regex(/^\d{1,4}$/, "must be a number of seconds from 1 to 1800")
  .transform(Number)
  .refine((number) => number >= 1 && number <= 1_800, "must be a number of seconds from 1 to 1800");

/** `none` is the empty list: an empty variable counts as absent. */
const scopes = z
  .string()
  .transform((text) => (text.trim() === "none" ? [] : text.split(",").map((entry) => entry.trim())))
  .pipe(z.array(z.enum(SCOPES, `must be none or a list of ${SCOPES.join(", ")}`)));

/** Every variable that the server reads. docs/configuration.md describes each. */
const variables = z.object({
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  METRICS_PORT: port.nullable().default(null),
  METRICS_HOST: z.string().default("127.0.0.1"),
  DATABASE_URL: databaseUrl.prefault("file:./data/budgetkit.db"),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL" })
    .nullable()
    .default(null),
  WEB_CONCURRENCY: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "must be a number from 1 to 999")
    .transform(Number)
    .default(1),
  BUDGETKIT_ADMIN_EMAIL: z
    .string()
    .max(254, "must have at most 254 characters")
    .refine(isEmailAddress, "must be an email address")
    .default("admin@example.com"),
  BUDGETKIT_ADMIN_PASSWORD: z
    .string()
    .refine((text) => [...text].length >= MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .refine((text) => text.length <= 1_024, "must have at most 1024 characters")
    .nullable()
    .default(null),
  BUDGETKIT_BUSINESS_NAME: z.string().max(255, "must have at most 255 characters").default(DEFAULT_BUSINESS_NAME),
  BUDGETKIT_SECRET: secretsSchema.nullable().default(null),
  BUDGETKIT_PUBLIC_URL: publicUrl.nullable().default(null),
  BUDGETKIT_FRAMEWORK: z.enum(["hono", "express"], "must be hono or express").default("hono"),
  BUDGETKIT_REFERENCES: z.enum(["open", "strict"], "must be open or strict").default("open"),
  BUDGETKIT_MEMBER_SCOPES: scopes.nullable().default(null),
  BUDGETKIT_TRUSTED_PROXIES: addressRanges.default([]),
  BUDGETKIT_TRUSTED_ORIGINS: origins.default([]),
  BUDGETKIT_USER_RATE_PER_HOUR: userRate.default(null),
  BUDGETKIT_USER_RATE_PER_MINUTE: userRate.default(null),
  BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: flag.default(false),
  BUDGETKIT_DOCS: flag.default(true),
  BUDGETKIT_DASHBOARD: flag.default(true),
  BUDGETKIT_HEADERS_TIMEOUT_SECONDS: seconds.default(30),
  BUDGETKIT_BODY_TIMEOUT_SECONDS: seconds.default(60),
  BUDGETKIT_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  BUDGETKIT_LOG_FORMAT: z.enum(["pretty", "json"], "must be pretty or json").nullable().default(null),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" })
    .nullable()
    .default(null),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, "must be an email address, or a name and <an address>")
    .nullable()
    .default(null),
  BUDGETKIT_PASSWORD_PAGE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .refine((text) => !text.includes("#"), "must have no fragment")
    .nullable()
    .default(null),
  BUDGETKIT_MAX_BUDGETS: limit.default(1_000_000),
  BUDGETKIT_MAX_BYTES: limit.default(10 * 1024 ** 3),
  BUDGETKIT_ATTACHMENTS_DIR: z
    .string()
    .transform((path) => resolve(path))
    .nullable()
    .default(null),
});
/** The same, with the rules between variables. */
export const settingsSchema = variables.superRefine((settings, context) => {
  const refuse = (name: keyof typeof settings, message: string) =>
    context.addIssue({ code: "custom", path: [name], message });
  const { DATABASE_URL: database, BUDGETKIT_SECRET: secret, WEB_CONCURRENCY: processes } = settings;
  if (database.kind === "postgres" && secret === null) {
    refuse(
      "BUDGETKIT_SECRET",
      "must be set with PostgreSQL, the same for all servers: openssl rand -base64 36 makes one",
    );
  }
  if (settings.SMTP_URL !== null && settings.MAIL_FROM === null) {
    refuse("MAIL_FROM", "must be set with SMTP_URL: the sender of the mails");
  }
  if (database.kind === "memory" && processes > 1) {
    refuse("WEB_CONCURRENCY", "must be 1 with memory:, which processes cannot share");
  }
});
export type Settings = z.output<typeof settingsSchema>;

export type QuotaSettings = Pick<Settings, "BUDGETKIT_MAX_BUDGETS" | "BUDGETKIT_MAX_BYTES">;

/** The most that each business may store. */
export function quotasOf({ BUDGETKIT_MAX_BUDGETS: budgets, BUDGETKIT_MAX_BYTES: bytes }: QuotaSettings): StorageQuota {
  return { budgets, bytes };
}

/** The windows of each user that are set. */
export function userRateLimitOf(settings: Settings): UserRateLimitOptions {
  const { BUDGETKIT_USER_RATE_PER_HOUR: perHour, BUDGETKIT_USER_RATE_PER_MINUTE: perMinute } = settings;
  return { ...(perHour === null ? {} : { perHour }), ...(perMinute === null ? {} : { perMinute }) };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The database that DATABASE_URL names; other variables are not checked. Throws a StartFailure when it is invalid. */
export function readDatabase(environment: Environment): Database {
  const { DATABASE_URL } = environment;
  const parsed = variables.shape.DATABASE_URL.safeParse(DATABASE_URL === "" ? undefined : DATABASE_URL);
  if (parsed.success) return parsed.data;
  throw new StartFailure(`DATABASE_URL ${parsed.error.issues.map(({ message }) => message).join(", ")}`);
}

/** Reads the environment; an empty variable counts as absent. Throws a StartFailure that names every invalid one. */
export function readSettings(environment: Environment): Settings {
  const parsed = settingsSchema.safeParse(givenIn(environment));
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => `  ${String(path[0])} ${message}`);
  throw new StartFailure(["These environment variables are wrong:", ...new Set(wrong)].join("\n"));
}

export function settingNames(): string[] {
  return Object.keys(variables.shape);
}

/** A variable and its problem; null = none. */
export interface JudgedVariable {
  readonly name: string;
  readonly isSet: boolean;
  readonly problem: string | null;
}

/** Checks every variable, alone and with the others. The settings hold defaults in place of invalid ones. */
export function judgeSettings(environment: Environment): { variables: JudgedVariable[]; settings: Settings } {
  const given = givenIn(environment);
  const problems = new Map<string, string>();
  const judge = (issues: readonly z.core.$ZodIssue[]) => {
    for (const { path, message } of issues) problems.set(String(path[0]), message);
  };
  judge(variables.safeParse(given).error?.issues ?? []);
  const right = Object.fromEntries(Object.entries(given).filter(([name]) => !problems.has(name)));
  judge(settingsSchema.safeParse(right).error?.issues ?? []);
  const judged = settingNames().map((name) => ({
    name,
    isSet: given[name] !== undefined,
    problem: problems.get(name) ?? null,
  }));
  return { variables: judged, settings: variables.parse(right) };
}

function givenIn(environment: Environment): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}
