import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { insertBudgetCommit, insertBusinessCommit } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aBudget, aBusiness, anEvent, rounds, SCALE } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
} from "../../packages/store-postgres/src/testing/fresh-database.js";
import { damage } from "../../packages/store-sqlite/src/testing/damaged-file.js";
import { builtCommandLine, type CommandRun, runCommand } from "../programs/command-line.js";
import { type Environment, freePort, startProgram, temporaryFolder } from "../programs/running-program.js";

/** A folder and a database for the commands of a test. */
function installation(environment: Environment = {}) {
  const folder = temporaryFolder();
  const run = (args: string, input = ""): Promise<CommandRun> =>
    runCommand(
      args.split(" ").filter((word) => word !== ""),
      { folder, environment: { DATABASE_URL: "file:./b.db", ...environment }, input },
    );
  const json = async (args: string, input = "") => {
    const { code, out, complaints } = await run(`${args} --json`, input);
    if (code !== 0) throw new Error(`budgetkit ${args} ended with ${code}:\n${complaints}`);
    return JSON.parse(out);
  };
  return { folder, run, json };
}

async function newBusiness({ json }: ReturnType<typeof installation>): Promise<string> {
  return (await json("business create --name Carpentry")).id;
}

interface ExportLine {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const asLines = (lines: string) =>
  lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("business list", () => {
  it("business list shows every business, also beyond one page", async () => {
    const { folder, run, json } = installation();
    await json("migrate");
    expect(await run("business list")).toMatchObject({ code: 0, out: "There is no business yet.\n" });
    const store = sqliteStore(join(folder, "b.db"));
    const ids = Array.from({ length: 205 }, (_, index) => String(2_001 + index));
    for (const id of ids) await store.commit(insertBusinessCommit(aBusiness({ id, name: `B\u001b[31m\n${id}` })));
    await store.close();
    const listed: { id: string }[] = await json("business list");
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect((await run("business list")).out.split("\n")[204]).toBe("2205  STANDARD  UTC  B [31m 2205");
  });
});

describe("the command line", () => {
  it.each(["", "serve", "migrate", "doctor", "business", "user", "key", "export", "import", "demo"])(
    "prints the usage of budgetkit: %s --help",
    async (command) => {
      const { run } = installation();
      const { code, out, complaints } = await run(`${command} --help`.trim());
      expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
      expect(out).toContain("Usage: budgetkit");
    },
  );

  it("budgetkit --help shows an example of each command", async () => {
    const { run } = installation();
    const commands = [
      "serve",
      "migrate",
      "doctor",
      "export",
      "import",
      "demo",
      "key rotate",
      "user password",
      "user disable",
    ];
    for (const command of commands) {
      const { out } = await run(`${command} --help`);
      expect(out).toContain("Example");
      expect(out).toContain(`budgetkit ${command}`);
      expect(out).toContain("DATABASE_URL");
    }
  });

  it("budgetkit --version prints the release", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../packages/cli/package.json"), "utf8"));
    expect(await installation().run("--version")).toEqual({ code: 0, out: `${version}\n`, complaints: "" });
  });

  it("budgetkit help prints the help of a subcommand", async () => {
    const { run } = installation();
    const { code, out } = await run("help key create");
    expect(code).toBe(0);
    expect(out).toBe((await run("key create --help")).out);
    expect((await run("help")).out).toBe((await run("--help")).out);
    expect((await run("help key")).out).toContain("Usage: budgetkit key");
  });

  it.each([
    ["nothing", "", /Usage/],
    ["an unknown command", "paint", /unknown command 'paint'/],
    ["help of an unknown command", "help key paint", /unknown command 'key paint'/],
    ["an unknown flag", "migrate --colour", /unknown option '--colour'/],
    ["an argument too few", "key revoke", /missing required argument 'id'/],
    ["a flag that is missing", "key create --name shop", /--business is missing\n--scopes is missing/],
    ["an unknown scope", "key create --business 1 --name a --scopes PAINT", /--scopes must be of READ_BUDGETS/],
    ["an unknown tier", "business set-tier 1 GOLD", /tier must be one of/],
    ["CSV of several tables", "export --business 1 --format csv", /--only with one of customers, products, budgets/],
  ])("budgetkit exits with 2 for %s", async (_, args, said) => {
    const { run } = installation();
    const { code, out, complaints } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(complaints).toMatch(said);
  });

  it("exits with 1 for a wrong setting, a missing database and a schema that is behind", async () => {
    const wrong = await installation({ PORT: "x" }).run("key list --business 1");
    expect(wrong).toMatchObject({ code: 1, out: "" });
    expect(wrong.complaints).toContain("PORT must be a number");
    const { folder, run } = installation();
    expect((await run("key list --business 1")).complaints).toContain("budgetkit migrate makes it");
    writeFileSync(join(folder, "b.db"), "");
    const behind = await run("key list --business 1");
    expect(behind).toMatchObject({ code: 1 });
    expect(behind.complaints).toMatch(/lacks \d+ steps: budgetkit migrate/);
    expect((await run("key list --business 1 --database-url memory:")).complaints).toContain("ends with the process");
  });

  it("prefers a flag to the environment", async () => {
    const { run } = installation();
    expect(await run("migrate --database-url file:./other.db")).toMatchObject({ code: 0, complaints: "" });
    expect(await run("key list --business 1 --database-url file:./other.db")).toMatchObject({
      code: 1,
      complaints: "There is no business 1.\n",
    });
  });

  it.each(["7", "abc"])("business update changes no unknown business: %s", async (id) => {
    const { json, run } = installation();
    await json("migrate");
    expect(await run(`business update ${id} --name Carpentry`)).toEqual({
      code: 1,
      out: "",
      complaints: `There is no business ${id}.\n`,
    });
  });

  it("the program exits with the exit code, and serves with the settings of its flags", async () => {
    const main = await builtCommandLine();
    const folder = temporaryFolder();
    const wrong = startProgram(main, {}, folder, process.execPath, ["paint"]);
    const server = startProgram(main, {}, folder, process.execPath, [
      "serve",
      "--port",
      "0",
      "--database-url",
      "memory:",
    ]);
    expect(await (await fetch(`${await server.url}/readyz`)).json()).toEqual({ status: "ready" });
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
    expect(await wrong.end).toBe(2);
  });
});

