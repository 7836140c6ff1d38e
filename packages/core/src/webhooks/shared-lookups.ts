import type { ResolveName } from "./resolve-destination.js";
import { SEND_DEADLINE_MS } from "./sender.js";

/**
 * Looks a name up once for all who ask while the answer is on its way: the resolver of the machine has few places, and a
 * name that takes its time would fill them. Nothing is kept: who asks after the answer asks anew. A lookup that has been
 * under way for longer than a call may take is waited for by nobody who comes later.
 */
export function sharedLookups(resolveName: ResolveName): ResolveName {
  const underWay = new Map<string, Lookup>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined && performance.now() - known.startedAt < SEND_DEADLINE_MS) return known.addresses;
    const addresses = resolveName(hostname);
    const lookup: Lookup = { addresses, startedAt: performance.now() };
    underWay.set(hostname, lookup);
    const forget = (): void => {
      if (underWay.get(hostname) === lookup) underWay.delete(hostname);
    };
    addresses.then(forget, forget);
    return addresses;
  };
}

interface Lookup {
  readonly addresses: ReturnType<ResolveName>;
  readonly startedAt: number;
}
