import { existsSync, readdirSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { builtServer } from "./build-programs.js";
import { type Environment, linesToPaste, paste, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 60_000 });

let main = "";
beforeAll(async () => {
  main = await builtServer();
}, 180_000);

const serve = (environment: Environment) => startProgram(main, { PORT: "0", ...environment });

interface Budget {
  readonly id: string;
  readonly status: string;
}

function dataOf<T>(text: string): T {
  return JSON.parse(text).data;
}

/** What the pasted lines print: the list, the key, the public link and the approved budget. */
function readPasted(said: string) {
  const [list = "", key = "", link = "", approved = ""] = said.trim().split("\n");
  return {
    list: dataOf<Budget[]>(list),
    approved: dataOf<Budget>(approved),
    key: /^API key: (bgk_live_\S+)$/.exec(key)?.[1] ?? "",
    link: /^Open in a browser: (\S+)$/.exec(link)?.[1] ?? "",
  };
}

describe.each(["hono", "express"])("the standalone server behind %s", (framework) => {
  it("shows on its first start how to begin, in lines that work, and keeps everything for the next", async () => {
    const folder = temporaryFolder();
    const environment = { BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: `file:${folder}/data/b.db` };
    const first = serve(environment);
    const url = await first.url;
    expect(first.printed()).toMatch(/the business \d+ was made/);
    const said = readPasted(await paste(linesToPaste(first.printed())));
    expect(said.list).toMatchObject([{ id: said.approved.id, status: "PENDING", total: 929.28 }]);
    expect(said.approved.status).toBe("APPROVED");
    expect(said.link.startsWith(`${url}/p/`)).toBe(true);
    const page = await fetch(said.link, { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Oak table");
    for (const name of ["b.db", "b.db-secret"]) expect(statSync(join(folder, "data", name)).mode & 0o777).toBe(0o600);
    first.signal("SIGTERM");
    expect(await first.end).toBe(0);

    const second = serve(environment);
    const nextUrl = await second.url;
    expect(second.printed()).toBe(
      `Budgetkit listens on ${nextUrl}\nThe interface is at ${nextUrl}/v1; to be read and tried in a browser with a key: ${nextUrl}/v1/docs\n`,
    );
    for (const path of ["/v1/api/public/budgets", "/api/public/budgets"]) {
      const list = await fetch(`${nextUrl}${path}`, { headers: { authorization: `Bearer ${said.key}` } });
      expect(dataOf<Budget[]>(await list.text())).toMatchObject([{ id: said.approved.id, status: "APPROVED" }]);
    }
  });

  it("tells that it lives and that it is ready", async () => {
    const url = await serve({ BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: "memory:" }).url;
    for (const [path, status] of [
      ["/healthz", "alive"],
      ["/readyz", "ready"],
    ]) {
      const answer = await fetch(`${url}${path}`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status });
    }
  });

  it("finishes a request under way when it is told to stop, and exits with 0", async () => {
    const folder = temporaryFolder();
    const environment = { BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: `file:${folder}/b.db` };
    const first = serve(environment);
    const url = await first.url;
    const { key } = readPasted(await paste(linesToPaste(first.printed())));
    const slow = await beginCreate(url, key);
    first.signal("SIGTERM");
    first.signal("SIGINT"); // a terminal may send both
    await untilRefused(url);
    const answer = await slow.finish();
    expect(answer).toMatchObject({ status: 201, connection: "close" });
    expect(await first.end).toBe(0);

    const nextUrl = await serve(environment).url;
    const { id } = dataOf<Budget>(answer.body);
    const kept = await fetch(`${nextUrl}/v1/api/public/budgets/${id}`, { headers: { authorization: `Bearer ${key}` } });
    expect(kept.status).toBe(200);
  });

  it("refuses a body beyond the limit and goes on", async () => {
    const url = await serve({ BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: "memory:" }).url;
    const login = (body: string) =>
      fetch(`${url}/v1/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect((await login(`{"email":"${"a".repeat(2 ** 21)}"}`)).status).toBe(413);
    expect((await login("{}")).status).toBe(400);
  });
});

describe("the standalone server", () => {
  it("does not print a password that the environment gave, whatever characters it has", async () => {
    const password = `pa"ss\\wo$rd 'x\` é`;
    const email = "ana.o'hara@example.org";
    const server = serve({
      DATABASE_URL: "memory:",
      BUDGETKIT_ADMIN_EMAIL: email,
      BUDGETKIT_ADMIN_PASSWORD: password,
    });
    await server.url;
    expect(server.printed()).not.toContain("wo$rd");
    const said = await paste(linesToPaste(server.printed()), { BUDGETKIT_ADMIN_PASSWORD: password });
    expect(readPasted(said).approved.status).toBe("APPROVED");
  });

  it("keeps its data below the working directory unless told otherwise, and nothing at all in memory", async () => {
    const folder = temporaryFolder();
    await startProgram(main, { PORT: "0", DATABASE_URL: "memory:" }, folder).url;
    expect(readdirSync(folder)).toEqual([]);
    const server = startProgram(main, { PORT: "0" }, folder);
    await server.url;
    expect(readdirSync(join(folder, "data"))).toContain("budgetkit.db");
    server.signal("SIGINT");
    expect(await server.end).toBe(0);
  });

  it("lets public links lead where it is told to", async () => {
    const server = serve({ DATABASE_URL: "memory:", BUDGETKIT_PUBLIC_URL: "https://quotes.example.com/offers/" });
    await server.url;
    const { link } = readPasted(await paste(linesToPaste(server.printed())));
    expect(link).toMatch(/^https:\/\/quotes\.example\.com\/offers\/p\/[\w-]{43}$/);
  });

  it("shows its interface as a page, unless it is told not to", async () => {
    for (const [setting, status] of [
      ["true", 200],
      ["false", 404],
    ] as const) {
      const server = serve({ DATABASE_URL: "memory:", BUDGETKIT_DOCS: setting });
      const url = `${await server.url}/v1/docs`;
      expect((await fetch(url)).status).toBe(status);
      expect(server.printed().includes(url)).toBe(status === 200);
    }
  });

  it("keeps the sessions of a secret that a new one stands in front of", async () => {
    const folder = temporaryFolder();
    const environment = { DATABASE_URL: `file:${folder}/b.db`, BUDGETKIT_ADMIN_PASSWORD: "correct horse" };
    const old = "o".repeat(32);
    const first = serve({ ...environment, BUDGETKIT_SECRET: old });
    const login = await fetch(`${await first.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "admin@example.com", password: "correct horse" }),
    });
    const { access_token } = JSON.parse(await login.text());
    first.signal("SIGTERM");
    await first.end;
    expect(existsSync(join(folder, "b.db-secret"))).toBe(false);
    const second = serve({ ...environment, BUDGETKIT_SECRET: `${"n".repeat(32)},${old}` });
    const keys = await fetch(`${await second.url}/v1/api-keys`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(keys.status).toBe(200);
  });

  it("names every wrong variable and ends with 1", async () => {
    const server = serve({ PORT: "80800", DATABASE_URL: "mysql://localhost/b", BUDGETKIT_SECRET: "short" });
    expect(await server.end).toBe(1);
    for (const name of ["PORT", "DATABASE_URL", "BUDGETKIT_SECRET"]) expect(server.printed()).toContain(`  ${name} `);
    expect(server.printed()).not.toContain("    at ");
  });

  it("says so when the port is in use, and touches nothing", async () => {
    const port = new URL(await serve({ DATABASE_URL: "memory:" }).url).port;
    const folder = temporaryFolder();
    const second = startProgram(main, { PORT: port, DATABASE_URL: `file:${folder}/b.db` });
    expect(await second.end).toBe(1);
    expect(second.printed()).toMatch(new RegExp(`^PORT ${port} is in use on 127\\.0\\.0\\.1\\.`));
    expect(existsSync(join(folder, "b.db"))).toBe(false);
  });

  it("says so when the database cannot be opened", async () => {
    const server = serve({ DATABASE_URL: "file:/dev/null/b.db" });
    expect(await server.end).toBe(1);
    expect(server.printed()).not.toContain("    at ");
  });
});

/** Sends the head of a creation and half of its body; the server is at it when this resolves. */
async function beginCreate(url: string, key: string) {
  const body = JSON.stringify({ customerId: "c", items: [{ description: "Late", quantity: 1, unitPrice: 1 }] });
  const request = httpRequest(`${url}/v1/api/public/budgets`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      expect: "100-continue",
    },
  });
  request.flushHeaders();
  await new Promise((resolve, reject) => request.once("continue", resolve).once("error", reject));
  request.write(body.slice(0, 10));
  return {
    finish: () =>
      new Promise<{ status: number; connection: string; body: string }>((resolve, reject) => {
        request.once("error", reject);
        request.once("response", (response) => {
          let text = "";
          response.on("data", (chunk) => {
            text += String(chunk);
          });
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, connection: response.headers.connection ?? "", body: text }),
          );
        });
        request.end(body.slice(10));
      }),
  };
}

async function untilRefused(url: string): Promise<void> {
  while (
    await fetch(`${url}/healthz`, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    )
  ) {
    await pause(5);
  }
}
