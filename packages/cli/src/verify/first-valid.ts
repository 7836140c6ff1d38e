import type { AllTrusted, TrustedKeys } from "./trusted-keys.js";

type Outcome = { readonly ok: true } | { readonly ok: false; readonly field: string };

/**
 * Verifies a file by each of these until one finds it valid. Otherwise the refusal counts that is of the issuer which
 * the file names, and without such a one the first.
 */
export async function firstValid<T extends Outcome>(
  trusted: AllTrusted,
  verify: (keys: TrustedKeys) => Promise<T>,
): Promise<{ readonly outcome: T; readonly from: string }> {
  const [first, ...others] = trusted;
  let chosen = { outcome: await verify(first), from: first.from };
  for (const keys of others) {
    if (chosen.outcome.ok) break;
    const outcome = await verify(keys);
    const isOfOther = !chosen.outcome.ok && chosen.outcome.field === "payload.issuer";
    if (outcome.ok || (isOfOther && outcome.field !== "payload.issuer")) chosen = { outcome, from: keys.from };
  }
  return chosen;
}
