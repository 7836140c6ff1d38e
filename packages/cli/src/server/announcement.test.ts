import { describe, expect, it } from "vitest";
import { announcement } from "./announcement.js";
import type { FirstPassword } from "./first-start.js";

function announce(password: FirstPassword) {
  const url = "http://localhost:3000";
  return announcement({
    port: 3000,
    url,
    publicUrl: `${url}/v1`,
    dashboardUrl: `${url}/dashboard`,
    referenceUrl: null,
    firstOwner: { businessId: "1001", businessName: "First business", email: "admin@example.com", password },
    hasNewSecret: true,
    logInOnce: async () => "",
    stop: async () => {},
  });
}

describe("the announcement of a first start", () => {
  it("announces a generated password on the terminal, not on standard output", () => {
    const { text, login } = announce({ kind: "shown", password: "generated" });
    expect(text).toMatch(/^Budgetkit listens on http:\/\/localhost:3000\n/);
    expect(text).not.toContain("generated");
    expect(login).toContain("password  generated (this is shown once)");
    expect(login).toContain("PASSWORD='generated'");
  });

  it("announces the dashboard before any lines to paste", () => {
    const { text, login } = announce({ kind: "shown", password: "generated" });
    expect(text).toContain("\nDashboard, to open in a browser: http://localhost:3000/dashboard\n");
    const opening = login?.indexOf("Open http://localhost:3000/dashboard in a browser") ?? -1;
    expect(opening).toBeGreaterThan(0);
    expect(opening).toBeLessThan(login?.indexOf("curl") ?? 0);
  });

  it("announces the file of a kept password, and reads it in the lines to paste", () => {
    const { text, login } = announce({ kind: "file", path: "/srv/it's/b.db-owner-password" });
    expect(login).toBe(null);
    expect(text).toContain("password  in the file /srv/it's/b.db-owner-password");
    expect(text).toContain(`PASSWORD=$(cat '/srv/it'\\''s/b.db-owner-password')`);
  });

  it("announces no password that comes from BUDGETKIT_ADMIN_PASSWORD", () => {
    const { text, login } = announce({ kind: "given" });
    expect(login).toBe(null);
    expect(text).toContain("that of BUDGETKIT_ADMIN_PASSWORD");
  });
});
