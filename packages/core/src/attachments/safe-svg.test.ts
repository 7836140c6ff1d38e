import { describe, expect, it } from "vitest";
import { safeSvg } from "./safe-svg.js";

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

function image(content: string, attributes = ""): Uint8Array {
  return Buffer.from(`<svg ${NS} ${XLINK} viewBox="0 0 9 9" ${attributes}>${content}</svg>`);
}

/** What would run, load or link in a browser. */
const HARMFUL =
  /script|onload|onclick|javascript|https?:\/\/(?!www\.w3\.org\/2000\/svg")|data:|animate|<a\b|href|@import/i;

describe("an SVG", () => {
  it("safeSvg keeps shapes, colors and gradients, and styles as attributes", async () => {
    const shapes = '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>';
    const given = image(`${shapes}<path d="M0 0L9 9" style="fill:url(#a);stroke-width:2px;-inkscape-x:1"/>A &amp; B`);
    expect((await safeSvg(given))._unsafeUnwrap()).toBe(
      `<svg ${NS} viewBox="0 0 9 9">${shapes}<path d="M0 0L9 9" fill="url(#a)" stroke-width="2px"></path>A &amp; B</svg>`,
    );
  });

  it("safeSvg writes each attribute once, with the value that a browser shows, so that it stays well-formed", async () => {
    const given = image('<path style="fill:#111;fill:#222" fill="none" d="M0 0"/>');
    const safe = (await safeSvg(given))._unsafeUnwrap();
    expect(safe).toBe(`<svg ${NS} viewBox="0 0 9 9"><path fill="#222" d="M0 0"></path></svg>`);
    expect((await safeSvg(Buffer.from(safe)))._unsafeUnwrap()).toBe(safe);
  });

  it.each([
    '<g onload="alert(1)"/>',
    '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
    '<a xlink:href="https://evil.example"><path d="M0 0"/></a>',
    '<path d="M0 0" fill="url(https://evil.example/a)"/>',
    '<path d="M0 0" style="fill:url(//evil.example/a)"/>',
    '<path d="M0 0" style="style:x;fill:red;background:url(javascript:1)"/>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onclick" to="alert(1)"/>',
    '<h:p xmlns:h="http://www.w3.org/1999/xhtml" onclick="alert(1)">x</h:p>',
    '<path xmlns="http://evil.example/" d="M0 0" onclick="x"/>',
    '<filter id="f"><feImage href="https://evil.example/a"/></filter>',
    '<text font-family="url(https://evil.example/f)">x</text>',
    '<path d="M0 0" fill="expression(alert(1))"/>',
    '<?xml-stylesheet href="https://evil.example/a.css"?>',
    "<!-- <script>alert(1)</script> -->",
    '<path d="M0 0" fill="u\\72l(https://evil.example)"/>',
  ])("safeSvg keeps nothing of %s", async (content) => {
    expect((await safeSvg(image(content)))._unsafeUnwrap()).not.toMatch(HARMFUL);
  });

  it.each([
    ["a script", image("<script>alert(1)</script>")],
    ["HTML within", image('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
    ["an image", image('<image href="https://evil.example/a.png"/>')],
    ["a reference", image('<use href="#a"/>')],
    ["a style", image("<style>@import url(https://evil.example)</style>")],
    ["entities", Buffer.from(`<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg ${NS} viewBox="0 0 1 1">&a;</svg>`)],
    ["no size", Buffer.from(`<svg ${NS}/>`)],
    ["a huge size", Buffer.from(`<svg ${NS} width="1e9" height="1"/>`)],
    ["another root", Buffer.from("<html><body/></html>")],
    ["no namespace", Buffer.from('<svg viewBox="0 0 1 1"/>')],
    ["broken text", Buffer.from(`<svg ${NS} viewBox="0 0 1 1"><g></svg>`)],
    ["bytes that are no UTF-8", Buffer.from([0x3c, 0xff, 0xfe])],
    ["great depth", image("<g>".repeat(60) + "</g>".repeat(60))],
    ["too many elements", image("<g/>".repeat(6_000))],
    ["too many attributes", image("", Array.from({ length: 300 }, (_, index) => `a${index}=""`).join(" "))],
    ["too many styles in one element", image("", `style="${"fill:red;".repeat(300)}"`)],
  ])("safeSvg refuses an SVG with %s", async (_, bytes) => {
    expect((await safeSvg(bytes)).isErr()).toBe(true);
  });

  it("safeSvg reads half a megabyte in turns of the event loop, so that other requests are served meanwhile", async () => {
    let turns = 0;
    let isDone = false;
    const counting = (async () => {
      for (; !isDone; turns += 1) await new Promise(setImmediate);
    })();
    const path = `<path d="M0 0${"L1 2".repeat(100)}"/>`;
    const safe = await safeSvg(image(path.repeat(1_200)));
    isDone = true;
    await counting;
    expect(safe._unsafeUnwrap().match(/<path /g)).toHaveLength(1_200);
    expect(turns).toBeGreaterThan(20);
  });
});
