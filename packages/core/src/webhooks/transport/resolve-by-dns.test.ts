import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveByDns } from "./resolve-destination.js";

const A = 1;
const AAAA = 28;

/** A name server that gives each name the addresses that are known of it, says that there are none, or says nothing. */
const ADDRESSES: Readonly<Record<string, Readonly<Record<number, readonly number[][]>>>> = {
  "both.example": { [A]: [[203, 0, 113, 7]], [AAAA]: [[0x26, 6, 0x47, 0, ...new Array(11).fill(0), 1]] },
  "four.example": {
    [A]: [
      [203, 0, 113, 8],
      [203, 0, 113, 9],
    ],
  },
};

function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = [];
  let offset = 12; // behind the header
  for (let length = question[offset] ?? 0; length > 0; length = question[offset] ?? 0) {
    labels.push(question.toString("latin1", offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const name = labels.join(".");
  if (name.startsWith("silent")) return null;
  const asked = question.subarray(12, offset + 5);
  const found = ADDRESSES[name]?.[question.readUInt16BE(offset + 1)] ?? [];
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(name in ADDRESSES ? 0x8180 : 0x8183, 2); // an answer; the latter: there is no such name
  for (const [at, count] of [1, found.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at);
  const records = found.map((address) =>
    Buffer.concat([
      Buffer.from([0xc0, 12]), // the name that was asked for
      question.subarray(offset + 1, offset + 5),
      Buffer.from([0, 0, 0, 0, 0, address.length, ...address]),
    ]),
  );
  return Buffer.concat([header, asked, ...records]);
}

describe("resolveByDns", () => {
  let server: Socket;
  let resolver: Resolver;

  beforeEach(async () => {
    server = createSocket("udp4");
    server.on("message", (question, { port, address }) => {
      const answer = answerTo(question);
      if (answer !== null) server.send(answer, port, address);
    });
    await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
    resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
  });

  afterEach(() => {
    resolver.cancel();
    server.close();
  });

  it("resolveByDns returns the addresses of both families, IPv4 first", async () => {
    expect(await resolveByDns(resolver)("both.example")).toEqual([
      { address: "203.0.113.7", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ]);
  });

  it("resolveByDns returns the addresses of the only family that a name has", async () => {
    const addresses = (await resolveByDns(resolver)("four.example")).map(({ address }) => address);
    expect(addresses).toEqual(["203.0.113.8", "203.0.113.9"]);
  });

  it("resolveByDns returns no address of an unknown name", async () => {
    expect(await resolveByDns(resolver)("none.example")).toEqual([]);
  });

  it("resolveByDns answers while many names wait for a silent server", async () => {
    const resolve = resolveByDns(resolver);
    const silent = Array.from({ length: 50 }, (_, index) => resolve(`silent-${index}.example`));
    expect(await resolve("both.example")).toHaveLength(2);
    resolver.cancel();
    expect(await Promise.all(silent)).toEqual(silent.map(() => []));
  });
});
