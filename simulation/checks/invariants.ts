import type { Budget, StoredAuditEntry, StoredEvent } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { Status } from "../world/model.js";
import type { Tenant } from "../world/tenants.js";
import type { World } from "../world/world.js";
import { fingerprintOf, judge } from "./judge.js";
import { keepEntry } from "./ledger.js";
import { checkBeginning } from "./order.js";

/** Checked after every step: its writes, its calls of receivers and its answers. */
export async function checkStep(world: World): Promise<void> {
  if (world.hasWritten) {
    world.hasWritten = false;
    await world.scheduler.outside(async () => {
      for (const tenant of world.tenants) await readLog(world, tenant);
    });
  }
  await checkCalls(world);
  for (const exchange of world.answered.splice(0)) judge(world, exchange);
}

/** Passes new entries of the log to the model, and compares the budgets that they name with the model. */
async function readLog(world: World, tenant: Tenant): Promise<void> {
  const { store, model, scheduler } = world;
  const after = model.sequences.get(tenant.businessId) ?? 0;
  const ledger = await store.readLedger(tenant.businessId, { after, limit: 10_000 });
  for (const link of ledger) keepEntry(world, tenant, link);
  const fresh = ledger.map(({ entry }) => entry);
  if (fresh.length === 0) return;
  for (const entry of fresh) {
    const { from, to } = entry.change;
    const moves = { from: from as Status | null, to: to as Status | null };
    const wrong = model.apply(tenant.businessId, scheduler.steps, { ...entry, ...moves });
    if (wrong !== null)
      throw new Violation(isAboutSequences(wrong) ? "sequences have no gaps" : "moves follow the table", wrong);
    checkExpiry(world, entry);
  }
  for (const id of new Set(fresh.map(({ subjectId }) => subjectId))) {
    const budget = await store.findBudget(tenant.businessId, id);
    if (budget !== null) checkBudget(world, budget);
  }
}

function isAboutSequences(text: string): boolean {
  return text.startsWith("the log");
}

/** A budget expires at most once each time that it becomes PENDING. */
function checkExpiry({ model }: World, { type, subjectId, change }: StoredEvent | StoredAuditEntry): void {
  const life = model.budgets.get(subjectId);
  if (life === undefined) return;
  if (type === "budget.expired") life.expiries += 1;
  else if (change.to === "PENDING" && change.from !== "PENDING") life.expiries = 0;
  if (life.expiries > 1)
    throw new Violation("a budget expires once", `budget ${subjectId} expired ${life.expiries} times`);
}

/** The stored budget equals the log, and no version has a second content. */
function checkBudget({ model }: World, budget: Budget): void {
  const { id, status, version, total, paid, subtotal, discount, tax, validUntil, approvedAt } = budget;
  const life = model.budgets.get(id);
  if (life === undefined) return;
  if (life.status !== status) {
    throw new Violation("state and events commit together", `budget ${id} is ${status}, its events say ${life.status}`);
  }
  const shown = fingerprintOf(status, total, paid);
  const before = life.versions.get(version);
  if (before !== undefined && before !== shown) {
    throw new Violation(
      "a version has one successor",
      `version ${version} of budget ${id} was ${before}, now ${shown}`,
    );
  }
  const newest = Math.max(0, ...life.versions.keys());
  if (version < newest) throw new Violation("acknowledged writes stay", `budget ${id} went back to version ${version}`);
  life.versions.set(version, shown);
  if (validUntil !== null) life.deadlines.add(validUntil);
  if (total !== subtotal - discount + tax)
    throw new Violation("the amounts are exact", `budget ${id} has total ${total}`);
  if (paid > total) throw new Violation("payments never exceed the total", `budget ${id}: ${paid} of ${total}`);
  if (status === "APPROVED" && approvedAt !== null && validUntil !== null && approvedAt >= validUntil) {
    throw new Violation(
      "no approval after the validity",
      `budget ${id} was approved at ${approvedAt}, valid until ${validUntil}`,
    );
  }
}

const PUBLIC = "93.184.216.34"; // the only public address that the simulation's DNS knows

/** Connections go to public addresses only, also after a redirect or a changed DNS answer. */
async function checkCalls(world: World): Promise<void> {
  const { receivers, kind } = world;
  for (const call of receivers.calls.slice(receivers.checked)) {
    const { address, host } = call;
    receivers.checked += 1;
    if (address !== PUBLIC) throw new Violation("no forbidden address is connected", `${host} at ${address}`);
    if (kind.isPunctual) await checkBeginning(world, call);
  }
}
