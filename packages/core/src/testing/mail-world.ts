import { manualClock, memoryStore, seededRandom } from "@budgetkit/testing";
import type { UpdateBusiness } from "../access/business-view.js";
import type { MailMessage } from "../access/mailer.js";
import { createBudgetService } from "../create-service.js";
import type { PdfRenderer } from "../http/pdf/pdf-renderer.js";
import type { Actor } from "../kernel/actor.js";
import type { Store } from "../store.js";

export interface MailWorldOptions {
  readonly perHour?: number;
  readonly profile?: UpdateBusiness;
  readonly pdf?: PdfRenderer;
}

/** A service that sends budgets by a mailer that keeps its mails. `fail` makes it reject, `during` runs in each call. */
export async function mailWorld(options: MailWorldOptions = {}) {
  const clock = manualClock("2026-03-02T12:00:00.000Z");
  const store: Store = memoryStore();
  const mails: MailMessage[] = [];
  const errors: unknown[] = [];
  const mailer = {
    fail: null as Error | null,
    during: async (_mail: MailMessage): Promise<void> => {},
  };
  const service = createBudgetService({
    store,
    clock,
    random: seededRandom(3),
    secret: "a secret for tests that is long enough",
    publicBaseUrl: "https://quotes.example/v1",
    onError: (error) => errors.push(error),
    ...(options.pdf === undefined ? {} : { pdf: options.pdf }),
    mails: { perHour: options.perHour ?? 200 },
    mailer: {
      send: async () => {},
      sendMessage: async (mail) => {
        await mailer.during(mail);
        mails.push(mail);
        if (mailer.fail !== null) throw mailer.fail;
      },
    },
  });
  const created = await service.businesses.create({ name: "Carpintería Norte", timeZone: "America/Lima" });
  const actor: Actor = { kind: "system", businessId: created._unsafeUnwrap().id };
  if (options.profile !== undefined) (await service.businesses.update(actor, options.profile))._unsafeUnwrap();
  const customer = (
    await service.customers.create(actor, { name: "Ana Ruiz", email: "ana@example.com" })
  )._unsafeUnwrap();
  const budgetWith = async (overrides: Readonly<Record<string, unknown>> = {}) => {
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 1_089 }];
    const input = { customerId: customer.id, items, validUntil: "2026-03-31", ...overrides };
    return (await service.budgets.create(actor, input))._unsafeUnwrap().id;
  };
  const statesOf = async (id: string) =>
    (await service.budgets.listMails(actor, id))._unsafeUnwrap().data.map(({ kind, status }) => `${kind} ${status}`);
  return { service, store, clock, actor, customer, mails, mailer, errors, budgetWith, statesOf };
}
