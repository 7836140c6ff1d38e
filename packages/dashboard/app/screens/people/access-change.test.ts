import type { BusinessEvent } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { accessChangeOf } from "./access-change.js";

const entry = (fields: Partial<BusinessEvent>): BusinessEvent => ({
  id: "e1",
  sequence: 1,
  revision: 1,
  event: "user.role_changed",
  timestamp: "2026-11-02T14:40:00Z",
  actor: "user:1",
  subjectId: "2",
  data: {},
  change: { fields: [], from: null, to: null, reason: null },
  ...fields,
});

describe("accessChangeOf", () => {
  it("a change of a role has the former and the new one", () => {
    const change = { fields: ["role"], from: "MEMBER", to: "ADMIN", reason: null };
    expect(accessChangeOf(entry({ change }), [])).toMatchObject({ from: "MEMBER", to: "ADMIN", person: "2", by: null });
  });

  it("a person who is gone has the name that the entry kept", () => {
    const data = { changes: { displayName: { from: "Tess Park", to: null } } };
    expect(accessChangeOf(entry({ event: "user.removed", data }), [])).toMatchObject({ person: "Tess Park" });
  });

  it("reads data of another shape as nothing", () => {
    const data = { changes: { displayName: 7, email: null } };
    expect(accessChangeOf(entry({ event: "user.disabled", data }), [])).toMatchObject({
      person: "2",
      from: null,
      to: null,
    });
  });

  it("leaves out entries that are not about access", () => {
    expect(accessChangeOf(entry({ event: "budget.created" }), [])).toBeNull();
  });
});
