import { priceBudget } from "../../pricing/price-budget.js";
import type { PricingFigures, PricingLine } from "../../pricing/pricing-shapes.js";
import { applySelection, type SelectedLine } from "../../pricing/selection.js";
import type { LiveOffer } from "./live-offer.js";
import { amountSize, type NumberFormats, numberFormats } from "./number-formats.js";
import { selectionIn } from "./selection-form.js";
import { type ShownLines, shownLines, shownSums, undiscountedAmount } from "./shown-figures.js";

/*
 * The script of a page whose customer configures the offer. It computes the total of the selection as the service does,
 * by the same functions. tests/browser/live-total-script.test.ts bundles it.
 */

/** The members of the page's elements that the script uses. */
interface PageElement {
  textContent: string | null;
  hidden: boolean;
  disabled: boolean;
  className: string;
  value: string;
  readonly checked: boolean;
  readonly name: string;
  readonly id: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  replaceChildren(...children: readonly (PageElement | string)[]): void;
  addEventListener(event: string, listener: (event: PageEvent) => void): void;
  focus(): void;
  remove(): void;
}
interface PageEvent {
  readonly target: PageElement | null;
  preventDefault(): void;
}
declare const document: Pick<PageElement, "querySelector" | "querySelectorAll" | "addEventListener"> & {
  createElement(name: string): PageElement;
};
declare const window: Pick<PageElement, "addEventListener">;
declare class FormData {
  constructor(form: PageElement);
  [Symbol.iterator](): Iterator<[string, string]>;
}

const AMOUNT = "\u0000";
const TINTED_MS = 400;

interface LivePage {
  readonly offer: LiveOffer;
  readonly form: PageElement;
  readonly formats: NumberFormats;
}

function start(page: LivePage): void {
  let shown = computed(page);
  if (shown === null) return; // the page keeps its buttons
  for (const button of document.querySelectorAll("button.update")) button.remove();
  const update = (): void => {
    limitBoxes();
    const result = computed(page);
    if (result === null) return; // a quantity is being typed
    shown = result;
    showLines(page, result);
    showSums(page, result);
    showTotal(page, result.figures.total);
    for (const { error, fieldset, key } of choices()) {
      if (!result.figures.incompleteChoices.includes(key)) mark(fieldset, error, false);
    }
  };
  document.addEventListener("input", ({ target }) => {
    if (target?.name.includes(".") === true) update();
  });
  window.addEventListener("pageshow", update); // the browser may have kept other values than those of the page
  page.form.addEventListener("submit", (event) => {
    if (shown !== null && refuses(shown.figures.incompleteChoices)) event.preventDefault();
  });
  update();
}

/** Shows which choices lack a selection, and goes to the first of them. */
function refuses(keys: readonly string[]): boolean {
  const open = choices().filter(({ key }) => keys.includes(key));
  for (const { fieldset, error } of open) mark(fieldset, error, true);
  open[0]?.fieldset.querySelector("input:not([type=hidden])")?.focus();
  return open.length > 0;
}

function write(selector: string, text: string): void {
  for (const element of document.querySelectorAll(selector)) element.textContent = text;
}

function showTotal({ offer, formats: { money, moneyParts } }: LivePage, total: number): void {
  const parts = moneyParts(total);
  const amount = document.querySelector(".summary .amount");
  amount?.querySelector("bdi")?.replaceChildren(...parts.map(({ isCode, text }) => (isCode ? codeOf(text) : text)));
  write(".bar strong bdi", money(total));
  write(
    "#accept .consent",
    offer.consent.replace(AMOUNT, () => money(total)),
  );
  write(
    "#accept .primary",
    offer.accept.replace(AMOUNT, () => money(total)),
  );
  const field = document.querySelector("#accept [name=total]");
  if (field === null || field.value === String(total)) return;
  field.value = String(total);
  write("#announced", `${offer.label}: ${money(total)}`);
  if (amount === null) return;
  const size = `amount ${amountSize(parts)}`;
  amount.className = `${size} changed`;
  setTimeout(() => {
    amount.className = size;
  }, TINTED_MS);
}

