import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { blocksOf } from "./page-code.js";
import { type Environment, linesToPaste, paste, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/attachments.md"), "utf8");
const HOUR_MS = 3_600_000;

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

const serve = (environment: Environment) => startProgram(main, { PORT: "0", ...environment });

/** A server with a budget and a key, both made by the lines that its first start prints. */
async function served(environment: Environment) {
  const server = serve(environment);
  const api = `${await server.url}/v1`;
  const said = await paste(linesToPaste(server.printed()));
  const key = /API key: (\S+)/.exec(said)?.[1] ?? "";
  const budget: { data: { id: string }[] } = JSON.parse(said.trim().split("\n")[0] ?? "");
  return { server, api, key, budget: budget.data[0]?.id ?? "" };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));

describe("attachments of the standalone server", () => {
  it.each(["hono", "express"])(
    "are uploaded as the page says, and kept over a restart, behind %s",
    async (framework) => {
      const folder = temporaryFolder();
      const environment = { BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: `file:${folder}/data/b.db` };
      const { server, api, key, budget } = await served(environment);
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      writeFileSync(join(folder, "offer.pdf"), bytes);
      const [lines = ""] = blocksOf(page, "sh");
      const said = await paste(`cd ${folder}\n${lines}`, { API: api, BUDGET: budget, KEY: key });
      const { data } = JSON.parse(said);
      expect(data).toMatchObject({ fileName: "offer.pdf", contentType: "application/pdf", size: bytes.length });
      expect(filesIn(join(folder, "data/b.db-attachments"))).toEqual([expect.stringMatching(`/${data.id}$`)]);
      server.signal("SIGTERM");
      expect(await server.end).toBe(0);

      const url = await serve(environment).url;
      const headers = { authorization: `Bearer ${key}` };
      const got = await fetch(`${url}/v1/api/public/budgets/${budget}/attachments/${data.id}`, { headers });
      expect(got.headers.get("content-length")).toBe(String(bytes.length));
      expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it("leave nothing but an unfinished file when the process is killed on the way, and that not for long", async () => {
    const folder = temporaryFolder();
    const files = join(folder, "files");
    const environment = { DATABASE_URL: `file:${folder}/b.db`, BUDGETKIT_ATTACHMENTS_DIR: files };
    const { server, api, key, budget } = await served(environment);
    expect(existsSync(files)).toBe(true);
    const path = `/api/public/budgets/${budget}/attachments`;
    const headers = { authorization: `Bearer ${key}` };
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
        controller.enqueue(Buffer.concat([Buffer.from(head), Buffer.alloc(200_000)]));
      },
    });
    const type = { "content-type": "multipart/form-data; boundary=b" };
    const init: RequestInit = { method: "POST", headers: { ...headers, ...type }, body: endless, duplex: "half" };
    const cut = fetch(`${api}${path}`, init).catch(() => null);
    await vi.waitFor(() => expect(filesIn(files)).toEqual([expect.stringMatching(/\.part$/)]), { timeout: 10_000 });
    server.signal("SIGKILL");
    expect(await server.end).toBe("SIGKILL");
    expect(await cut).toBeNull();

    const url = await serve(environment).url;
    const list = await fetch(`${url}/v1${path}`, { headers });
    expect(await list.json()).toMatchObject({ data: [] });
    const [unfinished = ""] = filesIn(files);
    const old = new Date(Date.now() - HOUR_MS - 1_000);
    utimesSync(unfinished, old, old);
    await vi.waitFor(() => expect(filesIn(files)).toEqual([]), { timeout: 20_000 });
  });

  it("are told of when their directory cannot be", async () => {
    const server = serve({ DATABASE_URL: "memory:", BUDGETKIT_ATTACHMENTS_DIR: "/dev/null/files" });
    expect(await server.end).toBe(1);
    expect(server.printed()).toContain("BUDGETKIT_ATTACHMENTS_DIR cannot be used");
  });

  it("end with the process where its data do", async () => {
    const folder = temporaryFolder();
    const server = serve({ DATABASE_URL: "memory:", TMPDIR: folder });
    await server.url;
    expect(readdirSync(folder)).toHaveLength(1);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});
