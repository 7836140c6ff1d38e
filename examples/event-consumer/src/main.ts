import { createBudgetService, type LoggedEvents } from "@budgetkit/core";
import { sqliteStore } from "@budgetkit/store-sqlite";
import Database from "better-sqlite3";

const store = sqliteStore("budgets.db");
const service = createBudgetService({ store, secret: process.env.BUDGETKIT_SECRET ?? "" });
await service.start();
const [known] = (await service.businesses.list())._unsafeUnwrap();
const business = known ?? (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
const carpenter = { kind: "system", businessId: business.id } as const;

// The database of this application: what the events do, and the cursor.
const own = new Database("sales.db");
own.pragma("journal_mode = WAL");
own.pragma("synchronous = FULL");
own.exec(`
  CREATE TABLE IF NOT EXISTS offers (day TEXT, currency TEXT, count INTEGER, total REAL, PRIMARY KEY (day, currency));
  CREATE TABLE IF NOT EXISTS effects (number INTEGER PRIMARY KEY, sequence INTEGER, event TEXT);
  CREATE TABLE IF NOT EXISTS cursor (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER);
  INSERT OR IGNORE INTO cursor VALUES (1, 0)`);
const cursor = own.prepare<[], number>("SELECT value FROM cursor").pluck();
const moveCursor = own.prepare("UPDATE cursor SET value = ? WHERE value = ?");
const addOffer = own.prepare(`INSERT INTO offers VALUES (?, ?, 1, ?)
  ON CONFLICT (day, currency) DO UPDATE SET count = count + 1, total = total + excluded.total`);
const addEffect = own.prepare("INSERT INTO effects (sequence, event) VALUES (?, ?)");

/** The effects of some events and the cursor behind them: one commit. */
const apply = own.transaction((after: number, { events, cursor }: LoggedEvents) => {
  for (const { type, data, occurredAt, sequence } of events) {
    if (type === "budget.created")
      addOffer.run(new Date(occurredAt).toISOString().slice(0, 10), data.currency, data.total);
    addEffect.run(sequence, type);
  }
  if (moveCursor.run(cursor, after).changes === 0) throw new Error("another process has moved the cursor");
});

async function consume(): Promise<void> {
  let after = cursor.get() ?? 0;
  console.log(`continues after ${after}`);
  for await (const batch of service.events.follow(carpenter, { after })) {
    apply(after, batch);
    after = batch.cursor;
    console.log(`applied up to ${after}`);
  }
}

/** Stands for the rest of the application. */
async function sell(count: number): Promise<void> {
  const items = [{ description: "Oak table", quantity: 2, unitPrice: 450 }];
  for (let made = 0; made < count && !isStopping; made += 1) {
    const budget = await service.budgets.create(carpenter, { customerId: "ana", items });
    if (budget.isOk()) await service.budgets.update(carpenter, budget.value.id, { notes: "Delivery in two weeks" });
  }
}

let isStopping = false;
process.once("SIGTERM", async () => {
  isStopping = true;
  await service.stop(); // ends the iteration
  await work;
  own.close();
  await store.close();
});
const work = Promise.all([consume(), sell(Number(process.env.SALES ?? 10))]);
await work;
