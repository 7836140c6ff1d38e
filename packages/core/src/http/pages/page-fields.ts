import { type Html, html } from "./html.js";
import type { BlankField, FormAction, PageContent } from "./page-content.js";

/** The customer's name. It is the one that the offer names, until they have entered another. */
export function nameField(content: PageContent, action: FormAction): Html {
  const { view, words } = content;
  const value = enteredIn(content, action, "name") ?? view.customer.name ?? "";
  const id = `${action}-name`;
  return html`<label for="${id}">${words.name}</label>
<input id="${id}" name="name" autocomplete="name" maxlength="255" dir="auto" required value="${value}"${stateOf(content, action, "name")}>
${complaint(content, action, "name")}`;
}

interface TextField {
  readonly name: "message" | "reason";
  readonly label: string;
  readonly rows: number;
  readonly isRequired: boolean;
  readonly prepared?: string; // what it has until the customer has entered something
}

export function textField(
  content: PageContent,
  action: FormAction,
  { name, label, rows, isRequired, prepared = "" }: TextField,
): Html {
  const id = `${action}-${name}`;
  const state = name === "message" ? stateOf(content, action, name) : null;
  return html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" maxlength="2000" dir="auto"${isRequired ? html` required` : null}${state}>
${enteredIn(content, action, name) ?? prepared}</textarea>
${name === "message" ? complaint(content, action, name) : null}`;
}

function enteredIn({ refused }: PageContent, action: FormAction, field: string): string | undefined {
  return refused?.action === action ? refused.values[field] : undefined;
}

function isBlank({ refused }: PageContent, action: FormAction, field: BlankField): boolean {
  return refused?.action === action && refused.field === field;
}

function stateOf(content: PageContent, action: FormAction, field: BlankField): Html | null {
  return isBlank(content, action, field)
    ? html` aria-invalid="true" aria-describedby="${action}-${field}-error" autofocus`
    : null;
}

function complaint(content: PageContent, action: FormAction, field: BlankField): Html | null {
  if (!isBlank(content, action, field)) return null;
  const { nameMissing, messageMissing } = content.words;
  return html`<p class="error" id="${action}-${field}-error" role="alert">${field === "name" ? nameMissing : messageMissing}</p>`;
}
