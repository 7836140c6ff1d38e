import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createBudgetService } from "@budgetkit/core";
import { memoryStore, startReceiver } from "@budgetkit/testing";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { builtServer } from "../../programs/build-programs.js";
import { freePort, linesToPaste, paste, startProgram, temporaryFolder } from "../../programs/running-program.js";
import { besideExample, blocksOf } from "../code/page-code.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = readFileSync(join(root, "docs/webhooks.md"), "utf8");
const [receiverCode = "", standardCode = ""] = blocksOf(page, "ts");
const [subscribe = ""] = blocksOf(page, "sh");
const [pythonCode = ""] = blocksOf(page, "python");
const [goCode = ""] = blocksOf(page, "go");
const EXAMPLE = "embed-hono";

/** The program that a command stands for, behind whatever shims there are; null = not on this machine. */
const python = outputOf("python3", ["-c", "import sys; print(sys.executable)"]);
const hasGo = outputOf("go", ["version"]) !== null;

beforeAll(async () => {
  await builtServer(); // and with it every package
});

describe("the page about webhooks", () => {
  it("the TypeScript receiver in docs/webhooks.md accepts genuine calls and no others", async () => {
    const script = besideExample(EXAMPLE, receiverCode);
    await expectToReceive(script, process.execPath);
    for (const empty of ["", "whsec_"]) {
      const program = startProgram(script, { PORT: "0", WEBHOOK_SECRET: empty });
      expect(await program.end).toBe(1);
      expect(program.printed()).toContain("WEBHOOK_SECRET is not set");
    }
  });

  it("the TypeScript receiver in docs/webhooks.md refuses a body longer than 1 MiB", async () => {
    const { url } = await startedReceiver(besideExample(EXAMPLE, receiverCode), process.execPath, "a secret");
    const sendBytes = async (length: number) => (await fetch(url, { method: "POST", body: "x".repeat(length) })).status;
    expect([await sendBytes(1024 * 1024), await sendBytes(1024 * 1024 + 1)]).toEqual([401, 400]);
  });

  it.skipIf(python === null)("the Python receiver in docs/webhooks.md accepts genuine calls alone", async () => {
    const script = join(temporaryFolder(), "receiver.py");
    writeFileSync(script, pythonCode);
    await expectToReceive(script, python ?? "");
    await expectToRefuseAnEmptyKey(script, python ?? "");
  });

  it.skipIf(python === null)("the Python receiver in docs/webhooks.md refuses impossible lengths", async () => {
    const script = join(temporaryFolder(), "receiver.py");
    writeFileSync(script, pythonCode);
    const { port } = await startedReceiver(script, python ?? "", "a secret");
    for (const length of ["-1", "+2", "two", "1048577", "9".repeat(5_000)]) {
      const [answer] = await once(beginCall(port, length), "data");
      expect(String(answer), length).toMatch(/^HTTP\/1\.\d 400 /);
    }
  });

  it.skipIf(!hasGo)("the Go receiver in docs/webhooks.md accepts genuine calls and no others", async () => {
    const folder = temporaryFolder();
    const source = join(folder, "receiver.go");
    writeFileSync(source, goCode);
    const built = spawnSync("go", ["build", "-o", join(folder, "receiver"), source], { encoding: "utf8" });
    expect(built.stderr).toBe("");
    await expectToReceive(source, join(folder, "receiver"));
    await expectToRefuseAnEmptyKey(source, join(folder, "receiver"));
  });

  it("the code in docs/webhooks.md verifies with the package of Standard Webhooks", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { secret, send } = await senderTo(receiver.origin);
    await send();
    const [call] = receiver.calls;
    const { verify } = await import(pathToFileURL(besideExample(EXAMPLE, standardCode)).href);
    expect(verify(call?.body, call?.headers, secret)).toMatchObject({ event: "budget.approved" });
    expect(() => verify(`${call?.body} `, call?.headers, secret)).toThrow();
  });

  it("the shell lines in docs/webhooks.md lead from the first start of a server to a call", async () => {
    const settings = { PORT: "0", DATABASE_URL: "memory:", BUDGETKIT_ALLOW_PRIVATE_DESTINATIONS: "true" };
    const server = startProgram(await builtServer(), settings);
    await server.url;
    const port = await freePort();
    const lines = subscribe.replace(":8080", `:${port}`);
    const printed = await paste(`${linesToPaste(server.printed())}\n${lines}`);
    const secret = /"secret":"(whsec_[^"]+)"/.exec(printed)?.[1] ?? "";
    const receiver = await startedReceiver(besideExample(EXAMPLE, receiverCode), process.execPath, secret, port);
    await paste(linesToPaste(server.printed()));
    await expect.poll(receiver.program.printed, { timeout: 30_000 }).toContain("budget.created");
  });

  it("docs/webhooks.md lists every route of webhooks and deliveries", () => {
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
  const reserved = await freePort();
  const { secret, send, rotate } = await senderTo(`http://127.0.0.1:${reserved}/hooks`);
  const { port, url, program } = await startedReceiver(script, interpreter, secret, reserved);
  expect(await send()).toMatchObject({ status: "delivered", response_code: 204 });
  await expect.poll(program.printed).toContain("budget.approved");
  await rotate();
  expect(await send(), "under both secrets").toMatchObject({ status: "delivered", response_code: 204 });
  const stranger = await senderTo(url);
  expect(await stranger.send()).toMatchObject({ status: "failed", response_code: 401 });
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const call = { "webhook-id": "1", "webhook-timestamp": timestamp, "webhook-signature": "v1,é v1  v2,AAAA" };
  for (const forged of [{}, call, { ...call, "webhook-timestamp": "now" }]) {
    expect((await fetch(url, { method: "POST", headers: forged, body: "{}" })).status).toBe(401);
  }
  await breakOff(beginCall(port, "100"));
  expect(await send(), "after a call that broke off").toMatchObject({ status: "delivered", response_code: 204 });
}

/** Calls a receiver whose secret has nothing behind `whsec_`, signed by somebody who guessed as much. */
async function expectToRefuseAnEmptyKey(script: string, interpreter: string): Promise<void> {
  const { url } = await startedReceiver(script, interpreter, "whsec_");
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", "").update(`1.${timestamp}.{}`).digest("base64");
  const headers = { "webhook-id": "1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
  expect((await fetch(url, { method: "POST", headers, body: "{}" })).status).toBe(401);
}

/** Runs a receiver of the page until it answers. */
async function startedReceiver(script: string, interpreter: string, secret: string, reserved?: number) {
  const port = reserved ?? (await freePort());
  const url = `http://127.0.0.1:${port}/hooks`;
  const environment = { PORT: String(port), WEBHOOK_SECRET: secret };
  const program = startProgram(script, environment, temporaryFolder(), interpreter);
  await vi.waitFor(() => fetch(url), { timeout: 120_000 });
  return { port, url, program };
}

/** A call that says how long it is, and sends two bytes. */
function beginCall(port: number, contentLength: string): Socket {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(`POST /hooks HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${contentLength}\r\n\r\n{}`);
  return socket;
}

/** Sends no more. Resolves when the receiver has hung up. */
async function breakOff(socket: Socket): Promise<void> {
  socket.on("error", () => {}); // it may hang up without an answer
  socket.resume().end();
  await new Promise((resolve) => socket.once("close", resolve));
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
