import { describe, expect, it } from "vitest";
import { draftOf, NEW_KEY, problemsOf, settingsOf } from "./key-draft.js";

const now = Date.parse("2026-11-26T15:00:00Z");
const key = {
  id: "76",
  name: "Shop",
  description: null,
  scopes: ["READ_BUDGETS" as const],
  status: "ACTIVE" as const,
  rateLimitPerHour: 5_000,
  allowedIps: ["198.51.100.0/24"],
  expiresAt: "2027-03-31T21:15:00.000Z",
  webhookUrl: null,
  keyPrefix: "bgk_live_QeF",
  createdAt: "2026-03-14T12:00:00.000Z",
  updatedAt: "2026-03-14T12:00:00.000Z",
  revokedAt: null,
  lastUsedAt: null,
};

describe("the settings of a new key", () => {
  it("a new key leaves the limit to the tier where none is given, and counts days of validity from now", () => {
    expect(settingsOf({ ...NEW_KEY, name: " Shop ", expiry: "30" }, now)).toEqual({
      name: "Shop",
      description: null,
      scopes: ["READ_BUDGETS"],
      allowedIps: null,
      expiresAt: "2026-12-26T15:00:00.000Z",
      webhookUrl: null,
    });
  });

  it("need a name, a right, a whole limit and addresses that are some", () => {
    const wrong = { ...NEW_KEY, scopes: [], limit: "1.5", addresses: "host.example", expiry: "date" as const };
    expect(problemsOf(wrong)).toEqual({ name: true, scopes: true, limit: true, addresses: true, expiryDate: true });
    expect(Object.values(problemsOf({ ...NEW_KEY, name: "Shop" }))).not.toContain(true);
  });
});

describe("the draft of a key", () => {
  it("changes nothing where nothing was changed, not even the time of its end", () => {
    const { name, description, scopes, rateLimitPerHour, allowedIps, expiresAt, webhookUrl } = key;
    const same = { name, description, scopes, rateLimitPerHour, allowedIps, expiresAt, webhookUrl };
    expect(settingsOf(draftOf(key), now, key)).toEqual(same);
    expect(settingsOf({ ...draftOf(key), expiryDate: "2027-04-30" }, now, key).expiresAt).toBe("2027-04-30");
  });
});
