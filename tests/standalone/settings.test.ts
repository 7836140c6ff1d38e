import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generateSecret, keepSecrets } from "../../packages/cli/src/settings/secret-file.js";
import { readSettings } from "../../packages/cli/src/settings/settings.js";
import { temporaryFolder } from "../programs/running-program.js";

const secret = "s".repeat(32);

describe("the settings of the standalone server", () => {
  it("each setting has a default where the environment has none, or an empty one", () => {
    const defaults = {
      PORT: 3000,
      HOST: "127.0.0.1",
      METRICS_PORT: null,
      METRICS_HOST: "127.0.0.1",
      DATABASE_URL: { kind: "file", path: join(process.cwd(), "data/budgetkit.db") },
      REDIS_URL: null,
      WEB_CONCURRENCY: 1,
      BUDGETKIT_ADMIN_EMAIL: "admin@example.com",
      BUDGETKIT_ADMIN_PASSWORD: null,
      BUDGETKIT_BUSINESS_NAME: "First business",
      BUDGETKIT_LOG_LEVEL: "info",
      BUDGETKIT_LOG_FORMAT: null,
      BUDGETKIT_HEADERS_TIMEOUT_SECONDS: 30,
      BUDGETKIT_BODY_TIMEOUT_SECONDS: 60,
      BUDGETKIT_SECRET: null,
      BUDGETKIT_PUBLIC_URL: null,
      BUDGETKIT_FRAMEWORK: "hono",
      BUDGETKIT_REFERENCES: "open",
      BUDGETKIT_MEMBER_SCOPES: null,
      BUDGETKIT_TRUSTED_PROXIES: [],
      BUDGETKIT_TRUSTED_ORIGINS: [],
      BUDGETKIT_USER_RATE_PER_HOUR: null,
      BUDGETKIT_USER_RATE_PER_MINUTE: null,
      BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: false,
      BUDGETKIT_DOCS: true,
      BUDGETKIT_DASHBOARD: true,
      BUDGETKIT_MAX_BUDGETS: 1_000_000,
      BUDGETKIT_MAX_BYTES: 10 * 1_024 ** 3,
      SMTP_URL: null,
      MAIL_FROM: null,
      BUDGETKIT_PASSWORD_PAGE_URL: null,
      BUDGETKIT_ATTACHMENTS_DIR: null,
    };
    expect(readSettings({})).toEqual(defaults);
    expect(readSettings(Object.fromEntries(Object.keys(defaults).map((name) => [name, ""])))).toEqual(defaults);
  });

  it.each([
    ["PORT", "0", 0],
    ["PORT", "65535", 65_535],
    ["METRICS_PORT", "9464", 9_464],
    ["DATABASE_URL", "memory:", { kind: "memory" }],
    ["WEB_CONCURRENCY", "4", 4],
    ["DATABASE_URL", "file:/var/lib/b.db", { kind: "file", path: "/var/lib/b.db" }],
    ["DATABASE_URL", "file:///var/lib/b%20c.db", { kind: "file", path: "/var/lib/b c.db" }],
    ["DATABASE_URL", "file:b.db", { kind: "file", path: join(process.cwd(), "b.db") }],
    ["DATABASE_URL", "FILE:../b.db", { kind: "file", path: join(process.cwd(), "../b.db") }],
    ["BUDGETKIT_SECRET", `${secret}, ${"t".repeat(32)}`, [secret, "t".repeat(32)]],
    ["BUDGETKIT_PUBLIC_URL", "https://quotes.example.com/offers//", "https://quotes.example.com/offers"],
    ["BUDGETKIT_PUBLIC_URL", "https://quotes.example.com/", "https://quotes.example.com/v1"],
    ["BUDGETKIT_TRUSTED_PROXIES", "10.0.0.0/8, ::1,192.0.2.7", ["10.0.0.0/8", "::1", "192.0.2.7"]],
    ["BUDGETKIT_MEMBER_SCOPES", "READ_BUDGETS, WEBHOOKS", ["READ_BUDGETS", "WEBHOOKS"]],
    ["BUDGETKIT_MEMBER_SCOPES", "none", []],
    [
      "BUDGETKIT_TRUSTED_ORIGINS",
      "https://app.example, http://localhost:5173",
      ["https://app.example", "http://localhost:5173"],
    ],
    ["BUDGETKIT_USER_RATE_PER_HOUR", "20000", 20_000],
    ["BUDGETKIT_USER_RATE_PER_MINUTE", "100000", 100_000],
    ["BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS", "true", true],
    ["BUDGETKIT_DOCS", "false", false],
    ["BUDGETKIT_DASHBOARD", "false", false],
    ["BUDGETKIT_ATTACHMENTS_DIR", "/var/lib/files/", "/var/lib/files"],
    ["BUDGETKIT_ATTACHMENTS_DIR", "files", join(process.cwd(), "files")],
  ])("reads the setting %s=%s", (name, text, value) => {
    expect(readSettings({ [name]: text })).toMatchObject({ [name]: value });
  });

  it.each([
    ["PORT", "-1", "must be a number from 0 to 65535"],
    ["PORT", "65536", "must be a number from 0 to 65535"],
    ["PORT", "3e3", "must be a number from 0 to 65535"],
    ["METRICS_PORT", "off", "must be a number from 0 to 65535"],
    ["DATABASE_URL", "mysql://localhost/b", "must begin with file: or postgres:, or be memory:"],
    ["REDIS_URL", "http://localhost", "must be a redis or rediss URL"],
    ["WEB_CONCURRENCY", "0", "must be a number from 1 to 999"],
    ["DATABASE_URL", "./b.db", "must begin with file: or postgres:"],
    ["DATABASE_URL", "file:./data/", "must name a file, not a folder"],
    ["DATABASE_URL", "file:b.db?mode=ro", "takes no parameters"],
    ["DATABASE_URL", "file://host/b.db", "must have no host"],
    ["BUDGETKIT_ADMIN_EMAIL", "ana", "must be an email address"],
    ["BUDGETKIT_ADMIN_PASSWORD", "short", "must have at least 12 characters"],
    ["BUDGETKIT_SECRET", "short", "must have at least 32 characters"],
    ["BUDGETKIT_SECRET", `${secret},`, "must have at least 32 characters"],
    ["BUDGETKIT_PUBLIC_URL", "ftp://example.com", "must be an http or https URL"],
    ["BUDGETKIT_PUBLIC_URL", "https://example.com/?a", "must have no user, query or fragment"],
    ["BUDGETKIT_FRAMEWORK", "fastify", "must be hono or express"],
    ["SMTP_URL", "http://mail.example.com", "must be an smtp or smtps URL"],
    ["MAIL_FROM", "Budgets", "must be an email address, or a name and <an address>"],
    ["BUDGETKIT_PASSWORD_PAGE_URL", "https://app.example/#a", "must have no fragment"],
    ["BUDGETKIT_HEADERS_TIMEOUT_SECONDS", "0", "must be a number of seconds from 1 to 1800"],
    ["BUDGETKIT_BODY_TIMEOUT_SECONDS", "1801", "must be a number of seconds from 1 to 1800"],
    ["BUDGETKIT_REFERENCES", "lax", "must be open or strict"],
    ["BUDGETKIT_MEMBER_SCOPES", "READ_BUDGETS,ALL", "must be none or a list of READ_BUDGETS"],
    ["BUDGETKIT_TRUSTED_PROXIES", "10.0.0.0/8,proxy", "must be addresses or CIDR ranges"],
    ["BUDGETKIT_TRUSTED_ORIGINS", "https://app.example/path", "must be origins such as https://app.example"],
    ["BUDGETKIT_TRUSTED_ORIGINS", "*", "must be origins such as https://app.example"],
    ["BUDGETKIT_USER_RATE_PER_HOUR", "0", "must be a number from 1 to 100000"],
    ["BUDGETKIT_USER_RATE_PER_MINUTE", "100001", "must be a number from 1 to 100000"],
    ["BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS", "yes", "must be true or false"],
  ])("refuses the setting %s=%s, with the reason", (name, text, reason) => {
    expect(() => readSettings({ [name]: text })).toThrow(`  ${name} ${reason}`);
  });

  it("DATABASE_URL for several processes requires BUDGETKIT_SECRET", () => {
    const environment = { DATABASE_URL: "postgres://budgets@db/budgets", BUDGETKIT_SECRET: secret };
    expect(readSettings(environment).DATABASE_URL).toEqual({ kind: "postgres", url: environment.DATABASE_URL });
    expect(() => readSettings({ DATABASE_URL: environment.DATABASE_URL })).toThrow("  BUDGETKIT_SECRET must be set");
    expect(() => readSettings({ DATABASE_URL: "memory:", WEB_CONCURRENCY: "2" })).toThrow(
      "  WEB_CONCURRENCY must be 1",
    );
  });

  it("SMTP_URL requires MAIL_FROM", () => {
    const SMTP_URL = "smtp://app:horse@mail.example.com:587";
    expect(() => readSettings({ SMTP_URL })).toThrow("  MAIL_FROM must be set with SMTP_URL");
    const mails = { SMTP_URL, MAIL_FROM: "Budgets <budgets@example.com>" };
    expect(readSettings(mails)).toMatchObject(mails);
  });

  it("never repeats a value that may be secret", () => {
    const environment = { BUDGETKIT_SECRET: "short", BUDGETKIT_ADMIN_PASSWORD: "hidden" };
    expect(() => readSettings(environment)).toThrow(/^(?!.*(?:short|hidden))/s);
  });
});

describe("the secret file", () => {
  it("creates the secret file once, for its owner alone, and reads it from then on", () => {
    const path = join(temporaryFolder(), "new/b.db-secret");
    const made = keepSecrets(path);
    expect(made).toEqual({ secrets: [expect.stringMatching(/^[\w-]{64}$/)], isNew: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, ".."))).toEqual(["b.db-secret"]);
    expect(keepSecrets(path)).toEqual({ secrets: made.secrets, isNew: false });
  });

  it("the secret file may hold several secrets, as the variable may", () => {
    const path = join(temporaryFolder(), "secret");
    const secrets = [generateSecret(), generateSecret()];
    writeFileSync(path, secrets.join(",\n"));
    expect(keepSecrets(path).secrets).toEqual(secrets);
  });

  it("never replaces a secret file, with any content", () => {
    const path = join(temporaryFolder(), "secret");
    writeFileSync(path, "");
    expect(() => keepSecrets(path)).toThrow("holds no secret");
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("reports why the secret file cannot be created", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    expect(() => keepSecrets(join(folder, "file/secret"))).toThrow(/cannot be (?:read|written) \(ENOTDIR\)/);
    expect(existsSync(join(folder, "file/secret"))).toBe(false);
  });
});
