import { expect, it } from "vitest";
import { readSettings } from "./settings.js";

it.each(["admin@example.com", "info@müller-bau.example", "jörg@example.com", "test&test@example.com"])(
  "takes %s as BUDGETKIT_ADMIN_EMAIL",
  (BUDGETKIT_ADMIN_EMAIL) => {
    expect(readSettings({ BUDGETKIT_ADMIN_EMAIL })).toMatchObject({ BUDGETKIT_ADMIN_EMAIL });
  },
);

it.each(["admin", "admin@localhost", `${"x".repeat(250)}@example.com`])(
  "refuses %s as BUDGETKIT_ADMIN_EMAIL",
  (BUDGETKIT_ADMIN_EMAIL) => {
    expect(() => readSettings({ BUDGETKIT_ADMIN_EMAIL })).toThrow("BUDGETKIT_ADMIN_EMAIL");
  },
);
