import { expect, it } from "vitest";
import { MINUTE_MS } from "../../kernel/clock.js";
import { budgetWorld } from "../../testing/budget-world.js";
import { mailWorld } from "../../testing/mail-world.js";
import { MAIL_LEASE_MS } from "../mail.js";
import { attemptMail } from "./attempt-mail.js";

/** A budget with a mail that this process has claimed. */
async function claimedMail() {
  const { budgets, context, actor, store, clock } = budgetWorld({
    mailing: {
      limits: (await mailWorld()).store,
      perHour: 5,
      wake: () => {},
      findUserEmail: async () => null,
      undrawableIn: async () => [],
      onError: () => {},
    },
  });
  const items = [{ description: "x", quantity: 1, unitPrice: 1 }];
  const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
  (await budgets.send(actor, id, { to: "ana@example.com" }))._unsafeUnwrap();
  const [mail] = await store.claimMails(clock.now(), clock.now() + 1, 1);
  if (mail === undefined) throw new Error("no mail");
  const errors: unknown[] = [];
  const attempt = {
    budgets: context,
    write: async () => ({ subject: "s", text: "t", html: "h" }),
    attach: async () => [],
    onError: (error: unknown) => errors.push(error),
  };
  const settled = async () => (await budgets.listMails(actor, id))._unsafeUnwrap().data[0];
  return { attempt, clock, mail, settled, errors };
}

it("aborts a mailer that hangs, and retries later", async () => {
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
  const error = "The mailer took longer than 1 ms.";
  expect(await settled()).toMatchObject({ status: "queued", attempts: 1, error });
});

it("sends no mail after a pause so long that another process may have claimed it", async () => {
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

it("fails a mail for good after six processes died during an attempt", async () => {
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

it.each([
  [{ code: "ESOCKET", message: "connect ECONNREFUSED 10.0.3.7:587" }, "The mail server cannot be reached."],
  [{ code: "EDNS", message: "getaddrinfo ENOTFOUND smtp.internal.example" }, "The mail server cannot be reached."],
  [{ code: "ETIMEDOUT", message: "Greeting of 10.0.3.7 never came" }, "The mail server did not answer in time."],
  [
    { code: "EAUTH", message: "Invalid login: 535 smtp.internal.example: user budgets" },
    "The mail server does not accept the settings of this service.",
  ],
  [
    { code: "EENVELOPE", responseCode: 550, response: "550 5.1.1 smtp.internal.example [10.0.3.7]: no such mailbox" },
    "The mail server refused the mail (550 5.1.1).",
  ],
  [{ responseCode: 451, response: "451-10.0.3.7 later" }, "The mail server refused the mail (451)."],
  [{ responseCode: 10_003, response: "10.0.3.7" }, "The mail could not be sent."],
  [{ message: "POST https://key@mail.internal.example/send failed" }, "The mail could not be sent."],
  [{ message: "no such mailbox at 10.0.3.7", permanent: true }, "The mail was refused for good."],
])("hides the address and the mail server's words from readers of the budget: %j", async (fields, reason) => {
  const { attempt, mail, settled, errors } = await claimedMail();
  const error = Object.assign(new Error(), fields);
  await attemptMail({ ...attempt, sendMessage: () => Promise.reject(error), deadlineMs: 1_000 }, mail);
  expect((await settled())?.error).toBe(reason);
  expect(errors).toEqual([error]);
});

it("hides the mail server's words that an earlier version stored", async () => {
  const { attempt, mail, settled } = await claimedMail();
  await attempt.budgets.store.settleMail({ ...mail, error: "connect ECONNREFUSED 10.0.3.7:587" });
  expect((await settled())?.error).toBe("The mail could not be sent.");
});
