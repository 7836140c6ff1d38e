import { err, ok, type Result } from "neverthrow";
import { recordAudit } from "../events/record-audit.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { mintWebhookSecret, ROTATION_GRACE_MS, secretBinding } from "../webhooks/webhook-secret.js";
import type { AccessContext } from "./access-context.js";
import type { RotateWebhookSecretInput } from "./key-input.js";
import { decideSecretRotation } from "./key-rules.js";
import type { RotatedSecretView, WebhookSecretView } from "./key-view.js";
import { changeKey, findKey } from "./manage-keys.js";
import { refuseUnlessAdministrator } from "./permissions.js";

/**
 * Reads the secret that callbacks are signed with, once an audit entry of it is safe. It is as good as a credential:
 * MEMBER may not.
 * Errors: forbidden, not-found. Throws when no configured secret of the service opens it.
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
  const webhookSecret = context.secrets.box.open(sealedWebhookSecret, secretBinding(businessId, { kind: "key", id }));
  if (webhookSecret === null)
    throw new Error("a webhook secret was sealed with a secret that is not configured any more");
  await recordAudit(context, actor, "api_key.secret_read", id, now);
  return ok({ webhookSecret });
}

/**
 * Puts a new secret, given or made, in the place of the one that callbacks are signed with, and shows it. For a day
 * callbacks carry a signature of each. Errors: forbidden, not-found, KEY_REVOKED.
 */
export async function rotateWebhookSecret(
  context: AccessContext,
  actor: Actor,
  keyId: string,
  input: RotateWebhookSecretInput,
  now: Instant = context.clock.now(),
): Promise<Result<RotatedSecretView, Problem>> {
  const webhookSecret = input.webhookSecret ?? mintWebhookSecret(context.random);
  const changed = await changeKey(context, actor, keyId, now, (key) => {
    const binding = secretBinding(key.businessId, { kind: "key", id: key.id });
    return decideSecretRotation(key, context.secrets.box.seal(webhookSecret, binding), now);
  });
  return changed.map(({ updatedAt }) => ({
    webhookSecret,
    previousSecretUntil: toTimestamp(updatedAt + ROTATION_GRACE_MS),
  }));
}
