import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { pdfDocuments } from "./index.js";
import { reducedPicture } from "./reduced-picture.js";
import { aDocument, CHANGED_AT } from "./testing/a-document.js";
import { readPdf } from "./testing/read-pdf.js";

const svg = (content: string, attributes = 'viewBox="0 0 40 20"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);
const RED = svg('<rect width="20" height="20" fill="#ff0000"/>');

async function printed(logo: Buffer): Promise<PNG> {
  return PNG.sync.read((await reducedPicture(logo, "print")) ?? Buffer.alloc(0));
}

describe("an SVG logo", () => {
  it("PDF shows an SVG logo as a figure", async () => {
    const pdf = pdfDocuments();
    expect(pdf.logoTypes).toContain("image/svg+xml");
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const bytes = await pdf.render(aDocument(), { changedAt: CHANGED_AT, logo: RED, onError });
    expect((await readPdf(bytes)).roles).toContain("Figure");
    expect(errors).toEqual([]);
    const again = await pdf.render(aDocument(), { changedAt: CHANGED_AT, logo: RED });
    expect(Buffer.from(again).equals(Buffer.from(bytes))).toBe(true);
  });

  it("draws an SVG logo as large as its box, on white, with its texts", async () => {
    const { width, height, data } = await printed(RED);
    expect([width, height]).toEqual([400, 200]);
    expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect([...data.subarray(4 * 399, 4 * 400)]).toEqual([255, 255, 255, 255]);
    const text = await printed(svg('<text x="0" y="18" font-size="20" font-family="sans-serif">III</text>'));
    expect(text.data.includes(0)).toBe(true);
  });

  it.each([
    ["of a side of 100,000 pixels", svg('<rect width="9" height="9"/>', 'width="100000" height="100000"'), [200, 200]],
    ["that is a line", svg('<rect width="9" height="9"/>', 'width="300" height="1"'), [720, 2]],
  ])("draws an SVG logo %s no larger than its box", async (_, logo, size) => {
    const { width, height } = await printed(logo);
    expect([width, height]).toEqual(size);
  });

  it.each([
    ["entities", Buffer.from('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>')],
    ["copies of copies", svg('<g id="a"><path d="M0 0H9V9Z"/></g><use href="#a"/>')],
    ["a filter", svg('<filter id="f"><feGaussianBlur stdDeviation="9999"/></filter><rect filter="url(#f)"/>')],
    ["an image of another host", svg('<image href="https://evil.example/x.png"/>')],
    ["a script", svg("<script>alert(1)</script>")],
    ["no end", RED.subarray(0, 60)],
  ])("refuses to draw an SVG logo with %s", async (_, logo) => {
    expect(await reducedPicture(logo, "print")).toBeNull();
  });

  it("the thread of logos gives up an SVG logo that takes too long", async () => {
    const masks = Array.from({ length: 30 }, (_, index) => {
      const inner = `<rect width="40" height="20" fill="#fff" mask="url(#m${index + 1})"/>`;
      return `<mask id="m${index}">${inner.repeat(4)}</mask>`;
    });
    const bomb = svg(
      `${masks.join("")}<mask id="m30"><rect width="40" height="20"/></mask><rect width="40" height="20" mask="url(#m0)"/>`,
    );
    expect(await reducedPicture(bomb, "print", 1_500)).toBeNull();
  });
});
