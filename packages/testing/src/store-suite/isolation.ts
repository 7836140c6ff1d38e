import assert from "node:assert/strict";
import type { Store } from "@budgetkit/core/store";
import {
  countViewCommit,
  insertAttachmentCommit,
  insertBudgetCommit,
  insertBusinessCommit,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  insertUserCommit,
  openSessionCommit,
  queueMailCommit,
  recordCommit,
  recordPaymentCommit,
  reminderOptOutCommit,
  sendMessageCommit,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aCatalogQuery, aCustomer, aPackage, aProduct } from "../catalog-fixtures.js";
import {
  aBudget,
  aBusiness,
  aClaim,
  anApiKey,
  anEvent,
  anEventQuery,
  aSession,
  aUser,
  FIXTURE_TIME,
} from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { aMessage } from "../message-fixtures.js";
import { aPayment } from "../payment-fixtures.js";
import { rounds } from "../scale.js";
import { aUsageRow } from "../usage-fixtures.js";
import { aDeliveryQuery, anEndpoint } from "../webhook-fixtures.js";
import { CALLS_BY_BUSINESS, CALLS_BY_ID, DAY } from "./isolation-calls.js";
import type { Suite } from "./suite.js";
import { add, aLease } from "./webhook-samples.js";

/** Texts that a lenient reading would take for 10, 7 or 1, or that are no ids at all. */
const ODD_IDS = [
  "abc",
  "007",
  "7abc",
  "",
  "0",
  "-1",
  "+10",
  "10.0",
  "1e1",
  "0x0a",
  " 10",
  "10 ",
  "1_0",
  "١٠",
  "10;",
  "10' OR '1'='1",
  "NaN",
  "null",
  "9007199254740993",
  "99999999999999999999999999",
  "%",
  "__proto__",
];

/** A case tries some of them on one store: to fill it takes longer than all of them, and they change nothing. */
const OF_CASE = 8;

function inCases<T>(all: readonly T[]): readonly T[][] {
  const cases = Array.from({ length: Math.ceil(all.length / OF_CASE) }, (_, index) => index * OF_CASE);
  return cases.map((first) => all.slice(first, first + OF_CASE));
}

/** In a small run a case tries each odd id with a third of the calls, and each call with a third of its ids. */
function shareOf<T>(calls: readonly T[], index: number): readonly T[] {
  const every = rounds({ small: 3, full: 1 });
  return calls.filter((_, place) => place % every === index % every);
}

const namesOf = (calls: readonly { readonly name: string }[]): string => calls.map(({ name }) => name).join(", ");

export function isolationCases(suite: Suite): void {
  unknownIdCases(suite);
  oddIdCases(suite);
}

function unknownIdCases({ describe, it }: Suite): void {
  describe("another business's id answers like an unknown one", () => {
    for (const calls of inCases(CALLS_BY_BUSINESS)) {
      it(`another business's id is unknown to ${namesOf(calls)}`, async (store) => {
        await fill(store, "10");
        const before = await pictureOf(store, "10");
        for (const { name, answer, ask } of calls) {
          assert.deepEqual(await ask(store, "2", "10"), answer, name);
        }
        assert.deepEqual(await pictureOf(store, "10"), before);
      });
    }
  });

  describe("an unknown id", () => {
    for (const calls of inCases(CALLS_BY_ID)) {
      it(`an unknown id is unknown to ${namesOf(calls)}`, async (store) => {
        await fill(store, "10");
        const before = await pictureOf(store, "10");
        for (const { name, answer, ask } of calls) {
          assert.deepEqual(await ask(store, "1", "11"), answer, name);
        }
        assert.deepEqual(await pictureOf(store, "10"), before);
      });
    }
  });
}

function oddIdCases({ describe, it }: Suite): void {
  describe("an odd id is unknown and no fault", () => {
    for (const ids of inCases(ODD_IDS)) {
      it(`the odd ids ${JSON.stringify(ids)} are unknown and no fault`, async (store) => {
        await fill(store, "10");
        await fill(store, "7");
        const before = [await pictureOf(store, "10"), await pictureOf(store, "7")];
        for (const [index, id] of ids.entries()) {
          for (const { name, answer, ask } of shareOf(CALLS_BY_ID, index)) {
            assert.deepEqual(await ask(store, "1", id), answer, `${name} ${id}`);
          }
        }
        assert.deepEqual([await pictureOf(store, "10"), await pictureOf(store, "7")], before);
      });
    }
  });

  describe("an odd business id is unknown and no fault", () => {
    for (const businessIds of inCases([...ODD_IDS, "01", "1.0", "+1", " 1", "1 ", "1e0"])) {
      it(`the odd business ids ${JSON.stringify(businessIds)} are unknown and no fault`, async (store) => {
        await fill(store, "10");
        for (const [index, businessId] of businessIds.entries()) {
          for (const { name, answer, ask } of shareOf(CALLS_BY_BUSINESS, index)) {
            assert.deepEqual(await ask(store, businessId, "10"), answer, `${name} ${businessId}`);
          }
        }
      });
    }
  });
}

