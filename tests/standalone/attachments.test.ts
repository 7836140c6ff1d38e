import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createBudgetService, directoryBlobStore } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { blocksOf } from "../docs/code/page-code.js";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { paste, startProgram, temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/attachments.md"), "utf8");
const HOUR_MS = 3_600_000;
const PASSWORD = "correct horse";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));

describe("attachments of the standalone server", () => {
  it.each(SCALE === "full" ? ["hono", "express"] : ["express"])(
    "uploads attachments as the page describes, and keeps them when the process is killed, without the unfinished file, behind %s",
    async (framework) => {
      const folder = temporaryFolder();
      const environment = {
        PORT: "0",
        BUDGETKIT_FRAMEWORK: framework,
        BUDGETKIT_ADMIN_PASSWORD: PASSWORD,
        DATABASE_URL: `file:${folder}/data/b.db`,
      };
      const server = startProgram(main, environment);
      const url = await server.url;
      const { key, budget } = await furnish(url);
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      writeFileSync(join(folder, "offer.pdf"), bytes);
      const [lines = ""] = blocksOf(page, "sh");
      const said = await paste(`cd ${folder}\n${lines}`, { API: `${url}/v1`, BUDGET: budget, KEY: key });
      const { data } = JSON.parse(said);
      expect(data).toMatchObject({ fileName: "offer.pdf", contentType: "application/pdf", size: bytes.length });
      const files = join(folder, "data/b.db-attachments");
      const kept = filesIn(files);
      expect(kept).toEqual([expect.stringMatching(`/${data.id}$`)]);

      const path = `/v1/api/public/budgets/${budget}/attachments`;
      const headers = { authorization: `Bearer ${key}` };
      const type = { "content-type": "multipart/form-data; boundary=b" };
      const init: RequestInit = {
        method: "POST",
        headers: { ...headers, ...type },
        body: endlessUpload(),
        duplex: "half",
      };
      const cut = fetch(`${url}${path}`, init).catch(() => null);
      const unfinished = () => filesIn(files).filter((file) => !kept.includes(file));
      await expect.poll(unfinished).toEqual([expect.stringMatching(/\.part$/)]);
      server.signal("SIGKILL");
      expect(await server.end).toBe("SIGKILL");
      expect(await cut).toBeNull();

      const nextUrl = await startProgram(main, environment).url;
      const got = await fetch(`${nextUrl}${path}/${data.id}`, { headers });
      expect(got.headers.get("content-length")).toBe(String(bytes.length));
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
      const list = await fetch(`${nextUrl}${path}`, { headers });
      expect(await list.json()).toMatchObject({ data: [{ id: data.id }] });
      const old = new Date(Date.now() - HOUR_MS - 1_000);
      for (const file of unfinished()) utimesSync(file, old, old);
      await maintain(`${folder}/data/b.db`, files);
      expect(filesIn(files)).toEqual(kept);
    },
  );

  it("stores attachments in the configured directory, and refuses to start when it cannot be created", async () => {
    const folder = join(temporaryFolder(), "made/files");
    const environment = { DATABASE_URL: "memory:", BUDGETKIT_ADMIN_PASSWORD: PASSWORD };
    const { url } = await serveHere({ ...environment, BUDGETKIT_ATTACHMENTS_DIR: folder });
    const { key, budget } = await furnish(url);
    const body = new FormData();
    body.set("file", new File(["a plan"], "plan.txt"));
    const headers = { authorization: `Bearer ${key}` };
    const path = `/v1/api/public/budgets/${budget}/attachments`;
    expect((await fetch(`${url}${path}`, { method: "POST", headers, body })).status).toBe(201);
    expect(filesIn(folder)).toHaveLength(1);

    const refused = serveHere({ ...environment, BUDGETKIT_ATTACHMENTS_DIR: "/dev/null/files" });
    await expect(refused).rejects.toThrow("BUDGETKIT_ATTACHMENTS_DIR cannot be used");
  });

  it("attachments of an in-memory server end with the process, and it writes no other file", async () => {
    const [folder, temporary] = [temporaryFolder(), temporaryFolder()];
    // With a password that is given, the first start writes none to a file.
    const given = { PORT: "0", DATABASE_URL: "memory:", BUDGETKIT_ADMIN_PASSWORD: "correct horse battery" };
    const server = startProgram(main, { ...given, TMPDIR: temporary }, folder);
    await server.url;
    expect(readdirSync(temporary)).toHaveLength(1);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** The beginning of a form with a file, which never ends. */
function endlessUpload(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
      controller.enqueue(Buffer.concat([Buffer.from(head), Buffer.alloc(200_000)]));
    },
  });
}

/** A round of what each server does in the background, without the wait for the next one. */
async function maintain(database: string, files: string): Promise<void> {
  const store = sqliteStore(database);
  await createBudgetService({ store, blobs: directoryBlobStore(files), secret: "s".repeat(32) }).tick();
  await store.close();
}

/** A key of a new server, and a budget. */
async function furnish(url: string): Promise<{ readonly key: string; readonly budget: string }> {
  const login = { email: "admin@example.com", password: PASSWORD };
  const owner = (await ask(url, "", "POST", "/auth/login", login)).body.access_token;
  const settings = { name: "shop", scopes: ["READ_BUDGETS", "WRITE_BUDGETS"] };
  const { key } = (await ask(url, owner, "POST", "/api-keys", settings)).body;
  const input = { customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice: 1 }] };
  const { status, body } = await ask(url, key, "POST", "/api/public/budgets", input);
  expect(status).toBe(201);
  return { key, budget: body.data.id };
}
