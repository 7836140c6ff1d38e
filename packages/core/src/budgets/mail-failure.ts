/** Why an attempt of a mail failed. Readers of budgets see the reason; the operator's `onError` gets the error itself. */
export interface MailFailure {
  readonly reason: string;
  readonly isPermanent: boolean;
}

/** An error of the service itself, whose message anyone may read. */
export class OwnMailError extends Error {
  override readonly name = "OwnMailError";
}

const UNREACHABLE = "The mail server cannot be reached.";
const UNANSWERED = "The mail server did not answer in time.";
const MISCONFIGURED = "The mail server does not accept the settings of this service.";
const OTHER = "The mail could not be sent.";
const FOR_GOOD = "The mail was refused for good.";

/** Codes of the network, and of SMTP clients. */
const BY_CODE: Readonly<Record<string, string>> = {
  EAI_AGAIN: UNREACHABLE,
  ECONNECTION: UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EDNS: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EPIPE: UNREACHABLE,
  ESOCKET: UNREACHABLE,
  ETIMEDOUT: UNANSWERED,
  EAUTH: MISCONFIGURED,
  EOAUTH2: MISCONFIGURED,
  ETLS: MISCONFIGURED,
};

/** The reply code of a mail server with its enhanced status code. Source: RFC 5321, 4.2; RFC 3463. */
const REPLY = /^([2-5]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?=\s|$))?/;

/**
 * The error of a mailer names the operator's mail server: its address, its name, its words. None of them is in the reason.
 */
export function mailFailureOf(error: unknown): MailFailure {
  if (error instanceof OwnMailError) return { reason: error.message, isPermanent: false };
  const isPermanent = fieldOf(error, "permanent") === true;
  return {
    reason: replyIn(error) ?? BY_CODE[String(fieldOf(error, "code"))] ?? (isPermanent ? FOR_GOOD : OTHER),
    isPermanent,
  };
}

function replyIn(error: unknown): string | null {
  const code = fieldOf(error, "responseCode");
  if (typeof code !== "number") return null;
  const [, , status] = REPLY.exec(String(fieldOf(error, "response") ?? "")) ?? [];
  const reply = status === undefined ? String(code) : `${code} ${status}`;
  return SHOWN_REPLY.test(refused(reply)) ? refused(reply) : null;
}

function refused(reply: string): string {
  return `The mail server refused the mail (${reply}).`;
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

/** Each attempt was claimed, and none was settled: another one would be as many mails as there are leases. */
export const NO_OUTCOME = "Every attempt ended without an outcome.";
export const NOT_WAITING = "The budget no longer waits for an answer of this customer.";
export const HELD_UP = "The process was held up until its turn to send was over.";

export function tooSlow(deadlineMs: number): string {
  return `The mailer took longer than ${deadlineMs} ms.`;
}

const SHOWN: ReadonlySet<string> = new Set([
  ...Object.values(BY_CODE),
  OTHER,
  FOR_GOOD,
  NO_OUTCOME,
  NOT_WAITING,
  HELD_UP,
]);
const SHOWN_REPLY = /^The mail server refused the mail \([2-5]\d\d(?: [245]\.\d{1,3}\.\d{1,3})?\)\.$/;
const SHOWN_DEADLINE = /^The mailer took longer than \d+ ms\.$/;

/** A stored reason as readers see it: earlier versions stored the mailer's own words. */
export function shownReason(reason: string | null): string | null {
  if (reason === null || SHOWN.has(reason) || SHOWN_REPLY.test(reason) || SHOWN_DEADLINE.test(reason)) return reason;
  return OTHER;
}
