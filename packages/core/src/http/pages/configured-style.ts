import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { isConfigurable } from "../../pricing/selection.js";
import { compact } from "./page-style.js";

/** Of pages whose lines the customer selects, or has selected. Other pages do without it. */
export function configuredStyle({ items }: PublicBudgetView): string {
  return items.some(isConfigurable) ? CONFIGURED : "";
}

const CONFIGURED = compact(`
.choice td { padding: .375rem 0; border: 0 }
fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0 }
legend { display: flex; flex-wrap: wrap; gap: 0 .75rem; justify-content: space-between; width: 100%; padding: 0 }
.option { position: relative; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: flex-start; margin-top: .5rem; padding: .75rem; border: 1px solid var(--control); border-radius: var(--radius) }
td > .option { margin: 0 }
.option:has(> :checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: color-mix(in srgb, var(--accent) 7%, var(--background)) }
.option > input { position: relative; z-index: 1; width: 1.25rem; height: 1.25rem; min-height: 0; margin: .125rem 0 0; padding: 0; flex: none; accent-color: var(--accent) }
.option > input:disabled ~ * { opacity: .6 }
.option label { flex: 1 1 8rem; min-width: 0; margin: 0; font-size: 1rem; font-weight: 400; cursor: pointer }
.option label::after { content: ""; position: absolute; inset: 0 }
.price { margin-inline-start: auto; text-align: end; font-variant-numeric: tabular-nums }
.measured { position: relative; z-index: 1; white-space: nowrap }
.measured input { width: 6.5rem; margin: 0; text-align: end; background: var(--background) }
input:user-invalid { border: 2px solid var(--bad) }
.update { margin: .5rem 0; border-color: var(--accent); color: var(--accent) }
.of-choice { padding-inline-start: 1rem }
.left-out td, .left-out .what { color: var(--quiet); font-weight: 400 }
.chosen .note::before { content: "\\2713\\a0" }
.amount { transition: background-color .4s cubic-bezier(.2,0,0,1) }
.amount.changed { background: color-mix(in srgb, var(--accent) 14%, var(--background)); transition: none }
@media (prefers-reduced-motion: reduce) { .amount.changed { background: none } }
@media (max-width: 36rem) {
  td.of-choice, .of-choice + td.measure { padding-inline-start: 1rem }
  tr.choice { border: 0; padding: .25rem 0 }
  .choice td { flex: 1 1 100% }
}
@media (forced-colors: active) { .option:has(> :checked) { outline: 2px solid Highlight } }
@media print { .update { display: none !important } .option { break-inside: avoid } }
`);
