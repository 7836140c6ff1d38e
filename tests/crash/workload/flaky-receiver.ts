import { verifyWebhook } from "@budgetkit/core";
import { drawInteger, type ReceivedCall, seededRandom, startReceiver } from "@budgetkit/testing";
import { onTestFinished } from "vitest";

const FAILING_PERCENT = 30;
const LONGEST_ANSWER_MS = 20;

/**
 * A slow receiver. It refuses many calls to `/endpoint`, whose retry delays are short, and none to `/key`, whose second
 * attempt comes after a minute.
 */
export async function startFlakyReceiver() {
  const random = seededRandom(50);
  const bodies = new Map<string, string>();
  const calls = new Map<string, number>();
  const accepted = new Map<string, Set<string>>();
  const forged: ReceivedCall[] = [];
  const altered: ReceivedCall[] = [];
  let refusals = 0;
  let secrets: ReadonlyMap<string, string> = new Map();

  function take(call: ReceivedCall): number {
    const verdict = verifyWebhook(call.headers, call.body, secrets.get(call.path) ?? "");
    if (!verdict.ok) {
      forged.push(call);
      return 400;
    }
    const { delivery_id, event_id } = verdict.event.metadata;
    if ((bodies.get(delivery_id) ?? call.body) !== call.body) altered.push(call);
    bodies.set(delivery_id, call.body);
    calls.set(delivery_id, (calls.get(delivery_id) ?? 0) + 1);
    if (call.path === "/endpoint" && drawInteger(random, 100) < FAILING_PERCENT) {
      refusals += 1;
      return 503;
    }
    accepted.set(call.path, (accepted.get(call.path) ?? new Set()).add(event_id ?? ""));
    return 204;
  }

  const receiver = await startReceiver((call, response) => {
    const status = take(call);
    setTimeout(() => response.writeHead(status).end(), drawInteger(random, LONGEST_ANSWER_MS));
  });
  onTestFinished(() => receiver.close());
  return {
    origin: receiver.origin,
    forged,
    altered,
    refusals: () => refusals,
    callsOf: (deliveryId: string): number => calls.get(deliveryId) ?? 0,
    /** Events that a path has answered with 2xx, whether or not the answer arrived. */
    acceptedEvents: (path: string): ReadonlySet<string> => accepted.get(path) ?? new Set(),
    verifyWith: (given: ReadonlyMap<string, string>) => {
      secrets = given;
    },
  };
}
