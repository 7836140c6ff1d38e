import type { Budget, Operations } from "@budgetkit/client";

type PreviewDocument = Operations["previewDocument"]["input"]["body"];
type PreviewedLine = PreviewDocument["items"][number];

/** A saved budget as the content of a preview: without the figures that the service computes. */
export function previewedContent(budget: Budget): PreviewDocument {
  const { id, notes, validUntil, currency, taxRate, taxes, deposit, terms, paymentUrl } = budget;
  return {
    budgetId: id,
    items: budget.items.map(previewedLine),
    notes,
    validUntil,
    currency,
    discountAmount: budget.discountAmount ?? budget.discount,
    ...(deposit === undefined ? {} : { deposit }),
    ...(terms === undefined ? {} : { terms }),
    ...(paymentUrl === undefined ? {} : { paymentUrl }),
    ...(taxes === undefined
      ? taxRate === null
        ? { tax: budget.tax }
        : { taxRate }
      : { taxes: taxes.map(({ base: _base, amount: _amount, ...tax }) => tax) }),
  };
}

function previewedLine(line: Budget["items"][number]): PreviewedLine {
  if (line.kind === "subtotal") {
    const { total: _total, ...content } = line;
    return content;
  }
  if (line.kind !== undefined) return line;
  const {
    kind: _kind,
    total: _total,
    tax: _tax,
    discount: _discount,
    gross: _gross,
    product: _product,
    ...rest
  } = line;
  const { package: _package, ...content } = rest;
  return content;
}
