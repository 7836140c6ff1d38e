import { join } from "node:path";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { rounds } from "@budgetkit/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../programs/api-client.js";
import { quickServer } from "../programs/build-programs.js";
import { startMailServer } from "../programs/mail-server.js";
import { startProgram, temporaryFolder } from "../programs/running-program.js";
import { clockAhead } from "../programs/shifted-clock.js";
import { findViolations } from "./store-invariants.js";
import { prepareBusiness } from "./workload/business.js";

const KILLS = rounds({ small: 1, full: 20 });
/** A mail that a kill cuts off is claimed again when its lease lapses: each server's clock is ahead by more than that. */
const APART_MS = 200_000;
const WAIT = { timeout: 120_000, interval: 25 };
const secret = "a secret of at least thirty-two characters";

let main = "";
beforeAll(async () => {
  main = await quickServer();
});

describe("a server that is killed when the mail server has taken a mail", () => {
  it("a mail of a killed server is sent once more by the next one, with the same Message-ID, and then not again", {
    timeout: 3_600_000,
  }, async () => {
    let onTaken = (): void => {};
    const mailServer = await startMailServer(() => onTaken());
    const path = join(temporaryFolder(), "b.db");
    const business = await prepareBusiness(sqliteStore(path), secret);
    const start = (life: number) =>
      startProgram(main, {
        ...clockAhead(life * APART_MS),
        PORT: "0",
        DATABASE_URL: `file:${path}`,
        BUDGETKIT_SECRET: secret,
        SMTP_URL: mailServer.url,
        MAIL_FROM: "Budgets <budgets@example.org>",
      });

    let server = start(0);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      onTaken = () => server.signal("SIGKILL"); // it cannot settle: it has no answer of the mail server yet
      const budgetId = await sendBudget(await server.url, business.key);
      expect(await server.end).toBe("SIGKILL");
      onTaken = () => {};
      server = start(kill);
      const url = await server.url;
      const state = async () =>
        (await ask(url, business.key, "GET", `/api/public/budgets/${budgetId}/mails`)).body.data;
      await expect.poll(state, WAIT).toMatchObject([{ status: "sent", attempts: 2 }]);
      expect(mailServer.taken).toHaveLength(2 * kill);
    }
    server.signal("SIGTERM");
    expect(await server.end).toBe(0);
    const [copies, mails] = [mailServer.taken, new Set(mailServer.taken)];
    expect(mails.size).toBe(KILLS);
    for (const messageId of mails) expect(copies.filter((copy) => copy === messageId)).toHaveLength(2);
    const store = sqliteStore(path);
    expect(await findViolations(store, { businessId: business.businessId, creations: [] })).toEqual([]);
    await store.close();
  });
});

/** Sends a draft, whose link is made for the mail. @returns the id of the budget */
async function sendBudget(url: string, key: string): Promise<string> {
  const input = { customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice: 1 }] };
  const { id } = (await ask(url, key, "POST", "/api/public/budgets", input)).body.data;
  // The server may be killed before this is answered; the mail is queued then.
  await ask(url, key, "POST", `/api/public/budgets/${id}/send`, { to: "ana@example.org" }).catch(() => {});
  return id;
}
