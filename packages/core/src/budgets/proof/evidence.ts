import { z } from "zod";
import { type Actor, actorLabel } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import type { SelectedLine } from "../../pricing/selection.js";
import { type FlattenedJws, jwsDigest } from "../../signing/signing-keys.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { selectionHashOf } from "../offer/selection.js";
import { contentHashOf, type ShownContent } from "../offer/shown-content.js";

/** The evidence of an acceptance. */
export const evidenceSchema = z
  .object({
    /** Base64url of the canonical JSON: what was accepted, by whom, when and how. */
    payload: z.string().describe("Base64url of the canonical JSON: what was accepted, by whom, when and how."),
    /** Base64url of the header: the algorithm, EdDSA, and the id of the key. */
    protected: z.string().describe("Base64url of the header: the algorithm, EdDSA, and the id of the key."),
    /** Base64url of the signature. */
    signature: z.string(),
  })
  .meta({ id: "Evidence", description: "A JWS in the flattened JSON form. Its keys are at /.well-known/jwks.json." });

/** The consent that the customer read beside the button. */
export interface Consent {
  readonly language: string;
  readonly text: string;
}

/** How an acceptance was given; null = unknown, or not given. */
export interface AcceptanceFacts {
  /** `link` = the customer, by the public link; `api` = the business, in the customer's place. */
  readonly channel: "link" | "api";
  readonly name: string | null; // as the customer gave it
  readonly signature: string | null; // the data of an SVG path
  readonly consent: Consent | null;
  readonly address: string | null; // of the client
  readonly userAgent: string | null;
}

/** What a business knows of an acceptance that it records itself. */
export function factsOfBusiness({ address }: Actor): AcceptanceFacts {
  const unknown = { name: null, signature: null, consent: null, userAgent: null };
  return { channel: "api", ...unknown, address: address ?? null };
}

interface Acceptance {
  readonly current: Budget; // as it was shown, before the acceptance
  readonly content: ShownContent; // as it was accepted
  /** What was offered and what the customer set of it; absent, null = the offer left nothing open. */
  readonly offer?: { readonly content: ShownContent; readonly selection: readonly SelectedLine[] } | null;
  readonly actor: Actor;
  readonly facts: AcceptanceFacts;
  readonly now: Instant;
}

/**
 * Signs the evidence of an acceptance. Evidence names that of the acceptance before, of the same budget: its version
 * decides between concurrent acceptances, so the chain has no gaps and no branches.
 */
export function signEvidence(
  { sign, publicBaseUrl }: Pick<BudgetContext, "sign" | "publicBaseUrl">,
  { current, content, offer = null, actor, facts, now }: Acceptance,
): Promise<FlattenedJws> {
  const { channel, name, signature, consent, address, userAgent } = facts;
  return sign({
    type: EVIDENCE_TYPE,
    issuer: publicBaseUrl,
    businessId: current.businessId, // a business chooses its name itself
    budgetId: current.id,
    version: current.version,
    content,
    contentHash: contentHashOf(content),
    ...(offer === null ? {} : choiceOf(offer)),
    acceptance: {
      choice: "accept",
      channel,
      by: actorLabel(actor),
      name,
      at: toTimestamp(now),
      consent: consent?.text ?? null,
      language: consent?.language ?? null,
      signature,
      address,
      userAgent: userAgent === null ? null : plainText(userAgent),
    },
    previous: current.evidence === undefined ? null : jwsDigest(current.evidence),
  });
}

/** What was offered and what was chosen, each with its hash. `content` is the result. */
function choiceOf({ content, selection }: NonNullable<Acceptance["offer"]>) {
  return {
    offer: content,
    offerHash: contentHashOf(content),
    selection,
    selectionHash: selectionHashOf(selection),
  };
}

const EVIDENCE_TYPE = "budgetkit.acceptance.v1";

const MAX_USER_AGENT = 512;

/** The name of the client's program, without control characters and halves of surrogate pairs. */
function plainText(userAgent: string): string {
  return userAgent.slice(0, MAX_USER_AGENT).replace(/[\p{Cc}\p{Cs}]/gu, " ");
}
