import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Receiver, type Respond, startReceiver } from "@budgetkit/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ResolveName } from "./resolve-destination.js";
import type { SendRequest } from "./sender.js";
import { undiciSender } from "./undici-sender.js";

const open: { close?(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close?.()));
});

async function receiverThat(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  open.push(receiver);
  return receiver;
}

function senderWith(resolveName?: ResolveName) {
  const sender = undiciSender(resolveName === undefined ? {} : { resolveName });
  open.push(sender);
  const send = (url: string, overrides: Partial<SendRequest> = {}) =>
    sender.send({
      url,
      headers: {},
      body: "{}",
      deadlineMs: 5_000,
      allowedIps: null,
      allowPrivate: true,
      ...overrides,
    });
  return { sender, send };
}

describe("the sender", () => {
  it("the sender posts the body unchanged, and returns the response", async () => {
    const receiver = await receiverThat((_, response) => {
      response.writeHead(201, { "retry-after": "7" }).end("Danke — ¡gracias!");
    });
    const { send } = senderWith();
    const body = '{"name":"Ñandú"}';
    const outcome = await send(`${receiver.origin}/hooks?a=1`, { body, headers: { "webhook-id": "4711" } });
    expect(outcome).toEqual({
      kind: "answered",
      responseCode: 201,
      responseBody: "Danke — ¡gracias!",
      retryAfterSeconds: 7,
      durationMs: expect.any(Number),
    });
    const [call] = receiver.calls;
    expect(call).toMatchObject({ method: "POST", path: "/hooks?a=1", body });
    expect(call?.headers).toMatchObject({
      "webhook-id": "4711",
      host: `127.0.0.1:${receiver.port}`,
      "content-length": String(Buffer.byteLength(body)),
      "accept-encoding": "identity",
    });
  });

  it("the sender keeps connections alive", async () => {
    const receiver = await receiverThat();
    const { send } = senderWith();
    for (let count = 0; count < 20; count += 1) {
      expect(await send(receiver.origin)).toMatchObject({ responseCode: 204, retryAfterSeconds: null });
    }
    expect(receiver.connections()).toBeLessThanOrEqual(2); // one is free again only a moment after its answer
  });

  it("the sender opens new connections after it was closed", async () => {
    const receiver = await receiverThat();
    const { sender, send } = senderWith();
    await send(receiver.origin);
    await sender.close?.();
    expect(await send(receiver.origin)).toMatchObject({ responseCode: 204 });
    expect(receiver.connections()).toBe(2);
  });

  it.each([301, 302, 303, 307, 308])("the sender follows no redirect with %i", async (status) => {
    const target = await receiverThat();
    const receiver = await receiverThat((_, response) => response.writeHead(status, { location: target.origin }).end());
    expect(await senderWith().send(receiver.origin)).toMatchObject({ kind: "answered", responseCode: status });
    expect(target.connections()).toBe(0);
  });

  it("the sender fails at the deadline of the whole call when a receiver drips", async () => {
    let dripping: NodeJS.Timeout | undefined;
    const receiver = await receiverThat((_, response) => {
      response.writeHead(200);
      dripping = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(dripping));
    });
    const outcome = await senderWith().send(receiver.origin, { deadlineMs: 300 });
    expect(outcome).toMatchObject({ kind: "failed", error: "No whole answer came within 0.3 seconds." });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(299);
  });

  it("the sender fails when a receiver never answers, and when a name never resolves", async () => {
    const receiver = await receiverThat(() => {});
    const late = { kind: "failed", error: "No whole answer came within 0.1 seconds." };
    expect(await senderWith().send(receiver.origin, { deadlineMs: 100 })).toMatchObject(late);
    const { send } = senderWith(() => new Promise(() => {}));
    expect(await send("http://shop.example/", { deadlineMs: 100 })).toMatchObject(late);
  });

  it("the sender reads a bounded part of a huge answer, and keeps less", async () => {
    let written = 0;
    const receiver = await receiverThat((_, response) => {
      response.writeHead(500);
      const more = (): void => {
        while (written < 50_000_000 && response.write("x".repeat(16_384))) written += 16_384;
        response.once("drain", more);
      };
      more();
    });
    const outcome = await senderWith().send(receiver.origin);
    expect(outcome).toMatchObject({ kind: "answered", responseCode: 500, responseBody: "x".repeat(4_096) });
    expect(written).toBeLessThan(20_000_000); // what the sockets' buffers took
  });

  it("the sender keeps response text that any store can keep", async () => {
    const body = Buffer.concat([Buffer.from("a\u0000b"), Buffer.from([0xff]), Buffer.from("ñ".repeat(3_000))]);
    const receiver = await receiverThat((_, response) => response.end(body));
    const outcome = await senderWith().send(receiver.origin);
    const kept = outcome.kind === "answered" ? outcome.responseBody : "";
    expect(kept.startsWith("a\ufffdb\ufffdñ")).toBe(true);
    expect(kept.endsWith("ñ")).toBe(true);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(4_096);
  });

  it("the sender reports a refused connection", async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await senderWith().send(receiver.origin)).toMatchObject({
      kind: "failed",
      error: "The connection was refused.",
    });
  });

  it("the sender reports that the receiver closed the connection, and opens a new one for the next call", async () => {
    let calls = 0;
    const receiver = await receiverThat((_, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      else response.writeHead(204).end();
    });
    const { send } = senderWith();
    expect(await send(receiver.origin)).toMatchObject({
      kind: "failed",
      error: expect.stringMatching(/closed the connection/),
    });
    expect(await send(receiver.origin)).toMatchObject({ kind: "answered", responseCode: 204 });
  });

  it("the sender reports a response that is not HTTP, and other errors by their code", async () => {
    const receiver = await receiverThat((_, response) => response.socket?.end("SSH-2.0-OpenSSH\r\n\r\n"));
    const { send } = senderWith();
    expect(await send(receiver.origin)).toMatchObject({ kind: "failed", error: "The answer is not HTTP." });
    const failed = await send(receiver.origin, { headers: { "bad name": "x" } });
    expect(failed).toMatchObject({ kind: "failed", error: "The call failed. (UND_ERR_INVALID_ARG)" });
  });

  it("the sender ignores proxies that the environment names", async () => {
    const proxy = await receiverThat();
    const receiver = await receiverThat();
    for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) vi.stubEnv(name, proxy.origin);
    expect(await senderWith().send(receiver.origin)).toMatchObject({ responseCode: 204 });
    vi.unstubAllEnvs();
    expect(proxy.connections()).toBe(0);
  });
});

