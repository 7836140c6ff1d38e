import assert from "node:assert/strict";
import {
  insertAttachmentCommit,
  insertBudgetCommit,
  insertEndpointCommit,
  insertIntegrationCommit,
  insertKeyCommit,
  type Page,
  queueMailCommit,
  recordPaymentCommit,
  type Store,
  type StoreCommit,
  sendMessageCommit,
} from "@budgetkit/core/store";
import { anAttachment } from "../attachment-fixtures.js";
import { aBudget, anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { anIntegration } from "../integration-fixtures.js";
import { aMail } from "../mail-fixtures.js";
import { aMessage } from "../message-fixtures.js";
import { aPayment } from "../payment-fixtures.js";
import { anEndpoint } from "../webhook-fixtures.js";
import type { Suite } from "./suite.js";

/** What a record of a list has: `list` is the budget for records of a budget, else the business. */
interface Row {
  readonly id: string;
  readonly createdAt: number;
  readonly list: string;
}

type ListPage = (store: Store, list: string, limit: number, offset: number) => Promise<Page<{ readonly id: string }>>;

const LISTS: Readonly<Record<string, readonly [insert: (row: Row) => StoreCommit, page: ListPage]>> = {
  keys: [
    ({ id, createdAt, list }) => insertKeyCommit(anApiKey({ id, createdAt, businessId: list })),
    (store, list, limit, offset) => store.listKeys(list, limit, offset),
  ],
  integrations: [
    ({ id, createdAt, list }) => insertIntegrationCommit(anIntegration({ id, createdAt, businessId: list })),
    (store, list, limit, offset) => store.listIntegrations(list, limit, offset),
  ],
  endpoints: [
    ({ id, createdAt, list }) => insertEndpointCommit(anEndpoint({ id, createdAt, businessId: list })),
    (store, list, limit, offset) => store.listEndpoints(list, limit, offset),
  ],
  payments: [
    ({ id, createdAt, list }) => {
      const payment = aPayment({ id, createdAt, budgetId: list, reference: id });
      return recordPaymentCommit(payment, aBudget({ id: list }), 1); // at the version that it has, for the next payment
    },
    (store, list, limit, offset) => store.listPayments("1", list, limit, offset),
  ],
  mails: [
    ({ id, createdAt, list }) => queueMailCommit(aMail({ id, createdAt, budgetId: list }), aBudget({ id: list }), 1),
    (store, list, limit, offset) => store.listMails("1", list, limit, offset),
  ],
  messages: [
    ({ id, createdAt, list }) => sendMessageCommit(aMessage({ id, sentAt: createdAt, budgetId: list }), 100),
    (store, list, limit, offset) => store.listMessages("1", list, limit, offset),
  ],
  attachments: [
    ({ id, createdAt, list }) => insertAttachmentCommit(anAttachment({ id, createdAt, budgetId: list }), 1, 100),
    (store, list, limit, offset) => store.listAttachments("1", list, limit, offset),
  ],
};

export function newestFirstListCases({ describe, it }: Suite): void {
  describe("lists of records, newest first", () => {
    for (const [name, [insert, page]] of Object.entries(LISTS)) {
      it(`lists ${name} newest first, those of one moment by id, in pages that count the whole list`, async (store) => {
        for (const id of ["1", "2"]) await store.commit(insertBudgetCommit(aBudget({ id })));
        const ages: readonly (readonly [id: string, age: number])[] = [
          ["50", 3],
          ["9", 1],
          ["100", 1],
          ["51", 2],
          ["52", 0],
        ];
        for (const [id, age] of ages) await store.commit(insert({ id, createdAt: NOW - age, list: "1" }));
        await store.commit(insert({ id: "60", createdAt: NOW, list: "2" }));
        const ids: string[] = [];
        for (const offset of [0, 2, 4, 6]) {
          const { entries, total, nextCursor } = await page(store, "1", 2, offset);
          ids.push(...entries.map((entry) => entry.id));
          assert.deepEqual([total, nextCursor], [5, null]);
        }
        assert.deepEqual(ids, ["52", "100", "9", "51", "50"]);
        assert.deepEqual(
          (await page(store, "2", 9, 0)).entries.map(({ id }) => id),
          ["60"],
        );
        assert.equal((await page(store, "3", 9, 0)).total, 0);
      });
    }
  });
}
