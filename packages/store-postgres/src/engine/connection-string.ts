import pg from "pg";

/** What a connection string asks of the server, which the driver does not check. */
export interface ServerDemand {
  /** True = `target_session_attrs` refuses a server that takes no writes. */
  readonly takesWrites: boolean;
}

/**
 * Reads what the driver ignores in a connection string. Throws a RangeError for several hosts, and for a
 * `target_session_attrs` that the store cannot use; a TypeError for a string that is no URL.
 *
 * Several hosts are refused, not tried in turn: each server says of itself that it takes writes, and so does a former
 * primary that was cut off. Two processes would then write to two databases.
 */
export function readConnectionString(text: string): ServerDemand {
  const [, authority = "", query = ""] = PARTS.exec(text) ?? [];
  const options = new URLSearchParams(query);
  const hosts = [authority.slice(authority.lastIndexOf("@") + 1), options.get("host"), options.get("port")];
  if (hosts.some((host) => host?.includes(","))) throw new RangeError(SEVERAL_HOSTS);
  new pg.Client({ connectionString: text }); // reads the URL and does not connect
  const wanted = options.get("target_session_attrs") ?? "any";
  const takesWrites = TAKES_WRITES.get(wanted);
  if (takesWrites === undefined) throw new RangeError(unusable(wanted));
  return { takesWrites };
}

/** The authority and the query of a URL; a password may hold an unencoded @. */
const PARTS = /^[a-z]+:\/\/([^/?#]*)[^?#]*\??([^#]*)/i;

const SEVERAL_HOSTS =
  "it names several hosts: name one address that always leads to the primary, such as that of HAProxy, a virtual IP or " +
  "a DNS name";

/** https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-TARGET-SESSION-ATTRS */
const TAKES_WRITES: ReadonlyMap<string, boolean> = new Map([
  ["any", false],
  ["read-write", true],
  ["primary", true],
]);

function unusable(wanted: string): string {
  return `target_session_attrs is ${JSON.stringify(wanted)}, and the store needs the primary: use read-write, primary or any`;
}
