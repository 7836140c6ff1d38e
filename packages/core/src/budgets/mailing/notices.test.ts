import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { type BusinessProfile, EMPTY_PROFILE } from "../../access/business.js";
import type { UpdateBusiness } from "../../access/business-view.js";
import { DEFAULT_MAILS } from "../../access/mail-settings.js";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { type MailWorldOptions, mailWorld } from "../../testing/mail-world.js";
import { endpointMail } from "../notices/endpoint-mail.js";

type Pdf = NonNullable<MailWorldOptions["pdf"]>;
type ShownDocument = Parameters<Pdf["render"]>[0];

const SELLER = "sales@norte.example";

/** A business with an address, and a budget that its customer got by mail. `told` lists the mails since then. */
async function mailedWorld(profile: UpdateBusiness = {}, pdf?: Pdf) {
  const own = { email: SELLER, ...profile };
  const world = await mailWorld(pdf === undefined ? { profile: own } : { profile: own, pdf });
  const { service, actor, budgetWith, mails, clock } = world;
  const id = await budgetWith();
  (await service.budgets.send(actor, id, { lang: "es" }))._unsafeUnwrap();
  await service.tick();
  clock.advance(MINUTE_MS);
  const { publicToken } = (await service.budgets.readPublicLink(actor, id))._unsafeUnwrap();
  const answer = async (given: "accept" | "decline", fields: { name?: string; reason?: string } = {}) => {
    const { version } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
    return (await service.budgets.answerPublicLink(publicToken, given, { version, ...fields }))._unsafeUnwrap();
  };
  const ask = async (message: string) => {
    const { version } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
    (await service.budgets.requestChange(publicToken, { version, message }))._unsafeUnwrap();
  };
  const told = async () => {
    await service.tick();
    return mails.slice(1).map(({ kind, to }) => `${kind} ${to}`);
  };
  return { ...world, id, publicToken, answer, ask, told };
}

describe("mails to the customer", () => {
  it("mails an acceptance to the customer and the seller once, in the language of each", async () => {
    const { answer, told, mails, id } = await mailedWorld();
    await answer("accept", { name: "Ana" });
    expect(await told()).toEqual(["customer.accepted ana@example.com", `seller.accepted ${SELLER}`]);
    expect(await told()).toHaveLength(2);
    expect(mails[1]?.subject).toBe(`Usted aceptó el presupuesto ${id} de Carpintería Norte`);
    expect(mails[2]?.subject).toBe(`Ana accepted quote ${id}`);
    expect([mails[1]?.replyTo, mails[2]?.replyTo]).toEqual([SELLER, "ana@example.com"]);
    expect(mails[1]?.headers).toEqual({});
  });

  it("mails an acceptance of an offer that was never mailed in the language in which the customer accepted", async () => {
    const { service, actor, budgetWith, mails } = await mailWorld({ profile: { email: SELLER } });
    const id = await budgetWith();
    const { publicToken } = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const at = `https://quotes.example/v1/p/${publicToken}`;
    const { version, hash } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
    const form = new URLSearchParams({ version: String(version), hash, name: "Ana", language: "de-AT" });
    const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
    const sent = await service.fetch(new Request(`${at}/accept`, { method: "POST", headers, body: form.toString() }));
    expect(sent.status).toBe(303);
    await service.tick();
    expect(mails.find(({ kind }) => kind === "customer.accepted")?.html).toContain('<html lang="de"');
  });

  it("attaches the PDF of what was accepted, where the service makes PDFs", async () => {
    const shown: ShownDocument[] = [];
    const render = async (document: ShownDocument) => {
      shown.push(document);
      return new Uint8Array(82_000);
    };
    const { answer, told, mails, id } = await mailedWorld({}, { render });
    await answer("accept", { name: "Ana" });
    await told();
    expect(mails[1]?.attachments).toEqual([
      { fileName: `Presupuesto-${id}.pdf`, contentType: "application/pdf", content: expect.any(Uint8Array) },
    ]);
    expect(mails[1]?.text).toContain(`Adjunto: Presupuesto-${id}.pdf, 82 kB`);
    expect(shown.at(-1)?.answer).not.toBeNull();
  });

  it("mails a new version of a mailed offer, one for several changes within minutes", async () => {
    const { service, actor, id, told, mails, clock } = await mailedWorld();
    for (const unitPrice of [1_200, 1_300]) {
      const items = [{ description: "Oak table", quantity: 1, unitPrice }];
      (await service.budgets.update(actor, id, { items }))._unsafeUnwrap();
    }
    expect(await told()).toEqual([]);
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual(["customer.newVersion ana@example.com"]);
    expect(mails[1]?.text.replaceAll("\u00a0", " ")).toMatch(/1[.,]?300,00/);
    (await service.budgets.update(actor, id, { notes: "By April" }))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toHaveLength(2);
  });

  it("mails no new version that the business sends by itself", async () => {
    const { service, actor, id, told, clock } = await mailedWorld();
    (await service.budgets.update(actor, id, { notes: "By April" }))._unsafeUnwrap();
    (await service.budgets.send(actor, id))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual(["budget ana@example.com"]);
  });

  it("mails a new version of an offer that was opened by its link, and none that nobody has seen", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld();
    const [opened, unseen] = [await budgetWith(), await budgetWith()];
    for (const id of [opened, unseen]) (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const { publicToken } = (await service.budgets.readPublicLink(actor, opened))._unsafeUnwrap();
    await service.fetch(new Request(`https://quotes.example/v1/p/${publicToken}/seen.svg`));
    for (const id of [opened, unseen]) (await service.budgets.update(actor, id, { notes: "n" }))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    await service.tick();
    expect(mails.map(({ kind, budgetId }) => [kind, budgetId])).toEqual([["customer.newVersion", opened]]);
  });

  it("mails an acceptance also to a customer without reminders, and no new version that was accepted meanwhile", async () => {
    const { service, actor, id, publicToken, answer, told, clock } = await mailedWorld();
    await service.budgets.stopReminders(publicToken);
    (await service.budgets.update(actor, id, { notes: "By April" }))._unsafeUnwrap();
    await answer("accept");
    clock.advance(3 * MINUTE_MS);
    expect((await told()).sort()).toEqual(["customer.accepted ana@example.com", `seller.accepted ${SELLER}`]);
  });
});

