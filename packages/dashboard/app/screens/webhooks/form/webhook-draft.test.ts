import { describe, expect, it } from "vitest";
import { draftOf, filterOf, newWebhook, problemsOf, settingsOf } from "./webhook-draft.js";

const draft = { ...newWebhook("USD"), url: " https://crm.example/hooks " };

describe("the settings of a new endpoint", () => {
  it("a new endpoint receives every event, without conditions, where nothing else was chosen", () => {
    expect(settingsOf(draft)).toEqual({
      url: "https://crm.example/hooks",
      description: null,
      events: null,
      filter: null,
      ordering: "none",
      allowedIps: null,
    });
  });

  it("a new endpoint holds each condition that was given", () => {
    const given = {
      ...draft,
      statuses: ["APPROVED" as const],
      currencies: "usd, ars usd",
      customers: "c-1",
      minimum: "5000",
    };
    expect(filterOf({ ...given, minimumCurrency: "usd" })).toEqual({
      status: ["APPROVED"],
      currency: ["USD", "ARS"],
      customerId: ["c-1"],
      minimumTotal: { amount: 5_000, currency: "USD" },
    });
  });
});

describe("problemsOf", () => {
  it("problemsOf names what is missing or wrong", () => {
    const wrong = { ...draft, url: "crm.example", events: [], currencies: "dollars", minimum: "5,000", addresses: "x" };
    expect(problemsOf(wrong)).toEqual({ url: true, events: true, currencies: true, minimum: true, addresses: true });
    expect(Object.values(problemsOf(draft))).not.toContain(true);
    expect(problemsOf({ ...draft, url: "javascript:alert(1)" }).url).toBe(true);
  });
});

describe("the draft of an endpoint", () => {
  it("changes nothing where nothing was changed", () => {
    const filter = { status: ["APPROVED" as const], minimumTotal: { amount: 12.5, currency: "EUR" } };
    const webhook = {
      id: "1",
      url: "https://crm.example/hooks",
      description: "CRM sync",
      events: ["budget.*" as const],
      filter,
      status: "ACTIVE" as const,
      disabledReason: null,
      allowedIps: ["192.0.2.1"],
      retryPolicy: { delaysSeconds: [0] },
      ordering: "subject" as const,
      failingSince: null,
      createdAt: "",
      updatedAt: "",
    };
    const { url, description, events, ordering, allowedIps } = webhook;
    expect(settingsOf(draftOf(webhook, "USD"))).toEqual({ url, description, events, filter, ordering, allowedIps });
  });
});