function showLines({ offer, formats: { price } }: LivePage, { items, figures, lines: { amounts } }: Computed): void {
  for (const element of document.querySelectorAll("[data-line]")) {
    const amount = amounts[Number(element.dataset.line)] ?? null;
    if (amount !== null) element.textContent = price(amount);
  }
  for (const element of document.querySelectorAll("[data-price]")) {
    const unitPrice = figures.items[Number(element.dataset.price)]?.unitPrice;
    if (unitPrice !== undefined) element.textContent = price(unitPrice);
  }
  for (const element of document.querySelectorAll("[data-undiscounted]")) {
    const index = Number(element.dataset.undiscounted);
    const { quantity = 0, discountRate, discountAmount } = items[index] ?? {};
    const priced = { quantity, unitPrice: figures.items[index]?.unitPrice ?? 0, discountRate, discountAmount };
    const amount = undiscountedAmount(priced, amounts[index] ?? null, offer.input.currency);
    element.hidden = amount === null;
    if (amount !== null) element.textContent = price(amount);
  }
}

function showSums({ offer, formats: { money, price } }: LivePage, { figures, lines }: Computed): void {
  const minimum = figures.minimumPaymentToConfirm ?? offer.settings.minimum;
  for (const { name, index, amount } of shownSums(figures, lines, { ...offer.settings, minimum })) {
    const row = document.querySelector(`[data-sum=${name}${index}]`);
    if (row === null) continue;
    row.hidden = amount === null;
    const text = row.querySelector("dd bdi");
    if (text === null || amount === null) continue;
    const later = name === "recurring" ? (offer.laterAmounts[index] ?? AMOUNT) : AMOUNT;
    text.textContent = name === "total" ? money(amount) : later.replace(AMOUNT, () => price(amount));
  }
}

interface Computed {
  readonly items: readonly PricingLine[];
  readonly figures: PricingFigures;
  readonly lines: ShownLines;
}

/** Null = the selection is not one that the offer allows. */
function computed({ offer: { input }, form }: LivePage): Computed | null {
  const selection = selectionOf(form);
  if (selection === null) return null;
  const items = applySelection(input.items, selection);
  if (items.isErr()) return null;
  const figures = priceBudget({ ...input, items: items.value });
  if (figures.isErr()) return null;
  return {
    items: items.value,
    figures: figures.value,
    lines: shownLines(items.value, figures.value.items, input.currency),
  };
}

/** Null = a quantity is no number. */
function selectionOf(form: PageElement): readonly SelectedLine[] | null {
  const { selection } = selectionIn(Object.fromEntries(new FormData(form)));
  const read: SelectedLine[] = [];
  for (const { quantity, ...each } of selection) {
    if (typeof quantity === "string") return null;
    read.push(quantity === undefined ? each : { ...each, quantity });
  }
  return read;
}

interface ChoiceOnPage {
  readonly key: string;
  readonly fieldset: PageElement;
  readonly error: PageElement;
}

function choices(): ChoiceOnPage[] {
  return [...document.querySelectorAll("fieldset[data-choice]")].flatMap((fieldset) => {
    const error = fieldset.querySelector(".error");
    return error === null ? [] : [{ key: fieldset.dataset.choice ?? "", fieldset, error }];
  });
}

function mark(fieldset: PageElement, error: PageElement, isOpen: boolean): void {
  error.hidden = !isOpen;
  if (isOpen) fieldset.setAttribute("aria-describedby", error.id);
  else fieldset.removeAttribute("aria-describedby");
}

/** Once the most options are checked, no other can be. */
function limitBoxes(): void {
  for (const { fieldset } of choices()) {
    const boxes = [...fieldset.querySelectorAll("[type=checkbox]")];
    const isFull = boxes.filter(({ checked }) => checked).length >= Number(fieldset.dataset.maximum);
    for (const box of boxes) box.disabled = isFull && !box.checked;
  }
}

function codeOf(text: string): PageElement {
  const code = document.createElement("span");
  code.className = "code";
  code.textContent = text;
  return code;
}

const data = document.querySelector("#offer");
const form = document.querySelector("#accept");
if (data !== null && form !== null) {
  const offer: LiveOffer = JSON.parse(data.textContent ?? "");
  start({ offer, form, formats: numberFormats(offer.locale, offer.input.currency) });
}
