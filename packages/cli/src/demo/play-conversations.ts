import { orRefuse } from "../terminal/problem-text.js";
import type { DemoStage } from "./play-demo.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1";
const COMPUTER = "Mozilla/5.0 (X11; Linux x64) Firefox/140.0";

/** What a customer asks, and what the business answers; null = not yet. */
const QUESTIONS: readonly (readonly [question: string, answer: string | null])[] = [
  ["Could you deliver a week earlier?", "Yes, on the 14th, if we have the deposit this week."],
  ["Is the oil safe for a table where children eat?", "It is: it is made for food, and it dries in two days."],
  ["Can the headboards come in two deliveries?", null],
  ["We would like the darker oak. Does that change the price?", null],
  ["Do you take the old furniture with you?", "We do, without a charge, up to one van."],
];

/** Customers open the links of the newest waiting budgets, some of them often, and some ask. @returns the number of messages */
export async function playConversations(stage: DemoStage): Promise<number> {
  const { service, actor, clock, draws, now } = stage;
  const page = orRefuse(await service.budgets.list(actor, { status: "PENDING", limit: 12 }));
  let messages = 0;
  for (const [index, { id, createdAt, customer }] of page.data.entries()) {
    const { publicToken: token } = orRefuse(await service.budgets.createPublicLink(actor, id));
    let at = Math.max(Date.parse(createdAt), now - 72 * HOUR_MS);
    for (let view = draws.integer(0, 5); view > 0; view -= 1) {
      at = Math.min(at + draws.integer(20, 400) * MINUTE_MS, now);
      clock.set(at);
      await openLink(stage, token, draws.chance(0.6) ? PHONE : COMPUTER);
    }
    const [question, answer] = QUESTIONS[index] ?? [];
    if (question === undefined) continue;
    const asked = { message: question, name: customer.name ?? "A customer" };
    clock.set(at);
    orRefuse(await service.budgets.sendLinkMessage(token, asked));
    messages += 1;
    if (answer === null || answer === undefined) continue;
    const later = Math.min(at + draws.integer(5, 90) * MINUTE_MS, now);
    orRefuse(await service.budgets.sendMessage(actor, id, { message: answer }, { now: later }));
    messages += 1;
  }
  clock.set(now);
  return messages;
}

async function openLink({ service }: DemoStage, token: string, device: string): Promise<void> {
  const headers = { accept: "application/json", "user-agent": device };
  await service.fetch(new Request(`http://localhost/v1/p/${token}`, { headers }), { peerAddress: "192.0.2.20" });
}
