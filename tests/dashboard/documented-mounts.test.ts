import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { codeBlocks } from "../docs/code/code-blocks.js";
import { pageFolder } from "../docs/code/page-folder.js";
import { builtServer } from "../programs/build-programs.js";
import { freePort, startProgram } from "../programs/running-program.js";

const page = readFileSync(new URL("../../docs/dashboard.md", import.meta.url), "utf8");
const SECRET = { BUDGETKIT_SECRET: "a secret of at least thirty-two characters" };

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe("docs/dashboard.md", () => {
  it.each(["hono", "express"])("the host %s in docs/dashboard.md serves the dashboard beside the API", async (name) => {
    const folder = pageFolder(codeBlocks("", page));
    const port = await freePort();
    const host = startProgram(join(folder.path, `${name}.js`), { ...SECRET, PORT: String(port) }, folder.path);
    const ask = (path: string, init = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" }, ...init });
    const session = await vi.waitFor(() => ask("/dashboard/session"), { timeout: 120_000 });
    expect([session.status, JSON.parse(await session.text()).error]).toEqual([401, "unauthorized"]);
    expect((await ask("/dashboard/session", { method: "DELETE" })).status).toBe(403);
    expect((await ask("/dashboard/service/openapi.json")).status).toBe(200);
    expect((await ask("/v1/openapi.json")).status).toBe(200);
    host.signal("SIGKILL");
    await host.end;
  });

  it("the Next.js file in docs/dashboard.md answers at its path", async () => {
    const folder = pageFolder(codeBlocks("", page));
    const script = `
      const { DELETE, GET } = await import("./app/dashboard/[[...path]]/route.js");
      const at = (path, init) => new Request("http://localhost:3000/dashboard" + path, init);
      const session = await GET(at("/session"));
      const headers = { "x-budgetkit-dashboard": "1" };
      const ended = await DELETE(at("/session", { method: "DELETE", headers }));
      console.log(session.status, ended.status, (await GET(at("/service/openapi.json"))).status);
      process.exit(0);
    `;
    writeFileSync(join(folder.path, "next.js"), script);
    const program = startProgram(join(folder.path, "next.js"), SECRET, folder.path);
    expect(await program.end, program.printed()).toBe(0);
    expect(program.printed()).toBe("401 204 200\n");
  });
});
