import { selectionSchema } from "../../budgets/offer/selection.js";
import { openWithSelection } from "../../budgets/sharing/configured-offer.js";
import type { FieldError } from "../../kernel/problem.js";
import { prefersHtml } from "../headers/negotiation.js";
import { publicPage } from "../pages/own-page.js";
import type { BlankField, FormAction } from "../pages/page-content.js";
import type { ShowRefused } from "../route.js";

/** Shows a form of the customer's page again when its name or its message is blank, with what was entered. */
export function shownAgain(action: FormAction): ShowRefused {
  return async ({ context, request, now, input, problem }) => {
    if (!prefersHtml(request.accept()) || problem.kind !== "invalid") return null;
    const values = textsIn(input.body);
    const field = blankFieldIn(problem.errors, values);
    const { token = "" } = textsIn(input.params);
    if (field === null) return null;
    const { lang = null, c: channel = null } = textsIn(input.query);
    const { selection } = Object(input.body);
    const chosen = selectionSchema.safeParse(selection).data ?? [];
    const opened = await openWithSelection(context.budgets, token, chosen, now);
    return opened.asyncMap(async (view) => {
      const shows = { hasPdf: context.pdf.renderer !== null, channel, refused: { action, field, values } };
      const wishes = { asked: lang, accepted: request.acceptLanguage() };
      return { html: await publicPage(view, wishes, now, shows, context.publicPage), status: 400 as const };
    });
  };
}

function blankFieldIn(errors: readonly FieldError[], values: Readonly<Record<string, string>>): BlankField | null {
  const fields = errors.map(({ field }) => field);
  const isBlank = (field: BlankField) => fields.includes(field) && (values[field] ?? "").trim() === "";
  return isBlank("name") ? "name" : isBlank("message") ? "message" : null;
}

function textsIn(given: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(given)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}
