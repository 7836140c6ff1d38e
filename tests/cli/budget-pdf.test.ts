import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { describe, expect, it } from "vitest";
import { readPdf } from "../../packages/pdf/src/testing/read-pdf.js";
import { runCommand } from "../programs/command-line.js";
import { temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const SECRET = "a secret for tests that is long enough";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A folder with a database of one budget, whose business has a logo. */
async function offered() {
  const folder = temporaryFolder();
  const files = join(folder, "files");
  mkdirSync(files);
  const database = join(folder, "b.db");
  const environment = {
    DATABASE_URL: `file:${database}`,
    BUDGETKIT_SECRET: SECRET,
    BUDGETKIT_ATTACHMENTS_DIR: files,
  };
  const run = (args: string) => runCommand(args.split(" "), { folder, environment });
  expect((await run("migrate")).code).toBe(0);
  const store = sqliteStore(database);
  const service = createBudgetService({ store, secret: SECRET });
  const { id: businessId } = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId } as const;
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  const budget = (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
  const { key } = (await service.keys.create(actor, { name: "shop", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
  await store.close();
  writeFileSync(join(folder, "logo.png"), PIXEL);
  expect((await run(`business logo ${businessId} logo.png`)).code).toBe(0);
  return { folder, environment, run, businessId, id: budget.id, key };
}

describe("budget pdf", () => {
  it("budget pdf writes the bytes that the server sends, with the logo", async () => {
    const { folder, environment, run, businessId, id, key } = await offered();
    const { code, out } = await run(`budget pdf ${id} --business ${businessId} --output quote.pdf`);
    const written = readFileSync(join(folder, "quote.pdf"));
    expect({ code, out }).toEqual({ code: 0, out: `${written.length} bytes written to quote.pdf.\n` });
    const { roles, pages } = await readPdf(written);
    expect(roles).toContain("Figure");
    expect(pages.join(" ")).toContain("Oak table");
    const { url } = await serveHere(environment);
    const path = `${new URL(url).origin}/v1/api/public/budgets/${id}/pdf`;
    const sent = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
    expect(sent.status).toBe(200);
    expect(Buffer.from(await sent.arrayBuffer()).equals(written)).toBe(true);
  });

  it("budget pdf uses the file name of the requested language, readable by its owner alone", async () => {
    const { folder, run, businessId, id } = await offered();
    const { code, out } = await run(`budget pdf ${id} --business ${businessId} --lang es --json`);
    expect(code).toBe(0);
    const { output, bytes, sha256 } = JSON.parse(out);
    expect([output, sha256]).toEqual([
      expect.stringMatching(/^Presupuesto-.*\.pdf$/),
      expect.stringMatching(/^\w{64}$/),
    ]);
    const { size, mode } = statSync(join(folder, output));
    expect([size, mode & 0o077]).toEqual([bytes, 0]);
  });

  it("budget pdf refuses unknown budgets, languages and folders", async () => {
    const { run, businessId, id } = await offered();
    expect(await run(`budget pdf 7 --business ${businessId}`)).toMatchObject({ code: 1, out: "" });
    expect(await run(`budget pdf ${id} --business 7`)).toMatchObject({
      code: 1,
      complaints: expect.stringContaining("no business 7"),
    });
    expect(await run(`budget pdf ${id} --business ${businessId} --lang sv`)).toMatchObject({ code: 2 });
    const { code, complaints } = await run(`budget pdf ${id} --business ${businessId} --output none/q.pdf`);
    expect([code, complaints]).toEqual([1, expect.stringContaining("none/q.pdf cannot be written")]);
  });
});
