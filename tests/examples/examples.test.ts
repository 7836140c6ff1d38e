import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { builtExample } from "../programs/build-programs.js";
import { answersElsewhere, freePort, startProgram } from "../programs/running-program.js";

describe.each(["embed-hono", "embed-express"])("the example %s", (name) => {
  let main = "";
  beforeAll(async () => {
    main = await builtExample(name);
  });

  it("each example serves its own routes and the API over the same budgets", async () => {
    const program = startProgram(main, { PORT: String(await freePort()), DEMO_SESSION: "of-ana" });
    const url = await program.url;
    expect(await answersElsewhere(new URL(url).port)).toBe(false);
    const order = { customer: "c-1", items: [{ description: "Oak table", quantity: 2, unitPrice: 450 }] };
    const placed = await send("POST", `${url}/orders`, order);
    expect(placed).toMatchObject({ status: 201, body: { id: "1", customer: "c-1", budget: { total: 900 } } });
    expect(await send("POST", `${url}/orders`, { ...order, items: [] })).toMatchObject({ status: 400 });

    const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
    const key = await send("POST", `${url}/v1/api-keys`, { name: "k", scopes }, { "x-session": "of-ana" });
    expect(key.status).toBe(201);
    expect((await send("POST", `${url}/v1/api-keys`, { name: "k", scopes }, { "x-session": "" })).status).toBe(401);

    const signedIn = await send("GET", `${url}/dashboard/session`, undefined, { cookie: "session=of-ana" });
    expect(signedIn).toMatchObject({ status: 200, body: { data: { userId: "1", role: "OWNER" } } });
    expect((await send("GET", `${url}/dashboard/session`)).status).toBe(401);

    const credential = { authorization: `Bearer ${key.body.key}` };
    const budgetUrl = `${url}/v1/api/public/budgets/${placed.body.budget.id}`;
    expect((await send("PUT", budgetUrl, { status: "APPROVED" }, credential)).status).toBe(200);
    const link = await send("POST", `${budgetUrl}/public-link`, {}, credential);
    expect(await send("GET", link.body.data.publicUrl)).toMatchObject({ status: 200, body: { data: { total: 900 } } });
    expect(await send("GET", `${url}/orders/1`)).toMatchObject({
      status: 200,
      body: { budget: { status: "APPROVED" } },
    });
    expect((await send("GET", `${url}/orders/2`)).status).toBe(404);

    program.signal("SIGTERM");
    expect(await program.end).toBe(0);
  });

  it("each example stays short", () => {
    const source = fileURLToPath(new URL(`../../examples/${name}/src/main.ts`, import.meta.url));
    expect(readFileSync(source, "utf8").trimEnd().split("\n").length).toBeLessThan(60);
  });
});

async function send(method: string, url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, "content-type": "application/json", connection: "close" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
