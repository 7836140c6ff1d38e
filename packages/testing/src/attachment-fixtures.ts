import type { Attachment } from "@budgetkit/core/store";
import { FIXTURE_BUSINESS, FIXTURE_TIME } from "./fixtures.js";

/** An attachment of the budget that `aBudget` makes. */
export function anAttachment(overrides: Partial<Attachment> = {}): Attachment {
  return {
    businessId: FIXTURE_BUSINESS,
    budgetId: "10",
    id: "80",
    fileName: "offer.pdf",
    contentType: "application/pdf",
    size: 3,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    createdAt: FIXTURE_TIME,
    createdBy: "key:20",
    ...overrides,
  };
}
