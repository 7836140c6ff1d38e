import { describe, expect, it } from "vitest";
import { configOf, draftOf, NEW_INTEGRATION, settingsOf } from "./integration-draft.js";

describe("settingsOf", () => {
  it("needs a name, and settings that are a JSON object", () => {
    expect(settingsOf(NEW_INTEGRATION)).toBeNull();
    expect(settingsOf({ ...NEW_INTEGRATION, name: "Accounting", config: "[1]" })).toBeNull();
    expect(settingsOf({ ...NEW_INTEGRATION, name: " Accounting " })).toEqual({
      name: "Accounting",
      description: null,
      apiKeyId: null,
      webhookIds: [],
      config: {},
    });
  });

  it("changes nothing where nothing was changed", () => {
    const given = {
      name: "Accounting",
      description: "Books",
      apiKeyId: "76",
      webhookIds: ["4169"],
      config: { region: "south" },
    };
    const stored = { ...given, id: "1", status: "ACTIVE" as const, createdAt: "", updatedAt: "" };
    expect(settingsOf(draftOf(stored))).toEqual(given);
  });
});

describe("configOf", () => {
  it("takes no text for no settings", () => {
    expect([configOf(" "), configOf("{}"), configOf("null"), configOf("{")]).toEqual([{}, {}, null, null]);
  });
});
