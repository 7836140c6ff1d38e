import { manualClock, memoryBlobStore, memoryStore, plainPdfs, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { createBudgetService } from "./create-service.js";
import type { PdfRenderer } from "./http/pdf/pdf-renderer.js";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>');
const HOUR_MS = 3_600_000;

function sized(width: number, height: number): Buffer {
  const image = Buffer.from(PIXEL);
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image;
}

async function aService(reduceLogo?: PdfRenderer["reduceLogo"], logoTypes: PdfRenderer["logoTypes"] = ["image/png"]) {
  const clock = manualClock();
  const blobs = memoryBlobStore();
  const pdf = reduceLogo === undefined ? plainPdfs : { ...plainPdfs, reduceLogo, logoTypes };
  const secret = "a secret that is long enough for it";
  const service = createBudgetService({ store: memoryStore(), clock, random: seededRandom(1), secret, blobs, pdf });
  const actorOf = async (name: string) => {
    const { id: businessId } = (await service.businesses.create({ name }))._unsafeUnwrap();
    return { kind: "system", businessId } as const;
  };
  return { service, clock, blobs, actorOf, actor: await actorOf("Norte") };
}

async function storedIn({ service, actor }: Awaited<ReturnType<typeof aService>>): Promise<Buffer> {
  const { content } = (await service.businesses.getLogo(actor))._unsafeUnwrap();
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("the logo of a business", () => {
  it("stores a logo as the PDF renderer has reduced it, once, and an SVG unchanged", async () => {
    const given: Uint8Array[] = [];
    const world = await aService(async (logo) => {
      given.push(logo);
      return Buffer.from("small");
    });
    const { service, actor } = world;
    const { logo } = (await service.businesses.setLogo(actor, PIXEL))._unsafeUnwrap();
    expect(logo).toMatchObject({ contentType: "image/png", size: 5 });
    expect(await storedIn(world)).toEqual(Buffer.from("small"));
    expect(given).toEqual([PIXEL]);
    (await service.businesses.setLogo(actor, SVG))._unsafeUnwrap();
    expect(given).toHaveLength(1);
  });

  it("refuses an SVG logo that the PDF renderer cannot draw, and stores another one unchanged", async () => {
    const logoTypes = ["image/svg+xml"] as const;
    for (const [drawn, isStored] of [[Buffer.from("picture"), true] as const, [null, false] as const]) {
      const { service, actor } = await aService(async () => drawn, logoTypes);
      const set = await service.businesses.setLogo(actor, SVG);
      expect(set.isOk()).toBe(isStored);
      if (set.isOk()) expect(set.value.logo).toMatchObject({ contentType: "image/svg+xml" });
      else expect(set.error).toMatchObject({ rule: "LOGO_NOT_SUPPORTED" });
    }
  });

  it("stores a logo unchanged where the renderer does not reduce logos", async () => {
    const world = await aService();
    (await world.service.businesses.setLogo(world.actor, PIXEL))._unsafeUnwrap();
    expect(await storedIn(world)).toEqual(PIXEL);
  });

  it("refuses a logo that cannot be decoded or has more than 4 million pixels (LOGO_NOT_SUPPORTED)", async () => {
    const { service, actor, blobs, clock } = await aService(async () => null);
    const refused = (await service.businesses.setLogo(actor, PIXEL))._unsafeUnwrapErr();
    expect(refused).toMatchObject({
      kind: "rule",
      rule: "LOGO_NOT_SUPPORTED",
      message: expect.stringContaining("damaged"),
    });
    const large = (await service.businesses.setLogo(actor, sized(2_001, 2_000)))._unsafeUnwrapErr();
    expect(large).toMatchObject({ rule: "LOGO_NOT_SUPPORTED", message: expect.stringContaining("4 million pixels") });
    expect((await blobs.findBlobsBefore(clock.now() + 1, null, 10)).ids).toEqual([]);
  });

  it("refuses the 31st logo an hour of a business, counting refused images too (RATE_LIMIT_EXCEEDED)", async () => {
    const { service, actor, actorOf, clock } = await aService();
    for (let times = 0; times < 15; times += 1) {
      expect((await service.businesses.setLogo(actor, PIXEL)).isOk()).toBe(true);
      expect((await service.businesses.setLogo(actor, Buffer.from("GIF89a"))).isErr()).toBe(true);
    }
    const refused = (await service.businesses.setLogo(actor, PIXEL))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "rate-limited", limit: 30, resetAtMs: clock.now() + HOUR_MS });
    expect((await service.businesses.setLogo(await actorOf("Sur"), PIXEL)).isOk()).toBe(true);
    clock.advance(HOUR_MS);
    expect((await service.businesses.setLogo(actor, PIXEL)).isOk()).toBe(true);
  });

  it("reduces one logo of a business at a time, and alternates between businesses", async () => {
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const { service, actor, actorOf } = await aService(async (logo) => {
      order.push(String(logo.at(-1)));
      await new Promise<void>((resolve) => ends.push(resolve));
      return logo;
    });
    const numbered = (index: number) => Buffer.concat([PIXEL, Buffer.from([index])]);
    const mine = [1, 2, 3].map((index) => service.businesses.setLogo(actor, numbered(index)));
    const others = service.businesses.setLogo(await actorOf("Sur"), numbered(9));
    let isDone = false;
    const all = Promise.all([...mine, others]).then(() => {
      isDone = true;
    });
    while (!isDone) {
      expect(ends.length).toBeLessThanOrEqual(1);
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    await all;
    expect(order.indexOf("9")).toBeLessThan(3);
  });
});
