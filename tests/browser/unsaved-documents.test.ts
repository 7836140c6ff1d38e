import type { Browser, Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../hosts/http-hosts.js";
import { noBrowser, openBrowser } from "./browser.js";
import { ITEMS, offer } from "./offered-budget.js";

/** Of an application that shows previews: no inline styles, no other scripts than its own. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: blob:; frame-src 'self' blob:";

/** Shows a document in a frame, as an application does under this policy: the markup runs nothing. */
const SHOW_IN_FRAME = `async (markup) => {
  const sheets = [];
  const bare = markup.replace(/<style>([^<]*)<\\/style>/g, (_, sheet) => (sheets.push(sheet), ""));
  const parsed = new DOMParser().parseFromString(bare, "text/html");
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-same-origin");
  frame.width = "390";
  frame.height = "800";
  frame.srcdoc = "<!doctype html>"; // about:blank would be in quirks mode
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  document.body.replaceChildren(frame);
  await loaded;
  const shown = frame.contentDocument;
  shown.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  shown.documentElement.lang = parsed.documentElement.lang;
  shown.documentElement.dir = parsed.documentElement.dir;
  shown.body.className = parsed.body.className;
  shown.body.replaceChildren(...[...parsed.body.childNodes].map((node) => shown.importNode(node, true)));
  for (const image of shown.images) await image.decode();
}`;

/** How each visible element looks: its tag, its box and what the style sheets decide. */
const LOOKS = `(() => {
  const shown = document.querySelector("iframe")?.contentDocument ?? document;
  return [...shown.body.querySelectorAll("*")].flatMap((element) => {
    const style = shown.defaultView.getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width === 0 || height <= 1) return [];
    const { color, backgroundColor, fontSize, fontWeight, lineHeight, padding, borderRadius } = style;
    const box = [x, y, width, height].map(Math.round).join(" ");
    const look = [color, backgroundColor, fontSize, fontWeight, lineHeight, padding, borderRadius].join(" ");
    return [element.tagName + " " + box + " " + look];
  });
})()`;

const BACKGROUND = `(() => {
  const shown = document.querySelector("iframe").contentDocument;
  return shown.defaultView.getComputedStyle(shown.body).backgroundColor;
})()`;

const showInFrame = (page: Page, markup: string) => page.evaluate(`(${SHOW_IN_FRAME})(${JSON.stringify(markup)})`);
const looksOf = (page: Page) => page.evaluate<string[]>(LOOKS);

/** A page of an application with the policy, and what its browser complains of. */
async function applicationIn(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const { port, close } = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": POLICY });
    response.end("<!doctype html><title>Application</title>");
  });
  onTestFinished(close);
  const context = await browser.newContext({ viewport: { width: 700, height: 900 }, colorScheme: "light" });
  const page = await context.newPage();
  const complaints: string[] = [];
  await page.goto(`http://127.0.0.1:${port}/`);
  page.on("console", (message) => complaints.push(message.text()));
  page.on("request", (request) => {
    if (!/^(?:data|about):/.test(request.url())) complaints.push(`request of ${request.url()}`);
  });
  return { page, complaints };
}

/** A page without scripts, as wide as the frame. */
async function plainPageIn(browser: Browser, isScripted = false): Promise<Page> {
  const viewport = { width: 390, height: 800 };
  return (await browser.newContext({ viewport, colorScheme: "light", javaScriptEnabled: isScripted })).newPage();
}

async function previewsOf({ service, actor, budget }: Awaited<ReturnType<typeof offer>>) {
  const items = ITEMS.map((line, index) => ({ ...line, id: budget.items[index]?.id ?? "" }));
  const stored = { validUntil: "2026-03-31", notes: budget.notes, taxRate: 0.21, discountAmount: 5_000 };
  const content = { budgetId: budget.id, items, ...stored, message: "As we discussed." };
  return async (options: Parameters<typeof service.budgets.previewDocument>[2]) => {
    const shown = (await service.budgets.previewDocument(actor, content, options))._unsafeUnwrap();
    return new TextDecoder().decode(shown.content);
  };
}

describe.skipIf(noBrowser !== null)("a document that is not saved, in a frame under a strict policy", () => {
  it("the previewed page looks as the link's, loads nothing and breaks no rule of the policy", async () => {
    const offered = await offer();
    const preview = await previewsOf(offered);
    const browser = await openBrowser();
    const { page, complaints } = await applicationIn(browser);
    await showInFrame(page, await preview({ as: "page", language: "en" }));
    const real = await plainPageIn(browser);
    await real.goto(`${offered.url}?lang=en`);
    const looks = await looksOf(page);
    expect(looks.length).toBeGreaterThan(50);
    expect(looks).toEqual(await looksOf(real));
    expect(complaints).toEqual([]);
  });

  it("the previewed mail looks as the sent one, whose styles are at its elements", async () => {
    const offered = await offer();
    const { service, actor, budget, mails } = offered;
    const preview = await previewsOf(offered);
    const browser = await openBrowser();
    const { page, complaints } = await applicationIn(browser);
    const real = await plainPageIn(browser, true);
    (await service.budgets.send(actor, budget.id, { message: "As we discussed.", lang: "es" }))._unsafeUnwrap();
    await service.tick();
    // The address of the link stands in both as a text of another length.
    const sent = (mails[0]?.html ?? "").replaceAll(/\/p\/[\w-]{43}/g, "/p/preview");
    for (const colorScheme of ["light", "dark"] as const) {
      await showInFrame(page, await preview({ as: "mail", language: "es", appearance: colorScheme }));
      await real.emulateMedia({ colorScheme });
      await real.setContent(sent);
      const looks = await looksOf(page);
      expect(looks.length).toBeGreaterThan(20);
      expect(looks).toEqual(await looksOf(real));
    }
    expect(complaints).toEqual([]);
  });

  it("the previewed page is dark where its reader prefers light", async () => {
    const preview = await previewsOf(await offer());
    const { page } = await applicationIn(await openBrowser());
    await showInFrame(page, await preview({ appearance: "dark" }));
    expect(await page.evaluate(BACKGROUND)).toBe("rgb(22, 21, 20)");
    await page.emulateMedia({ colorScheme: "dark" });
    await showInFrame(page, await preview({ appearance: "light" }));
    expect(await page.evaluate(BACKGROUND)).toBe("rgb(255, 255, 255)");
  });
});
