import { verifyWebhook } from "@budgetkit/core";
import { Violation } from "../engine/violation.js";
import type { World } from "../world/world.js";

/** Every callback is signed with its subscriber's secret, and holds nothing of another business. */
export function checkBodies({ receivers, tenants }: World): void {
  const bodies = new Map<string, string>();
  for (const { host, headers, body } of receivers.calls) {
    const tenant = tenants.find(({ subscribers }) => subscribers.some((each) => each.host === host));
    const secret = tenant?.subscribers.find((each) => each.host === host)?.secret ?? "";
    const at = Number(headers["webhook-timestamp"]) * 1_000;
    const verified = verifyWebhook(headers, body, secret, { now: at });
    if (!verified.ok) throw new Violation("callbacks are signed", `to ${host}: ${verified.reason}`);
    const id = headers["webhook-id"] ?? "";
    if ((bodies.get(id) ?? body) !== body) throw new Violation("the bytes never change", `delivery ${id}`);
    bodies.set(id, body);
    if (verified.event.metadata.delivery_id !== id) throw new Violation("the bytes never change", `delivery ${id}`);
  }
}
