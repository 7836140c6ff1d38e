import { isSelectable } from "../../pricing/selectable.js";
import type { OfferedItem } from "./document-rows.js";
import { type Html, html } from "./html.js";
import { actionOf, type PageContent } from "./page-content.js";

/** The form that sends the selection: its controls stand in the rows of the lines. */
const FORM = "accept";

type Line = OfferedItem & { readonly id?: string | undefined };

/** Selects the line, beside others. */
export function checkBox({ id = "", selected }: Line, index: number): Html {
  return html`<input type="checkbox" id="line-${index}" name="selected.${id}" value="1" form="${FORM}"${isChecked(selected === true)}>`;
}

/** Selects the line in the place of the others of its choice. */
export function radioButton({ id = "", choice = "", selected }: Line, index: number): Html {
  return html`<input type="radio" id="line-${index}" name="choice.${choice}" value="${id}" form="${FORM}"${isChecked(selected === true)}>`;
}

/** Selects no line of a choice. `id` is that of the control. */
export function noneButton(id: string, key: string, isSelected: boolean): Html {
  return html`<input type="radio" id="${id}" name="choice.${key}" value="" form="${FORM}"${isChecked(isSelected)}>`;
}

function isChecked(isSelected: boolean): Html | null {
  return isSelected ? html` checked` : null;
}

/** The quantity with its unit; null = the customer does not set it. */
export function quantityField(
  { id = "", quantity, quantityRange, unit }: Line,
  { name, index }: { readonly name: string; readonly index: number },
  { words }: PageContent,
): Html | null {
  if (quantityRange === undefined) return null;
  const { minimum, maximum, step } = quantityRange;
  return html`<span class="measured"><label class="unseen" for="quantity-${index}">${words.quantity}: ${name}</label><input type="number" id="quantity-${index}" name="quantity.${id}" value="${quantity}" min="${minimum}" max="${maximum}" step="${step}" required form="${FORM}">${unit === undefined ? null : html` <bdi>${unit}</bdi>`}</span>`;
}

/** In the form: which lines can be unselected. A box that is not checked sends nothing. */
export function offeredMarks({ view, configuration }: PageContent): Html | null {
  if (configuration === null) return null;
  const exclusive = view.items.flatMap((line) =>
    line.kind === "choice" && line.maximum === 1 && line.minimum === 1 ? [line.key] : [],
  );
  const ids = view.items.flatMap((line) =>
    line.kind === undefined && isSelectable(line) && !exclusive.includes(line.choice ?? "") ? [line.id ?? ""] : [],
  );
  return html`\n<input type="hidden" name="total" value="${view.total}">${ids.map((id) => html`<input type="hidden" name="offered.${id}" value="1">`)}`;
}

/** Sends the selection to see its total. A script that computes the total removes it. */
export function updateButton(content: PageContent): Html | null {
  if (content.configuration === null) return null;
  return html`<button type="submit" class="update" form="${FORM}" formaction="${actionOf(content, "preview")}" formnovalidate>${content.words.updateTotal}</button>\n`;
}
