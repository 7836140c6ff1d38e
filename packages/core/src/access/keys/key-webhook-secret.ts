import { err, ok, type Result } from "neverthrow";
import { recordAudit } from "../../commit/record-audit.js";
import { type Actor, refuseUnlessAdministrator } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import type { Problem } from "../../kernel/problem.js";
import { mintWebhookSecret, openSecret, ROTATION_GRACE_MS, secretBinding } from "../../signing/webhook-secret.js";
import type { AccessContext } from "../access-context.js";
import type { RotateWebhookSecretInput } from "./key-input.js";
import { decideSecretRotation } from "./key-rules.js";
import type { RotatedSecretView, WebhookSecretView } from "./key-view.js";
import { changeKey, findKey, sealFor } from "./manage-keys.js";

/**
 * Returns the secret that signs callbacks, after the audit entry is committed. The secret is a credential, so the role
 * MEMBER may not read it. Errors: forbidden, not-found. Throws when no configured service secret decrypts it.
 */
export async function readWebhookSecret(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  now: Instant = context.clock.now(),
): Promise<Result<WebhookSecretView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const key = await findKey(context, actor, keyId);
  if (key.isErr()) return err(key.error);
  const { businessId, id, sealedWebhookSecret } = key.value;
  const webhookSecret = openSecret(
    context.secrets.box,
    sealedWebhookSecret,
    secretBinding(businessId, { kind: "key", id }),
  );
  await recordAudit(context, actor, "api_key.secret_read", id, now);
  return ok({ webhookSecret });
}

/**
 * Replaces the secret that signs callbacks, and returns the new one. For a day callbacks carry a signature of each
 * secret. Errors: forbidden, not-found, KEY_REVOKED.
 */
export async function rotateWebhookSecret(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: RotateWebhookSecretInput,
  now: Instant = context.clock.now(),
): Promise<Result<RotatedSecretView, Problem>> {
  const webhookSecret = input.webhookSecret ?? mintWebhookSecret(context.random);
  const changed = await changeKey(context, actor, { keyId, act: "api_key.secret_rotated", now }, (key) =>
    decideSecretRotation(key, sealFor(context, key, webhookSecret), now),
  );
  return changed.map(({ updatedAt }) => ({
    webhookSecret,
    previousSecretUntil: toTimestamp(updatedAt + ROTATION_GRACE_MS),
  }));
}
