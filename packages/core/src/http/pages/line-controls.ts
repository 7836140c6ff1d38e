import type { OfferedItem } from "./document-rows.js";
import { type Html, html } from "./html.js";
import { actionOf, type PageContent } from "./page-content.js";

/** The form that sends the selection: its controls stand in the rows of the lines. */
const FORM = "accept";

type Line = OfferedItem & { readonly id?: string | undefined };

/** Says that the line can be selected: a box that is not checked sends nothing. */
function offeredMark(id: string): Html {
  return html`<input type="hidden" name="offered.${id}" value="1" form="${FORM}">`;
}

/** Selects the line, beside others. */
export function checkBox({ id = "", selected }: Line): Html {
  return html`${offeredMark(id)}<input type="checkbox" id="line-${id}" name="selected.${id}" value="1" form="${FORM}" autocomplete="off"${isChecked(selected === true)}>`;
}

/** Selects the line in the place of the others of its choice. */
export function radioButton({ id = "", choice = "", selected }: Line): Html {
  return html`${offeredMark(id)}<input type="radio" id="line-${id}" name="choice.${choice}" value="${id}" form="${FORM}" autocomplete="off"${isChecked(selected === true)}>`;
}

/** Selects no line of a choice. `id` is that of the control. */
export function noneButton(id: string, key: string, isSelected: boolean): Html {
  return html`<input type="radio" id="${id}" name="choice.${key}" value="" form="${FORM}" autocomplete="off"${isChecked(isSelected)}>`;
}

function isChecked(isSelected: boolean): Html | null {
  return isSelected ? html` checked` : null;
}

/** The quantity with its unit; null = the customer does not set it. */
export function quantityField(
  { id = "", quantity, quantityRange, unit }: Line,
  name: string,
  { words }: PageContent,
): Html | null {
  if (quantityRange === undefined) return null;
  const { minimum, maximum, step } = quantityRange;
  return html`<span class="measured"><label class="unseen" for="quantity-${id}">${words.quantity}: ${name}</label><input type="number" id="quantity-${id}" name="quantity.${id}" value="${quantity}" min="${minimum}" max="${maximum}" step="${step}" required form="${FORM}" autocomplete="off">${unit === undefined ? null : html` <bdi>${unit}</bdi>`}</span>`;
}

/** Sends the selection to see its total. A script that computes the total removes it. */
export function updateButton(content: PageContent): Html | null {
  if (content.configuration === null) return null;
  return html`<button type="submit" class="update" form="${FORM}" formaction="${actionOf(content, "preview")}" formnovalidate>${content.words.updateTotal}</button>\n`;
}
