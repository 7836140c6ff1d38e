import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SCALE } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { StartFailure } from "../../packages/cli/src/terminal/failures.js";
import { openDatabase } from "../../packages/store-sqlite/src/engine/database.js";
import { builtServer } from "../programs/build-programs.js";
import { type Environment, linesToPaste, paste, startProgram, temporaryFolder } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

let main = "";
beforeAll(async () => {
  main = await builtServer();
});

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

/** A small run leaves Express to `attachments.test.ts`, whose process serves by it. */
describe.each(SCALE === "full" ? ["hono", "express"] : ["hono"])("the standalone server behind %s", (framework) => {
  it("prints lines on its first start that work when pasted, ends well on signals, and keeps its data", async () => {
    const folder = temporaryFolder();
    const start = () => startProgram(main, { PORT: "0", BUDGETKIT_FRAMEWORK: framework }, folder);
    const first = start();
    const url = await first.url;
    expect(first.printed()).toMatch(/made the business \d+/);
    const password = readFileSync(join(folder, "data/budgetkit.db-owner-password"), "utf8").trim();
    expect(password).toMatch(/^[\w-]{24}$/);
    expect(first.printed()).not.toContain(password);
    const said = readPasted(await paste(linesToPaste(first.printed())));
    expect(said.list).toMatchObject([{ id: said.approved.id, status: "PENDING", total: 929.28 }]);
    expect(said.approved.status).toBe("APPROVED");
    expect(said.link.startsWith(`${url}/v1/p/`)).toBe(true);
    const page = await fetch(said.link, { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Oak table");
    const stored = openDatabase(join(folder, "data/budgetkit.db"));
    expect(stored.prepare("SELECT password_hash FROM budgetkit_users").pluck().get()).toMatch(
      /^\$scrypt\$ln=17,r=8,p=1\$/,
    );
    stored.close();
    for (const name of ["budgetkit.db", "budgetkit.db-secret", "budgetkit.db-owner-password"]) {
      expect(statSync(join(folder, "data", name)).mode & 0o777).toBe(0o600);
    }

    const slow = await beginCreate(url, said.key);
    first.signal("SIGTERM");
    first.signal("SIGINT"); // a terminal may send both
    await untilRefused(url);
    const answer = await slow.finish();
    expect(answer).toMatchObject({ status: 201, connection: "close" });
    expect(await first.end).toBe(0);
    const late = dataOf<Budget>(answer.body);

    const second = start();
    const nextUrl = await second.url;
    expect(second.printed()).toBe(
      `Budgetkit listens on ${nextUrl}\nDashboard, to open in a browser: ${nextUrl}/dashboard\nThe API is at ${nextUrl}/v1\nReference, to try with a key: ${nextUrl}/v1/docs\n`,
    );
    for (const path of ["/v1/api/public/budgets", "/api/public/budgets"]) {
      const list = await fetch(`${nextUrl}${path}`, { headers: { authorization: `Bearer ${said.key}` } });
      expect(dataOf<Budget[]>(await list.text())).toMatchObject([
        { id: late.id, status: "PENDING" },
        { id: said.approved.id, status: "APPROVED" },
      ]);
    }
    second.signal("SIGINT");
    expect(await second.end).toBe(0);
  });
});

describe("the standalone server", () => {
  it.each(["hono", "express"])(
    "answers probes, and still serves after it has refused a body beyond the limit, behind %s",
    async (framework) => {
      const { url } = await serveHere({ BUDGETKIT_FRAMEWORK: framework, DATABASE_URL: "memory:" });
      for (const [path, status] of [
        ["/healthz", "alive"],
        ["/readyz", "ready"],
      ]) {
        const answer = await fetch(`${url}${path}`);
        expect(answer.status).toBe(200);
        expect(await answer.json()).toEqual({ status });
      }
      const login = (body: string) =>
        fetch(`${url}/v1/auth/login`, { method: "POST", headers: { "content-type": "application/json" }, body });
      expect((await login(`{"email":"${"a".repeat(2 ** 21)}"}`)).status).toBe(413);
      expect((await login("{}")).status).toBe(400);
    },
  );

  it("prints no password from the environment, serves no reference page when off, and links to the configured URL", async () => {
    const password = `pa"ss\\wo$rd 'x\` é`;
    const server = await serveHere({
      DATABASE_URL: "memory:",
      BUDGETKIT_ADMIN_EMAIL: "ana.o'hara@example.org",
      BUDGETKIT_ADMIN_PASSWORD: password,
      BUDGETKIT_PUBLIC_URL: "https://quotes.example.com/offers/",
      BUDGETKIT_DOCS: "false",
    });
    expect(server.printed).not.toContain("wo$rd");
    const said = readPasted(await paste(linesToPaste(server.printed), { BUDGETKIT_ADMIN_PASSWORD: password }));
    expect(said.approved.status).toBe("APPROVED");
    expect(said.link).toMatch(/^https:\/\/quotes\.example\.com\/offers\/p\/[\w-]{43}$/);
    const docs = `${server.url}/v1/docs`;
    expect((await fetch(docs)).status).toBe(404);
    expect(server.printed).not.toContain(docs);
  });

  it("accepts the sessions of an old secret that follows a new one", async () => {
    const folder = temporaryFolder();
    const environment = { DATABASE_URL: `file:${folder}/b.db`, BUDGETKIT_ADMIN_PASSWORD: "correct horse" };
    const old = "o".repeat(32);
    const first = await serveHere({ ...environment, BUDGETKIT_SECRET: old });
    const login = await fetch(`${first.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "admin@example.com", password: "correct horse" }),
    });
    const { access_token } = JSON.parse(await login.text());
    await first.stop();
    expect(existsSync(join(folder, "b.db-secret"))).toBe(false);
    const second = await serveHere({ ...environment, BUDGETKIT_SECRET: `${"n".repeat(32)},${old}` });
    const keys = await fetch(`${second.url}/v1/api-keys`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(keys.status).toBe(200);
  });

  it("prints every wrong variable and exits with 1", async () => {
    const wrong = { PORT: "80800", DATABASE_URL: "mysql://localhost/b", BUDGETKIT_SECRET: "short" };
    const server = serve({ ...wrong, BUDGETKIT_PROT: "3001" });
    expect(await server.end).toBe(1);
    expect(server.printed()).toMatch(/^BUDGETKIT_PROT is not a setting of the server\. Did you mean PORT\?\n/);
    for (const name of ["PORT", "DATABASE_URL", "BUDGETKIT_SECRET"]) expect(server.printed()).toContain(`  ${name} `);
    expect(server.printed()).not.toContain("    at ");
  });

  it("serves a reference page by default, and a second server on its port refuses to start and writes nothing", async () => {
    const first = await serveHere({ DATABASE_URL: "memory:" });
    const docs = `${first.url}/v1/docs`;
    expect((await fetch(docs)).status).toBe(200);
    expect(first.printed).toContain(docs);
    const { port } = new URL(first.url);
    const folder = temporaryFolder();
    const second = startProgram(main, { PORT: port }, folder);
    expect(await second.end).toBe(1);
    expect(second.printed()).toMatch(new RegExp(`^PORT ${port} is in use on 127\\.0\\.0\\.1\\.`));
    expect(second.printed()).toContain(`To use another one: budgetkit serve --port ${Number(port) + 1}\n`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("reports a database that cannot be opened", async () => {
    await expect(serveHere({ DATABASE_URL: "file:/dev/null/b.db" })).rejects.toThrow(StartFailure);
  });
});

/** Sends the head of a creation and part of its body. Resolves when the server waits for the rest. */
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
