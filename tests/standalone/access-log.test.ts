import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";

const LOGIN = { email: "ana@example.org", password: "correct horse battery" };
const ADMIN = { BUDGETKIT_ADMIN_EMAIL: LOGIN.email, BUDGETKIT_ADMIN_PASSWORD: LOGIN.password };
const BUDGETS = "/api/public/budgets";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("the log of the standalone server", () => {
  it("warns of a business name that a later start ignores", async () => {
    const environment = {
      ...ADMIN,
      PORT: "0",
      DATABASE_URL: `file:${temporaryFolder()}/b.db`,
      BUDGETKIT_LOG_LEVEL: "warn",
    };
    const printedWith = async (name: string) => {
      const program = startProgram(main, { ...environment, BUDGETKIT_BUSINESS_NAME: name });
      await program.url;
      program.signal("SIGTERM");
      expect(await program.end).toBe(0);
      return program.printed();
    };
    const warning =
      /warn BUDGETKIT_BUSINESS_NAME is ignored, .* the business \d+ keeps the name Norte\. .* business update \d+ --name …\n/;
    for (const name of ["Norte", "Norte", ""]) expect(await printedWith(name)).not.toMatch(/ warn /);
    expect(await printedWith("Sur")).toMatch(warning);
  });

  it("logs a JSON line for each request where no terminal is, and no secret", async () => {
    const environment = { ...ADMIN, BUDGETKIT_LOG_LEVEL: "", BUDGETKIT_LOG_FORMAT: "" }; // as if not set
    const folder = temporaryFolder();
    const program = startProgram(main, { PORT: "0", DATABASE_URL: "memory:", ...environment }, folder);
    const url = await program.url;
    const { body: login } = await ask(url, "", "POST", "/auth/login", LOGIN);
    const scopes = ["READ_BUDGETS", "WRITE_BUDGETS"];
    const { body: made } = await ask(url, login.access_token, "POST", "/api-keys", { name: "shop", scopes });
    const items = [{ description: "Chair", quantity: 1, unitPrice: 10 }];
    const { body: budget } = await ask(url, made.key, "POST", BUDGETS, { customerId: "ana", items });
    const { body: link } = await ask(url, made.key, "POST", `${BUDGETS}/${budget.data.id}/public-link`);
    const token = String(link.data.publicUrl).split("/p/")[1] ?? "";
    expect((await fetch(`${url}/v1/p/${token}`)).status).toBe(200);
    expect((await fetch(`${url}/v1/P/${token}?token=${token}`)).status).toBe(404);
    await fetch(`${url}/healthz`);
    program.signal("SIGTERM");
    expect(await program.end).toBe(0);

    const lines = program.printed().match(/^\{.*$/gm) ?? [];
    const requests = lines.map((line) => JSON.parse(line)).filter(({ method }) => method !== undefined);
    expect(requests.map(({ level, method, route, status }) => [level, method, route, status])).toEqual([
      ["info", "POST", "/auth/login", 201],
      ["info", "POST", "/api-keys", 201],
      ["info", "POST", BUDGETS, 201],
      ["info", "POST", `${BUDGETS}/{budgetId}/public-link`, expect.any(Number)],
      ["info", "GET", "/p/{token}", 200],
      ["info", "GET", null, 404],
    ]);
    expect(requests[2]).toMatchObject({ keyId: made.id, requestId: expect.any(String), bytes: expect.any(Number) });
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const secret of [token, made.key, login.access_token, LOGIN.password]) {
      expect(program.printed()).not.toContain(secret);
    }
  });
});
