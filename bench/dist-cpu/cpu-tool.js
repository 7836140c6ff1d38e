// src/cpu-tool.ts
import { readdirSync, readFileSync } from "fs";
import { insertBudgetCommit } from "@budgetkit/core/store";

// ../packages/testing/src/fixtures.ts
import {
  DAY_MS,
  EMPTY_PROFILE,
  HOUR_MS,
  MINUTE_MS
} from "@budgetkit/core/store";
var FIXTURE_TIME = Date.UTC(2026, 0, 15, 12);
var FIXTURE_BUSINESS = "1";
function anItem(overrides = {}) {
  return {
    id: "11",
    productId: null,
    variantId: null,
    packageId: null,
    description: "Oak table",
    quantity: 2,
    unitPrice: 50,
    total: 1e4,
    discount: 0,
    tax: 2100,
    ...overrides
  };
}
function aBudget(overrides = {}) {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "10",
    version: 1,
    revision: 1,
    revised: { at: FIXTURE_TIME, by: "key:20", changes: [], asked: true },
    customerId: "500",
    status: "PENDING",
    currency: "USD",
    items: [anItem()],
    taxRate: 0.21,
    subtotal: 1e4,
    discount: 0,
    tax: 2100,
    total: 12100,
    paid: 0,
    notes: null,
    validUntil: null,
    metadata: {},
    createdAt: FIXTURE_TIME,
    createdBy: "key:20",
    updatedAt: FIXTURE_TIME,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    publicTokenHash: null,
    publicOffer: null,
    ...overrides
  };
}
function anEvent(overrides = {}) {
  return {
    businessId: FIXTURE_BUSINESS,
    id: "90",
    type: "budget.created",
    occurredAt: FIXTURE_TIME,
    actor: "key:20",
    subjectId: "10",
    data: { budgetId: "10" },
    change: { fields: [], from: null, to: "PENDING", reason: null },
    ...overrides
  };
}

// src/cpu-tool.ts
import { postgresStore } from "@budgetkit/store-postgres";
import pg from "pg";
var [callers = 50, businesses = 1, seconds = 5] = process.argv.slice(2).map(Number);
var url = process.env["DB"] ?? "";
var schema = `cpu_${Date.now()}`;
var store = postgresStore(url, { schema, listen: false });
await store.migrate();
var hz = 100;
function pgTicks() {
  let sum = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      if (!stat.includes("(postgres)")) continue;
      const f = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (f[1] !== process.env["PGPID"] && pid !== process.env["PGPID"]) continue;
      sum += Number(f[11]) + Number(f[12]);
    } catch {
    }
  }
  return sum;
}
var id = 100;
var done = 0;
var stop = false;
var notes = "x".repeat(300);
async function caller(n) {
  const businessId = String(1 + n % businesses);
  while (!stop) {
    const mine = String(id++);
    await store.commit(insertBudgetCommit(aBudget({ id: mine, businessId, notes, publicTokenHash: null }), { events: [anEvent({ id: mine, businessId, subjectId: mine })] }));
    done += 1;
  }
}
var run = async (s) => {
  stop = false;
  done = 0;
  const cpu = process.cpuUsage();
  const t = pgTicks();
  const at = performance.now();
  const all = Array.from({ length: callers }, (_, n) => caller(n));
  await new Promise((r) => setTimeout(r, s * 1e3));
  stop = true;
  await Promise.all(all);
  const used = process.cpuUsage(cpu);
  const ms = performance.now() - at;
  return `${callers}x${businesses}: ${(done / ms * 1e3).toFixed(0)}/s node ${((used.user + used.system) / done).toFixed(0)} us pg ${((pgTicks() - t) * 1e6 / hz / done).toFixed(0)} us`;
};
await run(1.5);
console.log(await run(seconds));
await store.close();
var client = new pg.Client(url);
await client.connect();
await client.query(`DROP SCHEMA ${schema} CASCADE`);
await client.end();
//# sourceMappingURL=cpu-tool.js.map