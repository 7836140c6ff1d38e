import { err, ok, type Result } from "neverthrow";
import { openWithNumber } from "../../commit/blank.js";
import { bindingOf, formerBindingOf, HeldClaim } from "../../idempotency/held-claim.js";
import type { Claim, ClaimOutcome, CompletedClaim } from "../../idempotency/idempotency-store.js";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.js";
import { brokenRule, invalid, type Problem } from "../../kernel/problem.js";
import { randomToken } from "../../kernel/random.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { type RenderedResponse, renderReply } from "../render-reply.js";
import type { BaseCall, CommitReply, PreparedCall, Route } from "../route.js";
import type { Exchange } from "./exchange.js";

const KEY = /^[\x21-\x7e]{1,255}$/;
const LEASE_MS = MINUTE_MS;
const KEPT_MS = DAY_MS;
const CLAIM_BYTES = 16;

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly route: Route;
  readonly actor: Actor;
  readonly key: string; // as sent by the client
  readonly params: unknown;
  readonly bodyText: string;
}

/**
 * Runs a prepared call at most once per Idempotency-Key. The result of its operation is committed together with the effect:
 * a later request with the same key renders that result again, and gets the same bytes. A request without an effect
 * releases the key.
 *
 * Errors: 400 for a malformed key; conflict while the first request is in progress; IDEMPOTENCY_KEY_REUSED when the key
 * belongs to another request; those of the call.
 */
export async function runOnce(
  exchange: Exchange,
  request: IdempotentRequest,
  base: Omit<BaseCall, "commit">,
  run: PreparedCall,
): Promise<Result<RenderedResponse, Problem>> {
  if (!KEY.test(request.key)) {
    return err(invalid("Idempotency-Key", "INVALID_FORMAT", "This must be 1 to 255 visible ASCII characters."));
  }
  const claim = claimFor(exchange, request);
  const outcome = await claimOrRelease(exchange, claim);
  if (outcome.kind === "in-flight") return err(inFlight);
  const render = async (commit: CommitReply) =>
    (await run({ ...base, commit })).map((reply) => renderReply(request.route, reply));
  if (outcome.kind === "completed") return replay(exchange, claim, outcome, render);
  const held = new HeldClaim(claim, exchange.context.box);
  try {
    return await render(async (reply, operate) => (await operate({ now: exchange.now, claim: held })).map(reply));
  } finally {
    if (!held.isCompleted) await release(exchange, claim);
  }
}

/** A claim whose answer was lost may have been written: it is released, so that a retry of the client can claim it. */
async function claimOrRelease(exchange: Exchange, claim: Claim): Promise<ClaimOutcome> {
  try {
    return await exchange.context.idempotency.claimKey(claim, exchange.now);
  } catch (error) {
    await release(exchange, claim);
    throw error;
  }
}

/** Never rejects: a claim that cannot be released lapses with its lease. */
async function release({ context, requestId }: Exchange, { businessId, key, claimId }: Claim): Promise<void> {
  try {
    await context.idempotency.releaseClaim(businessId, key, claimId);
  } catch (error) {
    context.onError(error, requestId);
  }
}

/** The digest binds the key to its credential. The fingerprint is the same for every alias of a path. */
function claimFor({ context, now, query }: Exchange, request: IdempotentRequest): Claim {
  const { route, actor, key, params, bodyText } = request;
  return {
    businessId: actor.businessId,
    key: sha256Hex(`${actorLabel(actor)}\n${key}`),
    claimId: randomToken(context.random, CLAIM_BYTES),
    fingerprint: sha256Hex([route.method, route.paths[0], JSON.stringify(params), query, bodyText].join("\n")),
    leaseUntil: now + LEASE_MS,
    expiresAt: now + KEPT_MS,
  };
}

/** The replay of a completed claim: the same reply of the route, made of the recorded result. Runs no operation. */
async function replay(
  { context }: Exchange,
  claim: Claim,
  completed: CompletedClaim,
  render: (commit: CommitReply) => Promise<Result<RenderedResponse, Problem>>,
): Promise<Result<RenderedResponse, Problem>> {
  if (completed.fingerprint !== claim.fingerprint) {
    return err(brokenRule("IDEMPOTENCY_KEY_REUSED", "This idempotency key belongs to another request."));
  }
  const open = (binding: string) => openWithNumber(completed.response, (sealed) => context.box.open(sealed, binding));
  const result = open(bindingOf(claim));
  const response = result === null ? open(formerBindingOf(claim)) : null;
  if (result === null && response === null) return err(unreadable);
  const rendered =
    result === null ? ok(asRendered(response)) : await render(async (reply) => ok(reply(JSON.parse(result).result)));
  return rendered.map(({ status, headers, body }) => ({
    status,
    headers: { ...headers, "idempotent-replayed": "true" },
    body,
  }));
}

/** A record of an earlier release: the whole response. */
function asRendered(text: string | null): RenderedResponse {
  return JSON.parse(text ?? "null");
}

const inFlight: Problem = {
  kind: "conflict",
  message: "A request with this idempotency key is in progress.",
  details: {},
};

const unreadable: Problem = {
  kind: "conflict",
  message: "The stored response for this idempotency key was encrypted with a secret that is no longer configured.",
  details: {},
};
