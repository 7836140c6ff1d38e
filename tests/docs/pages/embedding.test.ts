import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createBudgetService } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { answersElsewhere, freePort, startProgram } from "../../programs/running-program.js";
import { codeBlocks } from "../code/code-blocks.js";
import { type PageFolder, pageFolder } from "../code/page-folder.js";

const page = readFileSync(new URL("../../../docs/embedding.md", import.meta.url), "utf8");

beforeAll(async () => {
  await builtServer(); // and with it every package
});

/** The files of the page, with a logged-in user and a folder for attachments. */
function application(): PageFolder {
  const sessions = `new Map([["of-ana", { businessId: process.env.BUSINESS_ID, userId: "7", role: "ADMIN" }]])`;
  return pageFolder(codeBlocks("", page), (code) =>
    code
      .replace("new Map<string, ResolvedUser>()", sessions)
      .replace("createBudgetService }", "createBudgetService, directoryBlobStore }")
      .replace("  store,\n", `  store,\n  blobs: directoryBlobStore("files"),\n`),
  );
}

/** Runs a script in the folder to its end. @returns what it printed */
async function run({ path }: PageFolder, name: string, environment: Record<string, string>): Promise<string> {
  const program = startProgram(join(path, name), environment, path);
  expect(await program.end, program.printed()).toBe(0);
  return program.printed();
}

const SECRET = { BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };

/** A business in the database of the page, which this process makes: a host starts only once. @returns its id */
async function makeBusiness({ path }: PageFolder): Promise<string> {
  const store = sqliteStore(join(path, "budgets.db"));
  const service = createBudgetService({ store, secret: SECRET.BUDGETKIT_SECRET });
  const { id } = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  await service.stop();
  await store.close();
  return id;
}

describe("the page about embedding", () => {
  it.each(["hono", "express", "plain"])("the host %s in docs/embedding.md does what the page states", async (name) => {
    const folder = application();
    const BUSINESS_ID = await makeBusiness(folder);
    const port = await freePort();
    const environment = { ...SECRET, BUSINESS_ID, PORT: String(port) };
    const host = startProgram(join(folder.path, `${name}.js`), environment, folder.path);
    const url = `http://127.0.0.1:${port}`;
    const own = await vi.waitFor(() => fetch(url, { headers: { connection: "close" } }), { timeout: 120_000 });
    expect(await own.text()).toBe("yours");
    expect(await answersElsewhere(port)).toBe(false);

    const keyFor = (allowedIps: string[], session: string) =>
      ask(`${url}/v1/api-keys`, { cookie: `session=${session}` }, { name: "shop", scopes: SCOPES, allowedIps });
    expect((await keyFor([], "of-nobody")).status).toBe(401);
    const [here, elsewhere] = [await keyFor(["127.0.0.1"], "of-ana"), await keyFor(["192.0.2.1"], "of-ana")];
    const budgets = `${url}/v1/api/public/budgets`;
    expect((await ask(budgets, bearer(elsewhere.body.key), OFFER)).status).toBe(403);
    const made = await ask(budgets, bearer(here.body.key), OFFER);
    expect(made).toMatchObject({ status: 201, body: { data: { total: 450 } } });

    const attachments = `${budgets}/${made.body.data.id}/attachments`;
    await breakOff(attachments, bearer(here.body.key), () => filesIn(folder).length === 1);
    await vi.waitFor(() => expect(filesIn(folder)).toEqual([]), { timeout: 120_000 });
    const form = new FormData();
    form.set("file", new Blob([Buffer.alloc(3_000_000, 7)]), "offer.pdf");
    const headers = { ...bearer(here.body.key), connection: "close" };
    expect((await fetch(attachments, { method: "POST", headers, body: form })).status).toBe(201);
    expect(filesIn(folder)).toHaveLength(1);

    // It reads the database alone, whichever host wrote it.
    if (name === "hono" || SCALE === "full")
      expect(await run(folder, "remind.js", environment)).toBe("ana has an offer of 450\n");
    host.signal("SIGTERM");
    expect(await host.end, host.printed()).toBe(0);
  });

  it("the Next.js files in docs/embedding.md make one service, however often they are loaded", async () => {
    const folder = application();
    const script = `
      await (await import("./instrumentation.js")).register();
      const { GET, POST } = await import("./app/v1/[[...path]]/route.js");
      const [one, same] = [await import("./lib/budgets.js"), await import("./lib/budgets.js?again")];
      const found = await GET(new Request("http://localhost:3000/v1"));
      const refused = await POST(new Request("http://localhost:3000/v1/api-keys", { method: "POST" }));
      console.log(found.status, refused.status, one.budgets() === same.budgets());
      process.exit(0);
    `;
    writeFileSync(join(folder.path, "next.js"), script);
    const environment = { ...SECRET, NEXT_RUNTIME: "nodejs" };
    expect(await run(folder, "next.js", environment)).toBe("200 401 true\n");
  });
});

const SCOPES = ["READ_BUDGETS", "WRITE_BUDGETS"];
const OFFER = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function ask(url: string, headers: Record<string, string>, body: unknown) {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", connection: "close" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

function filesIn({ path }: PageFolder): string[] {
  return readdirSync(join(path, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Begins to upload a file, and goes away once the first of it has come. */
async function breakOff(url: string, headers: Record<string, string>, hasCome: () => boolean): Promise<void> {
  const type = { "content-type": "multipart/form-data; boundary=b", "content-length": "2000000" };
  const upload = request(url, { method: "POST", headers: { ...headers, ...type }, agent: false });
  upload.on("error", () => {}); // of going away
  upload.write(`--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n${"x".repeat(500_000)}`);
  await vi.waitFor(() => expect(hasCome()).toBe(true), { timeout: 120_000 });
  upload.destroy();
}