describe("mails to the seller", () => {
  it("mails the first view once, where the business wants it", async () => {
    const { service, publicToken, told, clock } = await mailedWorld({ mails: { seller: { viewed: true } } });
    for (let view = 0; view < 3; view += 1) {
      await service.fetch(new Request(`https://quotes.example/v1/p/${publicToken}/seen.svg?c=mail`));
      clock.advance(2 * MINUTE_MS);
    }
    expect(await told()).toEqual([`seller.viewed ${SELLER}`]);
  });

  it("mails a refusal with its reason, in the customer's words", async () => {
    const { answer, told, mails } = await mailedWorld();
    await answer("decline", { reason: "Too expensive" });
    expect(await told()).toEqual([`seller.declined ${SELLER}`]);
    expect(mails[1]?.text).toContain("Too expensive");
  });

  it("mails several requests for a change within minutes as one, with all of their words", async () => {
    const { ask, told, mails, clock } = await mailedWorld();
    await ask("Oak instead of pine");
    await ask("And two drawers");
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual([`seller.asked ${SELLER}`]);
    expect(mails[1]?.text).toContain("Oak instead of pine\n\nAnd two drawers");
  });

  it("a seller's mail labels a question and a request for a change in its own language", async () => {
    const { service, publicToken, ask, told, mails, clock } = await mailedWorld({ locale: "de-DE" });
    const write = async (message: string) => {
      (await service.budgets.sendLinkMessage(publicToken, { name: "Ana", message }))._unsafeUnwrap();
      clock.advance(1_000);
    };
    await write("Is it oiled?");
    await write("And sanded?");
    await ask("Oak instead of pine");
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual([`seller.asked ${SELLER}`]);
    expect(mails[1]?.text).toContain(
      "Nachricht:\nIs it oiled?\n\nAnd sanded?\n\nÄnderungswunsch:\nOak instead of pine",
    );
  });

  it("mails the business once, two days before an offer without an answer ends", async () => {
    const { told, clock, service } = await mailedWorld({ reminderDays: [2] });
    for (let day = 0; day < 35; day += 1) {
      clock.advance(DAY_MS);
      await service.tick();
    }
    expect((await told()).sort()).toEqual(["reminder ana@example.com", `seller.expiring ${SELLER}`]);
  });

  it("mails the business before an offer ends that has only a link, also after that is replaced or the offer renewed", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({
      profile: { email: SELLER, reminderDays: [2] },
    });
    const [shared, draft, answered] = [await budgetWith(), await budgetWith({ draft: true }), await budgetWith()];
    for (const id of [shared, draft, answered]) (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    const live = async (days: number) => {
      for (let day = 0; day < days; day += 1) {
        clock.advance(DAY_MS);
        await service.tick();
      }
      return mails.splice(0).map(({ kind, to, budgetId }) => `${kind} ${to} ${budgetId}`);
    };
    expect(await live(10)).toEqual([]);
    (await service.budgets.createPublicLink(actor, shared, { rotate: true }))._unsafeUnwrap();
    (await service.budgets.submit(actor, draft))._unsafeUnwrap();
    (await service.budgets.update(actor, answered, { status: "APPROVED" }))._unsafeUnwrap();
    expect((await live(30)).sort()).toEqual([
      `seller.expiring ${SELLER} ${shared}`,
      `seller.expiring ${SELLER} ${draft}`,
    ]);
    (await service.budgets.update(actor, shared, { status: "PENDING", validUntil: "2026-05-10" }))._unsafeUnwrap();
    expect((await live(40)).filter((told) => !told.startsWith("customer.newVersion"))).toEqual([
      `seller.expiring ${SELLER} ${shared}`,
    ]);
  });

  it("mails the business before the end that an offer without one gets later", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile: { email: SELLER } });
    const id = await budgetWith({ validUntil: null });
    (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    await service.tick();
    (await service.budgets.update(actor, id, { validUntil: "2026-03-20" }))._unsafeUnwrap();
    for (let day = 0; day < 20; day += 1) {
      clock.advance(DAY_MS);
      await service.tick();
    }
    expect(mails.filter(({ kind }) => kind === "seller.expiring").map(({ budgetId }) => budgetId)).toEqual([id]);
  });

  it("mails no business about an end that was near when the offer got its link", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile: { email: SELLER } });
    const id = await budgetWith();
    clock.advance(28 * DAY_MS);
    (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
    clock.advance(DAY_MS);
    await service.tick();
    expect(mails).toEqual([]);
  });

  it("mails the user who created the budget, else the business, else nobody", async () => {
    const { service, clock, actor, mails, customer } = await mailWorld();
    const user = (
      await service.users.create({
        businessId: actor.businessId,
        email: "lu@norte.example",
        displayName: "Lu",
        password: "a long password 7",
        role: "MEMBER",
      })
    )._unsafeUnwrap();
    const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
    const asUser = {
      kind: "user",
      businessId: actor.businessId,
      id: String(user.id),
      role: "OWNER",
      sessionId: null,
    } as const;
    for (const creator of [asUser, actor]) {
      const { id } = (await service.budgets.create(creator, { customerId: customer.id, items }))._unsafeUnwrap();
      const link = (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
      const { version } = (await service.budgets.openPublicLink(link.publicToken))._unsafeUnwrap();
      (await service.budgets.answerPublicLink(link.publicToken, "decline", { version }))._unsafeUnwrap();
    }
    clock.advance(1);
    await service.tick();
    expect(mails.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["seller.declined lu@norte.example"]);
  });
});

