import { err, type Result } from "neverthrow";
import type { AccessContext } from "../../access/access-context.js";
import type { UpdateBusinessInput } from "../../access/business-view.js";
import { planBusiness } from "../../access/own-business.js";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Problem } from "../../kernel/problem.js";
import { pageLanguage } from "../pages/page-language.js";
import { type PreviewContext, previewDocument, type ShownDocument } from "./preview-document.js";
import type { PreviewWishes } from "./preview-wishes.js";
import { sampleBudget } from "./sample-budget.js";

/**
 * A sample budget as a customer would see it after the change of the business. Nothing is stored.
 * Errors: those of updateBusiness and previewDocument.
 */
export async function previewBusiness(
  context: PreviewContext & { readonly access: Pick<AccessContext, "store"> },
  actor: Actor,
  input: UpdateBusinessInput,
  wishes: PreviewWishes,
  now: Instant,
): Promise<Result<ShownDocument, Problem>> {
  const planned = await planBusiness(context.access, actor, input);
  if (planned.isErr()) return err(planned.error);
  const business = planned.value;
  const budgets = { ...context.pdf.budgets, findBusiness: async () => business };
  const language = pageLanguage({ asked: wishes.language ?? null, accepted: null, own: business.profile.locale });
  const changed = { ...context, pdf: { ...context.pdf, budgets } };
  return previewDocument(changed, actor, sampleBudget(language, now), wishes, now);
}
