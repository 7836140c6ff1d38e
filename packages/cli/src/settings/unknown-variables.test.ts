import { describe, expect, it } from "vitest";
import { settingNames } from "./settings.js";
import { unknownVariables } from "./unknown-variables.js";

const meant = (environment: Record<string, string>) =>
  unknownVariables(environment).map(({ name, advice }) => [name, /Did you mean (\w+)\?/.exec(advice)?.[1] ?? null]);

describe("variables that are no settings", () => {
  it.each([
    ["BUDGETKIT_PROT", "PORT"],
    ["BUDGETKIT_PORT", "PORT"],
    ["BUDGETKIT_SECRETS", "BUDGETKIT_SECRET"],
    ["budgetkit_secret", "BUDGETKIT_SECRET"],
    ["BUDGETKIT_DATABASE_URL", "DATABASE_URL"],
    ["BUDGETKIT_ADMIN_MAIL", "BUDGETKIT_ADMIN_EMAIL"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["BUGDETKIT_SECRET", "BUDGETKIT_SECRET"],
    ["BUDGETKIT_RETENTION_IN_DAYS", null],
  ])("warns of the unknown variable %s, and suggests %s", (name, nearest) => {
    expect(meant({ [name]: "x" })).toEqual([[name, nearest]]);
  });

  it("warns of no variable of other programs, and of no empty one", () => {
    const others = [
      "PATH",
      "HOME",
      "HOSTNAME",
      "PWD",
      "SMTP_HOST",
      "REDIS_HOST",
      "REDIS_PORT",
      "LOG_LEVEL",
      "NODE_ENV",
    ];
    const ours = ["BUDGETKIT_COPY_TO", "BUDGETKIT_KEY", "BUDGETKIT_URL", ...settingNames()];
    expect(meant(Object.fromEntries([...others, ...ours].map((name) => [name, "x"])))).toEqual([]);
    expect(meant({ BUDGETKIT_PROT: "" })).toEqual([]);
  });

  it("warns of no near name of a setting that is set", () => {
    expect(meant({ DATABASE_URI: "x" })).toEqual([["DATABASE_URI", "DATABASE_URL"]]);
    expect(meant({ DATABASE_URI: "x", DATABASE_URL: "memory:" })).toEqual([]);
  });
});
