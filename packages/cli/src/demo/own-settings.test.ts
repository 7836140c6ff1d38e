import { expect, it } from "vitest";
import { attachmentsFolder } from "../settings/attachments-folder.js";
import { readSettings } from "../settings/settings.js";
import { ownSettings } from "./own-settings.js";

it("a demo uses nothing of another server that the environment names", () => {
  const named = readSettings({
    DATABASE_URL: "postgres://user@db.example/production",
    BUDGETKIT_SECRET: "a secret of at least thirty-two characters",
    BUDGETKIT_PUBLIC_URL: "https://quotes.example/v1",
    BUDGETKIT_ATTACHMENTS_DIR: "/var/lib/budgetkit/attachments",
    BUDGETKIT_DASHBOARD: "false",
    REDIS_URL: "redis://cache.example",
    SMTP_URL: "smtp://mail.example",
    MAIL_FROM: "quotes@example.com",
    METRICS_PORT: "9100",
  });
  const own = ownSettings(named, "/tmp/demo");
  expect(attachmentsFolder(own)?.path).toBe("/tmp/demo/demo.db-attachments");
  expect(own).toMatchObject({
    DATABASE_URL: { kind: "file", path: "/tmp/demo/demo.db" },
    REDIS_URL: null,
    METRICS_PORT: null,
    SMTP_URL: null,
    BUDGETKIT_SECRET: null,
    BUDGETKIT_PUBLIC_URL: null,
    BUDGETKIT_DASHBOARD: true,
  });
});
