import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "@budgetkit/core/store";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../docs/code/page-code.js";
import { ledgerOn, postgresLedger, sqliteLedger } from "../ledger/world.js";
import { runCommand } from "../programs/command-line.js";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/observability.md"), "utf8");

/** What is done by hand to the seven entries, and what `doctor` says of it. */
const ACTS: readonly (readonly [act: string, sql: string, says: string])[] = [
  [
    "changed",
    "UPDATE @events SET document = replace(document, 'Ana', 'Eva') WHERE sequence = 3",
    "the entry 3 does not",
  ],
  ["removed", "DELETE FROM @events WHERE sequence = 4", "the entry 4 is missing"],
  [
    "added",
    `INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision, hash)
     SELECT business_id, 8, id, type, occurred_at, subject_id, document, revision, hash FROM @events WHERE sequence = 7`,
    "the entry 8 is beyond the last one that was counted",
  ],
];

describe.each([
  ["SQLite", sqliteLedger],
  ["PostgreSQL", postgresLedger],
])("The commands of the ledger on %s", (_name, open) => {
  it("doctor --ledger finds a sound ledger sound, and the first changed, removed or added entry", async () => {
    for (const [act, sql, says] of ACTS) {
      const { command, run, id } = await ledgerOn(open);
      expect(await command("doctor --ledger"), act).toMatchObject({
        code: 0,
        out: "ok       ledger: 7 entries of 1 business: unchanged\n",
      });
      await run(sql);
      const found = await command(`doctor --ledger --business ${id}`);
      expect(found, act).toMatchObject({
        code: 1,
        out: expect.stringContaining(`wrong    ledger: business ${id}: ${says}`),
      });
      expect(found.complaints).toContain("1 of 1 checks found something wrong.");
    }
  });

  it("doctor --ledger finds by a checkpoint kept elsewhere that the end of the ledger is gone", async () => {
    const { command, run, id } = await ledgerOn(open);
    expect((await command(`ledger checkpoint --business ${id} --output checkpoint.json`)).code).toBe(0);
    const compared = `doctor --ledger --business ${id} --checkpoint checkpoint.json`;
    expect((await command(compared)).code).toBe(0);
    await run(
      "UPDATE @event_counters SET last_sequence = 6, last_hash = (SELECT hash FROM @events WHERE sequence = 6)",
    );
    await run("DELETE FROM @events WHERE sequence = 7");
    expect((await command("doctor --ledger")).code).toBe(0);
    const found = await command(compared);
    expect(found.code).toBe(1);
    expect(found.out).toContain("the entry 7 is missing: the checkpoint is of the entry 7");
  });

  it("doctor --ledger verifies what retention has left by its checkpoint, which the service must have signed", async () => {
    const { command, run, clock, inService, id } = await ledgerOn(open);
    clock.advance(40 * DAY_MS);
    await inService(async (service) => {
      (await service.customers.create({ kind: "system", businessId: id }, { name: "Bea" }))._unsafeUnwrap();
      await service.tick();
    });
    expect(await command("doctor --ledger")).toMatchObject({
      code: 0,
      out: "ok       ledger: 1 entry of 1 business: unchanged\n",
    });
    await run("UPDATE @ledger_starts SET checkpoint = replace(checkpoint, 'signature\":\"', 'signature\":\"AAAA')");
    const found = await command("doctor --ledger");
    expect(found.code).toBe(1);
    expect(found.out).toContain("the checkpoint of the removed entries is not valid: signature ");
  });
});

describe("A ledger from before the chain, after budgetkit migrate", () => {
  it("doctor refuses a ledger from before the chain until sign-beginnings signs where the chain begins", async () => {
    const { command, run, inService, id } = await ledgerOn(sqliteLedger);
    await run(`UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL;
      INSERT INTO @ledger_beginnings (business_id, sequence, missing) VALUES (${id}, 8, '[]')`);
    expect((await command("migrate")).complaints).toContain("ledger sign-beginnings, once");
    const refused = await command("doctor --ledger");
    expect(refused).toMatchObject({ code: 1, complaints: expect.stringContaining("1 of 1 checks") });
    expect(refused.out).toBe(
      `wrong    ledger: business ${id}: the statement that the chain begins with the entry 8 is not signed yet: if this ` +
        "database has just been upgraded, run budgetkit ledger sign-beginnings; 7 entries are not proven\n",
    );
    expect((await command("doctor")).out).toMatch(/^warning {2}ledger: .* run budgetkit ledger sign-beginnings$/m);
    const signed = await command(`ledger sign-beginnings --business ${id}`);
    expect(signed).toMatchObject({
      code: 0,
      out: `business ${id}: begins with the entry 8, and nothing proves those before\n`,
    });
    expect(await command("ledger sign-beginnings")).toMatchObject({ code: 0, out: "Nothing to sign.\n" });
    expect((await command("migrate")).complaints).toBe("");
    expect((await command("doctor")).out).not.toContain("sign-beginnings");
    expect(await command("doctor --ledger")).toMatchObject({
      code: 0,
      out: "warning  ledger: 7 entries of 1 business cannot be proven: from before the ledger was chained\n",
    });
    await inService(async ({ customers }) =>
      (await customers.create({ kind: "system", businessId: id }, { name: "Bea" }))._unsafeUnwrap(),
    );
    expect(await command("doctor --ledger")).toMatchObject({
      code: 0,
      out:
        "ok       ledger: 1 entry of 1 business: unchanged\n" +
        "warning  ledger: 7 entries of 1 business cannot be proven: from before the ledger was chained\n",
    });
  });

  it("ledger sign-beginnings --again signs again after the secret of the key was removed", async () => {
    const { command, run, id } = await ledgerOn(sqliteLedger);
    await run(`UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL;
      INSERT INTO @ledger_beginnings (business_id, sequence, missing) VALUES (${id}, 8, '[]')`);
    expect((await command("ledger sign-beginnings")).code).toBe(0);
    const later = { BUDGETKIT_SECRET: "another secret for tests that is long enough" };
    expect((await command("doctor --ledger", later)).out).toContain("no secret of the service proves the key");
    expect((await command("ledger sign-beginnings", later)).out).toBe("Nothing to sign.\n");
    expect((await command("ledger sign-beginnings --again", later)).out).toContain(`business ${id}: begins with`);
    expect((await command("doctor --ledger", later)).code).toBe(0);
  });

  it("a checkpoint from before the chain proves nothing, and doctor compares nothing with it", async () => {
    const { command, folder, run, id } = await ledgerOn(sqliteLedger);
    await run(`UPDATE @events SET hash = NULL; UPDATE @event_counters SET last_hash = NULL;
      INSERT INTO @ledger_beginnings (business_id, sequence, missing) VALUES (${id}, 8, '[]')`);
    expect((await command("ledger sign-beginnings")).code).toBe(0);
    const written = await command(`ledger checkpoint --business ${id} --output checkpoint.json`);
    expect(written.out).toContain("no entry is chained yet, so none is proven");
    expect(existsSync(join(folder, "checkpoint.json"))).toBe(true);
    const { code, out } = await command("doctor --ledger --checkpoint checkpoint.json");
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("is from before the ledger was chained: nothing was compared"),
    ]);
  });
});

