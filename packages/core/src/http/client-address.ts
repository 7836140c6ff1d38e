import { canonicalAddress, isAllowed } from "../access/ip-allow-list.js";
import type { ApiRequest } from "./message.js";

const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * The address of the client: the peer's, unless the peer is a trusted proxy. Then X-Forwarded-For is read from right
 * to left, past every trusted proxy, to the first address that a trusted one vouches for.
 *
 * @returns null when it cannot be told: no peer, or an entry that is no address.
 */
export function clientAddressOf(request: ApiRequest, trustedProxies: readonly string[]): string | null {
  const peer = request.peerAddress;
  if (trustedProxies.length === 0 || !isAllowed(peer, trustedProxies)) return peer;
  const forwarded = request.header("x-forwarded-for");
  if (forwarded === null) return peer;
  let address: string | null = peer;
  for (const hop of forwarded.split(",").reverse()) {
    address = readHop(hop.trim());
    if (address === null || !isAllowed(address, trustedProxies)) return address;
  }
  return address;
}

function readHop(text: string): string | null {
  const match = WITH_PORT.exec(text);
  return canonicalAddress(match?.[1] ?? match?.[2] ?? text);
}
