import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createBudgetService } from "@budgetkit/core";
import { memoryStore } from "@budgetkit/core/testing";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startReceiver } from "../packages/core/src/testing/receiver.js";
import { builtServer } from "./build-programs.js";
import { besideExample, blocksOf } from "./page-code.js";
import { freePort, startProgram, temporaryFolder } from "./running-program.js";

vi.setConfig({ testTimeout: 60_000 });

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
const [receiverCode = "", standardCode = ""] = blocksOf(page, "ts");
const [pythonCode = ""] = blocksOf(page, "python");
const [goCode = ""] = blocksOf(page, "go");
const EXAMPLE = "embed-hono";

/** The program that a command stands for, behind whatever shims there are; null = not on this machine. */
const python = outputOf("python3", ["-c", "import sys; print(sys.executable)"]);
const hasGo = outputOf("go", ["version"]) !== null;

beforeAll(async () => {
  await builtServer(); // and with it every package
}, 180_000);

describe("the page about webhooks", () => {
  it("has a receiver in TypeScript that takes genuine calls and no others", async () => {
    await expectToReceive(besideExample(EXAMPLE, receiverCode), process.execPath);
  });

  it.skipIf(python === null)("has one in Python", async () => {
    const script = join(temporaryFolder(), "receiver.py");
    writeFileSync(script, pythonCode);
    await expectToReceive(script, python ?? "");
  });

  it.skipIf(!hasGo)("has one in Go", async () => {
    const folder = temporaryFolder();
    const source = join(folder, "receiver.go");
    writeFileSync(source, goCode);
    const built = spawnSync("go", ["build", "-o", join(folder, "receiver"), source], { encoding: "utf8" });
    expect(built.stderr).toBe("");
    await expectToReceive(source, join(folder, "receiver"));
  });

  it("verifies with the package of Standard Webhooks", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { secret, send } = await senderTo(receiver.origin);
    await send();
    const [call] = receiver.calls;
    const { verify } = await import(pathToFileURL(besideExample(EXAMPLE, standardCode)).href);
    expect(verify(call?.body, call?.headers, secret)).toMatchObject({ event: "budget.approved" });
    expect(() => verify(`${call?.body} `, call?.headers, secret)).toThrow();
  });

  it("names every route of webhooks and deliveries", () => {
    for (const path of [
      "/api/public/webhooks/test",
      "/api/developer/webhooks",
      "/recover",
      "/secret/rotate",
      "/retry",
    ]) {
      expect(page).toContain(path);
    }
  });
});

/** Runs a receiver of the page and calls it from a real service, with the right secret and with another one. */
async function expectToReceive(script: string, interpreter: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const { secret, send, rotate } = await senderTo(url);
  const environment = { PORT: String(port), WEBHOOK_SECRET: secret };
  const program = startProgram(script, environment, temporaryFolder(), interpreter);
  await vi.waitFor(() => fetch(url), { timeout: 20_000 });
  expect(await send()).toMatchObject({ status: "delivered", response_code: 204 });
  await vi.waitFor(() => expect(program.printed()).toContain("budget.approved"));
  await rotate();
  expect(await send(), "under both secrets").toMatchObject({ status: "delivered", response_code: 204 });
  const stranger = await senderTo(url);
  expect(await stranger.send()).toMatchObject({ status: "failed", response_code: 401 });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const call = { "webhook-id": "1", "webhook-timestamp": timestamp, "webhook-signature": "v1,é v1  v2,AAAA" };
  for (const forged of [{}, call, { ...call, "webhook-timestamp": "now" }]) {
    expect((await fetch(url, { method: "POST", headers: forged, body: "{}" })).status).toBe(401);
  }
}

/** A service with an endpoint at `url`, which it can call. */
async function senderTo(url: string) {
  const secret = "a secret of at least thirty-two characters";
  const service = createBudgetService({ store: memoryStore(), secret, allowPrivateDestinations: true });
  onTestFinished(() => service.stop());
  const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const endpoint = (await service.webhooks.create(actor, { url }))._unsafeUnwrap();
  return {
    secret: endpoint.secret,
    send: async () => {
      const call = { event: "budget.approved", data: { id: "42", notes: "Ñandú 🐦" } } as const;
      return (await service.webhooks.test(actor, endpoint.id, call))._unsafeUnwrap();
    },
    rotate: () => service.webhooks.rotateSecret(actor, endpoint.id),
  };
}

function outputOf(command: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