describe("A checkpoint of the ledger", () => {
  it("verifies a checkpoint without the database, and prints the changed part", async () => {
    const { command, folder, id } = await ledgerOn(sqliteLedger);
    await command(`ledger checkpoint --business ${id} --output checkpoint.json`);
    const file = join(folder, "checkpoint.json");
    const text = readFileSync(file, "utf8");
    const verify = () => runCommand(["verify", file, "--jwks", "jwks.json"], { folder });
    expect(await verify()).toMatchObject({
      code: 0,
      out: expect.stringMatching(new RegExp(`^Valid: entry 7 of the business ${id} was the last one at 20`)),
      complaints: expect.stringMatching(/^Signed by the key [\w-]{43} of jwks.json\.\n$/),
    });
    const parts: Record<string, string> = JSON.parse(text);
    const seen = (value = "") => Buffer.from(value, "base64url").toString();
    const hidden = (value: string) => Buffer.from(value).toString("base64url");
    const changes: readonly (readonly [part: string, changed: string, says: string])[] = [
      ["payload", hidden(seen(parts.payload).replace('"sequence":7', '"sequence":8')), "signature does not match"],
      ["payload", hidden(seen(parts.payload).replace("{", "[")), "payload: is not JSON"],
      ["protected", hidden(seen(parts.protected).replace("EdDSA", "EdDSB")), "protected.alg "],
      [
        "signature",
        `${parts.signature?.startsWith("A") ? "B" : "A"}${parts.signature?.slice(1)}`,
        "signature does not",
      ],
    ];
    for (const [part, changed, says] of changes) {
      writeFileSync(file, text.replace(parts[part] ?? "", changed));
      const { code, out, complaints } = await verify();
      expect([code, out], part).toEqual([1, ""]);
      expect(complaints, part).toContain(says);
    }
  });

  it("doctor --ledger refuses the checkpoint of another business, and only it compares checkpoints", async () => {
    const { command, inService, id } = await ledgerOn(sqliteLedger);
    const other = await inService(
      async ({ businesses }) => (await businesses.create({ name: "Sur" }))._unsafeUnwrap().id,
    );
    await command(`ledger checkpoint --business ${id} --output checkpoint.json`);
    expect(await command(`doctor --ledger --business ${other} --checkpoint checkpoint.json`)).toMatchObject({
      code: 1,
      complaints: `The checkpoint is of the business ${id}.\n`,
    });
    expect(await command("doctor --checkpoint checkpoint.json")).toMatchObject({ code: 2, out: "" });
    expect((await command("doctor --ledger --checkpoint checkpoint.json")).out).toContain(" 2 businesses: unchanged");
  });
});

/** Text without what differs from one run to the next. */
function withoutValues(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, "HASH")
    .replace(/\bkey [\w-]{43}\b/g, "key KID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b(business|--business) \d+/g, "$1 ID");
}

describe("the page on the ledger", () => {
  it("the page on the ledger shows what its commands print", async () => {
    const { command, run, id } = await ledgerOn(sqliteLedger);
    const shown = blocksOf(PAGE, "text").find((block) => block.includes("$ budgetkit doctor --ledger")) ?? "";
    const said: string[] = [];
    for (const line of shown.split("\n").filter((text) => text.startsWith("$ "))) {
      const [, statement] = /^\$ sqlite3 \S+ "(.*)"$/.exec(line) ?? [];
      const args = line.replace("$ budgetkit ", "").replace(/--business \d+/, `--business ${id}`);
      const answer = statement === undefined ? await command(args) : { out: "", complaints: "" };
      if (statement !== undefined) await run(statement);
      said.push(`${line}\n${answer.out}${answer.complaints}`);
    }
    expect(withoutValues(said.join(""))).toBe(withoutValues(`${shown.trimEnd()}\n`));
  });
});
