import type { AccessContext } from "./access-context.js";

/** Runs work that no response waits for. `stop` of the service waits until it has ended. */
export function inBackground({ underWay, onError }: AccessContext, work: () => Promise<void>): void {
  const running = work()
    .catch(onError)
    .finally(() => underWay.delete(running));
  underWay.add(running);
}
