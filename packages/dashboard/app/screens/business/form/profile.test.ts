import { describe, expect, it } from "vitest";
import type { Business } from "../../../queries/business.js";
import { changedFields, changesOf, profileOf } from "./profile.js";

const business: Business = {
  id: "1",
  version: 3,
  name: "Roble y Cía",
  tier: "STANDARD",
  timeZone: "America/Argentina/Buenos_Aires",
  legalName: "Roble y Cía S.R.L.",
  taxId: null,
  address: null,
  email: null,
  phone: null,
  website: null,
  accentColor: "#8a4a1c",
  locale: "es-AR",
  currency: "ARS",
  terms: null,
  paymentInstructions: null,
  footer: null,
  numberPattern: null,
  reminderDays: [7, 2],
  mails: {
    customer: { accepted: true, newVersion: true, message: true },
    seller: { viewed: false, accepted: true, declined: true, asked: true, expiring: true, endpointDisabled: true },
  },
  requireSecondFactor: false,
  createdAt: "2026-01-01T00:00:00Z",
};
const base = profileOf(business);

describe("changesOf", () => {
  it("sends the changed fields alone, and null for an emptied one", () => {
    expect(changesOf(base, { legalName: " ", phone: " +54 11 ", currency: "ARS" })).toEqual({
      legalName: null,
      phone: "+54 11",
    });
  });

  it("sends an emptied name as it is: the service names the field", () => {
    expect(changesOf(base, { name: "" })).toEqual({ name: "" });
  });

  it("sends lists and settings as a whole", () => {
    const taxes = [
      { id: "iva", name: "IVA", rate: 0.21, kind: "tax" as const, inclusive: false, on: [], default: true },
    ];
    expect(changesOf(base, { reminderDays: [], taxes })).toEqual({ reminderDays: null, taxes });
  });
});

describe("changedFields", () => {
  it("a field that is as it was again is no change", () => {
    expect(changedFields(base, { accentColor: "#8a4a1c", reminderDays: [7, 2], name: "Roble" })).toEqual(["name"]);
  });
});
