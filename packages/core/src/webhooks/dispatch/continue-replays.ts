import type { ReplayCursor } from "../replay-store.js";
import type { WebhookContext } from "../webhook-context.js";
import type { ReplaySteps } from "./replay-events.js";

const PAGE = 100;

/** Takes one step of every running replay, of all businesses. The steps are loaded with the first one. */
export async function continueReplays(context: WebhookContext, isActive: () => boolean): Promise<ReplaySteps> {
  let after: ReplayCursor | null = null;
  let sent = 0;
  let mayBeMore = false;
  while (isActive()) {
    const replays = await context.store.findRunningReplays(after, PAGE);
    const last = replays.at(-1);
    if (last === undefined) break;
    const { replayEvents } = await import("./replay-events.js");
    const steps = await replayEvents(context, replays, isActive);
    sent += steps.sent;
    mayBeMore ||= steps.mayBeMore;
    if (replays.length < PAGE) break;
    after = last;
  }
  return { sent, mayBeMore };
}
