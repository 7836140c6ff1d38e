import { createHash } from "node:crypto";
import { manualClock, memoryBlobStore, memoryStore, plainPdfs } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import type { MailMessage } from "../../access/mailer.js";
import { createBudgetService } from "../../create-service.js";
import type { BudgetServiceOptions } from "../../service-options.js";
import type { PdfRenderer } from "./pdf-renderer.js";

const JSON_ONLY = { accept: "application/json", "content-type": "application/json" };
const SETTINGS = { clock: manualClock(), secret: "a secret that is long enough for it" };

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const JPEG = Buffer.from("ffd8ffc0001108000a001403012200021101031101ffd9", "hex");
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>');

async function aService(pdf?: PdfRenderer, more: Partial<BudgetServiceOptions> = {}) {
  const given = { ...(pdf === undefined ? {} : { pdf }), ...more };
  const service = createBudgetService({ ...SETTINGS, store: memoryStore(), ...given });
  const businessId = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap().id;
  const actor = { kind: "system", businessId } as const;
  const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
  const id = (await service.budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap().id;
  return { service, actor, id };
}

describe("the PDF of a budget", () => {
  it("refuses a PDF without a renderer, on both paths (501)", async () => {
    const { service, actor, id } = await aService();
    const refused = (await service.budgets.renderPdf(actor, id))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "not-implemented", message: expect.stringContaining("PDF") });
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const open = (target: string) => service.fetch(new Request(`https://quotes.example${target}`));
    expect((await open(`/v1/p/${publicToken}.pdf`)).status).toBe(501);
    const page = await service.fetch(
      new Request(`https://quotes.example/v1/p/${publicToken}`, { headers: { accept: "text/html" } }),
    );
    expect(await page.text()).not.toContain(".pdf");
  });

  it("dates a PDF by the last change, so that it is the same at any time", async () => {
    const { service, actor, id } = await aService(plainPdfs);
    const first = (await service.budgets.renderPdf(actor, id, { lang: "es" }))._unsafeUnwrap();
    expect(first.fileName).toBe(`Presupuesto-${id}.pdf`);
    expect(Buffer.from(first.content).toString()).toContain(new Date(SETTINGS.clock.now()).toISOString());
    SETTINGS.clock.advance(86_400_000);
    const second = (await service.budgets.renderPdf(actor, id, { lang: "es" }))._unsafeUnwrap();
    expect(second.sha256).toBe(first.sha256);
  });

  it("shows the logo of the business in a PDF, PNG or JPEG, until it is removed", async () => {
    const { service, actor, id } = await aService(plainPdfs, { blobs: memoryBlobStore() });
    const drawn = async () => Buffer.from((await service.budgets.renderPdf(actor, id))._unsafeUnwrap().content);
    const withoutLogo = await drawn();
    for (const logo of [PNG, JPEG]) {
      (await service.businesses.setLogo(actor, logo))._unsafeUnwrap();
      expect((await drawn()).toString()).toContain(`"logo":"${logo.toString("base64")}"`);
      expect(await drawn()).toEqual(await drawn());
    }
    (await service.businesses.setLogo(actor, SVG))._unsafeUnwrap();
    expect(await drawn()).toEqual(withoutLogo);
    (await service.businesses.removeLogo(actor))._unsafeUnwrap();
    expect(await drawn()).toEqual(withoutLogo);
  });

  it("reports a PDF in which the renderer left something out, such as an unreadable logo", async () => {
    const errors: unknown[] = [];
    const cause = new Error("the logo cannot be decoded");
    const incomplete: PdfRenderer = {
      render: async (document, details) => {
        details.onError?.(cause);
        return plainPdfs.render(document, details);
      },
    };
    const { service, actor, id } = await aService(incomplete, { onError: (error) => errors.push(error) });
    (await service.budgets.renderPdf(actor, id))._unsafeUnwrap();
    (await service.budgets.renderPdf(actor, id))._unsafeUnwrap();
    expect(errors).toEqual([new Error(`a PDF of the business ${actor.businessId} is incomplete`)]);
    expect(errors[0]).toMatchObject({ cause });
  });

  it("prints the link of the page in its customer's PDF, not in that of the business's readers", async () => {
    const { service, actor, id } = await aService(plainPdfs);
    const { publicUrl, publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const given = await service.fetch(new Request(`https://quotes.example/v1/p/${publicToken}.pdf`));
    expect(await given.text()).toContain(`"link":"${publicUrl}"`);
    const read = (await service.budgets.renderPdf(actor, id))._unsafeUnwrap();
    expect(Buffer.from(read.content).toString()).not.toContain(publicToken);
  });

  it("prints who signed the acceptance, when, and the SHA-256 of the evidence, which is the file of the evidence", async () => {
    const { service, actor, id } = await aService(plainPdfs);
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const at = `https://quotes.example/v1/p/${publicToken}`;
    const { version } = JSON.parse(await (await service.fetch(new Request(at, { headers: JSON_ONLY }))).text()).data;
    const answer = { version, name: "محمد علي", signature: "M 10 20 L 30 40" };
    const accepted = await service.fetch(
      new Request(`${at}/accept`, { method: "POST", headers: JSON_ONLY, body: JSON.stringify(answer) }),
    );
    expect([accepted.status, await accepted.text()]).toEqual([200, expect.any(String)]);
    const document = JSON.parse((await (await service.fetch(new Request(`${at}.pdf`))).text()).split("\n")[1] ?? "");
    const evidence = await (await service.fetch(new Request(`${at}/evidence.json`))).text();
    const evidenceHash = createHash("sha256").update(evidence).digest("hex");
    expect(document.signed).toMatchObject({ signature: "M 10 20 L 30 40", evidenceHash });
    expect(document.signed.at).toContain("2026");
    expect(document.answer.accepted).toContain("Accepted by \u2068محمد علي\u2069 on ");
  });

  it("refuses the PDF of a budget that is too long for one, and mails it without the file (PDF_TOO_LONG)", async () => {
    const mails: MailMessage[] = [];
    const mailer = { send: async () => {}, sendMessage: async (mail: MailMessage) => void mails.push(mail) };
    const render = vi.fn(plainPdfs.render);
    const { service, actor, id } = await aService({ render, isTooLong: async () => true }, { mailer });
    const refused = (await service.budgets.renderPdf(actor, id))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "rule", rule: "PDF_TOO_LONG" });
    (await service.budgets.send(actor, id, { to: "ana@example.com" }))._unsafeUnwrap();
    await service.tick();
    expect(mails.map(({ attachments }) => attachments)).toEqual([[]]);
    const { publicToken } = (await service.budgets.readPublicLink(actor, id))._unsafeUnwrap();
    const at = `https://quotes.example/v1/p/${publicToken}.pdf`;
    const shown = await service.fetch(new Request(at, { headers: { accept: "text/html" } }));
    expect([shown.status, await shown.text()]).toEqual([422, expect.stringContaining("not available")]);
    expect(render).not.toHaveBeenCalled();
  });

  it("a service names the characters that a PDF cannot show", async () => {
    const { service, actor, id } = await aService({ ...plainPdfs, undrawable: async () => ["𓀀"] });
    expect((await service.budgets.listUndrawable(actor, id))._unsafeUnwrap()).toEqual(["𓀀"]);
    const older = await aService(plainPdfs);
    expect((await older.service.budgets.listUndrawable(older.actor, older.id))._unsafeUnwrap()).toEqual([]);
    const none = await aService();
    expect((await none.service.budgets.listUndrawable(none.actor, none.id))._unsafeUnwrapErr().kind).toBe(
      "not-implemented",
    );
  });

  it("a service names the characters that a PDF cannot show when the budget is sent, and sends it all the same", async () => {
    const mailer = { send: async () => {}, sendMessage: async () => {} };
    const sentBy = async (renderer: PdfRenderer) => {
      const errors: unknown[] = [];
      const { service, actor, id } = await aService(renderer, { mailer, onError: (error) => errors.push(error) });
      const { undrawable } = (await service.budgets.send(actor, id, { to: "ana@example.com" }))._unsafeUnwrap();
      return [undrawable, errors.length];
    };
    expect(await sentBy({ ...plainPdfs, undrawable: async () => ["𓀀"] })).toEqual([["𓀀"], 0]);
    expect(await sentBy(plainPdfs)).toEqual([undefined, 0]);
    expect(await sentBy({ ...plainPdfs, undrawable: () => Promise.reject(new Error("no faces")) })).toEqual([
      undefined,
      1,
    ]);
  });

  it("a service gives an SVG logo only to a renderer that draws SVG", async () => {
    const logoTypes = ["image/png", "image/jpeg", "image/svg+xml"] as const;
    const { service, actor, id } = await aService({ ...plainPdfs, logoTypes }, { blobs: memoryBlobStore() });
    (await service.businesses.setLogo(actor, SVG))._unsafeUnwrap();
    const { content } = (await service.budgets.renderPdf(actor, id))._unsafeUnwrap();
    expect(Buffer.from(content).toString()).toContain(`"logo":"${Buffer.from("<svg").toString("base64").slice(0, 4)}`);
  });

  it("renders one PDF at a time for a business, and refuses when too many wait (503)", async () => {
    let running = 0;
    let most = 0;
    const slow: PdfRenderer = {
      render: async (document, details) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return plainPdfs.render(document, details);
      },
    };
    const { service, actor, id } = await aService(slow);
    const copies = await Promise.all(Array.from({ length: 139 }, () => service.budgets.duplicate(actor, id)));
    const ids = [id, ...copies.map((copy) => copy._unsafeUnwrap().id)];
    const results = await Promise.all(ids.map((each) => service.budgets.renderPdf(actor, each)));
    expect(most).toBe(1);
    const refused = results.filter((result) => result.isErr());
    expect(refused).toHaveLength(39);
    expect(refused[0]?._unsafeUnwrapErr().kind).toBe("unavailable");
  });

  it("renders a PDF once for any number of requests, until the budget changes", async () => {
    let made = 0;
    const counting: PdfRenderer = {
      render: (...call) => {
        made += 1;
        return plainPdfs.render(...call);
      },
    };
    const { service, actor, id } = await aService(counting);
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const open = () => service.fetch(new Request(`https://quotes.example/v1/p/${publicToken}.pdf`));
    const statuses = (await Promise.all(Array.from({ length: 200 }, open))).map(({ status }) => status);
    expect([new Set(statuses), made]).toEqual([new Set([200]), 1]);
    const { content, sha256 } = (await service.budgets.renderPdf(actor, id))._unsafeUnwrap();
    content.fill(0); // the caller's own copy
    expect((await service.budgets.renderPdf(actor, id))._unsafeUnwrap().sha256).toBe(sha256);
    expect(made).toBe(2); // the customer's has the link
    (await service.budgets.update(actor, id, { notes: "Oiled" }))._unsafeUnwrap();
    expect((await service.budgets.renderPdf(actor, id))._unsafeUnwrap().sha256).not.toBe(sha256);
    expect(made).toBe(3);
  });

  it("renders a PDF for a third business while two others keep the renderer busy", async () => {
    const ends: (() => void)[] = [];
    const slow: PdfRenderer = {
      render: async (...call) => {
        await new Promise<void>((resolve) => ends.push(resolve));
        return plainPdfs.render(...call);
      },
    };
    const { service } = await aService(slow);
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 450 }];
    const renderAll = async (name: string, count: number) => {
      const businessId = (await service.businesses.create({ name }))._unsafeUnwrap().id;
      const actor = { kind: "system", businessId } as const;
      const made = Array.from({ length: count }, () => service.budgets.create(actor, { customerId: "ana", items }));
      const budgets = (await Promise.all(made)).map((each) => each._unsafeUnwrap());
      return budgets.map(({ id }) => service.budgets.renderPdf(actor, id).then((pdf) => pdf.isOk()));
    };
    const busy = [...(await renderAll("Busy", 60)), ...(await renderAll("Busier", 60))];
    const third = await renderAll("Third", 12);
    const all = Promise.all([...busy, ...third]);
    let isDone = false;
    void all.then(() => {
      isDone = true;
    });
    while (!isDone) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    expect(await Promise.all(third)).toEqual(third.map(() => true));
    expect((await Promise.all(busy)).filter((made) => !made).length).toBeGreaterThan(0);
  });

  it("frees its slot when the renderer fails", async () => {
    let fails = true;
    const moody: PdfRenderer = {
      render: async (...call) => (fails ? Promise.reject(new Error("broken")) : plainPdfs.render(...call)),
    };
    const { service, actor, id } = await aService(moody);
    await expect(service.budgets.renderPdf(actor, id)).rejects.toThrow("broken");
    fails = false;
    expect((await service.budgets.renderPdf(actor, id)).isOk()).toBe(true);
  });

  it("frees its slot when the logo is not read in time", async () => {
    const blobs = memoryBlobStore();
    const { service, actor, id } = await aService(plainPdfs, { blobs });
    (await service.businesses.setLogo(actor, PNG))._unsafeUnwrap();
    const hanging = vi.spyOn(blobs, "openBlob").mockReturnValue(new Promise(() => {}));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const waiting = service.budgets.renderPdf(actor, id);
      await vi.waitFor(() => expect(hanging).toHaveBeenCalled());
      vi.advanceTimersByTime(10_000);
      expect((await waiting)._unsafeUnwrapErr().kind).toBe("unavailable");
    } finally {
      vi.useRealTimers();
      hanging.mockRestore();
    }
    expect((await service.budgets.renderPdf(actor, id)).isOk()).toBe(true);
  });
});
