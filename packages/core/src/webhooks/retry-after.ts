import { type Instant, SECOND_MS } from "../kernel/clock.js";

const SECONDS = /^\d{1,9}$/;

/** What a Retry-After header asks for, in seconds from now; null when it says nothing. Source: RFC 9110, 10.2.3. */
export function readRetryAfter(value: string | null, now: Instant): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (SECONDS.test(text)) return Number(text);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
