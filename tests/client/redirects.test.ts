import { type Client, createClient } from "@budgetkit/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";

const BUDGET = { customerId: "ana", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
const PAGE = { data: [], pagination: {} };

/** A client of an address that redirects everything to another origin, and what both were asked for. */
async function redirected(status: number): Promise<{ client: Client; asked: string[]; arrived: string[] }> {
  const asked: string[] = [];
  const arrived: string[] = [];
  const elsewhere = await listen((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify(PAGE));
  });
  const former = await listen((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}${request.url}` }).end();
  });
  onTestFinished(async () => {
    await former.close();
    await elsewhere.close();
  });
  return { client: createClient({ baseUrl: `http://127.0.0.1:${former.port}/v1`, apiKey: "k" }), asked, arrived };
}

const writes: readonly [string, (client: Client) => Promise<unknown>][] = [
  ["POST /v1/api/public/budgets", (client) => client.budgets.create(BUDGET)],
  ["POST /v1/auth/login", (client) => client.auth.login({ email: "olga@example.com", password: "correct horse" })],
  ["DELETE /v1/api/public/budgets/1", (client) => client.budgets.delete("1")],
];

describe("A redirect", () => {
  it.each([301, 302, 303, 307, 308])("a write follows no redirect %i, and fails with the reason", async (status) => {
    const { client, asked, arrived } = await redirected(status);
    for (const [, write] of writes) {
      const error = await write(client).catch((failure: unknown) => failure);
      expect(error).toMatchObject({ name: "BudgetkitError", status, code: "UNEXPECTED_ANSWER" });
      expect(error).toMatchObject({ message: expect.stringMatching(/redirect.*baseUrl/) });
    }
    expect(asked).toEqual(writes.map(([request]) => request)); // each once
    expect(arrived).toEqual([]);
  });

  it("signingKeys follows no redirect, which would lead to the keys of another service", async () => {
    const { client, arrived } = await redirected(302);
    const error = await client.signingKeys().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ status: 302, code: "UNEXPECTED_ANSWER", message: expect.stringMatching(/baseUrl/) });
    expect(arrived).toEqual([]);
  });

  it("a read follows a redirect", async () => {
    const { client, arrived } = await redirected(308);
    expect(await client.budgets.list()).toEqual(PAGE);
    expect(arrived).toEqual(["GET /v1/api/public/budgets"]);
  });
});
