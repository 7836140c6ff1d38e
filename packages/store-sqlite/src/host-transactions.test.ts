import { symlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import {
  type Actor,
  type BudgetService,
  createBudgetService,
  type MailMessage,
  type SendRequest,
  StoreUnavailable,
} from "@budgetkit/core";
import { EMPTY_PROFILE, insertBudgetCommit, insertBusinessCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBusiness, anEvent, manualClock, outcomeOf, seededRandom } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "./index.js";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.js";

const actor: Actor = { kind: "system", businessId: "1" };
const input = { customerId: "ana", items: [{ description: "Chair", quantity: 1, unitPrice: 10 }] };

describe("a SQLite store within transactions of the host", () => {
  let folder: TemporaryFolder;
  let path: string;
  let store: Store;
  let host: BetterSqlite3.Database;
  let service: BudgetService;
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const sent: SendRequest[] = [];
  const mailed: MailMessage[] = [];

  function serviceOn(its: Store): BudgetService {
    const send = async (request: SendRequest) => {
      sent.push(request);
      return { kind: "answered", responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 1 } as const;
    };
    const secret = "a secret of at least thirty-two characters";
    const random = seededRandom(1);
    const mailer = { send: async () => {}, sendMessage: async (mail: MailMessage) => void mailed.push(mail) };
    const pdf = { render: async () => new Uint8Array(1) };
    return createBudgetService({ store: its, secret, clock, random, mailer, pdf, webhooks: { sender: { send } } });
  }

  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file("shop.db");
    sent.length = 0;
    mailed.length = 0;
    clock.set("2026-03-02T12:00:00.000Z");
    store = sqliteStore(path);
    await store.migrate();
    host = new BetterSqlite3(path);
    host.exec("CREATE TABLE orders (name TEXT NOT NULL)");
    service = serviceOn(store);
  });

  afterEach(async () => {
    host.close();
    await store.close();
    folder.remove();
  });

  const countOf = (table: string) => Number(host.prepare(`SELECT count(*) FROM ${table}`).pluck().get());

  describe("refuses", () => {
    it("refuses a connection without a transaction, and suggests how to begin one (TypeError)", () => {
      expect(() => store.withConnection(host)).toThrow(TypeError);
      expect(() => store.withConnection(host)).toThrow("BEGIN IMMEDIATE");
    });

    it("refuses the store's own Database, and suggests a second one (TypeError)", async () => {
      const itsOwn = sqliteStore(host);
      host.exec("BEGIN IMMEDIATE");
      expect(() => itsOwn.withConnection(host)).toThrow(TypeError);
      expect(() => itsOwn.withConnection(host)).toThrow("open a second Database on the same file");
      host.exec("ROLLBACK");
      await itsOwn.close();
    });

    it("refuses any connection when the store is in memory (TypeError)", () => {
      const database = new BetterSqlite3(":memory:");
      const inMemory = sqliteStore(database);
      for (const connection of [database, host]) {
        connection.exec("BEGIN IMMEDIATE");
        expect(() => inMemory.withConnection(connection)).toThrow(TypeError);
        expect(() => inMemory.withConnection(connection)).toThrow("need a file");
        connection.exec("ROLLBACK");
      }
      database.close();
    });

    it("refuses a connection to another file, or to memory (TypeError)", () => {
      for (const other of [folder.file("other.db"), ":memory:"]) {
        const database = new BetterSqlite3(other);
        database.exec("BEGIN IMMEDIATE");
        expect(() => store.withConnection(database)).toThrow(TypeError);
        expect(() => store.withConnection(database)).toThrow(path);
        database.close();
      }
    });

    it("refuses a connection that was closed (TypeError)", () => {
      const other = new BetterSqlite3(path);
      other.close();
      expect(() => store.withConnection(other)).toThrow(TypeError);
    });

    it("an operation rejects when its connection is refused (TypeError)", async () => {
      await expect(service.budgets.create(actor, input, { connection: host })).rejects.toThrow(TypeError);
      await expect(service.budgets.get(actor, "1", { connection: {} })).rejects.toThrow("better-sqlite3 Database");
    });
  });

  it("accepts a connection that opened the same file by another name", async () => {
    symlinkSync(path, folder.file("link.db"));
    const linked = new BetterSqlite3(folder.file("link.db"));
    linked.exec("BEGIN IMMEDIATE");
    expect(await outcomeOf(store.withConnection(linked), insertBudgetCommit(aBudget()))).toBe("written");
    linked.exec("COMMIT");
    linked.close();
    expect(await store.findBudget("1", "10")).toEqual(aBudget());
  });

  it("prepares its statements once for a connection", async () => {
    const prepared = vi.spyOn(host, "prepare");
    const create = async () => {
      host.exec("BEGIN IMMEDIATE");
      (await service.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
      host.exec("COMMIT");
    };
    await create();
    expect(prepared).toHaveBeenCalled();
    prepared.mockClear();
    await create();
    expect(prepared).not.toHaveBeenCalled();
  });

  describe("while the host holds the write lock", () => {
    for (const timeout of [0, 5_000]) {
      it(`serves others without blocking the process while the host holds the lock, with a timeout of ${timeout} ms`, async () => {
        const database = new BetterSqlite3(path, { timeout });
        const others = serviceOn(sqliteStore(database));
        host.exec("BEGIN IMMEDIATE");
        (await others.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
        const waiting = Promise.all(Array.from({ length: 10 }, () => others.budgets.create(actor, input)));
        for (let turn = 0; turn < 5; turn += 1) {
          await setImmediate();
          expect((await others.budgets.list(actor))._unsafeUnwrap().pagination.total).toBe(0);
        }
        (await others.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
        host.exec("COMMIT");
        expect((await waiting).every((made) => made.isOk())).toBe(true);
        expect((await others.budgets.list(actor))._unsafeUnwrap().pagination.total).toBe(12);
        expect(database.pragma("busy_timeout", { simple: true })).toBe(timeout);
        database.close();
      });
    }

    it("reserves ids for the host when none are at hand while it holds the write lock", async () => {
      host.exec("BEGIN IMMEDIATE");
      const first = (await service.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
      const second = (await service.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
      host.exec("COMMIT");
      const third = (await service.budgets.create(actor, input))._unsafeUnwrap();
      expect(new Set([first.id, second.id, third.id]).size).toBe(3);
    });
  });

  describe("in a transaction that began by reading", () => {
    it("writes in a transaction that began by reading when no other connection has written since", async () => {
      host.exec("BEGIN");
      expect((await service.budgets.list(actor, {}, { connection: host }))._unsafeUnwrap().data).toEqual([]);
      (await service.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
      host.exec("COMMIT");
      expect((await service.budgets.list(actor))._unsafeUnwrap().data).toHaveLength(1);
    });

    it("waits for the lock of another connection with the event loop free", async () => {
      const other = new BetterSqlite3(path);
      host.pragma("busy_timeout = 0");
      other.exec("BEGIN IMMEDIATE");
      host.exec("BEGIN");
      const waiting = outcomeOf(store.withConnection(host), insertBudgetCommit(aBudget()));
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      other.exec("ROLLBACK");
      expect(await waiting).toBe("written");
      host.exec("COMMIT");
      other.close();
      expect(await store.findBudget("1", "10")).toEqual(aBudget());
    });

    it("fails in a transaction that began by reading, with advice, when another connection has written since", async () => {
      host.exec("BEGIN");
      const within = store.withConnection(host);
      expect(await within.findBudget("1", "10")).toBeNull();
      await store.commit(insertBudgetCommit(aBudget()));
      expect(await within.findBudget("1", "10")).toBeNull();
      const refused = await within.commit(insertBudgetCommit(aBudget({ id: "11" }))).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreUnavailable);
      expect(refused).toHaveProperty("message", expect.stringContaining("BEGIN IMMEDIATE"));
      expect(host.inTransaction).toBe(true);
      host.exec("ROLLBACK");
    });
  });

  describe("when SQLite itself rolls the host's transaction back", () => {
    const fill = async () => {
      const within = store.withConnection(host);
      const pages = Number(host.pragma("page_count", { simple: true }));
      host.pragma(`max_page_count = ${pages + 20}`);
      for (let id = 100; ; id += 1) {
        const budget = aBudget({ id: String(id), notes: "n".repeat(1_500) });
        const event = anEvent({ id: String(id), subjectId: String(id), data: { text: "e".repeat(1_500) } });
        await within.commit(insertBudgetCommit(budget, { events: [event] }));
      }
    };

    function expectNothingLeft(): void {
      for (const table of ["orders", "budgetkit_budgets", "budgetkit_events", "budgetkit_undispatched_events"]) {
        expect(countOf(table), table).toBe(0);
      }
      expect(host.pragma("integrity_check", { simple: true })).toBe("ok");
    }

    it("reports that a trigger rolled the host's transaction back, and leaves nothing of it", async () => {
      host.exec("CREATE TRIGGER none BEFORE INSERT ON budgetkit_budgets BEGIN SELECT RAISE(ROLLBACK, 'none'); END");
      host.exec("BEGIN IMMEDIATE");
      host.exec("INSERT INTO orders VALUES ('before')");
      const refused = await store
        .withConnection(host)
        .commit(insertBudgetCommit(aBudget(), { events: [anEvent()] }))
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreUnavailable);
      expect(refused).toHaveProperty("message", expect.stringContaining("rolled the whole transaction"));
      expect(host.inTransaction).toBe(false);
      expect(() => store.withConnection(host)).toThrow("no transaction");
      expectNothingLeft();
    });

    it("a full disk in a host's transaction leaves nothing after the host's rollback", async () => {
      host.exec("BEGIN IMMEDIATE");
      host.exec("INSERT INTO orders VALUES ('before')");
      expect(await fill().catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      if (host.inTransaction) host.exec("ROLLBACK");
      host.pragma("max_page_count = 1000000");
      expectNothingLeft();
    });
  });

  it("decides again on the data of the host's transaction", async () => {
    const made = (await service.budgets.create(actor, { ...input, draft: true }))._unsafeUnwrap();
    (await service.budgets.update(actor, made.id, { notes: "theirs" }))._unsafeUnwrap();
    host.exec("BEGIN IMMEDIATE");
    const connection = host;
    const stale = await service.budgets.update(actor, made.id, { notes: "x" }, { connection, expectedVersion: 1 });
    expect(stale._unsafeUnwrapErr()).toMatchObject({ kind: "stale" });
    const first = await service.budgets.update(actor, made.id, { notes: "mine" }, { connection, expectedVersion: 2 });
    expect(first._unsafeUnwrap().version).toBe(3);
    expect(
      (await service.budgets.update(actor, made.id, { taxRate: 0.1 }, { connection }))._unsafeUnwrap(),
    ).toMatchObject({ version: 4, notes: "mine", total: 11 });
    const refused = (await service.budgets.complete(actor, made.id, { connection }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "INVALID_TRANSITION" });
    host.exec("COMMIT");
    expect((await service.budgets.get(actor, made.id))._unsafeUnwrap()).toMatchObject({ version: 4, notes: "mine" });
  });

  it("carries every operation out in a host's transaction, and leaves nothing after a rollback", async () => {
    const connection = host;
    const { budgets, customers, products, packages } = service;
    const budget = async (draft = false) => (await budgets.create(actor, { ...input, draft }))._unsafeUnwrap().id;
    const offer = { currency: "USD", customerId: 5, sellerId: 6, subtotal: 10, iva: 0, total: 10 };
    const dates = { issueDate: "2026-03-01", expirationDate: "2026-04-01", minimumPaymentToConfirm: 4 };
    const publicInput = { ...offer, ...dates, items: [{ quantity: 1, unitPrice: 10 }] };
    const open = (await budgets.createPublic(actor, publicInput))._unsafeUnwrap();
    const [pending, draft, approved, rejected, gone] = [
      await budget(),
      await budget(true),
      await budget(),
      await budget(),
      await budget(),
    ];
    const accepted = (await budgets.createPublic(actor, publicInput))._unsafeUnwrap();
    await budgets.answerPublicLink(accepted.publicToken, "accept", { version: 1 });
    await budgets.update(actor, approved, { status: "APPROVED" });
    await budgets.update(actor, rejected, { status: "APPROVED" });
    await budgets.complete(actor, rejected);
    await budgets.delete(actor, gone);
    const overdue = (await budgets.create(actor, { ...input, validUntil: "2026-03-30" }))._unsafeUnwrap().id;
    const product = (await products.create(actor, { name: "Chair", unitPrice: 10 }))._unsafeUnwrap();
    await customers.create(actor, { id: "ana", name: "Ana" });
    await customers.create(actor, { id: "bruno", name: "Bruno" });
    await customers.delete(actor, "bruno");
    await store.commit(insertBusinessCommit({ ...aBusiness(), profile: { ...EMPTY_PROFILE, reminderDays: [3] } }));
    (await budgets.send(actor, String(open.budgetId), { to: "ana@example.com" }))._unsafeUnwrap();
    await service.tick();
    clock.set("2026-03-29T12:00:00.000Z");
    await service.tick(); // sends the reminder, whose link ends reminders
    const mailToken = /mail=([\w.-]+)>/.exec(mailed.at(-1)?.headers["List-Unsubscribe"] ?? "")?.[1];
    clock.set("2026-03-31T00:00:00.000Z");

    const calls: Readonly<Record<string, () => Promise<{ isOk(): boolean }>>> = {
      create: () => budgets.create(actor, input, { connection }),
      createPublic: () => budgets.createPublic(actor, publicInput, { connection }),
      update: () => budgets.update(actor, draft, { notes: "x", taxRate: 0.21 }, { connection }),
      delete: () => budgets.delete(actor, pending, { connection }),
      restore: () => budgets.restore(actor, gone, { connection }),
      duplicate: () => budgets.duplicate(actor, pending, { connection }),
      submit: () => budgets.submit(actor, draft, { connection }),
      withdraw: () => budgets.withdraw(actor, pending, { connection }),
      reopen: () => budgets.reopen(actor, approved, { reason: "again" }, { connection }),
      complete: () => budgets.complete(actor, approved, { connection }),
      archive: () => budgets.archive(actor, rejected, { connection }),
      recordPayment: () => budgets.recordPayment(actor, pending, { amount: 4, reference: "cash" }, { connection }),
      createPublicLink: () => budgets.createPublicLink(actor, pending, {}, { connection }),
      readPublicLink: () => budgets.readPublicLink(actor, String(open.budgetId), { connection }),
      removePublicLink: () => budgets.removePublicLink(actor, String(open.budgetId), { connection }),
      answerPublicLink: () => budgets.answerPublicLink(open.publicToken, "accept", { version: 1 }, { connection }),
      previewPublicLink: () => budgets.previewPublicLink(open.publicToken, { selection: [] }, { connection }),
      getEvidence: () => budgets.getEvidence(actor, approved, {}, { connection }),
      openEvidence: () => budgets.openEvidence(accepted.publicToken, { connection }),
      requestChange: () => budgets.requestChange(open.publicToken, { version: 1, message: "Blue" }, { connection }),
      listChangeRequests: () => budgets.listChangeRequests(actor, pending, { connection }),
      send: () => budgets.send(actor, pending, { to: "ana@example.com" }, { connection }),
      listLinkViews: () => budgets.listLinkViews(actor, pending, {}, { connection }),
      remind: () => budgets.remind(actor, { budgetIds: [pending] }, { connection }),
      extend: () => budgets.extend(actor, { budgetIds: [pending], validUntil: "2199-01-01" }, { connection }),
      listMessages: () => budgets.listMessages(actor, pending, {}, { connection }),
      sendMessage: () => budgets.sendMessage(actor, pending, { message: "Soon." }, { connection }),
      listLinkMessages: () => budgets.listLinkMessages(open.publicToken, {}, { connection }),
      sendLinkMessage: () =>
        budgets.sendLinkMessage(open.publicToken, { name: "Ana", message: "When?" }, { connection }),
      listMails: () => budgets.listMails(actor, pending, {}, { connection }),
      readReminders: () => budgets.readReminders(open.publicToken, { connection }),
      stopReminders: () => budgets.stopReminders(open.publicToken, { connection }),
      resumeReminders: () => budgets.resumeReminders(open.publicToken, { mailToken, connection }),
      renderPdf: () => budgets.renderPdf(actor, pending, { connection }),
      listUndrawable: () => budgets.listUndrawable(actor, pending, { connection }),
      openPublicLink: () => budgets.openPublicLink(open.publicToken, { connection }),
      preview: () => budgets.preview(actor, input, { connection }),
      previewDocument: () => budgets.previewDocument(actor, input, { connection }),
      "get, which expires": () => budgets.get(actor, overdue, { connection }),
      "list, which expires": () => budgets.list(actor, {}, { connection }),
      listRevisions: () => budgets.listRevisions(actor, overdue, {}, { connection }),
      compareRevisions: () => budgets.compareRevisions(actor, overdue, 1, { from: 1 }, { connection }),
      getRevision: () => budgets.getRevision(actor, overdue, 1, { connection }),
      listPayments: () => budgets.listPayments(actor, pending, {}, { connection }),
      "customers.create": () => customers.create(actor, { name: "Carla" }, { connection }),
      "customers.update": () => customers.update(actor, "ana", { name: "Ana María" }, { connection }),
      "customers.delete": () => customers.delete(actor, "ana", { connection }),
      "customers.restore": () => customers.restore(actor, "bruno", { connection }),
      "customers.get": () => customers.get(actor, "ana", { connection }),
      "customers.list": () => customers.list(actor, {}, { connection }),
      "products.create": () => products.create(actor, { name: "Table", unitPrice: 5 }, { connection }),
      "products.update": () => products.update(actor, product.id, { unitPrice: 12 }, { connection }),
      "packages.create": () =>
        packages.create(actor, { name: "Set", items: [{ productId: product.id, quantity: 1 }] }, { connection }),
      "events.list": () => service.events.list(actor, {}, { connection }),
    };
    const named = new Set(Object.keys(calls).map((name) => name.split(",")[0]));
    expect(Object.keys(budgets).filter((operation) => !named.has(operation))).toEqual([]);
    const heard = vi.fn();
    service.on("*", heard);
    const reader = new BetterSqlite3(path, { readonly: true });
    const tables = reader
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
      .pluck()
      .all()
      .map((table) => ({ table, rows: reader.prepare(`SELECT * FROM "${String(table)}"`) }));
    const dump = () => tables.map(({ table, rows }) => `${String(table)} ${JSON.stringify(rows.all())}`);
    const before = dump();
    for (const [name, call] of Object.entries(calls)) {
      host.exec("BEGIN IMMEDIATE");
      expect((await call()).isOk(), name).toBe(true);
      expect(dump(), `${name}, seen from outside`).toEqual(before);
      host.exec("ROLLBACK");
      await service.afterCommit(host);
      expect(dump(), `${name}, rolled back`).toEqual(before);
    }
    reader.close();
    expect(heard).not.toHaveBeenCalled();
  });

  describe("lets no event out before the commit", () => {
    it("sends webhooks of a host's transaction after the commit, and once", async () => {
      const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
      const owner: Actor = { kind: "system", businessId: business.id };
      (await service.webhooks.create(owner, { url: "https://hooks.example/" }))._unsafeUnwrap();
      for (const end of ["ROLLBACK", "COMMIT"]) {
        host.exec("BEGIN IMMEDIATE");
        const made = (await service.budgets.create(owner, input, { connection: host }))._unsafeUnwrap();
        (await service.budgets.update(owner, made.id, { status: "APPROVED" }, { connection: host }))._unsafeUnwrap();
        host.exec("SAVEPOINT still_open");
        const others = new BetterSqlite3(path, { readonly: true });
        expect(others.prepare("SELECT count(*) FROM budgetkit_undispatched_events").pluck().get()).toBe(0);
        others.close();
        expect(await store.findUndispatchedEvents(10)).toEqual([]);
        host.exec(end);
        await service.afterCommit(host);
        await service.webhooks.tick();
        if (end === "ROLLBACK") expect(sent).toEqual([]);
      }
      await service.webhooks.tick();
      expect(sent.map(({ body }) => JSON.parse(String(body)).event).sort()).toEqual([
        "budget.approved",
        "budget.created",
      ]);
    });

    it("sends webhooks of a host's transaction at once when afterCommit is called", async () => {
      const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
      const owner: Actor = { kind: "system", businessId: business.id };
      (await service.webhooks.create(owner, { url: "https://hooks.example/" }))._unsafeUnwrap();
      vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] }); // polls of the dispatcher do not come round
      await service.start();
      for (let turn = 0; turn < 20; turn += 1) await setImmediate(); // its first round finds nothing
      host.exec("BEGIN IMMEDIATE");
      (await service.budgets.create(owner, input, { connection: host }))._unsafeUnwrap();
      host.exec("COMMIT");
      await service.afterCommit(host);
      vi.useRealTimers();
      await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 20_000 });
      await service.stop();
    });

    it("notifies handlers after the host's commit, in the order of the calls and once each", async () => {
      const heard: string[] = [];
      service.on("*", ({ type }) => heard.push(type));
      const made = (await service.budgets.create(actor, input))._unsafeUnwrap();
      await setImmediate();
      heard.length = 0;
      host.exec("BEGIN IMMEDIATE");
      (await service.budgets.update(actor, made.id, { metadata: { a: 1 } }, { connection: host }))._unsafeUnwrap();
      (await service.budgets.delete(actor, made.id, { connection: host }))._unsafeUnwrap();
      await service.afterCommit(host);
      expect(heard).toEqual([]);
      host.exec("COMMIT");
      await Promise.all([service.afterCommit(host), service.afterCommit(host)]);
      await setImmediate();
      expect(heard).toEqual(["budget.updated", "budget.deleted"]);
      await service.tick();
      await setImmediate();
      expect(heard).toHaveLength(2);
    });

    it("notifies handlers at the next maintenance round without a call of afterCommit", async () => {
      const heard = vi.fn();
      service.on("budget.created", heard);
      host.exec("BEGIN IMMEDIATE");
      (await service.budgets.create(actor, input, { connection: host }))._unsafeUnwrap();
      host.exec("COMMIT");
      await service.tick();
      await setImmediate();
      expect(heard).toHaveBeenCalledTimes(1);
    });
  });
});