describe("settings and limits of mails", () => {
  it("sends no mail of an act that the business has turned off", async () => {
    const { answer, told } = await mailedWorld({
      mails: { customer: { accepted: false }, seller: { accepted: false } },
    });
    await answer("accept");
    expect(await told()).toEqual([]);
  });

  it("makes the change when its mail cannot be queued, and reports why", async () => {
    const { service, store, actor, id, publicToken, errors, told } = await mailedWorld();
    const { listMails } = store;
    store.listMails = async () => {
      throw new Error("the mails cannot be read");
    };
    const { version } = (await service.budgets.openPublicLink(publicToken))._unsafeUnwrap();
    expect((await service.budgets.answerPublicLink(publicToken, "accept", { version })).isOk()).toBe(true);
    store.listMails = listMails;
    expect((await service.budgets.get(actor, id))._unsafeUnwrap().status).toBe("APPROVED");
    expect(errors.map(String)).toContain("Error: the mails cannot be read");
    expect(await told()).toEqual([]);
  });

  it("makes the change without its mail when the mail would exceed the quota", async () => {
    const { service, store, actor, id, told, clock } = await mailedWorld();
    const { commit } = store;
    store.commit = async (given) =>
      given.writes.some(({ kind }) => kind === "mail") ? { kind: "refused", by: "quota-exceeded" } : commit(given);
    const changed = await service.budgets.update(actor, id, { notes: "By April" });
    expect(changed._unsafeUnwrap().notes).toBe("By April");
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual([]);
  });

  it("mails at most 100 times a day to one address: acts are made without their mail, a caller gets 429", async () => {
    const { service, actor, id, told, answer, mails } = await mailedWorld();
    for (let mail = 1; mail < 100; mail += 1) (await service.budgets.send(actor, id))._unsafeUnwrap();
    const refused = (await service.budgets.send(actor, id, { to: "ANA@example.com" }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ kind: "rate-limited", limit: 100 });
    expect((await service.budgets.send(actor, id, { to: "other@example.com" })).isOk()).toBe(true);
    await told();
    mails.length = 0;
    await answer("accept");
    await service.tick();
    expect(mails.map(({ to }) => to)).not.toContain("ana@example.com");
  });

  it("mails customers of acts only within the hour's share of the business, and makes the acts", async () => {
    const { service, actor, mails, clock } = await mailWorld({ perHour: 3 });
    for (let victim = 0; victim < 6; victim += 1) {
      const customer = { name: "V", email: `v${victim}@example.org` };
      const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
      const { id } = (await service.budgets.create(actor, { customer, items }))._unsafeUnwrap();
      (await service.budgets.createPublicLink(actor, id))._unsafeUnwrap();
      expect((await service.budgets.sendMessage(actor, id, { message: "Buy now" })).isOk()).toBe(true);
    }
    clock.advance(3 * MINUTE_MS);
    await service.tick();
    expect(mails).toHaveLength(3);
  });

  it("leaves the seller's day to other customers when one of them writes all day", async () => {
    const { service, actor, budgetWith, publicToken, told, mails, clock } = await mailedWorld();
    for (let message = 0; message < 110; message += 1) {
      (await service.budgets.sendLinkMessage(publicToken, { name: "Ana", message: "Hello" }))._unsafeUnwrap();
      clock.advance(3 * MINUTE_MS);
      await service.tick();
    }
    expect(mails.filter(({ kind }) => kind === "seller.asked")).toHaveLength(20);
    const other = (await service.budgets.createPublicLink(actor, await budgetWith()))._unsafeUnwrap();
    (await service.budgets.answerPublicLink(other.publicToken, "accept", { version: 2 }))._unsafeUnwrap();
    expect(await told()).toContain(`seller.accepted ${SELLER}`);
  });

  it("mails a message by the new link while one by the replaced link still waits", async () => {
    const { service, actor, id, told, clock, mails } = await mailedWorld();
    (await service.budgets.sendMessage(actor, id, { message: "First" }))._unsafeUnwrap();
    (await service.budgets.createPublicLink(actor, id, { rotate: true }))._unsafeUnwrap();
    (await service.budgets.send(actor, id))._unsafeUnwrap();
    (await service.budgets.sendMessage(actor, id, { message: "Second" }))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    expect((await told()).sort()).toEqual(["budget ana@example.com", "customer.message ana@example.com"]);
    expect(mails.find(({ kind }) => kind === "customer.message")?.text).toContain("Second");
  });

  it("mails no act to the customer of the catalog after the mailed link was replaced, until a person sends it", async () => {
    const { service, actor, id, told, clock } = await mailedWorld();
    (await service.budgets.createPublicLink(actor, id, { rotate: true }))._unsafeUnwrap();
    (await service.budgets.sendMessage(actor, id, { message: "Hello" }))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    expect(await told()).toEqual([]);
    (await service.budgets.send(actor, id))._unsafeUnwrap();
    (await service.budgets.sendMessage(actor, id, { message: "Again" }))._unsafeUnwrap();
    clock.advance(3 * MINUTE_MS);
    expect((await told()).sort()).toEqual(["budget ana@example.com", "customer.message ana@example.com"]);
  });
});

