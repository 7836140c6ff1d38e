import type { Delivery } from "@budgetkit/core/store";
import { Violation } from "../engine/violation.js";
import type { ReceivedCall } from "../world/receivers.js";
import type { Subscriber } from "../world/tenants.js";
import type { World } from "../world/world.js";

/** The delivery has ended, within its schedule, with a reason for its status. */
export function checkDelivery(world: World, subscriber: Subscriber, delivery: Delivery): void {
  const { id, status, body } = delivery;
  if (status === "pending" || status === "retrying") throw new Violation("every delivery ends", `${id} is ${status}`);
  const calls = world.receivers.calls.filter(({ headers }) => headers["webhook-id"] === id);
  if (JSON.parse(body).metadata.delivery_id !== id || calls.some((call) => call.body !== body))
    throw new Violation("the bytes never change", `delivery ${id}`);
  if (calls.some(({ host }) => host !== subscriber.host))
    throw new Violation("no business sees another", `delivery ${id}`);
  const accepted = calls.some((call) => call.status !== null && call.status < 300);
  if (status === "delivered" && !accepted) throw new Violation("delivered means accepted", `delivery ${id}`);
  if (world.kind.isPunctual) checkEnd(world, subscriber, delivery);
  if (world.recovered.has(subscriber.name)) return; // each redelivery starts another schedule
  checkSchedule(world, subscriber, delivery, calls);
}

function checkSchedule(
  { receivers }: World,
  { delaysSeconds: { length }, host, touched }: Subscriber,
  delivery: Delivery,
  calls: readonly ReceivedCall[],
): void {
  const { id, status, attempts } = delivery;
  if (calls.length > length) throw new Violation("a schedule ends", `delivery ${id} was sent ${calls.length} times`);
  // The worker that finds a claim beyond the schedule refunds it, unless the delivery is cancelled first.
  if (attempts > length && status !== "cancelled")
    throw new Violation("a schedule ends", `delivery ${id} has ${attempts} attempts, of ${length}`);
  if (calls.length > attempts)
    throw new Violation("a claimed attempt counts", `delivery ${id}: ${calls.length} of ${attempts}`);
  const isGone = calls.some((call) => call.status === 410);
  if (status === "failed" && attempts < length && !hasRunOut(delivery) && !isGone) {
    throw new Violation("a schedule is used up", `delivery ${id} failed after ${attempts} of ${length} attempts`);
  }
  if (status === "cancelled" && !touched && !receivers.gone.has(host)) {
    throw new Violation("a cancellation has its reason", `delivery ${id}`);
  }
}

/** True when the next attempt would have been after the deadline. */
function hasRunOut({ createdAt, deadlineAt, updatedAt }: Delivery): boolean {
  return updatedAt > createdAt + (deadlineAt - createdAt) / 3;
}

const LEASE_MS = 60_000; // a crash delays a delivery by so much
const SLACK_MS = 15 * 60_000; // for slow receivers

function checkEnd({ processes }: World, { isOrdered }: Subscriber, delivery: Delivery): void {
  const { id, attempts, deadlineAt, updatedAt } = delivery;
  if (isOrdered && attempts === 0) return; // the deadline is set when its turn begins
  const crashes = processes.filter(({ owner }) => !owner.isAlive).length;
  const lateMs = updatedAt - deadlineAt - crashes * LEASE_MS - SLACK_MS;
  if (lateMs > 0) throw new Violation("every delivery ends", `delivery ${id} ended ${lateMs} ms too late`);
}
