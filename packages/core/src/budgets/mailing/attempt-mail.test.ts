import { expect, it } from "vitest";
import { MINUTE_MS } from "../../kernel/clock.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { mailWorld } from "../../testing/mail-world.js";
import { MAIL_LEASE_MS } from "../mail.js";
import { attemptMail } from "./attempt-mail.js";

/** A budget with a mail that this process has claimed. */
async function claimedMail() {
  const { budgets, context, actor, store, clock } = budgetWorld({
    mailing: { limits: (await mailWorld()).store, perHour: 5, wake: () => {} },
  });
  const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
  const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
  (await budgets.send(actor, id, { to: "ana@example.com" }))._unsafeUnwrap();
  const [mail] = await store.claimMails(clock.now(), clock.now() + 1, 1);
  if (mail === undefined) throw new Error("no mail");
  const attempt = {
    budgets: context,
    write: async () => ({ subject: "s", text: "t", html: "h" }),
    attach: async () => [],
  };
  const settled = async () => (await budgets.listMails(actor, id))._unsafeUnwrap().data[0];
  return { attempt, clock, mail, settled };
}

it("gives up a mailer that hangs, aborts it and retries later", async () => {
  const { attempt, mail, settled } = await claimedMail();
  let isAborted = false;
  const sendMessage = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>(() => {
      signal.addEventListener("abort", () => {
        isAborted = true;
      });
    });
  await attemptMail({ ...attempt, sendMessage, deadlineMs: 1 }, mail);
  expect(isAborted).toBe(true);
  const error = "the mailer took longer than 1 ms";
  expect(await settled()).toMatchObject({ status: "queued", attempts: 1, error });
});

it("does not send when the process was paused so long that another may have the mail", async () => {
  const { attempt, clock, mail, settled } = await claimedMail();
  let sent = 0;
  const sendMessage = async () => {
    sent += 1;
  };
  const claimedMs = clock.monotonicMs();
  clock.advance(MAIL_LEASE_MS);
  await attemptMail({ ...attempt, sendMessage, deadlineMs: 1_000 }, mail, claimedMs);
  expect(sent).toBe(0);
  expect(await settled()).toMatchObject({ status: "queued", error: expect.stringContaining("held up") });
});

it("fails a mail for good when six processes ended in the middle of an attempt, and sends no more", async () => {
  const { service, store, actor, budgetWith, mails, clock } = await mailWorld();
  const id = await budgetWith();
  await service.budgets.send(actor, id);
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    expect(await store.claimMails(clock.now(), clock.now() + 3 * MINUTE_MS, 10)).toHaveLength(1);
    clock.advance(3 * MINUTE_MS);
  }
  await service.tick();
  expect(mails).toEqual([]);
  const [mail] = (await service.budgets.listMails(actor, id))._unsafeUnwrap().data;
  expect(mail).toMatchObject({
    status: "failed",
    nextAttemptAt: null,
    error: "Every attempt ended without an outcome.",
  });
});
