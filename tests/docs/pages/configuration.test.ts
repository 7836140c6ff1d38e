import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { settingsSchema } from "../../../packages/cli/src/settings/settings.js";
import { pageTable } from "../code/page-table.js";
import { optionsOf, plainDefaultOf } from "./option-types.js";

const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

/** Below which piece of text each table stands, the file that has the type, and the type. */
const TABLES = [
  ["`scryptHasher(random, options)`:", "packages/core/src/access/password.ts", "ScryptHasherOptions"],
  ["`undiciSender(options)`:", "packages/core/src/webhooks/transport/undici-sender.ts", "UndiciSenderOptions"],
  ["`budgetkitHono(service, options)` has one:", "packages/adapter-hono/src/index.ts", "BudgetkitHonoOptions"],
  ["`toFetchHandler(service.handle, options)`", "packages/core/src/http/fetch.ts", "FetchOptions"],
  ["`sqliteStore(source, options)`", "packages/store-sqlite/src/sqlite-store.ts", "SqliteStoreOptions"],
  ["`postgresStore(source, options)`", "packages/store-postgres/src/postgres-store.ts", "PostgresStoreOptions"],
  ["`openPostgresTarget(source, options)`", "packages/store-postgres/src/copy/data-target.ts", "PostgresTargetOptions"],
  ["`redisLimiter(client, options)`", "packages/limiter-redis/src/redis-limiter.ts", "RedisLimiterOptions"],
] as const;

const SERVICE = "packages/core/src/service-options.ts";

describe("docs/configuration.md", () => {
  it("docs/configuration.md lists every option of the service, and which are required", () => {
    const grouped = (group: string, type: string) =>
      optionsOf(SERVICE, type).map(({ name, isRequired }) => ({ name: `${group}.${name}`, isRequired }));
    const groups: Readonly<Record<string, readonly { name: string; isRequired: boolean }[]>> = {
      webhooks: grouped("webhooks", "WebhookOptions"),
      usage: grouped("usage", "UsageOptions"),
    };
    const options = optionsOf(SERVICE, "BudgetServiceOptions").flatMap((option) => groups[option.name] ?? [option]);
    expect(optionsBelow("\n## The service\n")).toEqual(options);
  });

  it("docs/configuration.md lists the parts of an option that has some, with their defaults", () => {
    const parts = optionsOf("packages/core/src/webhooks/webhook-context.ts", "Concurrency").map(({ name }) => name);
    const [, defaults = ""] =
      pageTable(page, "\n## The service\n").find(([name]) => name?.includes("concurrency")) ?? [];
    expect([...defaults.matchAll(/(\w+):/g)].map(([, name]) => name)).toEqual(parts);
    expect(readFileSync(new URL(`../../../${SERVICE}`, import.meta.url), "utf8")).toContain(
      defaults.replaceAll("`", ""),
    );
  });

  it.each(TABLES)("docs/configuration.md lists every option below %s", (text, file, type) => {
    expect(optionsBelow(text)).toEqual(optionsOf(file, type));
  });

  it("docs/configuration.md shows the defaults that the sources write as plain values", () => {
    const tables = [["\n## The service\n", SERVICE], ...TABLES.map(([text, file]) => [text, file])] as const;
    const pairs = tables.flatMap(([text, file]) =>
      pageTable(page, text).flatMap(([option = "", shown = ""]) => {
        const name = option.replaceAll("`", "");
        const value = plainDefaultOf(file, name.split(".").at(-1) ?? "");
        return value === null ? [] : [{ name, value, shown: shown.replaceAll(/[`",]/g, "") }];
      }),
    );
    expect(pairs.filter(({ shown, value }) => !shown.startsWith(value))).toEqual([]);
    expect(pairs.length).toBeGreaterThan(10);
  });

  it("docs/configuration.md lists every variable of the standalone server, with plain defaults", () => {
    const rows = pageTable(page, "\n## The standalone server\n");
    expect(rows.map(([name]) => name)).toEqual(Object.keys(settingsSchema.shape).map((name) => `\`${name}\``));
    for (const [name, value] of Object.entries(settingsSchema.parse({}))) {
      const [, shown = ""] = rows.find(([variable]) => variable === `\`${name}\``) ?? [];
      if (["string", "number", "boolean"].includes(typeof value)) expect(shown, name).toBe(`\`${value}\``);
    }
  });
});

function optionsBelow(text: string): { name: string; isRequired: boolean }[] {
  return pageTable(page, text).map(([name = "", byDefault]) => ({
    name: name.replaceAll("`", ""),
    isRequired: byDefault === "required",
  }));
}
