import { canonicalRange } from "./access/ip-allow-list.js";
import type { Store } from "./store.js";

const MIN_SECRET_LENGTH = 32;
const HTTP_URL = /^https?:\/\/[^\s?#]+$/i; // `/p/` and a token are put behind it

/** Throws a TypeError for what has no methods of a store. */
export function checkedStore(store: Store): Store {
  if (typeof store?.migrate === "function") return store;
  throw new TypeError('store must be a store, such as sqliteStore("budgets.db")');
}

/** The secrets as a list. Throws a RangeError when there is none, and when one is too short. */
export function checkedSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  if (secrets.length === 0 || secrets.some((each) => each.length < MIN_SECRET_LENGTH)) {
    throw new RangeError(`secret must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  return secrets;
}

/** The URL without a slash at its end. Throws a RangeError for what public links cannot begin with. */
export function checkedBaseUrl(url: string): string {
  if (typeof url === "string" && HTTP_URL.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new RangeError(
    `publicBaseUrl must be a string, an http or https URL without query and fragment: ${String(url)}`,
  );
}

/** Throws a RangeError, by the name of the option, for what is none of its values. */
export function checkedChoice<Value extends string>(option: string, given: Value, values: readonly Value[]): Value {
  if (values.includes(given)) return given;
  throw new RangeError(`${option} must be ${values.join(" or ")}: ${String(given)}`);
}

/** The canonical form of a proxy's address range. Throws a RangeError for what is none. */
export function checkedRange(text: string): string {
  const range = canonicalRange(text);
  if (range === null) throw new RangeError(`trustedProxies must be addresses or CIDR ranges: ${text}`);
  return range;
}