describe("the mail about a disabled endpoint", () => {
  it("mails the business which endpoint was disabled, unless it has turned that off or has no address", async () => {
    const told = async (profile: Partial<BusinessProfile>) => {
      const mailing = {
        limits: memoryStore(),
        perHour: 5,
        wake: () => {},
        findUserEmail: async () => null,
        undrawableIn: async () => [],
        onError: () => {},
      };
      const business = { name: "Norte", timeZone: "UTC", profile: { ...EMPTY_PROFILE, ...profile } };
      const { context, clock } = budgetWorld({ mailing, findBusiness: async () => business });
      const endpoint = { businessId: "1", id: "77", url: "https://hooks.example.com/budgets" };
      return (await endpointMail(context, endpoint, clock.now())).map(({ mail }) => mail);
    };
    const off = { ...DEFAULT_MAILS, seller: { ...DEFAULT_MAILS.seller, endpointDisabled: false } };
    expect(await told({ email: SELLER })).toEqual([
      expect.objectContaining({
        kind: "seller.endpointDisabled",
        to: SELLER,
        budgetId: "77",
        message: "https://hooks.example.com/budgets",
      }),
    ]);
    expect(await told({ email: SELLER, mails: off })).toEqual([]);
    expect(await told({})).toEqual([]);
  });

  it("mails at most five times a day about one endpoint, however often it is enabled again", async () => {
    const mailing = {
      limits: memoryStore(),
      perHour: 5,
      wake: () => {},
      findUserEmail: async () => null,
      undrawableIn: async () => [],
      onError: () => {},
    };
    const business = { name: "Norte", timeZone: "UTC", profile: { ...EMPTY_PROFILE, email: SELLER } };
    const { context, clock } = budgetWorld({ mailing, findBusiness: async () => business });
    const mailsOf = async (id: string) =>
      (await endpointMail(context, { businessId: "1", id, url: "https://hooks.example.com" }, clock.now())).length;
    const counts: number[] = [];
    for (let time = 0; time < 8; time += 1) counts.push(await mailsOf("77"));
    expect(counts).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);
    expect(await mailsOf("78")).toBe(1);
  });
});
