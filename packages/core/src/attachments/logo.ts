import { createHash } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import { replaceBusinessCommit } from "../access/access-commits.js";
import type { AccessContext } from "../access/access-context.js";
import { type Logo, MAX_LOGO_BYTES } from "../access/business.js";
import { type BusinessView, businessViewOf } from "../access/business-view.js";

import { findByToken } from "../budgets/offer/public-token.js";
import { matchCommitted } from "../commit/match-committed.js";

import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { type Actor, refuseUnlessAdministrator, refuseUnlessReader } from "../kernel/actor.js";
import type { Call } from "../kernel/call.js";
import { notFound, type Problem, tooLarge } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { type AttachmentContext, noBlobs, removeBlob } from "./attachment-context.js";

export interface LogoContext {
  readonly access: AccessContext;
  readonly attachments: AttachmentContext;
}

/** The content is read on demand. */
export interface OpenLogo {
  /** Media type, size and digest. */
  readonly logo: Logo;
  /** The bytes, read on demand. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The host's operations for the logo of the actor's own business. */
export function createLogoOperations(context: LogoContext, call: Call) {
  return {
    /**
     * Sets the logo of the actor's own business: a PNG, a JPEG or an SVG of at most 512 KiB. A PNG or JPEG is stored in the
     * size that the renderer of PDFs needs. At most 30 calls an hour for a business.
     */
    setLogo: (actor: Actor, content: Uint8Array | AsyncIterable<Uint8Array>) =>
      call.plain(actor, () => setLogo(context, actor, content instanceof Uint8Array ? chunkOf(content) : content)),
    getLogo: (actor: Actor) => call.plain(actor, () => getLogo(context, actor)),
    removeLogo: (actor: Actor) => call.plain(actor, () => removeLogo(context, actor)),
  };
}
export type LogoOperations = ReturnType<typeof createLogoOperations>;

/**
 * Sets the logo: writes the blob, then the business; the blob of the former logo is removed.
 * Errors: forbidden; not-implemented without a blob store; too-large; rate-limited; LOGO_NOT_SUPPORTED; unavailable under
 * too much load; not-found; conflict after repeated lost writes. Rejects with the error of `content`.
 */
export async function setLogo(
  context: LogoContext,
  actor: Actor,
  content: AsyncIterable<Uint8Array>,
): Promise<Result<BusinessView, Problem>> {
  const { attachments } = context;
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  if (attachments.blobs === null) return err(noBlobs);
  const bytes = await collected(content);
  if (bytes === null) return err(tooLarge(MAX_LOGO_BYTES));
  const blobId = await attachments.ids.next(actor.businessId);
  const { storableLogo } = await import("./logo-image.js");
  const image = await storableLogo(attachments, actor.businessId, blobId, bytes);
  if (image.isErr()) return err(image.error);
  const { contentType, bytes: safe } = image.value;
  const sha256 = createHash("sha256").update(safe).digest("hex");
  await attachments.blobs.writeBlob(blobId, chunkOf(safe), attachments.clock.now());
  const replaced = await replaceLogo(context, actor, { blobId, contentType, size: safe.byteLength, sha256 });
  if (replaced.isErr()) await removeBlob(attachments, attachments.blobs, blobId);
  return replaced;
}

/** Errors: forbidden; not-implemented without a blob store; not-found, without a logo too; conflict. */
export async function removeLogo(context: LogoContext, actor: Actor): Promise<Result<BusinessView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  return context.attachments.blobs === null ? err(noBlobs) : replaceLogo(context, actor, null);
}

/** Errors: forbidden; not-implemented without a blob store; not-found, without a logo too. */
export async function getLogo(context: LogoContext, actor: Actor): Promise<Result<OpenLogo, Problem>> {
  const refusal = refuseUnlessReader(actor);
  return refusal === null ? openLogo(context, actor.businessId) : err(refusal);
}

/** The logo on the page of a link. Errors: not-implemented without a blob store; not-found. */
export async function openLinkedLogo(context: LogoContext, token: string): Promise<Result<OpenLogo, Problem>> {
  const budget = await findByToken(context.attachments.budgets, token);
  return budget === null ? err(notFound("publicLink", "")) : openLogo(context, budget.businessId);
}

/** Errors: not-implemented without a blob store; not-found, without a logo too. */
export async function openLogo(
  { access, attachments }: LogoContext,
  businessId: string,
): Promise<Result<OpenLogo, Problem>> {
  if (attachments.blobs === null) return err(noBlobs);
  const logo = (await access.store.findBusiness(businessId))?.profile.logo;
  const content = logo === undefined ? null : await attachments.blobs.openBlob(logo.blobId);
  return logo === undefined || content === null ? err(notFound("logo", businessId)) : ok({ logo, content });
}

/** Null removes the logo; then not-found without one. */
async function replaceLogo(
  { access, attachments }: LogoContext,
  actor: Actor,
  logo: Logo | null,
): Promise<Result<BusinessView, Problem>> {
  const { store, commit, ids, clock } = access;
  const { businessId } = actor;
  return retryOnConflict(
    async () => {
      const current = await store.findBusiness(businessId);
      if (current === null) return err(notFound("business", businessId));
      const { logo: former, ...profile } = current.profile;
      if (former === undefined && logo === null) return err(notFound("logo", businessId));
      const version = current.version + 1;
      const next = { ...current, version, profile: logo === null ? profile : { ...profile, logo } };
      const difference = auditedChange(businessViewOf(current), businessViewOf(next));
      const act = { type: "business.updated", subjectId: businessId, now: clock.now(), ...difference } as const;
      const audit = await makeAuditEntry(ids, actor, act);
      const committed = await commit(replaceBusinessCommit(next, current.version, audit));
      if (matchCommitted(committed, { written: false, stale: true })) return STALE;
      if (former !== undefined && attachments.blobs !== null) {
        await removeBlob(attachments, attachments.blobs, former.blobId);
      }
      return ok(businessViewOf(next));
    },
    () => keepsChanging("business", businessId),
  );
}

/** Null = larger than a logo may be. Such content is not read to its end. */
async function collected(content: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_LOGO_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