/** Gives business 1 one row of everything under the same id. */
async function fill(store: Store, id: string): Promise<void> {
  if ((await store.findBusiness("1")) === null) await store.commit(insertBusinessCommit(aBusiness()));
  await store.commit(
    insertBudgetCommit(aBudget({ id, validUntil: FIXTURE_TIME - 1 }), { events: [anEvent({ id: `9${id}` })] }),
  );
  const paid = aBudget({ id, version: 2, paid: 5_000, validUntil: FIXTURE_TIME - 1 });
  await store.commit(recordPaymentCommit(aPayment({ id: `5${id}`, budgetId: id }), paid, 1));
  await store.commit(queueMailCommit(aMail({ id: `5${id}`, budgetId: id }), paid, 2));
  await store.commit(sendMessageCommit(aMessage({ id: `6${id}`, budgetId: id }), 100));
  await store.commit(reminderOptOutCommit("1", { customerId: id, recipient: "", since: FIXTURE_TIME }));
  await store.commit(
    countViewCommit({ businessId: "1", budgetId: id, channel: "link", device: "phone", at: FIXTURE_TIME }, 1, true),
  );
  await store.commit(insertUserCommit(aUser({ id, emailKey: `user${id}@example.com` })));
  await store.commit(openSessionCommit(aSession({ id, userId: id }), aUser().passwordHash));
  await store.commit(insertKeyCommit(anApiKey({ id, webhookUrl: "https://shop.example/" })));
  await store.commit(insertEndpointCommit(anEndpoint({ id })));
  await store.commit(insertIntegrationCommit(anIntegration({ id })));
  const subscriber = { kind: "endpoint", id } as const;
  await add(store, { id, subscriber, lease: aLease() }, { id: `8${id}`, subscriber, status: "failed" });
  await store.commit(recordCommit("customer", aCustomer({ id }), "absent"));
  await store.commit(recordCommit("product", aProduct({ id }), "absent"));
  await store.commit(recordCommit("package", aPackage({ id }), "absent"));
  await store.addUsage([aUsageRow({ keyId: id }), aUsageRow({ keyId: null })]);
  await store.commit(insertAttachmentCommit(anAttachment({ id: `7${id}`, budgetId: id }), 1, 100));
  await store.claimKey(aClaim({ key: `key-${id}` }), FIXTURE_TIME);
}

async function pictureOf(store: Store, id: string): Promise<unknown> {
  return {
    business: await store.findBusiness("1"),
    budget: await store.findBudget("1", id),
    revisions: await store.listRevisions("1", id, 10, 0),
    payments: await store.listPayments("1", id, 10, 0),
    mails: await store.listMails("1", id, 10, 0),
    optedOut: await store.findReminderOptOut("1", id),
    messages: await store.listMessages("1", id, 10, 0),
    views: await store.listLinkViews("1", id),
    viewings: await store.listViewings("1", id, 10, 0),
    viewSums: [...(await store.sumViews("1", [id]))],
    events: await store.listEvents("1", anEventQuery()),
    user: await store.findUser("1", id),
    session: await store.findSession("1", id),
    key: await store.findKey("1", id),
    customers: await store.findCustomers("1", [id]),
    customerRecord: await store.findRecord("customer", "1", id),
    listedCustomers: await store.listRecords("customer", "1", aCatalogQuery({ includeDeleted: true })),
    products: await store.findRecords("product", "1", [id]),
    productSummaries: await store.findProductSummaries("1", [{ productId: id, variantId: null }]),
    packages: await store.findRecords("package", "1", [id]),
    endpoint: await store.findEndpoint("1", id),
    integration: await store.findIntegration("1", id),
    attachments: await store.listAttachments("1", id, 10, 0),
    deliveries: await store.listDeliveries("1", aDeliveryQuery()),
    usage: await store.sumUsage("1", id, [DAY]),
    sums: await store.sumBudgets("1", FIXTURE_TIME),
    subscribers: await store.findSubscribers("1"),
  };
}
