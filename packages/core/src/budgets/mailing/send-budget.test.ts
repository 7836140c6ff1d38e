import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../kernel/clock.js";
import { mailWorld } from "../../testing/mail-world.js";

describe("sending a budget by mail", () => {
  it("sending a draft makes it PENDING with a link, and mails the customer once with that link", async () => {
    const { service, actor, budgetWith, mails, statesOf } = await mailWorld();
    const id = await budgetWith({ draft: true });
    const queued = (await service.budgets.send(actor, id, { message: "As we discussed." }))._unsafeUnwrap();
    expect(queued).toMatchObject({ status: "queued", to: "ana@example.com", attempts: 0, createdBy: "system" });
    const budget = (await service.budgets.get(actor, id))._unsafeUnwrap();
    expect([budget.status, budget.version]).toEqual(["PENDING", 3]); // submitted, and then mailed with its link
    await service.tick();
    await service.tick();
    expect(mails).toHaveLength(1);
    const { publicUrl } = (await service.budgets.readPublicLink(actor, id))._unsafeUnwrap();
    expect(mails[0]).toMatchObject({
      to: "ana@example.com",
      fromName: "Carpintería Norte",
      subject: `Your quote ${id} from Carpintería Norte`,
      messageId: `<budgetkit.${actor.businessId}.${queued.id}@quotes.example>`,
      headers: {}, // only reminders can be ended
    });
    for (const part of [mails[0]?.text, mails[0]?.html]) {
      for (const shown of [publicUrl, "As we discussed.", "1,089.00", "March 31, 2026", "Ana Ruiz"]) {
        expect(part?.replace(/[\u00a0\u202f]/g, " ")).toContain(shown);
      }
    }
    expect(mails[0]?.text).not.toContain("reminders");
    expect(await statesOf(id)).toEqual(["budget sent"]);
  });

  it("sending a draft gives it a number, which the mail shows", async () => {
    const { service, actor, mails, budgetWith } = await mailWorld();
    (await service.businesses.update(actor, { numberPattern: "Q-{seq:3}" }))._unsafeUnwrap();
    const id = await budgetWith({ draft: true });
    (await service.budgets.send(actor, id))._unsafeUnwrap();
    await service.tick();
    expect((await service.budgets.get(actor, id))._unsafeUnwrap().number).toBe("Q-001");
    expect(mails[0]?.subject).toBe("Your quote Q-001 from Carpintería Norte");
  });

  it("sending a PENDING budget with a link keeps its version, so that the customer's page stays valid", async () => {
    const { service, actor, budgetWith } = await mailWorld();
    const id = await budgetWith();
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const { version } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
    (await service.budgets.send(actor, id))._unsafeUnwrap();
    expect((await service.budgets.answerPublicLink(publicToken, "accept", { version })).isOk()).toBe(true);
  });

  it("refuses to send without a recipient: `to` or the customer's email (NO_RECIPIENT)", async () => {
    const { service, actor, budgetWith } = await mailWorld();
    const id = await budgetWith({ customerId: "unknown", draft: true });
    expect((await service.budgets.send(actor, id))._unsafeUnwrapErr()).toMatchObject({
      rule: "NO_RECIPIENT",
      details: { field: "to" },
    });
    expect((await service.budgets.get(actor, id))._unsafeUnwrap().status).toBe("DRAFT");
    expect((await service.budgets.send(actor, id, { to: "buyer@example.com" })).isOk()).toBe(true);
  });

  it.each(["info@müller-bau.example", "jörg@example.com", "test&test@example.com", "sales/eu@example.com"])(
    "sends a budget to %s, given or from the customer",
    async (email) => {
      const { service, actor, budgetWith } = await mailWorld();
      const given = await service.budgets.send(actor, await budgetWith(), { to: email });
      expect(given._unsafeUnwrap().to).toBe(email);
      const customerId = (await service.customers.create(actor, { name: "Bruno", email }))._unsafeUnwrap().id;
      const own = await service.budgets.send(actor, await budgetWith({ customerId }));
      expect(own._unsafeUnwrap().to).toBe(email);
    },
  );

  it.each(["a@example.com, b@example.com", "a@example.com\r\nBcc: b@example.com", "Ana <a@example.com>", ""])(
    "refuses %j as the recipient of a budget",
    async (to) => {
      const { service, actor, budgetWith } = await mailWorld();
      const refused = await service.budgets.send(actor, await budgetWith(), { to });
      expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "to" }] });
    },
  );

  it("refuses a message of more than 5,000 characters, and an answered budget (INVALID_TRANSITION)", async () => {
    const { service, actor, budgetWith } = await mailWorld();
    const id = await budgetWith();
    const long = await service.budgets.send(actor, id, { message: "x".repeat(5_001) });
    expect(long._unsafeUnwrapErr()).toMatchObject({ kind: "invalid", errors: [{ field: "message" }] });
    expect((await service.budgets.send(actor, id, { message: "x".repeat(5_000) })).isOk()).toBe(true);
    await service.budgets.update(actor, id, { status: "APPROVED" });
    expect((await service.budgets.send(actor, id))._unsafeUnwrapErr()).toMatchObject({ rule: "INVALID_TRANSITION" });
  });

  it("refuses more mails an hour than a business may send (RATE_LIMIT_EXCEEDED)", async () => {
    const { service, actor, budgetWith, clock } = await mailWorld({ perHour: 2 });
    const id = await budgetWith();
    for (const _ of [1, 2]) expect((await service.budgets.send(actor, id)).isOk()).toBe(true);
    const refused = await service.budgets.send(actor, id);
    expect(refused._unsafeUnwrapErr()).toMatchObject({ kind: "rate-limited", limit: 2, remaining: 0 });
    expect((await service.budgets.listMails(actor, id))._unsafeUnwrap().pagination.total).toBe(2);
    clock.advance(HOUR_MS);
    expect((await service.budgets.send(actor, id)).isOk()).toBe(true);
  });

  it("writes the mail in the requested language, or in that of the business", async () => {
    const { service, actor, budgetWith, mails } = await mailWorld({ profile: { locale: "pt-BR" } });
    const id = await budgetWith();
    for (const lang of [undefined, "es", "en"] as const) {
      await service.budgets.send(actor, id, lang === undefined ? {} : { lang });
      await service.tick();
    }
    expect(mails.map(({ subject }) => subject)).toEqual([
      `Seu orçamento ${id} de Carpintería Norte`,
      `Su presupuesto ${id} de Carpintería Norte`,
      `Your quote ${id} from Carpintería Norte`,
    ]);
    expect(mails[1]?.html).toContain('<html lang="es"');
    expect(mails[1]?.html).toContain("?lang=es");
  });

  it("escapes names and messages in a mail, and keeps line ends out of its headers", async () => {
    const payload = `"><script>alert(1)</script>\r\nBcc: eve@example.com\u2028X: y\u202e`;
    const { service, actor, budgetWith, mails } = await mailWorld({ profile: { name: payload } });
    const customer = (
      await service.customers.create(actor, { name: payload, email: "ana@example.com" })
    )._unsafeUnwrap();
    const id = await budgetWith({ customerId: customer.id });
    await service.budgets.send(actor, id, { message: payload });
    await service.tick();
    const [mail] = mails;
    expect(mail?.html).not.toContain("<script");
    expect(mail?.html.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(3);
    for (const header of [mail?.subject, mail?.fromName, mail?.messageId, ...Object.values(mail?.headers ?? {})]) {
      expect(header).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    }
  });
});

