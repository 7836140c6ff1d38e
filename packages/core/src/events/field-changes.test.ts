import { describe, expect, it } from "vitest";
import { auditedChange } from "./field-changes.js";

const view = { id: "20", name: "Shop", status: "ACTIVE", allowedIps: null, scopes: ["WEBHOOKS"], updatedAt: "a" };

describe("auditedChange", () => {
  it("auditedChange lists the fields that differ with both values, and the change of status", () => {
    const after = { ...view, status: "REVOKED", allowedIps: ["192.0.2.1"], scopes: ["WEBHOOKS"], updatedAt: "b" };
    expect(auditedChange(view, after)).toEqual({
      change: { fields: ["status", "allowedIps"], from: "ACTIVE", to: "REVOKED" },
      data: {
        changes: { status: { from: "ACTIVE", to: "REVOKED" }, allowedIps: { from: null, to: ["192.0.2.1"] } },
      },
    });
  });

  it("auditedChange lists every filled field of a new or deleted record", () => {
    const fields = ["name", "status", "scopes"];
    expect(auditedChange(null, view).change).toEqual({ fields, from: null, to: "ACTIVE" });
    expect(auditedChange(view, null).change).toEqual({ fields, from: "ACTIVE", to: null });
    expect(auditedChange(view, null).data.changes).toMatchObject({ name: { from: "Shop", to: null } });
  });

  it("auditedChange lists nothing for equal views, and no change of status without one", () => {
    expect(auditedChange({ tier: "STANDARD" }, { tier: "STANDARD" })).toEqual({
      change: { fields: [], from: null, to: null },
      data: { changes: {} },
    });
  });
});
