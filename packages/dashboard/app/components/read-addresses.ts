const MAX_ADDRESSES = 100;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;

export interface ReadAddresses {
  /** Null = from anywhere. */
  readonly addresses: readonly string[] | null;
  /** The first entry that is neither an address nor a range; null = all are. */
  readonly wrong: string | null;
  readonly isTooLong: boolean;
}

/** Reads addresses and CIDR ranges that are divided by spaces, commas or lines. The service checks them again. */
export function readAddresses(text: string): ReadAddresses {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== "");
  return {
    addresses: entries.length === 0 ? null : entries,
    wrong: entries.find((entry) => !isRange(entry)) ?? null,
    isTooLong: entries.length > MAX_ADDRESSES,
  };
}

function isRange(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.split("/");
  if (rest.length > 0) return false;
  const bits = IPV4.test(address) ? 32 : isIpv6(address) ? 128 : null;
  if (bits === null) return false;
  return prefix === undefined || (PREFIX.test(prefix) && Number(prefix) <= bits);
}

function isIpv6(address: string): boolean {
  const halves = address.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const hasIpv4 = last !== undefined && IPV4.test(last);
  const count = groups.length + (hasIpv4 ? 1 : 0);
  const plain = hasIpv4 ? groups.slice(0, -1) : groups;
  return plain.every((group) => GROUP.test(group)) && (halves.length === 2 ? count < 8 : count === 8);
}