describe("the queue of mails", () => {
  it("retries a mail after 1, 5 and 30 minutes, 2 and 12 hours with the same Message-ID, and then fails it", async () => {
    const { service, actor, budgetWith, mails, mailer, clock, statesOf } = await mailWorld();
    const id = await budgetWith();
    await service.budgets.send(actor, id);
    mailer.fail = new Error("451 try again\r\nlater");
    await service.tick();
    const waits = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS];
    for (const [index, wait] of waits.entries()) {
      const [mail] = (await service.budgets.listMails(actor, id))._unsafeUnwrap().data;
      expect(mail).toMatchObject({ status: "queued", attempts: index + 1, error: "The mail could not be sent." });
      clock.advance(wait - 1);
      await service.tick();
      expect(mails).toHaveLength(index + 1);
      clock.advance(1);
      await service.tick();
      expect(mails).toHaveLength(index + 2);
    }
    expect(await statesOf(id)).toEqual(["budget failed"]);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
    clock.advance(24 * HOUR_MS);
    await service.tick();
    expect(mails).toHaveLength(6);
  });

  it("sends no mail again that the mail server refused for good", async () => {
    const { service, actor, budgetWith, mailer, statesOf } = await mailWorld();
    const id = await budgetWith();
    await service.budgets.send(actor, id);
    mailer.fail = Object.assign(new Error("550 no such mailbox"), { permanent: true });
    await service.tick();
    expect(await statesOf(id)).toEqual(["budget failed"]);
  });

  it("sends a mail again with the same Message-ID when a process died before recording the success", async () => {
    const { service, store, actor, budgetWith, mails, clock, statesOf } = await mailWorld();
    const id = await budgetWith();
    await service.budgets.send(actor, id);
    const now = clock.now();
    await store.claimMails(now, now + 3 * MINUTE_MS, 10); // by a process that sends and then ends
    await service.tick();
    expect(mails).toHaveLength(0);
    clock.advance(3 * MINUTE_MS);
    await service.tick();
    expect(mails).toHaveLength(1);
    const [mail] = (await service.budgets.listMails(actor, id))._unsafeUnwrap().data;
    expect(mails[0]?.messageId).toContain(`.${mail?.id}@`);
    expect([mail?.attempts, await statesOf(id)]).toEqual([2, ["budget sent"]]);
  });

  it("cancels a queued mail whose budget is answered or withdrawn", async () => {
    const { service, actor, budgetWith, mails, statesOf } = await mailWorld();
    const [answered, withdrawn] = [await budgetWith(), await budgetWith()];
    for (const id of [answered, withdrawn]) await service.budgets.send(actor, id);
    await service.budgets.update(actor, answered, { status: "APPROVED" });
    await service.budgets.withdraw(actor, withdrawn);
    await service.tick();
    expect(mails).toEqual([]);
    expect([await statesOf(answered), await statesOf(withdrawn)]).toEqual([["budget cancelled"], ["budget cancelled"]]);
  });

  it("cancels a queued mail and its reminders when the link is replaced", async () => {
    const { service, actor, budgetWith, mails, mailer, clock, statesOf } = await mailWorld({
      profile: { reminderDays: [7] },
    });
    const id = await budgetWith();
    mailer.fail = new Error("try later");
    await service.budgets.send(actor, id, { to: "wrong@example.com" });
    await service.tick();
    mailer.fail = null;
    await service.budgets.createPublicLink(actor, id, { rotate: true });
    clock.advance(28 * DAY_MS);
    await service.tick();
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([["wrong@example.com", "budget"]]);
    expect(await statesOf(id)).toEqual(["budget cancelled"]);
    await service.budgets.send(actor, id, { to: "right@example.com" });
    await service.tick();
    expect(mails.at(-1)?.to).toBe("right@example.com");
  });

  it("sends at most five mails at once, and stop waits for them", async () => {
    const { service, actor, budgetWith, mails, mailer } = await mailWorld();
    for (let mail = 0; mail < 12; mail += 1) await service.budgets.send(actor, await budgetWith());
    let running = 0;
    let most = 0;
    mailer.during = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await service.tick();
    expect([mails.length, most, running]).toEqual([12, 5, 0]);
  });

  it("sends mails in the background, and stop waits for those under way", async () => {
    const { service, actor, budgetWith, mailer, statesOf } = await mailWorld();
    await service.start();
    const id = await budgetWith();
    let release = () => {};
    const started = new Promise<void>((resolve) => {
      mailer.during = () => {
        resolve();
        return new Promise((done) => {
          release = done;
        });
      };
    });
    await service.budgets.send(actor, id);
    await started;
    const stopping = service.stop();
    release();
    await stopping;
    expect(await statesOf(id)).toEqual(["budget sent"]);
  });
});
