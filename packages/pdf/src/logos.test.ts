import { crc32, deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { PNG } from "pngjs";
import { describe, expect, it, vi } from "vitest";
import { turned } from "../worker/shrink.mjs";
import { pdfDocuments } from "./index.js";
import { createPrintLogos } from "./print-logos.js";
import { reducedPicture } from "./reduced-picture.js";
import { aDocument, CHANGED_AT } from "./testing/a-document.js";
import { readPdf } from "./testing/read-pdf.js";

const pdf = pdfDocuments();
const render = (logo: Uint8Array | null) => pdf.render(aDocument(), { changedAt: CHANGED_AT, logo });
const rolesWith = async (logo: Uint8Array) => (await readPdf(await render(logo))).roles;

type Color = readonly [red: number, green: number, blue: number, opacity: number];
const [RED, BLUE, NONE] = [
  [255, 0, 0, 255],
  [0, 0, 255, 255],
  [9, 9, 9, 0],
] as const;

function picture(width: number, height: number, colorAt: (x: number, y: number) => Color) {
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < width * height; at += 1) data.set(colorAt(at % width, Math.floor(at / width)), 4 * at);
  return { width, height, data };
}

function aPng(width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer {
  const given = picture(width, height, colorAt);
  return PNG.sync.write(Object.assign(new PNG({ width, height }), { data: given.data }));
}

function chunkOf(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG of the content, written as it is. */
function pngOf(header: Buffer, packed: Buffer): Buffer {
  const chunks = [chunkOf("IHDR", header), chunkOf("IDAT", packed), chunkOf("IEND", Buffer.alloc(0))];
  return Buffer.concat([sound.subarray(0, 8), ...chunks]);
}

const sound = aPng(40, 20, () => [40, 120, 40, 40]);
const soundHeader = () => Buffer.from(sound.subarray(16, 29)); // width to interlacing

/** 2000 × 2000 pixels of 16 bits and four channels, in 235 kB: 32 MB to decode, 11 MB in an opaque file. */
function heavyPng(): Buffer {
  const side = 2_000;
  const header = soundHeader();
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 16;
  const noise = Buffer.from(Array.from({ length: 8 * 3_900 }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 11));
  const pixels = Buffer.alloc(side * (1 + 8 * side));
  for (let at = 0; at < side * side; at += 1) {
    const from = 8 * (at % 3_900);
    noise.copy(pixels, 8 * at + Math.floor(at / side) + 1, from, from + 8);
  }
  return pngOf(header, deflateSync(pixels, { level: 9 }));
}

const START_OF_FRAME = Buffer.from([0xff, 0xc0]);

/** A grey JPEG of that size. */
function jpegOf(width: number, height: number): Buffer {
  return jpeg.encode({ width, height, data: Buffer.alloc(4 * width * height, 200) }, 50).data;
}

/** A JPEG whose camera noted how it was held. */
function turnedJpeg(orientation: number): Buffer {
  const tiff = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  tiff.writeUInt16BE(orientation, 18);
  const head = Buffer.from([0xff, 0xe1, 0, 8 + tiff.length]);
  const { data } = jpeg.encode(picture(32, 16, (x) => (x < 16 ? RED : BLUE)));
  return Buffer.concat([data.subarray(0, 2), head, Buffer.from("Exif\0\0"), tiff, data.subarray(2)]);
}

describe("the logo of a PDF", () => {
  it("PDF shows the logo as a figure of the document", async () => {
    const bytes = await render(sound);
    expect((await readPdf(bytes)).roles).toContain("Figure");
    expect(bytes.length).not.toBe((await render(null)).length);
    expect(await rolesWith(turnedJpeg(1))).toContain("Figure");
  });

  it("PDF decodes no logo on the thread of the requests, and stays small", async () => {
    const decoding = [vi.spyOn(PNG.sync, "read"), vi.spyOn(jpeg, "decode")];
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    try {
      const [bytes, plain] = [await render(heavyPng()), await render(null)];
      expect((await readPdf(bytes)).roles).toContain("Figure");
      expect(bytes.length - plain.length).toBeLessThan(200_000);
      expect(turns).toBeGreaterThan(20);
      expect(await rolesWith(turnedJpeg(6))).toContain("Figure");
      for (const spy of decoding) expect(spy).not.toHaveBeenCalled();
    } finally {
      clearInterval(counting);
      for (const spy of decoding) spy.mockRestore();
    }
  });

  it("PDF decodes a logo once for documents that are made at the same time and later", async () => {
    const reduce = vi.fn(async (bytes: Uint8Array) => Buffer.from(bytes));
    const printLogo = createPrintLogos(reduce);
    const numbered = (index: number) => Buffer.from([index]);
    await Promise.all([printLogo(numbered(0)), printLogo(numbered(0))]);
    expect(await printLogo(numbered(0))).toEqual(numbered(0));
    expect(reduce).toHaveBeenCalledOnce();
    for (let index = 1; index <= 32; index += 1) await printLogo(numbered(index));
    await printLogo(numbered(0));
    expect(reduce).toHaveBeenCalledTimes(34);
    reduce.mockRejectedValueOnce(new Error("no thread"));
    await expect(printLogo(numbered(99))).rejects.toThrow("no thread");
    expect(await printLogo(numbered(99))).toEqual(numbered(99));
  });

  it("PDF takes a stored JPEG of 4,096 by 4,096 pixels, a new one of 4 million at most", async () => {
    const large = jpegOf(4_096, 3_072); // decoded in more than 256 MB
    expect(await pdf.reduceLogo(large)).toBeNull();
    const errors: unknown[] = [];
    const details = { changedAt: CHANGED_AT, logo: large, onError: (error: unknown) => errors.push(error) };
    expect((await readPdf(await pdf.render(aDocument(), details))).roles).toContain("Figure");
    expect(errors).toEqual([]);
    const tooLarge = Buffer.from(large);
    tooLarge.writeUInt16BE(4_097, large.indexOf(START_OF_FRAME) + 5); // its height
    expect(await reducedPicture(tooLarge, "print")).toBeNull();
  }, 60_000);

  it("PDF omits a logo that cannot be decoded, and reports it once", async () => {
    const errors: unknown[] = [];
    const details = {
      changedAt: CHANGED_AT,
      logo: Buffer.from("damaged"),
      onError: (error: unknown) => errors.push(error),
    };
    const documents = pdfDocuments();
    for (let made = 0; made < 2; made += 1) {
      expect((await readPdf(await documents.render(aDocument(), details))).roles).not.toContain("Figure");
    }
    expect(errors).toEqual([new Error("the logo is left out of PDFs: it cannot be decoded")]);
  });

  it("PDF decodes one logo at a time: a large one needs hundreds of megabytes", async () => {
    let [running, most] = [0, 0];
    const printLogo = createPrintLogos(async (bytes) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      if (bytes[0] === 1) throw new Error("no thread");
      return Buffer.from(bytes);
    });
    await Promise.allSettled([0, 1, 2].map((index) => printLogo(Buffer.from([index]))));
    expect(most).toBe(1);
  });

  it.each([
    ["is cut off", sound.subarray(0, 60)],
    ["has damaged pixels", Buffer.from(sound).fill(7, 45, 55)],
    ["claims 4 billion pixels", Buffer.from(sound).fill(0xff, 16, 24)],
    ["is no image", Buffer.from("<svg/>")],
    ["is empty", Buffer.alloc(0)],
    ["is a JPEG without content", Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
  ])("PDF omits a logo that %s, which cannot be stored", async (_, bytes) => {
    const shown = await readPdf(await render(bytes));
    expect(shown.pages.join(" ")).toContain("Quote 42");
    expect(shown.roles).not.toContain("Figure");
    expect(await pdf.reduceLogo(bytes)).toBeNull();
  });
});

describe("a PNG that is reduced", () => {
  it("decodes a PNG logo only as far as its pixels, also an interlaced one", async () => {
    const header = soundHeader();
    header[12] = 1;
    const sizeOfPasses = 40 * 20 * 4 + 38; // with the filters of 38 lines
    expect(await reducedPicture(pngOf(header, deflateSync(Buffer.alloc(sizeOfPasses))), "print")).not.toBeNull();
    expect(await reducedPicture(pngOf(header, deflateSync(Buffer.alloc(20_000_000))), "print")).toBeNull();
  });

  it("refuses a PNG logo with a second header, of a larger image", async () => {
    const larger = soundHeader();
    larger.writeUInt32BE(400, 0);
    const twice = Buffer.concat([sound.subarray(0, 33), chunkOf("IHDR", larger), sound.subarray(33)]);
    expect(await reducedPicture(twice, "print")).toBeNull();
  });

  it("reduces a PNG logo to 720 × 200 pixels, with its proportions and transparency, and no small one", async () => {
    const halves = aPng(1_440, 300, (x) => (x < 720 ? RED : NONE));
    const stored = PNG.sync.read((await reducedPicture(halves, "store")) ?? Buffer.alloc(0));
    expect([stored.width, stored.height]).toEqual([720, 150]);
    expect([...stored.data.subarray(0, 4)]).toEqual([...RED]);
    expect(stored.data[4 * 719 + 3]).toBe(0);
    const printed = PNG.sync.read((await reducedPicture(halves, "print")) ?? Buffer.alloc(0));
    expect([...printed.data.subarray(4 * 719, 4 * 720)]).toEqual([255, 255, 255, 255]);
    expect(await reducedPicture(sound, "store")).toEqual(sound);
    const line = PNG.sync.read(
      (await reducedPicture(
        aPng(1, 4_000, () => BLUE),
        "store",
      )) ?? Buffer.alloc(0),
    );
    expect([line.width, line.height, ...line.data.subarray(0, 4)]).toEqual([1, 200, ...BLUE]);
  });

  it("reduces a PNG logo to the mean color of the visible pixels", async () => {
    const mixed = aPng(1_440, 2, (x, y) => (y === 1 ? NONE : x % 2 === 0 ? RED : BLUE));
    const { width, height, data } = PNG.sync.read((await reducedPicture(mixed, "store")) ?? Buffer.alloc(0));
    expect([width, height, ...data.subarray(0, 4)]).toEqual([720, 1, 128, 0, 128, 128]);
  });
});

describe("a JPEG that is reduced", () => {
  it("turns a JPEG logo upright, however the camera was held", async () => {
    const printed = jpeg.decode((await reducedPicture(turnedJpeg(6), "print")) ?? Buffer.alloc(0));
    expect([printed.width, printed.height, (printed.data[0] ?? 0) > 240]).toEqual([16, 32, true]);
    const corners = picture(2, 2, (x, y) => [1 + x + 2 * y, 0, 0, 255]); // 1 2 above 3 4
    const upright = ["1234", "1234", "2143", "4321", "3412", "1324", "3142", "4231", "2413", "1234"];
    for (const [orientation, expected] of upright.entries()) {
      const { data } = turned({ ...corners, data: new Uint8Array(corners.data) }, orientation);
      expect([0, 4, 8, 12].map((at) => data[at]).join(""), `orientation ${orientation}`).toBe(expected);
    }
  });

  it("reduces a JPEG logo to 720 × 200 pixels", async () => {
    const { data } = jpeg.encode(
      picture(400, 500, () => RED),
      50,
    );
    const stored = jpeg.decode((await reducedPicture(data, "store")) ?? Buffer.alloc(0));
    expect([stored.width, stored.height]).toEqual([160, 200]);
    expect(stored.data[0]).toBeGreaterThan(240);
  });

  it("refuses a JPEG logo with more scans than an encoder writes", async () => {
    const { data } = jpeg.encode(picture(32, 16, () => RED));
    const scan = data.subarray(data.indexOf(Buffer.from([0xff, 0xda])), -2);
    const many = Buffer.concat([data.subarray(0, -2), ...Array.from({ length: 100 }, () => scan), data.subarray(-2)]);
    expect(await reducedPicture(many, "store")).toBeNull();
    expect(await reducedPicture(data, "store")).toEqual(Buffer.from(data));
  });
});
