import { readdirSync, readFileSync } from "node:fs";
import { insertBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, anEvent } from "@budgetkit/testing";
import { postgresStore } from "@budgetkit/store-postgres";
import pg from "pg";

const [callers = 50, businesses = 1, seconds = 5] = process.argv.slice(2).map(Number);
const url = process.env["DB"] ?? "";
const schema = `cpu_${Date.now()}`;
const store: Store = postgresStore(url, { schema, listen: false });
await store.migrate();
const hz = 100;
function pgTicks(): number {
  let sum = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      if (!stat.includes("(postgres)")) continue;
      const f = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (f[1] !== process.env["PGPID"] && pid !== process.env["PGPID"]) continue;
      sum += Number(f[11]) + Number(f[12]);
    } catch {}
  }
  return sum;
}
let id = 100;
let done = 0;
let stop = false;
const notes = "x".repeat(300);
async function caller(n: number): Promise<void> {
  const businessId = String(1 + (n % businesses));
  while (!stop) {
    const mine = String(id++);
    await store.commit(insertBudgetCommit(aBudget({ id: mine, businessId, notes, publicTokenHash: null }), { events: [anEvent({ id: mine, businessId, subjectId: mine })] }));
    done += 1;
  }
}
const run = async (s: number) => {
  stop = false; done = 0;
  const cpu = process.cpuUsage(); const t = pgTicks(); const at = performance.now();
  const all = Array.from({ length: callers }, (_, n) => caller(n));
  await new Promise((r) => setTimeout(r, s * 1000));
  stop = true; await Promise.all(all);
  const used = process.cpuUsage(cpu); const ms = performance.now() - at;
  return `${callers}x${businesses}: ${(done / ms * 1000).toFixed(0)}/s node ${((used.user + used.system) / done).toFixed(0)} us pg ${((pgTicks() - t) * 1e6 / hz / done).toFixed(0)} us`;
};
await run(1.5);
console.log(await run(seconds));
await store.close();
const client = new pg.Client(url); await client.connect(); await client.query(`DROP SCHEMA ${schema} CASCADE`); await client.end();
