import { canonicalAddress, isAllowed } from "../../kernel/ip-allow-list.js";
import type { ApiRequest } from "../message.js";

const WITH_PORT = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * The address of the client: the peer's, unless the peer is a trusted proxy. Then it is the rightmost address in
 * X-Forwarded-For that is not a trusted proxy.
 *
 * @returns null when unknown: no peer, or a malformed entry.
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
