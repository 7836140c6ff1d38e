import { describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../kernel/clock.js";
import { isPending } from "../../testing/is-pending.js";
import { mailWorld } from "../../testing/mail-world.js";
import { decideReminder } from "./queue-reminders.js";

const at = (text: string) => Date.parse(text);
const state = {
  validUntil: at("2026-04-01T04:59:59.999Z"), // the end of 31 March in Lima
  reminderDays: [7, 1],
  timeZone: "America/Lima",
  offeredAt: at("2026-03-02T12:00:00Z"),
  done: [],
};

describe("deciding a reminder", () => {
  it("a reminder is due at nine o'clock in the business's time zone, the set number of calendar days before the last day", () => {
    const nine = at("2026-03-24T14:00:00Z");
    expect(decideReminder(state, nine - 1)).toEqual({ nextCheckAt: nine, due: [] });
    expect(decideReminder(state, nine)).toEqual({ nextCheckAt: nine + DAY_MS, due: [7] });
    const pago = { ...state, timeZone: "Pacific/Auckland" }; // there the last day is 1 April
    expect(decideReminder(pago, at("2026-03-24T20:00:00Z")).due).toEqual([7]);
    expect(decideReminder(pago, at("2026-03-24T19:59:59Z")).due).toEqual([]);
  });

  it("a reminder keeps its hour when the clocks change", () => {
    const madrid = {
      ...state,
      timeZone: "Europe/Madrid",
      validUntil: at("2026-03-31T12:00:00Z"),
      reminderDays: [3, 1],
    };
    expect(decideReminder(madrid, at("2026-03-28T08:00:00Z")).due).toEqual([3]); // UTC+1
    expect(decideReminder({ ...madrid, done: [3] }, at("2026-03-30T06:59:59Z")).due).toEqual([]);
    expect(decideReminder({ ...madrid, done: [3] }, at("2026-03-30T07:00:00Z")).due).toEqual([1]); // UTC+2
  });

  it("checks reminders every day, since budget and settings may change", () => {
    const now = at("2026-03-05T00:00:00Z");
    expect(decideReminder({ ...state, reminderDays: [] }, now)).toEqual({ nextCheckAt: now + DAY_MS, due: [] });
    expect(decideReminder({ ...state, validUntil: null }, now)).toEqual({ nextCheckAt: now + DAY_MS, due: [] });
    const later = at("2026-04-02T00:00:00Z");
    expect(decideReminder({ ...state, validUntil: null }, later)).toEqual({ nextCheckAt: null, due: [] });
  });

  it("sends one mail for several missed reminders, and none for those before the mail of the budget", () => {
    const late = at("2026-03-31T00:00:00Z");
    expect(decideReminder(state, late).due).toEqual([7, 1]);
    expect(decideReminder({ ...state, done: [7] }, late).due).toEqual([1]);
    expect(decideReminder({ ...state, offeredAt: at("2026-03-29T00:00:00Z") }, late).due).toEqual([1]);
  });
});

describe("reminders", () => {
  const profile = { reminderDays: [1, 7, 7] };

  it("mails each reminder once to the recipient of the budget's mail, with an unsubscribe link", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile });
    const id = await budgetWith();
    await service.budgets.send(actor, id, { to: "buyer@example.com", lang: "es", message: "As we discussed" });
    for (let day = 0; day < 40; day += 1) {
      await service.tick();
      clock.advance(DAY_MS / 2);
      await service.tick();
      clock.advance(DAY_MS / 2);
    }
    expect(mails.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
      "budget buyer@example.com",
      "reminder buyer@example.com",
      "reminder buyer@example.com",
    ]);
    expect(mails[1]?.subject).toBe(`Su presupuesto ${id} de Carpintería Norte es válido hasta el 31 de marzo de 2026`);
    expect(mails[1]?.text).not.toContain("As we discussed");
    expect(mails[1]?.headers["List-Unsubscribe"]).toMatch(
      /^<https:\/\/quotes\.example\/v1\/p\/[\w-]{43}\/unsubscribe\?mail=v1\.[\w-]+>$/,
    );
  });

  it.each(["answer", "opt-out", "withdrawal"] as const)("reminders end with the %s", async (end) => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile });
    const id = await budgetWith();
    await service.budgets.send(actor, id);
    await service.tick();
    const { publicToken } = (await service.budgets.readPublicLink(actor, id))._unsafeUnwrap();
    if (end === "answer") await service.budgets.update(actor, id, { status: "APPROVED" });
    if (end === "withdrawal") await service.budgets.withdraw(actor, id);
    if (end === "opt-out") {
      expect((await service.budgets.readReminders(publicToken))._unsafeUnwrap().remindersOff).toBe(false);
      expect((await service.budgets.stopReminders(publicToken))._unsafeUnwrap().remindersOff).toBe(true);
    }
    clock.advance(28 * DAY_MS);
    await service.tick();
    expect(mails.map(({ kind }) => kind)).toEqual(["budget"]);
    if (end !== "opt-out") return;
    await service.budgets.send(actor, id); // a person still reaches the customer
    await service.tick();
    expect(mails.map(({ kind }) => kind)).toEqual(["budget", "budget"]);
  });

  it("sends later reminders when the customer wants them again, but not the missed ones", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile: { reminderDays: [10, 7, 1] } });
    const id = await budgetWith();
    await service.budgets.send(actor, id);
    for (let day = 0; day < 21; day += 1) {
      await service.tick();
      clock.advance(DAY_MS);
    }
    const since = async () => (await service.budgets.listMails(actor, id))._unsafeUnwrap().remindersOffSince;
    const { publicToken } = (await service.budgets.readPublicLink(actor, id))._unsafeUnwrap();
    expect(await since()).toBeUndefined();
    const mailToken = /mail=([\w.-]+)>/.exec(mails[1]?.headers["List-Unsubscribe"] ?? "")?.[1];
    await service.budgets.stopReminders(publicToken, { mailToken });
    const stoppedAt = new Date(clock.now()).toISOString();
    for (let day = 0; day < 6; day += 1) {
      clock.advance(DAY_MS);
      await service.tick();
    }
    await service.budgets.stopReminders(publicToken, { mailToken });
    expect(await since()).toBe(stoppedAt);
    expect(mails.map(({ kind }) => kind)).toEqual(["budget", "reminder"]);
    expect((await service.budgets.resumeReminders(publicToken))._unsafeUnwrapErr().kind).toBe("forbidden");
    const resumed = await service.budgets.resumeReminders(publicToken, { mailToken });
    expect(resumed._unsafeUnwrap().remindersOff).toBe(false);
    expect(await since()).toBeUndefined();
    for (let day = 0; day < 16; day += 1) {
      await service.tick();
      clock.advance(DAY_MS);
    }
    expect(mails.map(({ kind }) => kind)).toEqual(["budget", "reminder", "reminder"]);
  });

  it("reminders follow a later validUntil, and are sent only for budgets that were mailed", async () => {
    const { service, actor, budgetWith, mails, clock } = await mailWorld({ profile });
    const [mailed] = [await budgetWith(), await budgetWith()];
    await service.budgets.send(actor, mailed);
    await service.tick();
    (await service.budgets.update(actor, mailed, { validUntil: "2026-04-30" }))._unsafeUnwrap();
    for (let day = 0; day < 65; day += 1) {
      clock.advance(DAY_MS);
      await service.tick();
    }
    expect(mails.filter(({ kind }) => kind === "reminder").map(({ budgetId }) => budgetId)).toEqual([mailed, mailed]);
    expect(mails[1]?.text).toContain("April 30, 2026");
  });

  it("sends the reminders of other budgets when the check of one fails", async () => {
    const { service, store, actor, budgetWith, mails, clock, errors } = await mailWorld({ profile });
    const [damaged, other] = [await budgetWith(), await budgetWith()];
    for (const id of [damaged, other]) await service.budgets.send(actor, id);
    await service.tick();
    const { findBudget } = store;
    store.findBudget = async (business, id) => {
      if (id === damaged) throw new Error("the document is damaged");
      return findBudget(business, id);
    };
    clock.advance(28 * DAY_MS);
    await service.tick();
    expect(mails.slice(2).map(({ kind, budgetId }) => [kind, budgetId])).toEqual([["reminder", other]]);
    expect(errors.map(String)).toContain("Error: the document is damaged");
  });

  it("stop waits for the reminder checks of a running tick", async () => {
    const { service, store } = await mailWorld({ profile });
    const { claimReminderChecks } = store;
    let claim = () => {};
    const held = new Promise<void>((resolve) => {
      claim = resolve;
    });
    const asked = vi.fn();
    store.claimReminderChecks = async (...given) => {
      asked();
      await held;
      return claimReminderChecks(...given);
    };
    const ticked = service.tick();
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    const stopped = service.stop();
    expect(await isPending(stopped)).toBe(true);
    claim();
    await Promise.all([stopped, ticked]);
  });
});
