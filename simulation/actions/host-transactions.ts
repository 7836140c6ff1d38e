import { isUnavailable } from "../world/process.js";
import { BUDGETS, type Client } from "./client.js";

/** A host creates a budget in its own transaction, and commits it or rolls it back. A crash rolls it back. */
export async function useTransaction({ world, name, tenant, draw }: Client): Promise<void> {
  const { scheduler, trace, host, intents } = world;
  await scheduler.pass(null, `transaction of ${name}`);
  const process = world.processes.find(({ owner }) => owner.isAlive);
  if (host === null || process === undefined || host.inTransaction) return;
  const intent = `${name} of ${world.seed}`;
  const say = (what: string) => trace.add(scheduler.steps, scheduler.now, name, what);
  const input = {
    customerId: "ana",
    items: [{ description: `Item ${tenant.mark}`, quantity: 1 + draw(5), unitPrice: 10 }],
    notes: tenant.mark,
    metadata: { intent },
  };
  say(`begins a transaction on ${process.owner.name}: ${BUDGETS} ${JSON.stringify(input)}`);
  host.exec("BEGIN IMMEDIATE");
  scheduler.current = process.owner;
  const made = await Promise.race([tryCreate(process.service, tenant.businessId, input, host), process.death]);
  const id = made === "dead" ? null : made;
  if (id === null || draw(3) === 0) {
    host.exec("ROLLBACK");
    say("rolls back");
    return;
  }
  host.exec("COMMIT");
  say(`commits budget ${id}`);
  intents.set(intent, { asked: 1, done: 1 });
  tenant.budgets.push(id);
  world.intentOf.set(id, intent);
  world.hasWritten = true;
  scheduler.current = process.owner;
  if (draw(2) === 0) await Promise.race([process.service.afterCommit(host), process.death]);
}

type Service = Client["world"]["processes"][number]["service"];
type Input = Parameters<Service["budgets"]["create"]>[1];

/** The id of the budget; null = the store was not available. */
async function tryCreate(service: Service, businessId: string, input: Input, connection: object) {
  try {
    const made = await service.budgets.create({ kind: "system", businessId }, input, { connection });
    return made._unsafeUnwrap().id;
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}