describe.each(["SQLite", "PostgreSQL"] as const)("on %s the command line", (kind) => {
  const there = async (make = migratedDatabase) => installation(kind === "SQLite" ? {} : settingsOf(await make()));

  it("budgetkit migrate migrates once", async () => {
    const { json } = await there(freshDatabase);
    const { applied } = await json("migrate");
    expect(applied).toBeGreaterThan(0);
    expect(await json("migrate")).toEqual({ applied: 0 });
  });

  // A small run leaves it out on SQLite: docs/pages/cli.test.ts runs these commands there.
  const isLeftOut = kind === "SQLite" && SCALE === "small";
  it.skipIf(isLeftOut)("creates a user and replaces a lost password", async () => {
    const at = await there();
    await at.json("migrate");
    const id = await newBusiness(at);
    const email = "ana@example.com";
    const user = await at.json(`user create --business ${id} --email ${email}`, "the first one\n");
    expect(user).toMatchObject({ email, businessId: Number(id), role: "OWNER" });
    expect(await at.json(`user password --email ${email}`, "the second one\n")).toMatchObject({ email });
    expect(await at.run(`user password --email ${email}`, "short")).toMatchObject({ code: 1, out: "" });
    expect((await at.run(`user password --email ${email}`)).complaints).toContain("No password came");
    expect((await at.run("user password --email unknown@example.com", "long enough")).complaints).toContain("no user");
    const exported = await at.run(`export --business ${id} --only events`);
    expect(asLines(exported.out).map(({ data }) => data.event)).toContain("user.password_reset");
  });

  it("invites, lists, changes and removes users, and keeps the last OWNER (LAST_OWNER)", async () => {
    const at = await there();
    await at.json("migrate");
    const id = await newBusiness(at);
    await at.json(`user create --business ${id} --email ana@example.com`, "the first one\n");
    const { token, link, user } = await at.json(`user invite --business ${id} --email ben@example.com --role ADMIN`);
    expect(user).toMatchObject({ email: "ben@example.com", status: "INVITED", role: "ADMIN" });
    expect(link).toContain(`/auth/password-page?token=${token}`);
    expect((await at.json("user reset-link --email ben@example.com")).token).not.toBe(token);
    for (const act of ["disable", "remove", "role --role MEMBER"]) {
      const refused = await at.run(`user ${act} --email ana@example.com`);
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.complaints).toContain("keeps one OWNER");
    }
    expect(await at.json("user role --email ben@example.com --role MEMBER")).toMatchObject({ role: "MEMBER" });
    expect(await at.json("user disable --email ben@example.com")).toMatchObject({ status: "DISABLED" });
    const listed = (await at.run(`user list --business ${id}`)).out.trim().split("\n");
    expect(listed.map((line) => line.replace(/ +/g, " "))).toEqual([
      expect.stringMatching(/^\d+ OWNER ACTIVE ana@example\.com$/),
      expect.stringMatching(/^\d+ MEMBER DISABLED ben@example\.com$/),
    ]);
    expect(await at.json("user enable --email ben@example.com")).toMatchObject({ status: "INVITED" });
    for (const act of ["end-sessions", "reset-second-factor", "remove"]) {
      expect(await at.json(`user ${act} --email ben@example.com`)).toMatchObject({ email: "ben@example.com" });
    }
    expect((await at.run("user enable --email ben@example.com")).complaints).toContain("no user");
  });

  it("creates, lists, rotates and revokes API keys, and shows each once", async () => {
    const at = await there();
    await at.json("migrate");
    const id = await newBusiness(at);
    await at.json(`business set-tier ${id} PREMIUM`);
    const made = await at.json(`key create --business ${id} --name shop --scopes READ_BUDGETS,WEBHOOKS`);
    expect(made).toMatchObject({
      name: "shop",
      scopes: ["READ_BUDGETS", "WEBHOOKS"],
      key: expect.stringMatching(/^bgk_/),
    });
    const rotated = await at.json(`key rotate ${made.id} --business ${id}`);
    expect(rotated.key).not.toBe(made.key);
    for (const args of [`create --name till --scopes READ_BUDGETS`, `rotate ${made.id}`]) {
      const { out, complaints } = await at.run(`key ${args} --business ${id}`);
      expect(out).toMatch(/^bgk_live_\S+\n$/); // KEY=$(…) is the key and nothing else
      expect(complaints).toMatch(/^The key \d+ is shown this once\.\n$/);
    }
    const listed = await at.json(`key list --business ${id}`);
    expect(listed).toMatchObject([{ name: "till" }, { id: made.id, status: "ACTIVE" }]);
    expect(JSON.stringify(listed)).not.toContain(rotated.key);
    expect(await at.json(`key revoke ${made.id} --business ${id}`)).toMatchObject({ status: "REVOKED" });
    const again = await at.run(`key rotate ${made.id} --business ${id}`);
    expect(again).toMatchObject({ code: 1, out: "" });
  });

  it("budgetkit doctor reports nothing wrong with a correct installation", async () => {
    const at = await there();
    await at.json("migrate");
    await newBusiness(at); // creates the secret too
    const findings = await at.json("doctor --public-url https://quotes.example.com");
    expect(findings.map(({ state }: { state: string }) => state)).not.toContain("wrong");
    const names = findings.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["secret", "database", "schema", ...(kind === "SQLite" ? ["folder"] : ["clock"])]),
    );
  });
});