describe("where the sender goes", () => {
  it("the sender connects to the checked address, with the host name of the URL", async () => {
    const receiver = await receiverThat();
    const { send } = senderWith(async () => [{ address: "127.0.0.1", family: 4 }]);
    expect(await send(`http://shop.example:${receiver.port}/`)).toMatchObject({ responseCode: 204 });
    expect(receiver.calls[0]?.headers.host).toBe(`shop.example:${receiver.port}`);
  });

  it("the sender connects to the first checked address where Node may try no others", async () => {
    const receiver = await receiverThat();
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    const { send } = senderWith(async () => [{ address: "127.0.0.1", family: 4 }]);
    expect(await send(`http://shop.example:${receiver.port}/`)).toMatchObject({ responseCode: 204 });
    setDefaultAutoSelectFamily(before);
  });

  it("the sender tries the next checked address when one does not answer", async () => {
    const receiver = await receiverThat();
    const { send } = senderWith(async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ]);
    expect(await send(`http://shop.example:${receiver.port}/`)).toMatchObject({ responseCode: 204 });
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "0x7f.0.0.1",
    "0x7f000001",
    "0",
    "0.0.0.0",
    "１２７.０.０.１",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "127.0.0.1.",
    "localhost",
    "api.localhost",
    "[::1]",
    "[::]",
    "[::7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b:1::127.0.0.1]",
    "[2002:7f00:1::1]",
    "[2001:0:7f00:1::1]",
    "168.63.129.16",
    "169.254.169.254",
    "[fd00:ec2::254]",
  ])("the sender opens no connection to http://%s", async (host) => {
    const receiver = await receiverThat();
    const { send } = senderWith();
    const outcome = await send(`http://${host}:${receiver.port}/`, { allowPrivate: false });
    expect(outcome).toMatchObject({ kind: "failed", error: "The URL must lead to a public address." });
    expect(receiver.connections()).toBe(0);
  });

  it.each(["127.0.0.1", "::1", "::7f00:1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1", "168.63.129.16"])(
    "the sender opens no connection for a name that leads to %s",
    async (address) => {
      const receiver = await receiverThat();
      const { send } = senderWith(async () => [{ address, family: address.includes(":") ? 6 : 4 }]);
      const outcome = await send(`http://shop.example:${receiver.port}/`, { allowPrivate: false });
      expect(outcome).toMatchObject({ kind: "failed", error: expect.stringMatching(/not public/) });
      expect(receiver.connections()).toBe(0);
    },
  );

  it("a name that changes its address between check and connection changes nothing", async () => {
    const receiver = await receiverThat();
    const answers = ["192.0.2.1", "127.0.0.1"]; // the first one does not answer
    const resolve = vi.fn(async () => [{ address: answers.shift() ?? "127.0.0.1", family: 4 }]);
    const { send } = senderWith(resolve);
    const outcome = await send(`http://shop.example:${receiver.port}/`, { deadlineMs: 200 });
    expect(outcome.kind).toBe("failed");
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(receiver.connections()).toBe(0);
  });

  it("the sender checks the destination of every call, also over an open connection", async () => {
    const receiver = await receiverThat();
    let address = "127.0.0.1";
    const { send } = senderWith(async () => [{ address, family: 4 }]);
    const url = `http://shop.example:${receiver.port}/`;
    expect(await send(url)).toMatchObject({ responseCode: 204 });
    expect(await send(url, { allowPrivate: false })).toMatchObject({ kind: "failed" });
    expect(await send(url, { allowedIps: ["203.0.112.7"] })).toMatchObject({ kind: "failed" });
    address = "127.0.0.2"; // another address of this machine: another connection
    expect(await send(url)).toMatchObject({ kind: "failed" });
    expect(receiver.connections()).toBe(1);
    expect(receiver.calls).toHaveLength(1);
  });

  it("the sender uses one connection for any order of the addresses", async () => {
    const receiver = await receiverThat();
    const addresses = [
      { address: "127.0.0.1", family: 4 },
      { address: "127.0.0.2", family: 4 },
    ];
    const { send } = senderWith(async () => [...addresses.reverse()]);
    const url = `http://shop.example:${receiver.port}/`;
    for (let call = 0; call < 4; call += 1) {
      expect(await send(url)).toMatchObject({ responseCode: 204 });
      for (let turn = 0; turn < 10; turn += 1) await nextTurn(); // a connection is free only a moment after its answer
    }
    expect(receiver.connections()).toBe(1);
  });

  it("the sender resolves a name once for concurrent calls, and checks each call", async () => {
    const receiver = await receiverThat();
    const answers: (() => void)[] = [];
    const resolve = vi.fn(
      () =>
        new Promise<{ address: string; family: number }[]>((found) => {
          answers.push(() => found([{ address: "127.0.0.1", family: 4 }]));
        }),
    );
    const { send } = senderWith(resolve);
    const url = `http://shop.example:${receiver.port}/`;
    const calls = [send(url), send(url, { allowPrivate: false }), send(url, { allowedIps: ["203.0.112.7"] })];
    expect(resolve).toHaveBeenCalledTimes(1);
    answers[0]?.();
    expect(await Promise.all(calls)).toMatchObject([
      { responseCode: 204 },
      { kind: "failed", error: expect.stringMatching(/not public/) },
      { kind: "failed", error: expect.stringMatching(/allowed for this endpoint/) },
    ]);
  });

  it("the sender keeps connections open to a bounded number of receivers", async () => {
    const receiver = await receiverThat();
    const { send } = senderWith(async () => [{ address: "127.0.0.1", family: 4 }]);
    for (let host = 0; host <= 500; host += 1) {
      expect(await send(`http://shop-${host}.example:${receiver.port}/`)).toMatchObject({ responseCode: 204 });
    }
    await vi.waitFor(() => expect(receiver.openConnections()).toBe(500), { timeout: 20_000 });
  });
});
