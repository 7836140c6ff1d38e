import { err, ok, type Result } from "neverthrow";
import type { Claim, ClaimOutcome, Receipt } from "../idempotency/idempotency-store.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import { DAY_MS, MINUTE_MS } from "../kernel/clock.js";
import { randomToken, sha256Hex } from "../kernel/digest.js";
import { brokenRule, invalid, type Problem } from "../kernel/problem.js";
import { type Answer, renderReply } from "./answer.js";
import type { Exchange } from "./exchange.js";
import type { BaseCall, Commit, PreparedCall, Route } from "./route.js";

const KEY = /^[\x21-\x7e]{1,255}$/;
const LEASE_MS = MINUTE_MS;
const KEPT_MS = DAY_MS;
const CLAIM_BYTES = 16;

/** A request whose effect must happen once, however often it is sent. */
export interface OnceOnly {
  readonly route: Route;
  readonly actor: Actor;
  readonly key: string; // as the client sent it
  readonly params: unknown;
  readonly bodyText: string;
}

/**
 * Runs a prepared call under its Idempotency-Key. The answer is committed together with the effect, so that a later
 * request with the same key is given the same bytes; a request that had no effect leaves nothing behind.
 *
 * Errors: 400 for a key that is none; a conflict while the first request is under way; IDEMPOTENCY_KEY_REUSED for
 * another request under the same key; those of the call.
 */
export async function runOnce(
  exchange: Exchange,
  once: OnceOnly,
  base: Omit<BaseCall, "commit">,
  run: PreparedCall,
): Promise<Result<Answer, Problem>> {
  if (!KEY.test(once.key)) {
    return err(invalid("Idempotency-Key", "INVALID_FORMAT", "This must be 1 to 255 visible ASCII characters."));
  }
  const claim = claimFor(exchange, once);
  const outcome = await claimKey(exchange, claim);
  if (outcome.kind === "in-flight") return err(inFlight);
  if (outcome.kind === "completed") return replay(exchange, claim, outcome);
  const receipts = new Receipts(exchange, once.route, claim);
  let succeeded = false;
  try {
    const result = await run({ ...base, commit: receipts.commit });
    succeeded = result.isOk() && receipts.made;
    return result.map((reply) => renderReply(once.route, reply));
  } finally {
    if (!succeeded) await exchange.context.claims.release(claim, exchange.requestId);
  }
}

/** One that was left behind when the store was away is given up first. */
async function claimKey({ context, now }: Exchange, claim: Claim): Promise<ClaimOutcome> {
  const { idempotency, claims } = context;
  try {
    const outcome = await idempotency.claimKey(claim, now);
    if (outcome.kind !== "in-flight" || !(await claims.releaseKept(claim))) return outcome;
    return await idempotency.claimKey(claim, now);
  } catch (error) {
    claims.keep(claim); // it may have been written
    throw error;
  }
}

/** Makes the receipts that an operation commits with its effect; one that decides anew asks for another. */
class Receipts {
  made = false;

  constructor(
    private readonly exchange: Exchange,
    private readonly route: Route,
    private readonly claim: Claim,
  ) {}

  readonly commit: Commit = async (reply, run) => {
    const receiptFor = (view: Parameters<typeof reply>[0]) => this.make(renderReply(this.route, reply(view)));
    return (await run({ now: this.exchange.now, receiptFor })).map(reply);
  };

  private make(answer: Answer): Receipt {
    this.made = true;
    const { businessId, key, claimId } = this.claim;
    const response = this.exchange.context.box.seal(JSON.stringify(answer), bindingOf(this.claim));
    return { businessId, key, claimId, response };
  }
}

/** The key is bound to the credential; the fingerprint knows aliases of a path for the one route that they are. */
function claimFor({ context, now, query }: Exchange, { route, actor, key, params, bodyText }: OnceOnly): Claim {
  return {
    businessId: actor.businessId,
    key: sha256Hex(`${actorLabel(actor)}\n${key}`),
    claimId: randomToken(context.random, CLAIM_BYTES),
    fingerprint: sha256Hex([route.method, route.paths[0], JSON.stringify(params), query, bodyText].join("\n")),
    leaseUntil: now + LEASE_MS,
    expiresAt: now + KEPT_MS,
  };
}

function bindingOf({ businessId, key }: Claim): string {
  return `idempotency:${businessId}:${key}`;
}

function replay(
  { context }: Exchange,
  claim: Claim,
  { fingerprint, response }: { readonly fingerprint: string; readonly response: string },
): Result<Answer, Problem> {
  if (fingerprint !== claim.fingerprint) {
    return err(brokenRule("IDEMPOTENCY_KEY_REUSED", "This idempotency key belongs to another request."));
  }
  const opened = context.box.open(response, bindingOf(claim));
  if (opened === null) return err(unreadable);
  const answer: Answer = JSON.parse(opened);
  return ok({ ...answer, headers: { ...answer.headers, "idempotent-replayed": "true" } });
}

const inFlight: Problem = {
  kind: "conflict",
  message: "A request with this idempotency key is under way.",
  details: {},
};

const unreadable: Problem = {
  kind: "conflict",
  message: "The answer to this idempotency key was sealed with a secret that is no longer in use.",
  details: {},
};