describe("budgetkit doctor", () => {
  const diagnose = async (environment: Environment, args = "") => {
    const at = installation(environment);
    const { code, out } = await at.run(`doctor --json ${args}`.trim());
    const findings: { name: string; state: string; says: string }[] = JSON.parse(out);
    return { code, find: (name: string) => findings.find((each) => each.name === name) };
  };

  it("budgetkit doctor reports every wrong setting", async () => {
    const wrong = { PORT: "x", BUDGETKIT_SECRET: "short", BUDGETKIT_PROT: "3001" };
    const { code, find } = await diagnose({ ...wrong, BUDGETKIT_FRAMEWORK: "express" });
    expect(code).toBe(1);
    expect(find("PORT")).toMatchObject({ state: "wrong", says: "must be a number from 0 to 65535" });
    expect(find("BUDGETKIT_SECRET")).toMatchObject({ state: "wrong", says: "must have at least 32 characters" });
    expect(find("BUDGETKIT_PROT")).toMatchObject({ state: "warning", says: expect.stringMatching(/mean PORT\?$/) });
    expect(find("secret")).toBeUndefined(); // doctor does not read the file
    expect(find("BUDGETKIT_FRAMEWORK")).toMatchObject({ state: "ok" });
    expect(find("database")).toMatchObject({ state: "warning" });
  });

  it("budgetkit doctor shows how to write a file URL, and reports a public URL that is no URL", async () => {
    const { find } = await diagnose({ BUDGETKIT_PUBLIC_URL: "quotes.example.com" }, "--database-url ./b.db");
    expect(find("DATABASE_URL")).toMatchObject({ state: "wrong", says: expect.stringMatching(/ file:\.\/b\.db$/) });
    expect(find("BUDGETKIT_PUBLIC_URL")).toMatchObject({ state: "wrong" });
    expect(find("public URL")).toBeUndefined();
    const { find: other } = await diagnose({ DATABASE_URL: "//ana:hidden@db.example/b" });
    expect(other("DATABASE_URL")?.says).not.toContain("hidden");
  });

  it("budgetkit doctor finds a damaged page of the database", async () => {
    const at = installation();
    await at.json("migrate");
    expect((await at.run("doctor")).out).toMatch(/^ok +database: .*b\.db is intact$/m);
    expect((await at.run("doctor")).out).toMatch(/^ok +driver: (?:better-sqlite3|node:sqlite of Node) \d+\.\d+\.\d+$/m);
    damage(join(at.folder, "b.db"), "budgetkit_budgets_by_creation");
    const { code, out } = await at.run("doctor");
    expect(code).toBe(1);
    expect(out).toMatch(/^wrong +database: .*b\.db is damaged/m);
  });

  it("budgetkit doctor requires a secret with PostgreSQL, and a server that answers", async () => {
    const { code, find } = await diagnose({ DATABASE_URL: "postgres://app@127.0.0.1:1/none" });
    expect(code).toBe(1);
    expect(find("BUDGETKIT_SECRET")).toMatchObject({ state: "wrong" });
    expect(find("database")).toMatchObject({ state: "wrong", says: expect.stringContaining("DATABASE_URL") });
  });

  it("budgetkit doctor reports what is wrong only in production", async () => {
    const settings = { BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true", BUDGETKIT_PUBLIC_URL: "http://localhost:3000" };
    const trial = await diagnose(settings);
    expect([trial.code, trial.find("public URL")?.state, trial.find("destinations")?.state]).toEqual([
      0,
      "warning",
      "warning",
    ]);
    const live = await diagnose({ ...settings, NODE_ENV: "production" });
    expect([live.code, live.find("public URL")?.state, live.find("destinations")?.state]).toEqual([
      1,
      "wrong",
      "wrong",
    ]);
  });

  it("budgetkit doctor reports a schema that is behind, and a lost secret", async () => {
    const at = installation();
    writeFileSync(join(at.folder, "b.db"), "");
    const { code, out } = await at.run("doctor --json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        { name: "schema", state: "wrong", says: expect.stringMatching(/^lacks .* budgetkit migrate/) },
        { name: "secret", state: "warning", says: expect.stringContaining("is missing") },
      ]),
    );
  });

  it("budgetkit doctor reports a business with nine tenths of its quota used, which business storage shows", async () => {
    const at = installation({ BUDGETKIT_MAX_BUDGETS: "1" });
    await at.json("migrate");
    const { id } = await at.json("business create --name Carpentry");
    const quotas = async () => {
      const findings: { name: string }[] = await at.json("doctor");
      return findings.filter(({ name }) => name.startsWith("quota"));
    };
    expect(await quotas()).toEqual([{ name: "quotas", state: "ok", says: "every business has room" }]);
    expect(await at.json(`business storage ${id}`)).toMatchObject({ budgets: { used: 0, limit: 1 } });

    const store = sqliteStore(join(at.folder, "b.db"));
    await store.commit(insertBudgetCommit(aBudget({ businessId: id }), { events: [anEvent({ businessId: id })] }));
    await store.close();
    expect(await at.json(`business storage ${id}`)).toMatchObject({ budgets: { used: 1, limit: 1 } });
    const says = `the business ${id} stores 1 of 1 budgets`;
    expect(await quotas()).toEqual([{ name: "quota", state: "warning", says }]);
  });

  it("budgetkit doctor reports a schema that is newer", async () => {
    const database = await migratedDatabase();
    await database.query("INSERT INTO budgetkit.migrations (version, checksum) VALUES (999, '')");
    const { code, find } = await diagnose(settingsOf(database));
    expect(code).toBe(1);
    expect(find("schema")).toMatchObject({ state: "wrong", says: expect.stringContaining("newer than this release") });
  });

  it("budgetkit doctor reports a Redis that does not answer", async () => {
    const port = await freePort();
    const { code, find } = await diagnose({}, `--redis-url redis://127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(find("Redis")).toMatchObject({ state: "wrong", says: expect.stringContaining("ECONNREFUSED") });
  });
});

describe("a DATABASE_URL with several hosts", () => {
  const DATABASE_URL = "postgres://u:secret@one:5432,two:5433/db?target_session_attrs=read-write";
  const REFUSAL =
    "it names several hosts: name one address that always leads to the primary, such as that of HAProxy, a virtual IP or a DNS name\n";
  const settings = { DATABASE_URL, BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };

  it.each(["migrate", "business list", "doctor --ledger"])(
    "budgetkit %s refuses several hosts in one line",
    async (command) => {
      const run = await installation(settings).run(command);
      expect(run).toEqual({ code: 1, out: "", complaints: `DATABASE_URL cannot be used: ${REFUSAL}` });
    },
  );

  it("budgetkit copy refuses several hosts in one line", async () => {
    const at = installation();
    await at.json("migrate");
    const { code, complaints } = await at.run(`copy --from file:./b.db --to ${DATABASE_URL}`);
    expect({ code, complaints }).toEqual({
      code: 1,
      complaints: `the database to copy to cannot be used: ${REFUSAL}`,
    });
  });

  it("budgetkit serve refuses several hosts in one line", async () => {
    const server = startProgram(
      await builtCommandLine(),
      { ...settings, PORT: "0" },
      temporaryFolder(),
      process.execPath,
      ["serve"],
    );
    expect(await server.end).toBe(1);
    expect(server.printed()).toBe(`DATABASE_URL cannot be used: ${REFUSAL}`);
  });
});

describe("export, import and demo", () => {
  it("export, import and demo copy a year of a business into another one, once", async () => {
    const at = installation();
    const { businessId, login, budgets, key } = await at.json("demo --seed 3");
    expect(key).toMatch(/^bgk_live_/);
    expect({ login, budgets }).toEqual({
      login: { businessId, email: `demo-${businessId}@example.com`, password: expect.any(String) },
      budgets: 500,
    });
    const again = await at.run(`demo --business ${businessId}`);
    expect(again).toMatchObject({ code: 1, out: "" });
    expect(again.complaints).toContain("has data already: --force");

    await at.json(`export --business ${businessId} --output all.jsonl`);
    const exported = asLines(readFileSync(join(at.folder, "all.jsonl"), "utf8"));
    const statuses = new Set(exported.filter(({ type }) => type === "budget").map(({ data }) => data.status));
    expect([...statuses].sort()).toEqual([
      "APPROVED",
      "ARCHIVED",
      "COMPLETED",
      "DRAFT",
      "EXPIRED",
      "PENDING",
      "REJECTED",
    ]);

    const lines = someBudgetsOf(exported);
    writeFileSync(join(at.folder, "some.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
    const other = await newBusiness(at);
    const wanted = lines.filter(({ type }) => !["export", "event", "evidence"].includes(type)).length;
    const tried = await at.json(`import some.jsonl --business ${other} --dry-run`);
    expect(tried).toMatchObject({ dryRun: true, created: wanted, skipped: 0, conflicts: 0, refused: 0 });
    const imported = await at.json(`import some.jsonl --business ${other}`);
    expect(imported).toMatchObject({ dryRun: false, created: wanted, skipped: 0, conflicts: 0, refused: 0 });
    expect(await at.json(`import some.jsonl --business ${other}`)).toMatchObject({ created: 0, skipped: wanted });

    const only = "--only customers,products,packages,budgets,payments,messages";
    const copy = asLines((await at.run(`export --business ${other} ${only}`)).out);
    expect(withoutIdentity(copy)).toEqual(withoutIdentity(lines.filter(({ type }) => type !== "evidence")));

    const { out: csv } = await at.run(`export --business ${businessId} --only customers --format csv`);
    expect(csv.split("\r\n")[0]).toBe(
      "id,name,email,phone,dni,cuit,taxCondition,address,externalId,createdAt,updatedAt",
    );
    expect(csv).toMatch(/,'\+1 555 01\d\d,/);
  });

  it("import reports each line that cannot be imported, and continues", async () => {
    const at = installation();
    await at.json("migrate");
    const id = await newBusiness(at);
    const customer = (data: object) =>
      JSON.stringify({ type: "customer", data: { createdAt: "2026-01-02T03:04:05.000Z", ...data } });
    const lines = [
      JSON.stringify({ type: "export", data: { format: 1, businessId: "7", businessName: "" } }),
      customer({ id: "a", name: "Alder" }),
      "{",
      customer({ id: "a", name: "Birch" }),
      customer({ id: "b", name: "" }),
      customer({ id: "c", name: "Cedar" }),
    ];
    const { code, out, complaints } = await at.run(`import --business ${id} --json`, lines.join("\n"));
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ created: 2, conflicts: 1, refused: 2 });
    expect(complaints).toMatch(/^line 3: is not JSON\nline 4: .* differs\nline 5: name .*\n3 of the lines/);
    expect(asLines((await at.run(`export --business ${id} --only customers`)).out)).toMatchObject([
      { type: "export" },
      { data: { id: "a", name: "Alder", createdAt: "2026-01-02T03:04:05.000Z" } },
      { data: { id: "c", name: "Cedar" } },
    ]);
  });

  it("import reads an export with U+2028 and U+2029 in its texts, also after a byte order mark and with \\r\\n", async () => {
    const at = installation();
    await at.json("migrate");
    const [from, to] = [await newBusiness(at), await newBusiness(at)];
    const name = "Ana\u2028Ruiz\u2029y\u0085Cía";
    const customer = { type: "customer", data: { id: "ana", name, createdAt: "2026-01-02T03:04:05.000Z" } };
    const header = { type: "export", data: { format: 1, businessId: "7" } };
    const lines = `${JSON.stringify(header)}\n${JSON.stringify(customer)}\n`;
    expect(await at.run(`import --business ${from}`, lines)).toMatchObject({ code: 0 });
    const { out } = await at.run(`export --business ${from} --only customers`);
    expect(out).toContain(name);
    const marked = `\ufeff${out.replaceAll("\n", "\r\n")}`;
    const imported = await at.run(`import --business ${to} --json`, marked);
    expect(JSON.parse(imported.out)).toMatchObject({ created: 1, refused: 0, conflicts: 0 });
    const copied = await at.run(`export --business ${to} --only customers`);
    expect(asLines(copied.out)).toMatchObject([{ type: "export" }, { data: { id: "ana", name } }]);
  });
});

/** The lines of an export without some budgets and their payments: each budget that is imported takes several commits. */
function someBudgetsOf(lines: readonly ExportLine[]): ExportLine[] {
  const budgets = lines.filter(({ type }) => type === "budget").map(({ data }) => data.id);
  const every = Math.round(budgets.length / rounds({ small: 30, full: budgets.length }));
  const leftOut = new Set(budgets.filter((_, index) => index % every > 0));
  return lines.filter(({ type, data }) => !leftOut.has(type === "budget" ? data.id : data.budgetId));
}

/** The lines without ids and versions, which differ between businesses, sorted. */
function withoutIdentity(lines: readonly ExportLine[]): string[] {
  const left = new Set(["version", "revision", "updatedAt", "budgetId", "createdBy", "approvedBy", "views"]);
  return lines
    .filter(({ type }) => type !== "export" && type !== "event")
    .map((line) =>
      JSON.stringify(line, (name, value) => {
        if (left.has(name)) return undefined;
        return name === "id" && /^\d+$/.test(String(value)) ? undefined : value;
      }),
    )
    .sort();
}

/** The variables for a PostgreSQL database. */
function settingsOf({ url }: FreshDatabase): Environment {
  return { DATABASE_URL: url, BUDGETKIT_SECRET: "s".repeat(32) };
}
