import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { besideFolder, blocksOf } from "../docs/code/page-code.js";
import { quickServer } from "../programs/build-programs.js";
import {
  type Environment,
  freePort,
  type RunningProgram,
  startProgram,
  takenPort,
  temporaryFolder,
} from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/observability.md"), "utf8");
const PASSWORD = "correct horse";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

const serve = (environment: Environment) =>
  startProgram(main, { PORT: "0", METRICS_PORT: "0", BUDGETKIT_ADMIN_PASSWORD: PASSWORD, ...environment });

/** The URL of the metrics, which the program prints. */
async function metricsUrlOf(server: RunningProgram): Promise<string> {
  await server.url;
  const announced = () => /Metrics are at (\S+)\n/.exec(server.printed())?.[1] ?? "";
  await expect.poll(announced).not.toBe("");
  return announced();
}

async function read(url: string): Promise<string> {
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
  return answer.text();
}

/** The value of the sample that has these labels among its own. */
function sample(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const line = text
    .split("\n")
    .find(
      (each) =>
        each.startsWith(name) && Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)),
    );
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}

/** A key that may make one request an hour. */
async function keyOf(url: string): Promise<string> {
  const post = async (path: string, body: unknown, token = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    return JSON.parse(await answer.text());
  };
  const { access_token } = await post("/auth/login", { email: "admin@example.com", password: PASSWORD });
  const settings = { name: "shop", scopes: ["READ_BUDGETS"], rateLimitPerHour: 1 };
  return (await post("/api-keys", settings, access_token)).key;
}

describe("the metrics of the standalone server", () => {
  it("metrics count requests, refusals, the store, the backlog and the process, on their own port", async () => {
    const server = serve({ DATABASE_URL: "memory:" });
    const [url, metrics] = [await server.url, await metricsUrlOf(server)];
    const authorization = `Bearer ${await keyOf(url)}`;
    for (const status of [200, 429, 429]) {
      expect((await fetch(`${url}/v1/api/public/budgets`, { headers: { authorization } })).status).toBe(status);
    }
    await fetch(`${url}/nowhere?email=ana@example.com`);
    const text = await read(metrics);
    const count = (status: string, route: string) =>
      sample(text, "http_server_request_duration_seconds_count", {
        http_route: route,
        http_response_status_code: status,
      });
    const budgets = "/api/public/budgets";
    expect([count("200", budgets), count("429", budgets), count("404", "")]).toEqual([1, 2, 1]);
    expect(sample(text, "budgetkit_limiter_refusals_total", { http_route: budgets })).toBe(2);
    const calls = { db_system_name: "sqlite", db_operation_name: "findKeyByHash" };
    expect(sample(text, "db_client_operation_duration_seconds_count", calls)).toBe(3);
    for (const kind of ["undispatched_events", "due_deliveries"]) {
      expect(sample(text, "budgetkit_outbox_backlog", { kind })).toBe(0);
    }
    expect(text).toContain("\nnodejs_eventloop_lag_seconds ");
    expect(text).toContain("\nprocess_resident_memory_bytes ");
    expect(text).not.toMatch(/@example|bgk_live/);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL("/", metrics))).status).toBe(404);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
  });

  it("serves no metrics by default", async () => {
    const { url } = await serveHere({ DATABASE_URL: "memory:" }); // server.test.ts expects all that a process prints
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it("metrics are those of all workers together", async () => {
    const server = serve({ DATABASE_URL: `file:${temporaryFolder()}/b.db`, WEB_CONCURRENCY: "2" });
    const [url, metrics] = [await server.url, await metricsUrlOf(server)];
    for (let request = 0; request < 6; request += 1) {
      await fetch(`${url}/v1/api/public/budgets`, { headers: { connection: "close" } });
    }
    const text = await read(metrics);
    const labels = { http_route: "/api/public/budgets", http_response_status_code: "401" };
    expect(sample(text, "http_server_request_duration_seconds_count", labels)).toBe(6);
    expect(sample(text, "budgetkit_outbox_backlog", { kind: "due_deliveries" })).toBe(0);
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
  });

  it("refuses to start when the port of the metrics is taken", async () => {
    const port = await takenPort();
    const server = serve({ DATABASE_URL: "memory:", METRICS_PORT: port });
    expect(await server.end).toBe(1);
    expect(server.printed()).toMatch(new RegExp(`^METRICS_PORT ${port} cannot be used`));
  });
});

describe("the page about observability", () => {
  const [, code = ""] = blocksOf(page, "ts");

  it("the program in docs/observability.md serves metrics, and still serves when the store fails", async () => {
    const port = String(await freePort());
    const inMemory = `sqliteStore(":memory:")`;
    const closing = code
      .replace(inMemory, "store")
      .replace("const service", `const store = ${inMemory};\nconst service`);
    const program = besideFolder("packages/cli", `${closing}\nprocess.once("SIGINT", () => store.close());`);
    const environment = { METRICS_PORT: port, BUDGETKIT_SECRET: "s".repeat(32) };
    const running = startProgram(program, environment, temporaryFolder());
    const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`);
    const isServed = () =>
      scrape().then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isServed).toBe(true);
    const text = await (await scrape()).text();
    const labels = { route: "/api/public/budgets", status: "401" };
    expect(sample(text, "http_server_request_duration_seconds_count", labels)).toBe(1);
    expect(sample(text, "budgetkit_outbox_due_deliveries", {})).toBe(0);
    running.signal("SIGINT");
    await expect.poll(async () => (await scrape()).status).toBe(500);
    expect((await scrape()).status).toBe(500);
  });

  it("docs/observability.md lists every metric of the server", async () => {
    const source = readFileSync(join(root, "packages/cli/src/server/metrics.ts"), "utf8");
    const names = [...source.matchAll(/name: "(\w+)"/g)].map(([, name]) => name);
    expect(names).toHaveLength(5);
    for (const name of names) expect(page).toContain(`| \`${name}\``);
  });
});
